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
# Words that ask whether something is covered, or on what terms.
_WANTS_TERMS = regex.compile(
    r"\b(?:cover(?:ed|s|age)?|include[ds]?|payable|pays?|paid|eligible|allowed?|entitled|waiting|co-?pay)\b"
    r"|\bmil(?:ega|egi|ta|ti)\b|\bcover\w*|कवर|शामिल|मिले?गा|मिलता|मिलती|प्रतीक्षा"
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
    return wants_figure(question) or _WANTS_TERMS.search(question.lower()) is not None


def holds_quantity(text: str) -> bool:
    """Tell whether the text states a quantity: money, a share, or a count with its unit."""
    return _QUANTITY.search(text) is not None
