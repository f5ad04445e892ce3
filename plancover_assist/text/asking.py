"""What kind of answer a question asks for, told from its words. No model, no context.

A question for an amount, a limit or a time wants a sentence that holds a quantity; retrieval and the offline
model both weigh that, so the rule lives here once.
"""

import regex

# Words that ask for a quantity, a bound or a time, in the three ways members write.
_WANTS_FIGURE = regex.compile(
    r"\bhow (?:much|many|long|old|soon|fast|quickly)\b"
    r"|\b(?:limits?|maximum|minimum|amount|deadline|sum insured|percent\w*|cap|windows?)\b|%"
    r"|कितन|सीमा|राशि|प्रतिशत|अधिकतम|कब तक|\bkitn[aeiy]\w*|\bkab tak\b|\bseema\b"
)
# Words that ask whether something is covered, on what terms, or by when; and words by which a member speaks
# of what is theirs. Whoever has a policy then wants its answer, not the general one.
_WANTS_TERMS = regex.compile(
    r"\b(?:cover(?:ed|s|age)?|include[ds]?|payable|pays?|paid|eligible|allowed?|entitled|waiting|co-?pay|need"
    r"|must|age|who is|there an?|do i|can i|am i|is my|my|our|mine|we|when|until|deduct\w*|clause|schedule)\b"
    r"|\bmil(?:ega|egi|ta|ti)\b|\bcover\w*|\bmer[aei]\b|\bhamar[aei]\b|\bmujhe\b|\bkab\b|\bmilta\b"
    r"|कवर|शामिल|मिले?गा|मिलता|मिलती|प्रतीक्षा|मेर[ाीे]|हमार[ाीे]|मुझे|कब"
)
# A word's meaning or how something works is nobody's own; so is what the law asks of an insurer.
_WANTS_MEANING = regex.compile(
    r"\b(?:mean(?:s|ing)?|definition|difference|differ|explain|what is an?|what are|how does)\b"
    r"|\b(?:steps?|process)\b"
    r"|\b(?:matlab|antar|fark|kya hot[aie]|kaun hot[aie])\b"
    r"|मतलब|क्या होता|क्या होती|कौन होता|अंतर|फ़र्क|फर्क"
)
# A quantity, not just any digits: money, a share, or a count with its unit; "clause 4.7" and "2026" are none.
_QUANTITY = regex.compile(
    r"(?:₹|\brs\.?)\s?\d|\d\s?(?:%|per\s?cent|lakh|crore|hours?|hrs?|days?|months?|years?|weeks?|times"
    r"|प्रतिशत|लाख|करोड़|घंट|दिन|महीन|माह|साल|वर्ष|हफ़्त|ghant|din\b|mahin|saal|hafte)"
    r"|\bage (?:of )?\d|\bto \d{2}\b",
    regex.IGNORECASE,
)


def wants_figure(question: str) -> bool:
    """Tell whether the question asks for an amount, a limit, an age or a time."""
    return _WANTS_FIGURE.search(question.lower()) is not None


def wants_terms(question: str) -> bool:
    """Tell whether the question is about the asker's own terms of cover, figures included."""
    text = question.lower()
    if _WANTS_MEANING.search(text):
        return False
    return wants_figure(text) or _WANTS_TERMS.search(text) is not None


def holds_quantity(text: str) -> bool:
    """Tell whether the text states a quantity: money, a share, or a count with its unit."""
    return _QUANTITY.search(text) is not None
