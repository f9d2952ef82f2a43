"""One value in many spellings: `half a minute`, `30 s` and `30000 ms` are told apart from `45 s` and from nothing else.

A place such as {span} is filled with one spelling of a value drawn for the group, {span2} with one of another value,
{span_key} with one as a setting would have it; every occurrence is spelt anew. A line of `choices.txt` holds a place
and things that play the same part, of which one is drawn.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

COUNTS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
UNITS = {"second": 1, "minute": 60, "hour": 3_600, "day": 86_400, "week": 604_800}
SHORT = {"second": "s", "minute": "min", "hour": "h", "day": "d", "week": "w"}
SPANS = (5, 10, 15, 20, 30, 45, 60, 90, 120, 300, 600, 900, 1_800, 2_700, 3_600, 5_400, 7_200, 14_400, 21_600, 28_800,
         43_200, 86_400, 172_800, 259_200, 604_800, 1_209_600, 2_592_000, 7_776_000)  # fmt: skip
MANY = (15, 16, 20, 25, 32, 40, 50, 64, 100, 120, 128, 200, 250, 256, 500, 512, 1_000, 5_000, 10_000)
WORDED = {30: "half a minute", 60: "a minute", 1_800: "half an hour", 3_600: "an hour", 900: "a quarter of an hour",
          86_400: "a day", 43_200: "half a day", 604_800: "a week", 1_209_600: "a fortnight",
          5_400: "an hour and a half", 2_592_000: "a month"}  # fmt: skip
SHARES = {50: "half", 25: "a quarter", 20: "a fifth", 10: "a tenth", 5: "one in twenty", 1: "one in a hundred",
          75: "three quarters", 80: "four out of five", 100: "all", 33: "a third"}  # fmt: skip
CHOICES = {
    name: several.split(" | ")
    for name, several in (
        line.split(": ") for line in (Path(__file__).parent / "choices.txt").read_text("utf-8").splitlines()
    )
}


class Values:
    """What is told of one group: a value for every place, and another for the same place with a 2."""

    def __init__(self, random: Random) -> None:
        """`random` draws the values and their spellings."""
        self._random = random
        self._drawn: dict[str, tuple[str | int, str | int]] = {}

    def spell(self, place: str) -> str | None:
        """One spelling of what the place holds; none for a place of another name."""
        bare = place.removesuffix("_key")
        name, other = bare.removesuffix("2"), bare.endswith("2")
        if name not in CHOICES and name not in _SPELLERS:
            return None
        if name not in self._drawn:
            several = CHOICES.get(name) or list(_SPELLERS[name][0])
            one, two = self._random.sample(several, 2)
            self._drawn[name] = one, two
        value = self._drawn[name][other]
        if isinstance(value, str):
            return value
        return self._random.choice(_keyed(value) if bare != place else _SPELLERS[name][1](value))


def _spans(seconds: int) -> list[str]:
    told = [WORDED[seconds]] if seconds in WORDED else []
    for unit, size in UNITS.items():
        if seconds % size == 0 and seconds // size <= 120:
            count = seconds // size
            told += [f"{count} {unit}{'s' * (count > 1)}", f"{count} {SHORT[unit]}", f"{count}{SHORT[unit]}"]
            told += [f"{COUNTS[count]} {unit}{'s' * (count > 1)}"] if count < len(COUNTS) else []
    return told or [f"{seconds} seconds"]


def _keyed(seconds: int) -> list[str]:
    """A span as a setting would name it."""
    return [f"{seconds}", f"{seconds}s", f'"{seconds}s"', f"{seconds} # seconds", f"{seconds * 1_000} ms"]


def _sizes(kib: int) -> list[str]:
    if kib % 1_024:
        return [f"{kib} KiB", f"{kib} kB", f"{kib * 1_024} bytes", f"{kib}k"]
    mib = kib // 1_024
    whole = [f"{mib // 1_024} GB", f"{mib // 1_024} GiB"] if mib % 1_024 == 0 else []
    return [f"{mib} MB", f"{mib} MiB", f"{mib}M", f"{mib * 1_024} KiB", *whole]


def _shares(percent: int) -> list[str]:
    return [f"{percent} %", f"{percent}%", f"{percent} percent", f"{percent / 100:g}"] + (
        [SHARES[percent]] if percent in SHARES else []
    )


def _counts(count: int) -> list[str]:
    return [str(count)] + ([COUNTS[count]] if count < len(COUNTS) else [])


def _clocks(hour: int) -> list[str]:
    half = f"{(hour - 1) % 12 + 1} {'am' if hour < 12 else 'pm'}"
    return [f"{hour:02}:00", half, f"{hour}h", f"{hour} o'clock"] + (["noon"] if hour == 12 else [])


def _dates(day: int) -> list[str]:
    month, at = MONTHS[day // 28], day % 28 + 1
    ending = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}.get(at, "th")
    return [f"{at} {month}", f"{month} {at}{ending}", f"{month[:3]} {at}", f"2026-{day // 28 + 1:02}-{at:02}"]


_SPELLERS = {
    "span": (SPANS, _spans),
    "size": ((4, 16, 64, 256, 512, 1_024, 2_048, 5_120, 10_240, 25_600, 51_200, 102_400, 1_048_576), _sizes),
    "share": ((1, 2, 5, 10, 15, 20, 25, 33, 40, 50, 60, 70, 75, 80, 85, 90, 95, 100), _shares),
    "count": (range(2, 13), _counts),
    "many": (MANY, lambda number: [str(number)]),
    "hour": (range(1, 24), _clocks),
    "date": (range(336), _dates),
    "major": (range(2, 24), lambda number: [str(number), f"{number}.0", f"v{number}"]),
}
