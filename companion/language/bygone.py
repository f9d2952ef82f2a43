"""Whether a statement is put into a time that is over: "last year", "until March it was", "was ... in 2019"."""

from __future__ import annotations

import re

_BYGONE = re.compile(
    r"\b(?:last (?:year|month|quarter|week|summer|winter|spring|autumn)|(?:years?|months?|weeks?) ago|used to|formerly"
    r"|previously|originally|back then)\b",
    re.IGNORECASE,
)
"""Words that put a statement into a time that is over."""
_WAS = re.compile(r"\b(?:was|were|had|used)\b", re.IGNORECASE)
_THEN = (
    (re.compile(r"\b(?:was|were|had) ", re.IGNORECASE), re.compile(r"\bin (?:19|20)\d\d\b", re.IGNORECASE)),
    (
        re.compile(
            r"\b(?:before|until) (?:the |our )?(?:\w+ )?(?:rewrite|migration|move|switch|redesign|split)\b",
            re.IGNORECASE,
        ),
        _WAS,
    ),
    (re.compile(r"\buntil (?:last \w+|(?:19|20)\d\d|(?-i:[A-Z][a-z]+))\b", re.IGNORECASE), _WAS),
)
"""The same told by two words of one line, the second anywhere behind the first: "was kept here in 2019"."""


def is_over(text: str) -> bool:
    """Whether a statement is put into a time that is over; what follows its first mark is looked at once."""
    if _BYGONE.search(text):
        return True
    lines = text.splitlines()
    return any(
        (at := first.search(line)) and second.search(line, at.end()) for line in lines for first, second in _THEN
    )
