"""How much goes into one passage: whole where it fits, else cut at paragraph and sentence ends.

Sizes are estimated from the words, because the encoder's own tokeniser is heavy to load and a passage
need only be about right: the encoder cuts at 256 tokens, and what it cuts stays searchable by keyword.
"""

import math
import re
from collections.abc import Iterable, Iterator

from plancover_assist.text.tokens import split_sentences
from retrieval.chunking.blocks import Block, unwrap

MAX_TOKENS = 256  # tokens the encoder reads
# Pieces a word makes in the encoder's vocabulary, measured on the corpus: 1.3 in English, 1.6 in Hindi.
_PIECES_LATIN, _PIECES_OTHER = 1.3, 1.7
_WORD = re.compile(r"\S+")


def estimate_tokens(text: str) -> int:
    """Return about how many tokens the encoder makes of a text, rounded up so that parts cover the whole."""
    words = _WORD.findall(text)
    latin = sum(1 for word in words if word.isascii())
    return math.ceil(latin * _PIECES_LATIN + (len(words) - latin) * _PIECES_OTHER)


def pack(source: str, blocks: Iterable[Block], budget: int = MAX_TOKENS) -> Iterator[list[Block]]:
    """Group blocks into passages of at most `budget` tokens, in order.

    A table is a passage of its own with the paragraph that introduces it and is never cut. A paragraph
    above the budget is cut at sentence ends; a single longer sentence stays whole.
    """
    group: list[Block] = []
    for block in _pieces(source, blocks, budget):
        if block.is_table:
            yield from _with_table(group, block)
            group = []
            continue
        if group and _size(group) + estimate_tokens(block.text) > budget:
            yield group
            group = []
        group.append(block)
    if group:
        yield group


def _size(group: list[Block]) -> int:
    return sum(estimate_tokens(block.text) for block in group)


def _with_table(group: list[Block], table: Block) -> Iterator[list[Block]]:
    if len(group) > 1:
        yield group[:-1]
    yield [*group[-1:], table]


def _pieces(source: str, blocks: Iterable[Block], budget: int) -> Iterator[Block]:
    for block in blocks:
        if block.is_table or estimate_tokens(block.text) <= budget:
            yield block
        else:
            yield from _cut(source, block, budget)


def _cut(source: str, block: Block, budget: int) -> Iterator[Block]:
    """Cut a long paragraph into runs of whole sentences, each with its own place in the source."""
    start, size, end = block.start, 0, block.start
    for sentence_end in _sentence_ends(source, block):
        cost = estimate_tokens(source[end:sentence_end])
        if size and size + cost > budget:
            yield _run(source, start, end)
            start, size = end, 0
        size, end = size + cost, sentence_end
    yield _run(source, start, block.end)


def _run(source: str, start: int, end: int) -> Block:
    raw = source[start:end]
    start += len(raw) - len(raw.lstrip())
    return Block(unwrap(raw), start, start + len(raw.strip()))


def _sentence_ends(source: str, block: Block) -> Iterator[int]:
    """Offsets in the source at which a sentence of the block ends.

    Sentences are found in the unwrapped text; walking both texts by their visible characters maps each
    end back to the file, whatever was wrapped or dropped between them.
    """
    visible = [at for at in range(block.start, block.end) if unwrap(source[at])]
    taken = 0
    for sentence in split_sentences(block.text):
        taken += sum(not char.isspace() for char in sentence.text)
        yield visible[taken - 1] + 1
