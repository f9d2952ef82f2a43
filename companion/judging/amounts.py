"""Numbers as they must be the same: exactly, whatever words and units they are written in.

"90 s", "90 seconds" and "one and a half minutes" are one amount; 30 days and a month are not, nor are 3.1 and
3.10, which may be versions. `quantities` reads bounds and ranges for comparing claims; here only identity counts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

_SPELLED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_LARGER = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_LARGER |= {"hundred": 100, "thousand": 1000, "dozen": 12}
_WORDS = {word: Fraction(value) for value, word in enumerate(str.split(_SPELLED))}
_WORDS |= {word: Fraction(value) for word, value in _LARGER.items()}
_ONE = {"a", "an", "one", "single"}
_TIMES = {"once": 1, "twice": 2, "thrice": 3}

_SECONDS = {
    Fraction(1, 1000): "ms msec millisecond milliseconds",
    Fraction(1): "s sec secs second seconds",
    Fraction(60): "min mins minute minutes",
    Fraction(3600): "h hr hrs hour hours",
    Fraction(86_400): "d day days",
    Fraction(604_800): "week weeks",
}
_BYTES = {
    Fraction(1): "byte bytes",
    Fraction(1000): "kb kilobyte kilobytes",
    Fraction(1000) ** 2: "mb megabyte megabytes",
    Fraction(1000) ** 3: "gb gigabyte gigabytes",
    Fraction(1000) ** 4: "tb terabyte terabytes",
    Fraction(1024): "kib kibibyte kibibytes",
    Fraction(1024) ** 2: "mib mebibyte mebibytes",
    Fraction(1024) ** 3: "gib gibibyte gibibytes",
    Fraction(1024) ** 4: "tib tebibyte tebibytes",
}
_UNITS = {
    word: (factor, base)
    for base, table in (("s", _SECONDS), ("B", _BYTES), ("%", {Fraction(1): "% percent"}))
    for factor, words in table.items()
    for word in words.split()
}
_LASTING = frozenset(["second", "minute", "hour", "day", "week"])
"""Units that "an" before them makes an amount of; "a byte" is a thing."""

_FIGURE = re.compile(r"(?P<value>\d[\d_]*(?:,\d{3})*(?:\.\d+)?)\s?(?P<unit>%|[A-Za-z]+)?")


def amount(words: Sequence[str]) -> tuple[int, str] | None:
    """The amount that some words begin with: how many of them it takes, and the amount in a common unit.

    None where they begin with no amount. A number without a unit is kept as it is written, for it may be a
    version, a port or a time of day; written out it is the same as in figures.
    """
    first = words[0].lower()
    following = words[1].lower() if len(words) > 1 else ""
    if first == "half" and following in _ONE and len(words) > 2 and words[2].lower() in _LASTING:
        factor, base = _UNITS[words[2].lower()]
        return 3, _written(factor / 2, base)
    if first in _ONE and following in _LASTING:
        factor, base = _UNITS[following]
        return 2, _written(factor, base)
    if first in _TIMES:
        return 1, f"{_TIMES[first]} times"
    if first in _WORDS:
        return _counted(_WORDS[first], first, following)
    if (figure := _FIGURE.fullmatch(words[0])) is not None:
        value = Fraction(figure["value"].replace("_", "").replace(",", ""))
        if figure["unit"]:
            unit = figure["unit"].lower()
            return (1, _written(value * _UNITS[unit][0], _UNITS[unit][1])) if unit in _UNITS else None
        return _counted(value, figure["value"].replace(",", "").replace("_", ""), following)
    return (1, words[0].replace(" ", "")) if words[0][:1].isdigit() else None


def _counted(value: Fraction, written: str, following: str) -> tuple[int, str]:
    if following in _UNITS:
        factor, base = _UNITS[following]
        return 2, _written(value * factor, base)
    if following in {"time", "times"}:
        return 2, f"{value} times"
    return 1, str(value) if written in _WORDS else written


def _written(value: Fraction, base: str) -> str:
    return f"{value} {base}"
