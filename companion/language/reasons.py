"""A statement and the reason that is given in it, before it or after it."""

from __future__ import annotations

import re
from functools import cache

from companion.language.word_lists import listed
from companion.language.wording import says

_AFTER = re.compile(r"[\s,–—(-]+$")
_LEADS = re.compile(
    r"^(?:(?:since|because|as|given(?: that)?|due to)\s+)(?P<why>[^,]{6,160}),\s*(?P<what>.{6,})", re.IGNORECASE
)
_DASH = re.compile(r"\s(?:[–—]|--?)\s+(?=(?:it|that|this|we|they|the|otherwise|too|not|no)\b)", re.IGNORECASE)
_CLAUSE = r"(?=\S+ (?:\S+ ){0,4}?(?:is|are|was|has|have|had|can|can't|does|do|don't|doesn't|will|won't|would|needs?)\b)"
"""What makes a reason of an "as" or a "since": a verb soon follows; else it may tell when or like what."""
LEAST_CHARS = 4
"""Characters that must stand before a reason: a sentence that begins with one has no other statement."""


def reasoned(text: str) -> tuple[str, str]:
    """A statement and its reason, which is empty where none is given."""
    if (led := _LEADS.match(text)) is not None:
        return led["what"].strip(), led["why"].strip()
    match = _joint().search(text) or _DASH.search(text)
    if match is None or match.start() < LEAST_CHARS:
        return text, ""
    why = text[match.end() :].strip(" .)")
    return (_AFTER.sub("", text[: match.start()]), why) if why else (text, "")


def reason_alone(text: str) -> str:
    """The reason that a sentence of its own gives: "Because it prints properly."; empty where it gives none."""
    match = _alone().match(text)
    return text[match.end() :].strip(" .") if match is not None else ""


def explains(text: str) -> bool:
    """Whether a text joins a thing with its cause, its purpose or its consequence."""
    return says(text, "reasons.plain", "reasons.consequence")


@cache
def _joint() -> re.Pattern[str]:
    plain, unsure = (_either(listed("reasons")[name]) for name in ("plain", "with_verb"))
    return re.compile(rf"[\s,–—(-]+(?:{plain}|(?:{unsure})\s{_CLAUSE})\s*", re.IGNORECASE)


@cache
def _alone() -> re.Pattern[str]:
    return re.compile(rf"(?:{_either(listed('reasons')['alone'])})[\s:,]+", re.IGNORECASE)


def _either(phrases: list[str]) -> str:
    return "|".join(rf"{re.escape(phrase)}(?!\w)" for phrase in sorted(phrases, key=len, reverse=True))
