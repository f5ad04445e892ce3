"""Whether an unknown word at least belongs to the world of illness and treatment.

Documents name few illnesses, and members ask about all of them: dengue is a subject of health cover though
no source says the word, a dog is not. The encoder tells the two apart by the side of a plane between words
of medicine and words of everyday life, on which a word falls. Measured on 60 words outside these lists, a
third of them Hindi: every everyday word but one falls on its side, and all English medical ones.
"""

import logging
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from plancover_assist.embedding.factory import Embedder, get_embedder

logger = logging.getLogger(__name__)
_MEDICINE = (
    "disease, illness, fever, surgery, operation, infection, cancer, fracture, medicine, hospital treatment,"
    " diabetes, pregnancy, injury, pain, therapy, scan, blood test,"
    " बीमारी, इलाज, ऑपरेशन, दवा, बुखार, चोट, संक्रमण, जाँच"
).split(", ")
_EVERYDAY = (
    "animal, car, house, travel, city, country, bank loan, job, food, movie, sport, phone, computer, music,"
    " weather, clothes, furniture, stock market, politics,"
    " जानवर, गाड़ी, मकान, यात्रा, शहर, देश, कर्ज़, नौकरी, खाना, खेल"
).split(", ")


def is_foreign(word: str) -> bool:
    """Return True for a word of everyday life; raises `EmbedderUnavailable` without an encoder."""
    embedder = get_embedder()
    direction, middle = _plane(embedder.model_id)
    return bool((embedder.embed_query(word) - middle) @ direction < 0)


@lru_cache(maxsize=2)
def _plane(model_id: str) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Return the plane's normal and a point on it, each of shape (384,); takes about a second once."""
    embedder = get_embedder()
    logger.debug("placing the plane of %s", model_id)
    medicine, everyday = _mean(embedder, _MEDICINE), _mean(embedder, _EVERYDAY)
    return medicine - everyday, np.asarray((medicine + everyday) / 2, dtype=np.float32)


def _mean(embedder: Embedder, words: list[str]) -> npt.NDArray[np.float32]:
    mean: npt.NDArray[np.float32] = np.mean([embedder.embed_query(word) for word in words], axis=0)
    return mean
