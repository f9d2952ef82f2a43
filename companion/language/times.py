"""Points and spans in time as people name them: "Friday", "the end of March", "the next two sprints", "Q2", "3-5 June".

A small grammar over the words of a text, counted from the day of saying: a day, a unit and which one, a number of
units, a part of any of these. Its words stand in `data/times.toml`. A span holds its first day and not the one after
its last; what has no year or no week lies ahead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache

from companion.language.word_lists import listed

LONG_AGO_DAYS = 7
"""A day without a year that lies further back is the next year's."""
SPRINT_DAYS = 14
"""What most teams take; a longer one is told in weeks."""

_WORD = re.compile(
    r"\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{1,2}/\d{1,2}\b|\d+(?:st|nd|rd|th)?\b|[qh][1-4]\b|[^\W\d_]+(?:['’-][^\W\d_]+)*|[^\s\w]",
    re.IGNORECASE,
)
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_MARKED = re.compile(r"(\d{1,2})[./](\d{1,2})(?:[./](\d{4}))?")
_NUMBER = re.compile(r"(\d+)(?:st|nd|rd|th)?")
_YEARS = range(1990, 2100)
_WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a mark of a text, in small letters, and where it stands."""

    text: str
    begin: int
    end: int
    large: bool = False
    """Whether it is written with a capital letter."""


@dataclass(frozen=True, slots=True)
class Span:
    """From its first day up to the one that is no longer of it. `sort` is its unit, `words` how many words name it.

    `said` tells that this very one was named ("this week", "March"), and not one of many ("the week", "Friday").
    """

    first: date
    after: date
    sort: str
    words: int
    said: bool = True


def words_of(text: str) -> list[Word]:
    """The words and marks of a text, in order."""
    found = _WORD.finditer(text)
    return [
        Word(one.group().lower().replace("’", "'"), one.start(), one.end(), one.group()[0].isupper()) for one in found
    ]


def span_at(words: Sequence[Word], at: int, said: date) -> Span | None:
    """The time that the words from one on name; None where they name none, or a day that no calendar has."""
    skipped = at + (at < len(words) and words[at].text == "the")
    try:
        for read in (_part, _counted, _which, _range, _dated, _weekday, _named):
            if (found := read(words, skipped, said)) is not None:
                return replace(found, words=found.words + skipped - at)
    except (ValueError, OverflowError):
        return None
    return None


def number_of(text: str) -> int | None:
    """A number in digits or letters; a couple is two, a few are three."""
    if (digits := _NUMBER.fullmatch(text)) is not None:
        return int(digits[1]) if len(digits[1]) <= 4 else None
    return _numbers().get(text)


@cache
def _numbers() -> Mapping[str, int]:
    counted = listed("grammar")["counted"].split()
    return {word: number for number, word in enumerate(counted)} | {"a": 1, "an": 1, "couple": 2, "few": 3}


@cache
def _units() -> Mapping[str, str]:
    return {word: unit for unit, words in listed("times")["units"].items() for word in words.split()}


@cache
def _table(name: str) -> Mapping[str, str]:
    return {word: meaning for meaning, words in listed("times")[name].items() for word in words.split()}


@cache
def _beginnings(name: str) -> Mapping[str, int]:
    """Names of weekdays or months, whole and by their first letters, each with its number from nought."""
    whole = listed("times")[name].split()
    return {
        word[:length]: at for at, word in enumerate(whole) for length in (3, 4, 5, len(word)) if length <= len(word)
    }


def _text(words: Sequence[Word], at: int) -> str:
    return words[at].text if 0 <= at < len(words) else ""


def _name(words: Sequence[Word], at: int, names: str) -> int | None:
    """Which weekday or month a word names; None where it may be another word that is written alike."""
    found = _beginnings(names).get(_text(words, at))
    if found is None or words[at].large or words[at].text not in listed("times")["homonyms"].split():
        return found
    return found if any(_text(words, at + place)[:1].isdigit() for place in (-1, 1)) else None


def _part(words: Sequence[Word], at: int, said: date) -> Span | None:
    """A part of a span: "the end of March", "early June", "mid May", "the rest of this week", "eow"."""
    if unit := listed("times")["shortened"].get(_text(words, at)):
        whole = _period(unit, said, 0)
        return replace(_last_day(whole), words=1, said=unit in {"day", "week"})
    part, ahead = _table("parts").get(_text(words, at)), at + 1
    if part is None and _text(words, at) not in {"rest", "week"}:
        return None
    ahead += _text(words, ahead) in {"of", "-"}
    whole_of = span_at(words, ahead, said)
    if whole_of is None or (part is None and _text(words, at + 1) != "of"):
        return None
    spent = ahead - at + whole_of.words
    if _text(words, at) == "week":
        return replace(_period("week", whole_of.first, 0), words=spent)
    return replace(_of(whole_of, part), words=spent)


def _of(whole: Span, part: str | None) -> Span:
    """The first or second third of a span, or its last day."""
    if part == "last":
        return _last_day(whole)
    third = (whole.after - whole.first) // 3
    if part == "first":
        return replace(whole, after=whole.first + max(third, timedelta(days=1)))
    return replace(whole, after=whole.after - third) if part == "middle" else whole


def _last_day(whole: Span) -> Span:
    return replace(whole, first=whole.after - timedelta(days=1))


def _counted(words: Sequence[Word], at: int, said: date) -> Span | None:
    """So many units: "the next two sprints", "in three weeks", "ten days from now"; "for two weeks" may be any two."""
    led = _table("which").get(_text(words, at)) == "next" or _text(words, at) in {"in", "within"}
    lasting = _text(words, at - 1) == "for"
    ahead = at + led
    ahead += _text(words, ahead) in {"a", "an"} and _text(words, ahead + 1) in {"couple", "few"}
    count = number_of(_text(words, ahead))
    ahead += 1 + (_text(words, ahead + 1) == "of")
    unit = _units().get(_text(words, ahead))
    from_now = (_text(words, ahead + 1), _text(words, ahead + 2)) in {("from", "now"), ("from", "today")}
    if count is None or unit is None or not (led or from_now or lasting):
        return None
    end = later(said, unit, count)
    spent = ahead + 1 - at + 2 * from_now
    if from_now or _text(words, at) in {"in", "within"}:
        return Span(end, end + timedelta(days=1), "day", spent)
    return Span(said, end, unit, spent, said=led)


def _which(words: Sequence[Word], at: int, said: date) -> Span | None:
    """A unit and which one: "this week", "next quarter"; "the week" is not said to be this one."""
    which = _table("which").get(_text(words, at))
    unit = _units().get(_text(words, at + (which is not None)))
    bare = at > 0 and words[at - 1].text == "the"
    if unit is None or (which is None and not bare) or _text(words, at + (which is not None)).endswith("days"):
        return None
    ahead = {"last": -1, "next": 1}.get(which or "", 0)
    return replace(_period(unit, said, ahead), words=1 + (which is not None), said=which is not None)


def _range(words: Sequence[Word], at: int, said: date) -> Span | None:
    """Days of one month, or two dates: "3-5 June", "June 3 to 5"."""
    first, until = number_of(_text(words, at)), number_of(_text(words, at + 2))
    if first is not None and until is not None and _text(words, at + 1) in _JOINED:
        if (month := _name(words, at + 3, "months")) is None:
            return None
        end = in_year(said, month + 1, until, _year(words, at + 4))
        return Span(end.replace(day=first), end + timedelta(days=1), "day", 4 + (_year(words, at + 4) is not None))
    if _name(words, at, "months") is None or _text(words, at + 2) not in _JOINED:
        return None
    month, first, until = _name(words, at, "months"), number_of(_text(words, at + 1)), number_of(_text(words, at + 3))
    if month is None or first is None or until is None:
        return None
    end = in_year(said, month + 1, until, _year(words, at + 4))
    return Span(end.replace(day=first), end + timedelta(days=1), "day", 4)


_JOINED = frozenset({"-", "–", "—", "to", "and"})


def _dated(words: Sequence[Word], at: int, said: date) -> Span | None:
    """A date, a month, a quarter or a year."""
    word = _text(words, at)
    if _ISO.fullmatch(word):
        return _one_day(date.fromisoformat(word), 1)
    if (marked := _MARKED.fullmatch(word)) is not None:
        return _by_numbers(int(marked[1]), int(marked[2]), int(marked[3]) if marked[3] else None, said)
    if word[:1] in {"q", "h"} and word[1:].isdigit():
        return _share_of_year(word, _year(words, at + 1), said)
    if (month := _name(words, at, "months")) is not None:
        return _of_month(words, at, month + 1, said)
    day = number_of(word) if word[:1].isdigit() else None
    ahead = at + 1 + (_text(words, at + 1) == "of")
    if day is not None and (month := _name(words, ahead, "months")) is not None:
        year = _year(words, ahead + 1)
        return _one_day(in_year(said, month + 1, day, year), ahead + 1 - at + (year is not None))
    if (of_year := _year(words, at)) is not None:
        return Span(date(of_year, 1, 1), date(of_year + 1, 1, 1), "year", 1)
    return None


def _by_numbers(one: int, other: int, year: int | None, said: date) -> Span | None:
    """Day and month in numbers, where it is plain which is which."""
    month, day = sorted((one, other))
    return _one_day(in_year(said, month, day, year), 1) if month == day or month <= 12 < day else None


def _of_month(words: Sequence[Word], at: int, month: int, said: date) -> Span:
    """A month's day, or all of the month."""
    day = number_of(_text(words, at + 1)) if _text(words, at + 1)[:1].isdigit() else None
    if day is not None and 1 <= day <= 31:
        comma = _text(words, at + 2) == ","
        year = _year(words, at + 2 + comma)
        return _one_day(in_year(said, month, day, year), 2 + ((comma + 1) if year is not None else 0))
    of_year = _year(words, at + 1)
    first = date(of_year or said.year, month, 1)
    span = Span(first, later(first, "month", 1), "month", 1 + (of_year is not None))
    if of_year is None and span.after <= said:
        return replace(span, first=first.replace(year=said.year + 1), after=later(first, "month", 13))
    return span


def _share_of_year(word: str, year: int | None, said: date) -> Span | None:
    """A quarter or half: "Q2", "H1 2027"."""
    number, months = int(word[1:]), 3 if word[0] == "q" else 6
    if number * months > 12:
        return None
    first = date(year or said.year, months * (number - 1) + 1, 1)
    if year is None and later(first, "month", months) <= said:
        first = first.replace(year=first.year + 1)
    return Span(first, later(first, "month", months), "quarter", 1 + (year is not None))


def _weekday(words: Sequence[Word], at: int, said: date) -> Span | None:
    """A day of the week: this one, the next, or that of next week."""
    which = _table("which").get(_text(words, at))
    number = _name(words, at + (which is not None), "weekdays")
    if number is None:
        return None
    spent = 1 + (which is not None)
    of_week = _text(words, at + spent) if _text(words, at + spent + 1) == "week" else ""
    next_week, told = of_week == "next", of_week in {"next", "this"}
    day = said + timedelta(days=(number - said.weekday()) % 7)
    if which == "last":
        day -= _WEEK
    elif _text(words, at) == "next" or next_week:
        day = said + timedelta(days=7 - said.weekday() + number)
    if which is None and not told and (dated := _dated(words, at + 1, said)) is not None and dated.sort == "day":
        return replace(dated, words=dated.words + 1)
    sort = "day" if which is not None or told else "weekday"
    return replace(_one_day(day, spent + 2 * told), sort=sort, said=sort == "day")


def _easter(year: int) -> date:
    """Easter Sunday, by Gauss's rule for the years of this century and the last."""
    d = (19 * (year % 19) + 24) % 30
    e = (2 * (year % 4) + 4 * (year % 7) + 6 * d + 5) % 7
    late = d + e == 35 or (d == 28 and e == 6 and year % 19 > 10)
    return date(year, 3, 22) + timedelta(days=d + e - 7 * late)


def _named(words: Sequence[Word], at: int, said: date) -> Span | None:
    """Today and its neighbours, and days with a name of their own."""
    if _text(words, at) == "easter":
        sunday = _easter(said.year)
        return _one_day(sunday if sunday >= said else _easter(said.year + 1), 1)
    ahead = listed("times")["near"].get(_text(words, at))
    if ahead is not None:
        return _one_day(said + timedelta(days=ahead), 1)
    if (feast := listed("times")["feasts"].get(_text(words, at))) is not None:
        month, day = feast
        return _one_day(in_year(said, month, day, None), 1)
    return None


def _year(words: Sequence[Word], at: int) -> int | None:
    word = _text(words, at)
    return int(word) if len(word) == 4 and word.isdigit() and int(word) in _YEARS else None


def _one_day(day: date, spent: int) -> Span:
    return Span(day, day + timedelta(days=1), "day", spent)


def in_year(said: date, month: int, day: int, year: int | None) -> date:
    """A day of a year, or of the year in which it comes next; one of the last days is meant itself."""
    found = date(year or said.year, month, day)
    return found if year or (said - found).days < LONG_AGO_DAYS else found.replace(year=said.year + 1)


def _period(unit: str, said: date, ahead: int) -> Span:
    """The unit in which a day lies, or so many further on."""
    monday = said - timedelta(days=said.weekday())
    if unit == "day":
        return replace(_one_day(said + timedelta(days=ahead), 0))
    if unit == "weekend":
        return Span(monday + ahead * _WEEK + timedelta(days=5), monday + (ahead + 1) * _WEEK, unit, 0)
    if unit in {"week", "fortnight", "sprint"}:
        length = _WEEK if unit == "week" else timedelta(days=SPRINT_DAYS)
        first = monday if unit == "week" else said
        return Span(first + ahead * length, first + (ahead + 1) * length, unit, 0)
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    first = date(said.year, (said.month - 1) // months * months + 1, 1)
    return Span(later(first, "month", months * ahead), later(first, "month", months * (ahead + 1)), unit, 0)


def later(day: date, unit: str, count: int) -> date:
    """A day so many units on; the last of a month that has no such day."""
    days = {"day": 1, "week": 7, "weekend": 7, "fortnight": 14, "sprint": SPRINT_DAYS}.get(unit)
    if days is not None:
        return day + timedelta(days=days * count)
    months = day.month - 1 + count * {"month": 1, "quarter": 3, "year": 12}[unit]
    year, month = day.year + months // 12, months % 12 + 1
    return _month_day(year, month, day.day)


def _month_day(year: int, month: int, day: int) -> date:
    after = date(year + month // 12, month % 12 + 1, 1)
    return min(date(year, month, 1) + timedelta(days=day - 1), after - timedelta(days=1))


def spans(words: Sequence[Word], said: date) -> Iterator[tuple[int, Span]]:
    """Every time that a row of words names, with the place of its first word, none within another."""
    at = 0
    while at < len(words):
        found = span_at(words, at, said)
        if found is not None and found.words:
            yield at, found
        at += found.words if found is not None and found.words else 1
