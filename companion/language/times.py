"""Points and spans in time as people name them: "Friday", "the end of March", "the next two sprints", "Q2", "3-5 June".

A small grammar over the words of a text, counted from the day of saying: a day, a unit and which one, a number of
units, a part of any of these. Its words stand in `data/times.toml`. A span holds its first day and not the one after
its last; what has no year or no week lies ahead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from companion.language.amounts import NUMBERS
from companion.language.word_lists import GLUE, listed, meanings, word_set

LONG_AGO_DAYS = 7
"""A day without a year that lies further back is the next year's."""
SPRINT_DAYS = 14
"""What most teams take; a longer one is told in weeks."""

_DAYS = {"day": 1, "week": 7, "weekend": 7, "fortnight": 14, "sprint": SPRINT_DAYS}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_WORD = re.compile(
    r"(?<!\w)([`'\"])[^`'\"]+\1(?!\w)|[^\W_]+\(\)|[^\W_]*_\w*"  # quotations and names of code: no time is in them
    r"|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4}|\d{1,2}/\d{1,2}\b|\d{1,2}:\d{2}\b"
    r"|(?<![\w.])\d{1,2}\.\d{1,2}\.(?!\d|\s*$|\s+(?-i:[A-Z]))|(?<![\w.])(?:1[3-9]|2\d|3[01])\.\d{1,2}\.(?!\d)"
    r"|\d+(?:st|nd|rd|th)?\b|[qh][1-4]\b|[^\W\d_]+(?:['’-][^\W\d_]+)*|[^\s\w]",
    re.IGNORECASE,
)
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_MARKED = re.compile(r"(\d{1,2})([./])(\d{1,2})(?:[./](\d{4})?)?")
_NUMBER = re.compile(r"(\d+)(st|nd|rd|th)?")
_YEARS = range(1990, 2100)


class Word(Struct, frozen=True):
    """A word or a mark of a text, in small letters, and where it stands."""

    text: str
    begin: int
    end: int
    large: bool = False
    """Whether it is written with a capital letter."""


class Span(Struct, frozen=True):
    """From its first day up to the one that is no longer of it. `sort` is its unit, `words` how many words name it.

    `said` tells that this very one was named ("this week", "March"), and not one of many ("the week", "Friday").
    """

    first: date
    after: date
    sort: str
    words: int
    said: bool = True

    @property
    def days(self) -> int:
        """How many days it has."""
        return (self.after - self.first).days


def words_of(text: str) -> list[Word]:
    """The words and marks of a text, in order."""
    found = _WORD.finditer(without_dots(text))
    return [
        Word(one.group().lower().replace("’", "'"), one.start(), one.end(), one.group()[0].isupper()) for one in found
    ]


def without_dots(text: str) -> str:
    """A text of the same length in which dots behind short names and behind numbers of days end no sentence."""
    return _dots().sub(r"\1 ", text)


@cache
def _dots() -> re.Pattern[str]:
    names, months = (f"(?i:{'|'.join(_beginnings(name))})" for name in ("weekdays", "months"))
    return re.compile(rf"\b({names}|{months})\.(?=,?\s+[a-z\d])|(?<=\d)\.(?=\s+{months}\b)")


def span_at(words: Sequence[Word], at: int, said: date) -> Span | None:
    """The time that the words from one on name; None where they name none, or a day that no calendar has."""
    try:
        return _read(words, at, said, (_part, *_WHOLE))
    except (ValueError, OverflowError):
        return None


def _read(words: Sequence[Word], at: int, said: date, readers: Sequence[Callable[..., Span | None]]) -> Span | None:
    """What the first of some readers that can makes of the words from one on, without an article before them."""
    skipped = at + (text_at(words, at) == "the")
    found = next((span for read in readers if (span := read(words, skipped, said)) is not None), None)
    return replace(found, words=found.words + skipped - at) if found is not None else None


def number_of(text: str) -> int | None:
    """A number in digits or letters; a couple is two, a few are three."""
    if (digits := _NUMBER.fullmatch(text)) is not None:
        return int(digits[1]) if len(digits[1]) <= 4 else None
    counts: Mapping[str, int] = listed("times")["counts"]
    return counts.get(text, NUMBERS.get(text))


@cache
def _beginnings(name: str) -> Mapping[str, int]:
    """Names of weekdays or months, each with its number: whole, by their first letters, with two letters swapped."""
    found: dict[str, int] = {}
    for at, word in enumerate(listed("times")[name].split()):
        cuts = [word[:length] for length in (3, 4, 5)[: max(len(word) - 4, 1)]]
        swapped = [word[:one] + word[one + 1] + word[one] + word[one + 2 :] for one in range(1, len(word) - 1)]
        found |= dict.fromkeys([word, *cuts, *swapped], at)
    return found


def text_at(words: Sequence[Word], at: int) -> str:
    """The word at a place; empty where there is none."""
    return words[at].text if 0 <= at < len(words) else ""


def _name(words: Sequence[Word], at: int, names: str) -> int | None:
    """Which weekday or month a word names; None where it may be another word that is written alike."""
    found = _beginnings(names).get(text_at(words, at))
    if found is None or words[at].large or words[at].text not in word_set("times", "homonyms"):
        return found
    told = any(text_at(words, at + place)[:1].isdigit() for place in (-1, 1))
    return found if told or text_at(words, at - 1) in word_set("times", "before_names") else None


def _part(words: Sequence[Word], at: int, said: date) -> Span | None:
    """A part of a span: "the end of March", "early June", "mid May", "the rest of this week", "eow", "COB Friday"."""
    if unit := listed("times")["shortened"].get(text_at(words, at)):
        ends = replace(_last_day(_period(unit, said, 0)), words=1, said=unit in {"day", "week"})
        return _of_day(words, at, said, ends) if unit == "day" else ends
    last_day = (text_at(words, at), text_at(words, at + 1), text_at(words, at + 2)) == ("last", "day", "of")
    part = "last" if last_day else meanings("times", "parts").get(text_at(words, at))
    ahead = at + 1 + last_day
    if part is None and text_at(words, at) != "week":
        return None
    joined = text_at(words, ahead) in {"of", "-"}
    whole_of = _read(words, ahead + joined, said, _WHOLE)
    if whole_of is None or not (joined or part in {"first", "middle", "last"} or text_at(words, at) == "remaining"):
        return None
    spent = ahead + joined - at + whole_of.words
    if part is None:
        return replace(_period("week", whole_of.first, 0), words=spent)
    found = replace(_of(whole_of, part), words=spent, said=whole_of.said or part == "rest")
    return _of_day(words, at, said, found) if whole_of.sort == "day" else found


def _of_day(words: Sequence[Word], at: int, said: date, end: Span) -> Span:
    """The day whose end is meant: "EOD Friday", "end of day tomorrow"; today, where none is named."""
    day = _read(words, at + end.words, said, _DAY)
    return replace(day, words=end.words + day.words) if day is not None and day.days == end.days == 1 else end


def _of(whole: Span, part: str | None) -> Span:
    """The first or second third of a span, or its last day; all of it for the rest."""
    third = (whole.after - whole.first) // 3
    ends = {"first": whole.first + (third or timedelta(days=1)), "middle": whole.after - third}
    return _last_day(whole) if part == "last" else replace(whole, after=ends.get(part or "", whole.after))


def _last_day(whole: Span) -> Span:
    return replace(whole, first=whole.after - timedelta(days=1))


def _counted(words: Sequence[Word], at: int, said: date) -> Span | None:
    """So many units: "the next two sprints", "in three weeks", "a week from Monday"; "for two weeks" may be any two."""
    within = text_at(words, at) in {"in", "within"}
    led = within or meanings("times", "which").get(text_at(words, at)) == "next"
    ahead = at + led
    ahead += text_at(words, ahead) in {"a", "an", "another"} and number_of(text_at(words, ahead + 1)) is not None
    count, lasting = number_of(text_at(words, ahead)), text_at(words, at - 1) == "for"
    more = text_at(words, ahead + 1) == "more" or "another" in {text_at(words, at), text_at(words, ahead)}
    ahead += 1 + (text_at(words, ahead + 1) in {"of", "more"})
    unit, since = meanings("times", "units").get(text_at(words, ahead)), _since(words, ahead + 1, said)
    if count is None or unit is None or not (led or since.words or lasting):
        return None
    end, spent = later(since.first, unit, count), ahead + 1 - at + since.words
    if within or (since.words and not lasting):
        return replace(_one_day(end, spent), said=text_at(words, at) != "within")
    return Span(since.first, end, unit, spent, said=bool(led or more or since.words))


def _since(words: Sequence[Word], at: int, said: date) -> Span:
    """From when a number of units is counted: "from now", "starting Monday"; the day of saying where none is told."""
    told = text_at(words, at) in {"from", "starting", "beginning"}
    start = _one_day(said, 1) if text_at(words, at + 1) == "now" else _read(words, at + 1, said, _DAY)
    return replace(start, words=start.words + 1) if told and start is not None else _one_day(said, 0)


def _which(words: Sequence[Word], at: int, said: date) -> Span | None:
    """A unit and which one: "this week", "next quarter", "this evening"; "the week" is not said to be this one."""
    which = meanings("times", "which").get(text_at(words, at))
    name = text_at(words, at + (which is not None))
    unit = "day" if which == "this" and name in word_set("times", "hours") else meanings("times", "units").get(name)
    bare = at > 0 and words[at - 1].text in {"the", "of"}
    if unit is None or (which is None and not bare) or name.endswith("days") or (unit == "day" and which == "next"):
        return None
    ahead = {"last": -1, "next": 1}.get(which or "", 0)
    coming = unit == "weekend" and text_at(words, at - 2) == "for"
    return replace(_period(unit, said, ahead), words=1 + (which is not None), said=which is not None or coming)


def _range(words: Sequence[Word], at: int, said: date) -> Span | None:
    """Days of one month: "3-5 June", "June 3 to 5"."""
    led = _name(words, at, "months") is not None
    month = _name(words, at if led else at + 3, "months")
    first, until = (number_of(text_at(words, at + led + place)) for place in (0, 2))
    if month is None or first is None or until is None or text_at(words, at + led + 1) not in {*"-–—", "to", "and"}:
        return None
    year = _year(words, at + 4)
    end = in_year(said, month + 1, until, year)
    return Span(end.replace(day=first), end + timedelta(days=1), "day", 4 + (year is not None))


def _dated(words: Sequence[Word], at: int, said: date) -> Span | None:
    """A date, a month, a quarter or a year."""
    word = text_at(words, at)
    if _ISO.fullmatch(word):
        return _one_day(date.fromisoformat(word), 1)
    if (marked := _MARKED.fullmatch(word)) is not None and _name(words, at + 1, "months") is None:
        return _by_numbers(marked, said)
    if word[:1] in {"q", "h"} and word[1:].isdigit():
        return _share_of_year(word, _year(words, at + 1), said)
    if word in word_set("times", "calendar_weeks") and text_at(words, at + 1).isdigit():
        return _calendar_week(int(text_at(words, at + 1)), said)
    if (month := _name(words, at, "months")) is not None:
        return _of_month(words, at, month + 1, said)
    ahead = at + 1 + (text_at(words, at + 1) == "of")
    number, month_of = number_of(word) if word[:1].isdigit() else None, _name(words, ahead, "months")
    if number is not None and month_of is not None:
        year = _year(words, ahead + 1)
        return _one_day(in_year(said, month_of + 1, number, year), ahead + 1 - at + (year is not None))
    if (of_year := _year(words, at)) is not None:
        return Span(date(of_year, 1, 1), date(of_year + 1, 1, 1), "year", 1)
    return None


def _calendar_week(number: int, said: date) -> Span:
    """A week by its number in the year, the next of that number."""
    past = date.fromisocalendar(said.year, number, 7) < said
    return replace(_period("week", date.fromisocalendar(said.year + past, number, 1), 0), words=2)


def _day_alone(words: Sequence[Word], at: int, said: date) -> Span | None:
    """A day by its number alone, of this month or the next: "the 12th"; none where it counts things."""
    led = text_at(words, at - 1) == "the" or text_at(words, at - 1) in word_set("times", "before_names")
    number = _NUMBER.fullmatch(text_at(words, at))
    if number is None or number[2] is None or not (led and ends_there(words, at + 1)):
        return None
    day = int(number[1])
    month = later(said.replace(day=1), "month", day < said.day)
    return replace(_one_day(month.replace(day=day), 1), sort="number", said=False)


def ends_there(words: Sequence[Word], at: int) -> bool:
    """Whether what names a time is over, and no word follows of which it tells more: "the 3rd retry"."""
    return not text_at(words, at).isalpha() or (text_at(words, at) in GLUE and text_at(words, at) != "of")


def _by_numbers(marked: re.Match[str], said: date) -> Span | None:
    """Day and month in numbers, where it is plain which is which: before a dot stands the day."""
    day, month = int(marked[1]), int(marked[3])
    plain = marked[2] == "." or day == month or max(day, month) > 12
    if marked[2] == "/":
        month, day = sorted((day, month))
    return _one_day(in_year(said, month, day, int(marked[4]) if marked[4] else None), 1) if plain else None


def _of_month(words: Sequence[Word], at: int, month: int, said: date) -> Span:
    """A month's day, or all of the month."""
    day = number_of(text_at(words, at + 1)) if text_at(words, at + 1)[:1].isdigit() else None
    if day is not None and 1 <= day <= 31:
        comma = text_at(words, at + 2) == ","
        year = _year(words, at + 2 + comma)
        return _one_day(in_year(said, month, day, year), 2 + ((comma + 1) if year is not None else 0))
    return _months(month, 1, _year(words, at + 1), said)


def _share_of_year(word: str, year: int | None, said: date) -> Span | None:
    """A quarter or half: "Q2", "H1 2027"."""
    number, months = int(word[1:]), 3 if word[0] == "q" else 6
    return _months(months * (number - 1) + 1, months, year, said) if number * months <= 12 else None


def _months(month: int, count: int, year: int | None, said: date) -> Span:
    """So many months of a year, or of the year in which they are next over."""
    first = date(year or said.year, month, 1)
    if year is None and later(first, "month", count) <= said:
        first = first.replace(year=said.year + 1)
    return Span(first, later(first, "month", count), "month" if count == 1 else "quarter", 1 + (year is not None))


def _weekday(words: Sequence[Word], at: int, said: date) -> Span | None:
    """A day of the week: this one, the next, or that of next week."""
    which = meanings("times", "which").get(text_at(words, at))
    number = _name(words, at + (which is not None), "weekdays")
    if number is None:
        return None
    spent = 1 + (which is not None)
    of_week = text_at(words, at + spent) if text_at(words, at + spent + 1) == "week" else ""
    next_week, told = of_week == "next", of_week in {"next", "this"}
    day = said + timedelta(days=(number - said.weekday()) % 7)
    if which == "last":
        day -= timedelta(days=7)
    elif text_at(words, at) == "next" or next_week:
        day = said + timedelta(days=7 - said.weekday() + number)
    ahead = at + 1 + (text_at(words, at + 1) in {",", "the"})
    dated = _dated(words, ahead, said) or _day_alone(words, ahead, said)
    if which is None and not told and dated is not None and dated.sort in {"day", "number"}:
        return replace(dated, words=dated.words + ahead - at, sort="day", said=True)
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
    if text_at(words, at) == "easter":
        sunday = _easter(said.year)
        return _one_day(sunday if sunday >= said else _easter(said.year + 1), 1)
    if (ahead := listed("times")["near"].get(text_at(words, at))) is not None:
        return _one_day(said + timedelta(days=ahead), 1)
    if (feast := listed("times")["feasts"].get(text_at(words, at))) is not None and ends_there(words, at + 1):
        return _one_day(in_year(said, feast[0], feast[1], None), 1)
    return None


def _year(words: Sequence[Word], at: int) -> int | None:
    word = text_at(words, at)
    return int(word) if len(word) == 4 and word.isdigit() and int(word) in _YEARS else None


def _one_day(day: date, spent: int) -> Span:
    return Span(day, day + timedelta(days=1), "day", spent)


def in_year(said: date, month: int, day: int, year: int | None) -> date:
    """A day of a year, or of the year in which it comes next; one of the last days is meant itself."""
    found = date(year or said.year, month, day)
    return found if year or (said - found).days < LONG_AGO_DAYS else found.replace(year=said.year + 1)


def _period(unit: str, said: date, ahead: int) -> Span:
    """The unit in which a day lies, or so many further on."""
    if unit in _DAYS:
        past = {"week": said.weekday(), "weekend": said.weekday() - 5}.get(unit, 0)
        first = later(said - timedelta(days=past), unit, ahead)
        return Span(first, first + timedelta(days=2) if unit == "weekend" else later(first, unit, 1), unit, 0)
    months = _MONTHS[unit]
    first = later(date(said.year, (said.month - 1) // months * months + 1, 1), unit, ahead)
    return Span(first, later(first, unit, 1), unit, 0)


def later(day: date, unit: str, count: int) -> date:
    """A day so many units on; the last of a month that has no such day."""
    if unit in _DAYS:
        return day + timedelta(days=_DAYS[unit] * count)
    months = day.month - 1 + count * _MONTHS[unit]
    first = date(day.year + months // 12, months % 12 + 1, 1)
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return min(first + timedelta(days=day.day - 1), last)


def spans(words: Sequence[Word], said: date) -> Iterator[tuple[int, Span]]:
    """Every time that a row of words names, with the place of its first word, none within another."""
    at = 0
    while at < len(words):
        found = span_at(words, at, said)
        if found is not None and found.words:
            yield at, found
        at += found.words if found is not None and found.words else 1


_DAY = (_dated, _weekday, _named, _day_alone)
_WHOLE = (_counted, _which, _range, *_DAY)
