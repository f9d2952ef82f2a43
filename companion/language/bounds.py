"""Whether a number is given as a value or as the end of a range: the words before and after it say so."""

from __future__ import annotations

import re

from companion.language.wording import opens, says

EXACT, AT_LEAST, AT_MOST = "exact", "at least", "at most"
NEAR_CHARS = 160
"""Characters before a number in which the words that belong to it stand: the longest phrase known takes half."""

BETWEEN_WORDS = 2
"""Words that may stand between a number and what bounds it: "5 open connections at most"."""
_FIRST = re.compile(r"^\s*\w+\s+")
_JOINED = re.compile(r"(?:\w|\b(?:min|max)\.|char\()[\s:]*$", re.IGNORECASE)
"""What a number follows in the same breath; behind any other mark it stands for itself."""
_PRODUCT_BETWEEN = re.compile(r"(\b(?:below|under|than|least|most|minimum|to)\s+)[\w.+#]+\s*$", re.IGNORECASE)


def bound(text: str, start: int, end: int, operator: str) -> str:
    """How the number at text[start:end] is meant, `operator` being what stands directly before it (">=", "")."""
    if operator:
        return AT_MOST if operator.startswith("<") else AT_LEAST if operator[0] in ">^+" else EXACT
    before, after = text[max(0, start - NEAR_CHARS) : start], text[end : end + NEAR_CHARS]
    before = before if _JOINED.search(before) else ""
    if not says(before, "words.bounds.least_before", "words.bounds.most_before"):
        # "Nothing below Python 3.12": the word before the number is the product's name.
        before = _PRODUCT_BETWEEN.sub(r"\1", before)
    if says(before, "words.bounds.no_more"):
        return AT_MOST
    if says(before, "words.bounds.no_less", "words.bounds.least_before") or _follows(after, "words.bounds.least_after"):
        return AT_LEAST
    most = says(before, "words.bounds.most_before") or _follows(after, "words.bounds.most_after")
    return AT_MOST if most else EXACT


def _follows(after: str, bounds: str) -> bool:
    """Whether a bound stands behind a number, a few words on."""
    for _ in range(BETWEEN_WORDS + 1):
        if opens(after.lstrip(), bounds) or (after.lstrip().startswith("+") and bounds.endswith("least_after")):
            return True
        after = _FIRST.sub("", after)
    return False
