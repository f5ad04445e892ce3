"""The question as it would be put in the language of a source.

A piece is compared with the wording in its own language, so that no language is nearer by itself.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from plancover_assist.llm.local.reader import Prompt
from plancover_assist.text.hinglish import restore
from plancover_assist.text.reading import read_in_english


@dataclass(frozen=True, slots=True)
class Wordings:
    """The question for pieces of each language; `glossed` joins what stays of it in English with the
    meanings of its Hindi words, and is empty for an English question."""

    typed: str
    restored: str
    glossed: str

    def for_language(self, lang: str) -> tuple[str, ...]:
        """Return the wordings whose mean meaning a piece in `lang` is compared with."""
        if lang == "en":
            return (self.restored, self.glossed) if self.glossed else (self.restored,)
        return (self.typed,) if lang == "hinglish" else (self.restored,)

    @property
    def words(self) -> Mapping[str, str]:
        """The text whose words a piece in each language is held against."""
        return {"en": self.glossed or self.typed, "hi": self.restored, "hinglish": self.typed}


def wordings(prompt: Prompt) -> Wordings:
    """Word the prompt's question for sources in English, Hindi and Hinglish."""
    typed = prompt.question
    if prompt.lang == "en":
        return Wordings(typed, typed, "")
    restored = restore(typed, frozenset())
    return Wordings(typed, restored.text, read_in_english(typed, restored.hindi_words).text)
