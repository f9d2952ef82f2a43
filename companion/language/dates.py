"""Days that people name, as dates: "by Friday", "next week", "2026-03-01", counted from when they said it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "ten": 10,
    "couple of": 2,
    "a couple of": 2,
    "few": 3,
    "a few": 3,
}
_DAY = r"mon(?:day)?|tues?(?:day)?|wed(?:nesday)?|thu(?:rs)?(?:day)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?"
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
        return (today - _span(match)).isoformat()
    return today.isoformat()


def _within_words(text: str, match: re.Match[str]) -> bool:
    """Whether a bare day is a part of something else: `the Friday build`, `Monday's meeting`, `may`, `sun`."""
    rest = text[match.end() :].lstrip()
    shown = match.group().strip(" ,(")
    short = match.group("weekday") is not None and not shown.lower().endswith("day")
    return short or rest.startswith("'s") or (bool(rest) and rest[0].isalpha() and match.group("weekday") is not None)


def _span(match: re.Match[str]) -> timedelta:
    said = match.group("count").lower()
    count = int(said) if said.isdigit() else _NUMBERS[said]
    unit = match.group("unit").lower()
    return timedelta(days=count * (1 if unit.startswith("day") else 7 if unit.startswith("week") else 30))


def _day(match: re.Match[str], today: date) -> date | None:
    """The date a match names; None for one that is none, such as February 30."""
    named = match.groupdict()
    try:
        if named["iso"]:
            return date.fromisoformat(named["iso"])
        if named["month1"] or named["month2"]:
            return _in_year(named, today)
        if named["us"]:
            month, day, *year = (int(part) for part in named["us"].split("/"))
            return _coming(date(year[0] if year else today.year, month, day), today, fixed=bool(year))
    except ValueError:
        return None
    return _near(named, today) if named["near"] or named["week"] or named["months"] else _later(match, named, today)


def _near(named: dict[str, str | None], today: date) -> date:
    """Today, tomorrow, or the last day of a week or month."""
    if near := (named["near"] or "").lower():
        return today + timedelta(days=1 if near.startswith("t") and "m" in near else -1 if near == "yesterday" else 0)
    if week := (named["week"] or "").lower():
        friday = today + timedelta(days=4 - today.weekday())
        return friday + timedelta(days=7 if "next" in week else 0)
    return _month_end(today, 1 if "next" in (named["months"] or "").lower() else 0)


def _later(match: re.Match[str], named: dict[str, str | None], today: date) -> date:
    """A day of the week, or so many days from now."""
    return _weekday(named, today) if named["weekday"] else today + _span(match)


def _in_year(named: dict[str, str | None], today: date) -> date:
    month = (
        _MONTHS.index(next(m for m in _MONTHS if m.startswith((named["month1"] or named["month2"] or "").lower()[:3])))
        + 1
    )
    year = named["year1"] or named["year2"]
    day = int(named["day1"] or named["day2"] or 1)
    return _coming(date(int(year) if year else today.year, month, day), today, fixed=bool(year))


def _coming(day: date, today: date, *, fixed: bool) -> date:
    """A day without a year is the next one; a few weeks back it is still this year's."""
    if fixed or (today - day).days < 7:
        return day
    return day.replace(year=day.year + 1)


def _weekday(named: dict[str, str | None], today: date) -> date:
    wanted = next(at for at, day in enumerate(_DAYS) if day.startswith((named["weekday"] or "").lower()[:3]))
    ahead = (wanted - today.weekday()) % 7
    monday = today - timedelta(days=today.weekday())
    if (named["which"] or "").lower() == "last":
        return today - timedelta(days=(today.weekday() - wanted) % 7 or 7)
    if (named["which"] or "").lower() == "next" or named["inweek"] is not None:
        return monday + timedelta(days=7 + wanted)
    return today + timedelta(days=ahead)


def _month_end(today: date, ahead: int) -> date:
    month = today.month + ahead + 1
    return date(today.year + (month - 1) // 12, (month - 1) % 12 + 1, 1) - timedelta(days=1)
