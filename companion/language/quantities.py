"""Numbers in prose: what they count, in one unit, and from where to where they reach.

"30 s", "30_000 ms" and "half a minute" are one quantity; "at most 80 %" and "must not exceed 80 percent" one
bound; "3.9 and newer" and ">=3.9" one range of versions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from companion.language.amounts import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    NEAR_CHARS,
    NUMBERS,
    OFTEN,
    PERIODS,
    TIMES,
    UNITS,
    bound,
    number,
    unit,
)
from companion.language.phrasing import spaced
from companion.language.versions import product_of, range_of
from companion.language.word_lists import GLUE, listed


def _either(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_SPELLED = rf"(?:an? )?(?:{_either(NUMBERS)})(?:-(?:{_either(NUMBERS)}))?"
_UNIT = _either(form for form, known in UNITS.items() if known.dimension != "times" and form[0].isalpha())

_DAY = re.compile(r"(?<![\w-])\d{4}-\d\d-\d\d(?![\w-])")
NEAR = 0.06
"""Two amounts this near are one: a month has 28 to 31 days, a MiB is 5 % more than a MB. Of what is merely counted,
or numbered as ports are, each number is another."""
_COUNTED = frozenset(("count", "bits", "clock"))


class Quantity(Struct, frozen=True):
    """An amount: `dimension` says what it measures, `low` and `high` from where to where it holds.

    `bound` says whether it was given as a value or as the end of a range; `about` is the word beside it (a
    product before a version, a noun after a count), `quote` the words it was read from, `place` where they start.
    """

    dimension: str
    low: float
    high: float
    bound: str
    about: str
    quote: str
    place: int

    @property
    def value(self) -> float:
        """The number that was given."""
        return self.high if self.bound == AT_MOST else self.low


def quantities(text: str) -> tuple[Quantity, ...]:
    """Every amount of a text, in order; words belong to the first reader that knows them."""
    text = spaced(text).replace("`", " ").replace("’", "'").replace('"', " ").replace("≥", ">=").replace("≤", "<=")
    # A day of the calendar is no amount; what stands around it stays where it is.
    text = _DAY.sub(lambda day: " " * len(day[0]), text)
    found: list[Quantity] = []
    for read in (_clocks, _words, _often, _intervals, _numbers, _lone, _once):
        for quantity in read(text):
            if not any(_overlap(quantity, other) for other in found):
                found.append(quantity)
    return tuple(sorted(found, key=lambda quantity: quantity.place))


def disjoint(a: Quantity, b: Quantity) -> bool:
    """Whether no number satisfies both, measuring by the same rule of nearness."""
    if a.dimension == "version":
        return a.low >= b.high or b.low >= a.high
    near = 1 + _nearness(a)
    return a.low > b.high * near + 1e-12 or b.low > a.high * near + 1e-12


def _nearness(quantity: Quantity) -> float:
    return 0.0 if quantity.dimension in _COUNTED else NEAR


def as_rate(quantity: Quantity) -> Quantity:
    """What happens once a while as how often it happens a second."""
    if quantity.dimension != "every":
        return quantity
    return replace(quantity, dimension="rate", low=1 / quantity.high, high=1 / quantity.low)


def equal(a: Quantity, b: Quantity) -> bool:
    """Whether they give the same number, as value or as end."""
    if a.dimension == "version":
        return a.value == b.value
    return math.isclose(a.value, b.value, rel_tol=_nearness(a), abs_tol=1e-12)


def _overlap(a: Quantity, b: Quantity) -> bool:
    return a.place < b.place + len(b.quote) and b.place < a.place + len(a.quote)


def _exact(dimension: str, value: float, match: re.Match[str], about: str = "") -> Quantity:
    return Quantity(dimension, value, value, EXACT, about, match[0], match.start())


# --- amounts in words -------------------------------------------------------------------------------

_FOREVER = re.compile(r"\b(?:forever|indefinitely|for ever|for good|without end)\b", re.IGNORECASE)
_MANY = re.compile(r"\b(?:several|multiple|many|any number of|more than one)\s+(?P<noun>[a-z]+)", re.IGNORECASE)
_PERIOD = "|".join(PERIODS)
_SINGLE = re.compile(
    rf"\b(?:a single|single|exactly one|just one|only one|sole)\s+(?!(?:{_PERIOD})\b)(?P<noun>[a-z]+)", re.IGNORECASE
)
"""One of what is counted; "exactly one day" is an amount."""
_HALF_OF = re.compile(rf"\bhalf an? (?P<unit>{_PERIOD})\b", re.IGNORECASE)
_HALF_NUMBER = re.compile(r"\bhalf a (?P<n>dozen|hundred|thousand|million)\b", re.IGNORECASE)
_HALF = re.compile(rf"\bhalf\b(?!-| an? (?:{_PERIOD}|dozen|hundred|thousand|million)\b)", re.IGNORECASE)
_ONE_IN = re.compile(rf"\bone in (?P<n>\d+|{_SPELLED})\b", re.IGNORECASE)
_PART = re.compile(r"\ba (?P<part>third|quarter|fifth|tenth) of\b", re.IGNORECASE)
_PARTS = {"third": 3, "quarter": 4, "fifth": 5, "tenth": 10}


_CLOCK = re.compile(
    r"(?<![\w:.])(?:(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?:\s?(?P<half>[ap])\.?m\b\.?)?(?![:\d])"
    r"|(?P<of_half>1[0-2]|[1-9])\s?(?P<told>[ap])\.?m\b\.?|(?P<named>noon|midday|midnight)\b)"
    rf"(?:\s*(?P<zone>{_either(listed('measures')['zones'])})\b)?",
    re.IGNORECASE,
)
_HALF_DAY, _HOUR, _DAY_MINUTES = 12, 60, 24 * 60


def _clocks(text: str) -> Iterator[Quantity]:
    """Every time of day as its minute (of Greenwich where a zone is told), about "utc" or no zone."""
    for match in _CLOCK.finditer(text):
        hour = listed("measures")["hours"].get(
            (match["named"] or "").lower(), int(match["hour"] or match["of_half"] or 0)
        )
        if half := (match["half"] or match["told"] or "").lower():
            hour = hour % _HALF_DAY + (_HALF_DAY if half == "p" else 0)
        zone = (match["zone"] or "").lower()
        minute = hour * _HOUR + int(match["minute"] or 0) - listed("measures")["zones"].get(zone, 0) * _HOUR
        yield _exact("clock", minute % _DAY_MINUTES, match, "utc" if zone else "")


def _words(text: str) -> Iterator[Quantity]:
    yield from (_exact("seconds", math.inf, match) for match in _FOREVER.finditer(text))
    yield from (_exact("seconds", _seconds(match["unit"]) / 2, match) for match in _HALF_OF.finditer(text))
    yield from (_exact("count", (_number(match["n"]) or 0) / 2, match) for match in _HALF_NUMBER.finditer(text))
    yield from (_exact("percent", 50, match) for match in _HALF.finditer(text))
    yield from (_exact("percent", 100 / max(1.0, _number(match["n"]) or 1), match) for match in _ONE_IN.finditer(text))
    yield from (_exact("percent", 100 / _PARTS[match["part"].lower()], match) for match in _PART.finditer(text))
    yield from (_exact("count", 1, match, match["noun"].lower()) for match in _SINGLE.finditer(text))
    for match in _MANY.finditer(text):
        yield Quantity("count", 2, math.inf, AT_LEAST, match["noun"].lower(), match[0], match.start())


# --- how often, how long ------------------------------------------------------------------------------

_EVERY = re.compile(
    rf"\b(?:every|each|once (?:a|an|per|every))\s+(?P<n>\d+|(?:{_SPELLED})\b)?\s*-?(?P<unit>{_PERIOD})s?\b",
    re.IGNORECASE,
)
_TIMES_A = re.compile(
    rf"\b(?P<n>\d+|once|twice|(?:{_SPELLED}))\s+(?P<times>times\s+)?(?:a|an|per)\s+(?P<unit>{_PERIOD})\b", re.IGNORECASE
)
_ADVERB = re.compile(rf"(?<!-)\b(?P<word>{'|'.join(OFTEN)})\b", re.IGNORECASE)
_LONE = re.compile(rf"\b(?:an?|one)[ -](?P<unit>{_PERIOD})\b", re.IGNORECASE)
_NEXT = re.compile(r" ([a-z]+)", re.IGNORECASE)
_ONCE = re.compile(
    rf"\b(?P<n>{'|'.join(TIMES)})\b(?!\s+(?:the|it|a|an|initialisation|that|all|again|per|every)\b)", re.IGNORECASE
)


def _often(text: str) -> Iterator[Quantity]:
    for match in _TIMES_A.finditer(text):
        times = TIMES.get(match["n"].lower())
        if times is not None or match["times"]:
            yield _exact("every", _seconds(match["unit"]) / max(1.0, times or _number(match["n"]) or 1), match)


def _intervals(text: str) -> Iterator[Quantity]:
    for match in _EVERY.finditer(text):
        yield _exact("every", _seconds(match["unit"]) * (_number(match["n"] or "") or 1), match)
    for match in _ADVERB.finditer(text):
        yield _exact("every", _seconds(OFTEN[match["word"].lower()]), match)


def _lone(text: str) -> Iterator[Quantity]:
    for match in _LONE.finditer(text):
        behind = _NEXT.match(text, match.end())
        # "A second offence" is one more of them, and no time.
        if match["unit"].lower() != "second" or behind is None or behind[1].lower() in GLUE:
            yield _bounded("seconds", _seconds(match["unit"]), text, match, "")


def _once(text: str) -> Iterator[Quantity]:
    for match in _ONCE.finditer(text):
        yield replace(_bounded("count", TIMES[match["n"].lower()], text, match, ""), about="time")


# --- numbers ------------------------------------------------------------------------------------------

_NUMBER = re.compile(
    r"(?<![\w.])(?<![a-zA-Z]-)(?-i:(?<![A-Z]/))(?P<op>[<>=~^]=?\s*)?"
    rf"(?P<number>v?\d[\d_,]*(?:\.(?:\d+|x|\*))*|\b(?:{_SPELLED})\b)(?P<plus>\+)?"
    r"(?:\s*(?:-|–|to|through|until)\s*(?P<to>\d+(?:\.\d+)*))?"
    rf"\s*-?(?P<unit>%|percent|per cent|(?:{_UNIT})\b)?",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\b(?:code|step|phase|tier|stage|issue|ticket|rule|section|chapter|part|milestone|exit|status|error|line|row|id)"
    r"\s*#?$",
    re.IGNORECASE,
)
"""What a number after it names, and does not count."""
_DIGIT = re.compile(r"v?\d")
_STANDARD = re.compile(r"\b(?:-?std=)?(?:gnu|c)(?:\+\+|xx|#|sharp)?\s?(?P<number>\d{2})\b", re.IGNORECASE)
_RATE = re.compile(rf"\s*(?P<noun>\w+)??\s*(?:\b(?:per|a|an|each)\s+|/\s*)(?P<per>{_PERIOD}|s|min)\b", re.IGNORECASE)
_NOUN = re.compile(
    r"\s*[- ]?(?:\w+ed |new |open |active |concurrent |parallel |separate )?((?:[a-z]\w*[ -]){0,2}?[a-z]\w*)",
    re.IGNORECASE,
)
_WINDOW = re.compile(
    r"(?:measured|averaged|computed|over the last|in the last|sampled|smoothed)(?: over| every)?\s*$", re.IGNORECASE
)
"""What stands before a length of time that something is measured over."""
_UNIT_OF_NAME = re.compile(
    r"(?:_|(?<=[a-z])(?=[MSHDKGB]))(?i:(ms|secs?|seconds?|s|minutes?|mins?|hours?|days?|bytes|kb|mb|gb))\s*[:=]?\s*$"
)
"""The unit in the name of a setting: `timeout_ms = 2000`."""


def _numbers(text: str) -> Iterator[Quantity]:
    for match in _STANDARD.finditer(text):
        yield Quantity("version", *range_of(text, match, match["number"], ""), "c++", match[0], match.start())
    for match in _NUMBER.finditer(text):
        quantity = _version(text, match) or _measured(text, match) or _counted(text, match)
        if quantity is not None:
            yield quantity


def _operator(match: re.Match[str]) -> str:
    return (match["op"] or "").strip() + (match["plus"] or "")


def _version(text: str, match: re.Match[str]) -> Quantity | None:
    figure = match["number"].lower().rstrip(",")
    if match["unit"] or not _DIGIT.match(figure):
        return None
    product = product_of(text[: match.start()], figure, text[match.end() :], _operator(match))
    if product is None:
        return None
    reach = range_of(text, match, figure, _operator(match), match["to"] or "")
    return Quantity("version", *reach, product, match[0], match.start())


def _measured(text: str, match: re.Match[str]) -> Quantity | None:
    """A number with a unit, or one a while."""
    measure, value = unit(match["unit"] or ""), _number(match["number"])
    if value is None:
        return None
    if measure is not None:
        factor = float(measure.factor)
        if _WINDOW.search(_just_before(text, match)):
            return None
        if (to := _number(match["to"] or "")) is not None:
            return Quantity(measure.dimension, value * factor, to * factor, EXACT, "", match[0], match.start())
        return _bounded(measure.dimension, value * factor, text, match, _operator(match))
    rate = _RATE.match(text[match.end() :])
    if rate is None or rate["noun"] in ("or", "and"):
        return None
    found = _bounded("rate", value / _seconds(rate["per"]), text, match, _operator(match), rate.end())
    return replace(found, about=(rate["noun"] or "").lower())


def _counted(text: str, match: re.Match[str]) -> Quantity | None:
    """A bare number; the name of a setting may hold its unit."""
    before, after = _just_before(text, match), text[match.end() :]
    value = _number(match["number"])
    if match["unit"] or value is None:
        return None
    named = _UNIT_OF_NAME.search(before)
    if named and (measure := unit(named[1])) is not None:
        return _bounded(measure.dimension, value * float(measure.factor), text, match, _operator(match))
    if _LABEL.search(before):
        return None
    noun = _NOUN.match(after)
    if 0 < value < 1 and noun is None:
        return _bounded("percent", value * 100, text, match, _operator(match))
    return replace(_bounded("count", value, text, match, _operator(match)), about=noun[1].lower() if noun else "")


def _just_before(text: str, match: re.Match[str]) -> str:
    return text[max(0, match.start() - NEAR_CHARS) : match.start()]


def _number(word: str) -> float | None:
    found = number(word.lower().removeprefix("a ").removeprefix("v").rstrip("_,"))
    return None if found is None else float(found)


def _seconds(period: str) -> float:
    return float(UNITS[period.lower()].factor)


def _bounded(dimension: str, value: float, text: str, match: re.Match[str], operator: str, beyond: int = 0) -> Quantity:
    kind = bound(text, match.start(), match.end() + beyond, operator)
    low = -math.inf if kind == AT_MOST else value
    high = math.inf if kind == AT_LEAST else value
    return Quantity(dimension, low, high, kind, "", match[0], match.start())
