"""Whether a number is given as a value or as the end of a range: the words before and after it say so."""

from __future__ import annotations

import re

EXACT, AT_LEAST, AT_MOST = "exact", "at least", "at most"
NEAR_CHARS = 160
"""Characters before a number in which the words that belong to it stand: the longest phrase known takes half."""


def _ends_with(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(patterns)})\s*$")


def _starts_with(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"^\s*(?:\w+\s+){{0,2}}(?:{'|'.join(patterns)})")


_LEAST_BEFORE = _ends_with(
    r"at least",
    r"at a minimum",
    r"minimum(?: of)?",
    r"min\.?",
    r"no (?:less|fewer) than",
    r"not (?:fall|drop|go|be) (?:below|under|less)\w*(?: than)?",
    r"never (?:below|under)",
    r"not (?:below|under)",
    r"(?:more|older|newer|longer|larger|higher|greater|bigger|farther|further) than",
    r"over|above|from|since",
    r"oldest\b.{0,30}",
    r"(?:minimum|lowest)(?: [\w.]+){0,3} is(?: [\w.]+)?",
    r"nothing (?:below|older than|under)",
    r"(?:refuse|reject)\w* anything (?:older|less|lower|below)\w*(?: than)?",
    r"dropp?(?:ed|ing)? (?:everything|anything|all|support for \w+|\w+) (?:below|older than|before|under)",
    r"requires?(?: \w+){0,2}",
    r"needs?",
)
_MOST_BEFORE = _ends_with(
    r"at (?:the )?most",
    r"maximum(?: \w+)?(?: of| is)?",
    r"max\w*(?: \w+)?:?\.?",
    r"no (?:more|later|longer) than",
    r"up to|under|below|within",
    r"(?:not|cannot|never) exceed\w*",
    r"exceeds?",
    r"(?:less|fewer|smaller|younger|shorter|closer|nearer|sooner|faster|lower) than",
    r"limit(?:ed)?(?: \w+){0,4}(?: of| to| is|:)?",
    r"budget:?",
    r"not be (?:over|above|longer than|larger than|more than)",
    r"capped at|cap of",
    r"may have",
    r"(?:var)?char\(",
)
_LEAST_AFTER = _starts_with(
    r"or (?:more|newer|later|above|higher|greater|longer|up)",
    r"and (?:newer|later|above|up|higher|upwards?)",
    r"\+",
    r"(?:is the )?minimum",
    r"onwards",
    r"is the least",
)
_MOST_AFTER = _starts_with(
    r"or (?:less|fewer|lower|below|older|shorter)",
    r"and (?:older|below)",
    r"at most",
    r"is the (?:maximum|limit)",
    r"maximum",
    r"limit\b",
)
_DENIED = r"\b(?:not|never|cannot|no|nothing|nobody)\s+(?:\w+\s+){0,3}"
_NO_MORE = _ends_with(_DENIED + r"(?:(?:more|longer|larger|higher|greater|bigger|later|newer) than|over|above|beyond)")
_NO_LESS = _ends_with(_DENIED + r"(?:(?:less|fewer|shorter|smaller|lower|earlier|older) than|under|below)")
_PRODUCT_BETWEEN = re.compile(r"(\b(?:below|under|than|least|most|minimum|to)\s+)[\w.+#]+\s*$")


def bound(text: str, start: int, end: int, operator: str) -> str:
    """How the number at text[start:end] is meant, `operator` being what stands directly before it (">=", "")."""
    if operator:
        return AT_MOST if operator.startswith("<") else AT_LEAST if operator[0] in ">^+" else EXACT
    before, after = text[max(0, start - NEAR_CHARS) : start].lower(), text[end : end + NEAR_CHARS].lower()
    if not _LEAST_BEFORE.search(before) and not _MOST_BEFORE.search(before):
        # "Nothing below Python 3.12": the word before the number is the product's name.
        before = _PRODUCT_BETWEEN.sub(r"\1", before)
    if _NO_MORE.search(before):
        return AT_MOST
    if _NO_LESS.search(before) or _LEAST_AFTER.match(after) or _LEAST_BEFORE.search(before):
        return AT_LEAST
    return AT_MOST if _MOST_AFTER.match(after) or _MOST_BEFORE.search(before) else EXACT
