"""Entry point of the builder's process: `python -m plancover_assist.embedding.build TARGET`.

Writes the int8 model, then compares it with the package's own engine on five sentences. Exits non-zero, with
the reason on the last line of stderr, when the file is not good enough to be used.
"""

import os
import sys
from pathlib import Path

import numpy as np

from plancover_assist.embedding.embedder import Embedder
from plancover_assist.embedding.int8_onnx import Int8Embedder
from plancover_assist.embedding.nano import NanoEmbedder
from plancover_assist.embedding.onnx_graph import write_int8_model
from plancover_assist.embedding.weights import Weights, installed_weights

LEAST_COSINE = 0.99
# One of each kind that the product sees: short and long, the three ways of writing, figures.
SENTENCES = (
    "What is the cataract limit for each eye?",
    "कैशलेस दावा नामंज़ूर होने पर क्या करना चाहिए?",
    "मेरा claim अभी तक pending क्यों है",
    "The insurer decides a cashless request within 1 hour and the final authorisation within 3 hours.",
    (
        "Bills of 30 days before and 60 days after the stay are payable up to the sum insured of ₹5,00,000 "
        "when the main claim is payable and the bills belong to the same illness."
    ),
)


def agreement(one: Embedder, other: Embedder) -> float:
    """Return the least cosine between the two embedders' vectors of the sentences, as passages."""
    products = one.embed_passages(SENTENCES) * other.embed_passages(SENTENCES)
    return float(np.min(products.sum(axis=1)))


def main(target: Path) -> None:
    weights = Weights(installed_weights())
    write_int8_model(weights, target)
    cosine = agreement(Int8Embedder(weights, target), NanoEmbedder())
    if cosine < LEAST_COSINE:
        sys.exit(f"the int8 model differs from its source: cosine {cosine:.4f}, wanted {LEAST_COSINE}")
    _settle(target)


def _settle(path: Path) -> None:
    """Make sure that the bytes are on disk before anybody renames the file into place."""
    with path.open("rb") as handle:
        os.fsync(handle.fileno())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
