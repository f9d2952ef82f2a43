"""Days that people name, as dates: "by Friday", "next week", "2026-03-01", counted from when they said it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from msgspec import Struct

from companion.language.times import Span, Word, later, number_of, spans, words_of
from companion.language.word_lists import listed, meanings, word_set

_HOUR = re.compile(
    r"\s*(?:morning|afternoon|evening|night|noon|eod)?"
    r"(?:,?\s*(?:at )?\d{1,2}(?::\d\d)?(?: ?[ap]m)?(?![\w%]| \w))?\)?",
    re.IGNORECASE,
)
"""A time of day behind a day, which is no part of what is to be done."""
_BEFORE = " \t\n,("
_WEEK_ENDS_DAYS = 3
"""From Friday, by which work of a week is due, to the next Monday."""


class Due(Struct, frozen=True):
    """A day that something is due: the date in ISO form, and where the words for it stand."""

    day: str
    start: int
    end: int


def due(text: str, said: datetime) -> Due | None:
    """The day a text names as the time for something; the last one where it names several."""
    found = None
    words = words_of(text)
    for at, span in spans(words, said.date()):
        led = _led(words, at)
        day = _last_day(span)
        if day >= said.date() and _is_due(words, at, span, led=led < at):
            start = len(text[: words[led].begin].rstrip(_BEFORE))
            end = _HOUR.match(text, words[at + span.words - 1].end)
            found = Due(day.isoformat(), start, end.end() if end else words[at + span.words - 1].end)
    return found


def _led(words: Sequence[Word], at: int) -> int:
    """The place where the words begin that say that a day is the time for something: "by", "no later than"."""
    before = [word.text for word in words[max(0, at - 3) : at]]
    for phrase in listed("times")["joints"]["dated"]:
        if before[-len(phrase.split()) :] == phrase.split():
            return at - len(phrase.split())
    return at


def _is_due(words: Sequence[Word], at: int, span: Span, *, led: bool) -> bool:
    """Whether it is a day something is due, and no part of something else: `the Friday build`, `for two hours`."""
    first, end = at + (words[at].text == "the"), at + span.words
    text, before, lead = words[first].text, words[at - 1].text if at else "", words[at - 1].text if led else ""
    joined = end < len(words) and words[end - 1].end == words[end].begin and words[end].text.isalnum()
    if joined or span.sort == "year" or {text, before} & {"yesterday", *word_set("times", "which.last")}:
        return False
    if span.sort == "number":
        return lead not in {"", "on", "for"}
    if span.sort == "weekday" and lead in {"", "for"}:
        return text.endswith("day") and (end == len(words) or not words[end].text.isalpha())
    if lead == "for":
        return (span.days == 1 and span.said) or text in meanings("times", "which")
    if span.sort == "day":
        return (span.said or text == "within") and (led or (text != "this" and not {"/", "."} & set(text)))
    return led or span.days == 1 or text in meanings("times", "which")


def since(text: str, said: datetime) -> str:
    """The day since when something has been so, in ISO form; the day of saying where none is named."""
    today, words = said.date(), words_of(text)
    for at, span in spans(words, today):
        near = {word.text for word in words[max(0, at - 3) : at]}
        if near & word_set("times", "joints.asked"):
            day = _last_day(span)
            while day > today:
                day -= timedelta(days=7 if span.sort == "weekday" else 365)
            return day.isoformat()
    for at, word in enumerate(words[:-2]):
        count, unit = number_of(words[at + 1].text), meanings("times", "units").get(words[at + 2].text)
        if word.text == "for" and count is not None and unit is not None:
            return later(today, unit, -count).isoformat()
    return today.isoformat()


def _last_day(span: Span) -> date:
    """The last day of a time, of a week its Friday."""
    return span.after - timedelta(days=_WEEK_ENDS_DAYS if span.sort == "week" else 1)
