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


def frame(asked_in: str, sentences: Sequence[str], written_in: str, number: int) -> str:
    """Return the sentences with one citation each, framed when question and source differ in language."""
    cited = " ".join(f"{sentence} [{number}]" for sentence in sentences)
    lead = _QUOTING.get((asked_in, written_in))
    if lead is None:
        return cited
    quoted = " ".join(f"“{sentence}” [{number}]" for sentence in sentences)
    return f"{lead} {quoted}"
