"""Every sentence the product itself says to a member, by key and language.

The words are in `sentences.toml`, so that a translator can work on them alone. Nothing there may promise
what the product cannot keep: no diagnosis, no date of a reply, no outcome of a claim.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from types import MappingProxyType

_FILE = Path(__file__).with_name("sentences.toml")
_FALLBACK = "en"


def sentence(key: str, lang: str, **values: object) -> str:
    """Return the sentence `key` in `lang` (en, hi or hinglish; any other is answered in English).

    Values that the sentence does not name are ignored. Raises KeyError for an unknown key, or when a value
    that the sentence names is missing.
    """
    spoken = _sentences()[key]
    return spoken.get(lang, spoken[_FALLBACK]).format_map(values)


def keys() -> tuple[str, ...]:
    """Return all keys, in the order of the file."""
    return tuple(_sentences())


def languages(key: str) -> tuple[str, ...]:
    """Return the languages in which a sentence exists."""
    return tuple(_sentences()[key])


def placeholders(key: str, lang: str) -> frozenset[str]:
    """Return the names of the values that a sentence needs."""
    return frozenset(name for _, name, _, _ in Formatter().parse(_sentences()[key][lang]) if name)


@cache
def _sentences() -> Mapping[str, Mapping[str, str]]:
    spoken = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return MappingProxyType({key: MappingProxyType(by_lang) for key, by_lang in spoken.items()})
