"""The short frames around a quotation in another language than the question's. No facts live here."""

from collections.abc import Sequence

_QUOTING = {
    ("hi", "en"): "आपके सवाल पर दस्तावेज़ में अंग्रेज़ी में यह लिखा है:",
    ("hi", "hinglish"): "आपके सवाल पर दस्तावेज़ में यह लिखा है:",
    ("hinglish", "en"): "Aapke sawaal par document mein yeh likha hai:",
    ("hinglish", "hi"): "Aapke sawaal par document mein Hindi mein yeh likha hai:",
    ("en", "hi"): "The document says this in Hindi:",
    ("en", "hinglish"): "The document says this in Hinglish:",
}


def quoting(asked_in: str, written_in: str) -> str:
    """Return the words that introduce a quotation; empty where question and source share a language."""
    return _QUOTING.get((asked_in, written_in), "")


def frame(sentences: Sequence[str], number: int, *, lead: str) -> str:
    """Return the sentences with one citation each, in quotation marks after `lead` where there is one."""
    if not lead:
        return " ".join(f"{sentence} [{number}]" for sentence in sentences)
    return " ".join([lead, *(f"“{sentence}” [{number}]" for sentence in sentences)])
