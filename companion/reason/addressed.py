"""Sentences that speak to the program itself: they are data like any other, and move no answer."""

from __future__ import annotations

import re
from functools import lru_cache

KEPT_TEXTS = 1_024
"""Texts of memories remembered as looked through, a page each at most: the same few bear on many requests."""

_SPEAKS = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|prompts?|rules|above|previous|prior)\b"
    r"|\b(?:system prompt|you are (?:now )?an? (?:ai|assistant|language model|judge|classifier)|as an ai)\b"
    r"|\b(?:classify|label|treat|mark|rate|score|read) (?:this|it|the (?:request|message|above)|everything|all)\b"
    r".{0,30}\bas (?:a |an )?(?:stream|file|process|human|machine|read|interpret|execute|accepted|correct)\b"
    r"|\b(?:answer|respond|reply|output|return)\b.{0,20}[\"'`]?(?:stream|file|process)[\"'`]?\s*[/,]"
    r"|\bset (?:the |your )?confidence\b|\bconfidence (?:must|should|is|=|:)"
    r"|\brecord (?:this|it|the outcome|an outcome)\b.{0,20}\b(?:accepted|corrected|rejected)\b"
    r"|\"(?:destination|consumer|semantics|confidence|verdict|fits)\"\s*:",
    re.IGNORECASE,
)
"""Tells a program what to answer. A developer asks for work, and no work is named by our own labels."""
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")


@lru_cache(maxsize=KEPT_TEXTS)
def addressed(text: str) -> bool:
    """Whether any of it speaks to whoever classifies."""
    return _SPEAKS.search(text) is not None


def unaddressed(text: str) -> str:
    """A text without the sentences that speak to whoever classifies; nearly always the same text."""
    if not addressed(text):
        return text
    return "\n".join(one for one in _SENTENCE_END.split(text) if not addressed(one))
