"""Units and number words of prose, each in one unit a dimension: seconds, bytes, metres, percent, per second."""

from __future__ import annotations

import re

SECONDS: dict[str, float] = {
    "ms": 0.001, "millisecond": 0.001, "msec": 0.001, "us": 1e-6, "microsecond": 1e-6, "ns": 1e-9, "s": 1, "sec": 1,
    "second": 1, "min": 60, "minute": 60, "h": 3600, "hr": 3600, "hour": 3600, "d": 86_400, "day": 86_400,
    "night": 86_400, "week": 604_800, "fortnight": 1_209_600, "month": 2_592_000, "quarter": 7_776_000,
    "year": 31_536_000, "decade": 315_360_000,
}  # fmt: skip
FREQUENCIES: dict[str, float] = {
    "hourly": 3600, "daily": 86_400, "nightly": 86_400, "weekly": 604_800, "fortnightly": 1_209_600,
    "biweekly": 1_209_600, "monthly": 2_592_000, "quarterly": 7_776_000, "yearly": 31_536_000, "annually": 31_536_000,
}  # fmt: skip
_BYTES: dict[str, float] = {
    "b": 1, "byte": 1, "kb": 1e3, "kib": 1024, "kilobyte": 1e3, "mb": 1e6, "mib": 1024**2, "megabyte": 1e6, "gb": 1e9,
    "gib": 1024**3, "gigabyte": 1e9, "tb": 1e12, "tib": 1024**4, "terabyte": 1e12,
}  # fmt: skip
_METRES: dict[str, float] = {"mm": 0.001, "cm": 0.01, "m": 1, "metre": 1, "meter": 1, "km": 1000}
_PIXELS: dict[str, float] = {"px": 1, "pixel": 1}
_PER_SECOND: dict[str, float] = {"hz": 1, "khz": 1e3, "mhz": 1e6, "ghz": 1e9, "rps": 1, "qps": 1, "fps": 1}
_DIMENSIONS: dict[str, dict[str, float]] = {
    "seconds": SECONDS,
    "bytes": _BYTES,
    "metres": _METRES,
    "pixels": _PIXELS,
    "rate": _PER_SECOND,
}
_PERCENT = ("%", "percent", "per cent")
_NUMBERS = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60,
    "ninety": 90, "hundred": 100, "thousand": 1000, "dozen": 12, "a dozen": 12, "a hundred": 100, "a thousand": 1000,
}  # fmt: skip

SPELLED = "|".join(sorted(_NUMBERS, key=len, reverse=True))
"""Number words, for a pattern."""
UNITS = "|".join(sorted((name for table in _DIMENSIONS.values() for name in table), key=len, reverse=True))
"""Unit words in the singular, for a pattern."""


def unit(word: str) -> tuple[str, float] | None:
    """The dimension of a unit and what one of it is in that dimension's unit; None if it is no unit."""
    low = word.lower()
    if low in _PERCENT:
        return "percent", 1.0
    for name in (low, low.removesuffix("s")):
        for dimension, table in _DIMENSIONS.items():
            if name in table:
                return dimension, float(table[name])
    return None


def is_spelled(word: str) -> bool:
    """Whether it is a number in letters."""
    return word.lower() in _NUMBERS


def amount(word: str) -> float:
    """The number a word or digits stand for: "five", "30_000", "1,000", "v2". Raises ValueError for "3.2.1"."""
    low = word.lower().removeprefix("v")
    if low in _NUMBERS:
        return float(_NUMBERS[low])
    return float(re.sub(r"[_,](?=\d)", "", low).rstrip("_,.") or 0)
