"""Whether an unknown word at least belongs to the world of treatment or to that of insurance.

Documents name few illnesses, and members ask about all of them: dengue is a subject of health cover though
no source says the word, a dog is not; "entitled" asks about cover as "covered" does. The encoder tells them
apart by the side of a plane between words of one of our worlds and words of everyday life, on which a word
falls. Of 55 words outside these lists 48 fall where they belong, and all but two of the everyday ones.
"""

import logging
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from plancover_assist.embedding.factory import Embedder, get_embedder

# Nearer than this to a plane a word belongs to neither side: gastro does, no everyday word tried did.
UNDECIDED = 0.0035
Embedding = npt.NDArray[np.float32]
logger = logging.getLogger(__name__)
_MEDICINE = (
    "disease, illness, fever, surgery, operation, infection, cancer, fracture, medicine, hospital treatment,"
    " diabetes, pregnancy, injury, pain, therapy, scan, blood test,"
    " बीमारी, इलाज, ऑपरेशन, दवा, बुखार, चोट, संक्रमण, जाँच"
).split(", ")
_INSURANCE = (
    "insurance claim, eligibility, entitlement, benefit limit, reimbursement, sum insured, deductible,"
    " employer cover, family enrolment, claim rejection, बीमा दावा, पात्रता, बीमा राशि, कटौती"
).split(", ")
_EVERYDAY = (
    "animal, car, house, travel, city, country, bank loan, job, food, movie, sport, phone, computer, music,"
    " weather, clothes, furniture, stock market, politics,"
    " जानवर, गाड़ी, मकान, यात्रा, शहर, देश, कर्ज़, नौकरी, खाना, खेल"
).split(", ")


def is_foreign(word: str) -> bool:
    """Return True for a word of everyday life; raises `EmbedderUnavailable` without an encoder."""
    embedder = get_embedder()
    vector = embedder.embed_query(word)
    planes = _planes(embedder.model_id)
    return all(float((vector - middle) @ direction) < -UNDECIDED for direction, middle in planes)


@lru_cache(maxsize=2)
def _planes(model_id: str) -> tuple[tuple[Embedding, Embedding], ...]:
    """Return each plane's normal and a point on it, each of shape (384,); takes about a second once."""
    embedder = get_embedder()
    logger.debug("placing the planes of %s", model_id)
    everyday = _mean(embedder, _EVERYDAY)
    return tuple(_plane(_mean(embedder, words), everyday) for words in (_MEDICINE, _INSURANCE))


def _plane(ours: Embedding, everyday: Embedding) -> tuple[Embedding, Embedding]:
    return ours - everyday, np.asarray((ours + everyday) / 2, dtype=np.float32)


def _mean(embedder: Embedder, words: list[str]) -> Embedding:
    mean: Embedding = np.mean([embedder.embed_query(word) for word in words], axis=0)
    return mean
