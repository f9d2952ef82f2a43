"""Days that people name, as dates: "by Friday", "next week", "2026-03-01", counted from when they said it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from companion.language.times import in_year, later, number_of, spans, words_of
from companion.language.word_lists import listed

_DAY = r"mon(?:day)?|tues?(?:day)?|wed(?:nesday)?|thu(?:rs)?(?:day)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
_MONTHS = listed("times")["months"].split()
_MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?" if len(month) > 3 else month for month in _MONTHS).replace(
    "sep(?:tember)?", "sept?(?:ember)?"
)
_WHEN = (
    r"(?P<iso>\d{4}-\d{2}-\d{2})"
    rf"|(?P<month1>{_MONTH})\.? (?P<day1>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<year1>\d{{4}}))?"
    rf"|(?:the )?(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month2>{_MONTH})\b\.?(?: (?P<year2>\d{{4}}))?"
    r"|(?P<us>\d{1,2}/\d{1,2}(?:/\d{4})?)"
    r"|(?P<near>today|tonight|tomorrow|tmrw|tmr|eod|cob|the end of (?:the |to)?day|end of (?:the )?day|yesterday)"
    r"|(?P<week>(?:the )?end of (?:the|this) week|eow|this week|next week|the end of next week|end of next week"
    r"|last week)"
    r"|(?P<months>(?:the )?end of (?:the|this) month|eom|this month|next month|last month)"
    rf"|(?:(?P<which>next|this|this coming|coming|last)\s+)?(?P<weekday>{_DAY})\b(?: next week(?P<inweek>))?"
    r"|(?P<in>in|within) (?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven|ten|(?:a )?couple of"
    r"|(?:a )?few) (?P<unit>days?|weeks?|months?)"
)
_DUE = re.compile(
    r"(?:(?<![\s,(])[\s,(]++)?\b(?:(?P<word>by|before|until|till|due(?: on| by)?|no later than|not later than|on|for"
    rf"|this coming)\s+)?(?:the )?(?:{_WHEN})\b\s*(?:morning|afternoon|evening|night|noon"
    rf"|eod)?(?:,?\s*(?:at )?\d{{1,2}}(?::\d\d)?(?: ?[ap]m)?(?![\w%]| \w))?\)?",
    re.IGNORECASE,
)
_SINCE = re.compile(
    rf"\b(?:since|(?:asked|pinged|emailed|messaged|requested)(?: \w+)?)\s+(?:on )?(?:{_WHEN})\b", re.IGNORECASE
)
_FOR = re.compile(
    r"\bfor (?:about |over |more than |almost |nearly )?(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven"
    r"|ten|(?:a )?couple of|(?:a )?few) (?P<unit>days?|weeks?|months?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Due:
    """A day that something is due: the date in ISO form, and where the words for it stand."""

    day: str
    start: int
    end: int


def due(text: str, said: datetime) -> Due | None:
    """The day a text names as the time for something; the last one where it names several."""
    found = None
    for match in _DUE.finditer(text):
        if not _is_over(match) and not _is_vague(text, match):
            day = _day(match, said.date())
            coming = day is not None and day >= said.date()
            found = Due(day.isoformat(), match.start(), match.end()) if day is not None and coming else found
    return found


def _is_over(match: re.Match[str]) -> bool:
    """Whether the day is named as past: `last week`, `yesterday`."""
    words = match.group().lower().split()
    return "last" in words or "yesterday" in words


def _is_vague(text: str, match: re.Match[str]) -> bool:
    """Whether the words are no day something is due: `for two hours`, `the Friday build`, a bare `3/4`."""
    word = (match.group("word") or "").lower()
    if word == "for" and not any(match.group(name) for name in ("weekday", "near", "week", "iso", "months")):
        return True
    if word and word != "for":
        return False
    return bool(match.group("us")) or _within_words(text, match)


def since(text: str, said: datetime) -> str:
    """The day since when something has been so, in ISO form; the day of saying where none is named."""
    today = said.date()
    if (match := _SINCE.search(text)) is not None:
        day = _day(match, today)
        if day is not None:
            while day > today:
                day -= timedelta(days=7 if match.group("weekday") else 365)
            return day.isoformat()
    if (match := _FOR.search(text)) is not None:
        count, unit = (
            number_of(match.group("count").lower().removeprefix("a ").removesuffix(" of")),
            match.group("unit"),
        )
        return later(today, unit.lower().removesuffix("s"), -(count or 0)).isoformat()
    return today.isoformat()


def _within_words(text: str, match: re.Match[str]) -> bool:
    """Whether a bare day is a part of something else: `the Friday build`, `Monday's meeting`, `may`, `sun`."""
    rest = text[match.end() :].lstrip()
    shown = match.group().strip(" ,(")
    short = match.group("weekday") is not None and not shown.lower().endswith("day")
    return short or rest.startswith("'s") or (bool(rest) and rest[0].isalpha() and match.group("weekday") is not None)


def _day(match: re.Match[str], today: date) -> date | None:
    """The last day of the time that a match names, of a week its Friday; None for one that is none: February 30."""
    if match.group("us"):
        return _in_numbers(match.group("us"), today)
    words = [replace(word, large=True) for word in words_of(match.group())]  # the pattern knows them for days
    _, span = next(spans(words, today), (0, None))
    if span is None:
        return None
    return span.after - timedelta(days=3 if span.sort == "week" else 1)


def _in_numbers(text: str, today: date) -> date | None:
    """A day as it is written in America: 3/14, 3/14/2026."""
    month, day, *year = (int(part) for part in text.split("/"))
    try:
        return in_year(today, month, day, year[0] if year else None)
    except ValueError:
        return None
