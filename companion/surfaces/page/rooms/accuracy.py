"""How well prediction did on this project over time: charts, with the same figures in tables beside them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise

from msgspec import Struct

from companion.api import WEEKS_TOLD, Companion
from companion.records.looking import Accuracy, Rate, Replayed, WorkedWeek
from companion.surfaces.page.room import PageRequest, PageView, Room, need_reading

WEEKS_MOST = 104
"""Two years of weeks: as many points as a phone's width still tells apart."""

FEW = 20
"""Below this no share is given, only the numbers: one file more or less would move it by five hundredths or more."""
WORKED = {
    "edited": ("of files edited next", "had been in the context before"),
    "opened": ("of files opened next", "had been in the context before"),
    "memories": ("of memories shown", "were useful the same day"),
    "asked": ("of contexts asked for", "were ready beforehand"),
}
"""What is counted at work, by its field, in the order of the chart's lines."""

WAYS = {
    "learned": "with this project's own weights",
    "usual": "with the usual weights",
    "recent": "baseline: most recently changed",
}
"""How files were foreseen in the backtest, by its field, in the order of the chart's lines."""

NUMBERS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "all ten")
WIDE, HIGH, STUB = 1000, 100, 12
"""The drawing's own units, and how far a line is drawn that has a single point."""


class ChartLine(Struct, frozen=True):
    """One line of a chart: its name, which of the chart's colours it has, and a value (or none) for each point."""

    name: str
    tone: int
    values: tuple[float | None, ...]

    @property
    def latest(self) -> float | None:
        """The last value that there is."""
        return next((value for value in reversed(self.values) if value is not None), None)


class Chart(Struct, frozen=True):
    """Lines over the same moments, in hundredths; `counts` says how much stands behind each point."""

    title: str
    at: tuple[datetime, ...]
    lines: tuple[ChartLine, ...]
    counts: tuple[int, ...]

    def across(self, moment: datetime) -> float:
        """Where a moment stands, from 0 to WIDE."""
        whole = (self.at[-1] - self.at[0]).total_seconds()
        return WIDE * (moment - self.at[0]).total_seconds() / whole if whole else WIDE / 2

    def drawn(self, line: ChartLine) -> str:
        """The points of a line as SVG has them."""
        points = zip(map(self.across, self.at), line.values, strict=True)
        known = [(x, HIGH - value) for x, value in points if value is not None]
        if len(known) == 1:
            ((x, y),) = known
            known = [(max(0, x - STUB), y), (min(WIDE, x + STUB), y)]
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in known)

    def bands(self) -> tuple[tuple[float, float, str], ...]:
        """For each point the stretch that is nearest to it, from where and how wide, and what is to be read there."""
        middles = [self.across(at) for at in self.at]
        edges = [0.0, *((a + b) / 2 for a, b in pairwise(middles)), float(WIDE)]
        return tuple((a, b - a, self._said(place)) for place, (a, b) in enumerate(pairwise(edges)))

    def _said(self, place: int) -> str:
        values = [f"{one.name}: {value:.0f}%" for one in self.lines if (value := one.values[place]) is not None]
        return "\n".join([f"{self.at[place]:%Y-%m-%d}, {self.counts[place]:,} in all", *values])


def of_ten(share: float) -> str:
    """How many of ten that is, in a word."""
    return NUMBERS[round(10 * share)]


def show(companion: Companion, ask: PageRequest) -> PageView:
    """The room of accuracy: how well files were foreseen, in the past and at work."""
    weeks = ask.number("weeks", WEEKS_TOLD, 1, WEEKS_MOST)
    told = companion.accuracy(weeks)
    if told.overall is None:
        need_reading(companion)
    values = {
        "told": told,
        "ways": WAYS,
        "weeks": weeks,
        "choices": (12, WEEKS_TOLD, 52, WEEKS_MOST),
        "replayed": on_commits(told.replayed) if len(told.replayed) > 1 else None,
        "worked": at_work(told.weeks) if len(told.weeks) > 1 else None,
        "lately": lately(told),
        "few": FEW,
        "of_ten": of_ten,
        "watched": any(week.opened.times or week.edited.times for week in told.weeks),
    }
    return PageView("accuracy/room.html", values)


def on_commits(points: Sequence[Replayed]) -> Chart:
    """The curve of the commits that were replayed before they were learned from."""
    return Chart(
        "Files of a commit found among the first ten",
        tuple(one.until for one in points),
        tuple(
            ChartLine(name, tone, tuple(_hundredths(getattr(one, way)) for one in points))
            for tone, (way, name) in enumerate(WAYS.items(), 1)
        ),
        tuple(one.commits for one in points),
    )


def at_work(weeks: Sequence[WorkedWeek]) -> Chart:
    """The curve of weeks at work."""
    return Chart(
        "Shown before it was needed, by week",
        tuple(one.week for one in weeks),
        (
            ChartLine("files edited", 1, tuple(_share(one.edited) for one in weeks)),
            ChartLine("files opened", 2, tuple(_share(one.opened) for one in weeks)),
            ChartLine("memories used", 3, tuple(_share(one.memories) for one in weeks)),
            ChartLine("contexts ready", 4, tuple(_share(one.asked) for one in weeks)),
        ),
        tuple(one.opened.times + one.edited.times for one in weeks),
    )


def lately(told: Accuracy) -> tuple[tuple[int, str, str, Rate], ...]:
    """All the weeks told together: the line's colour in the chart, what is counted, what it says, and the rate."""
    sums = {name: Rate() for name in WORKED}
    for week in told.weeks:
        for name, before in sums.items():
            more: Rate = getattr(week, name)
            sums[name] = Rate(before.times + more.times, before.hits + more.hits)
    return tuple((tone, *WORKED[name], sums[name]) for tone, name in enumerate(WORKED, 1) if sums[name].times)


def _share(rate: Rate) -> float | None:
    return None if rate.share is None else _hundredths(rate.share)


def _hundredths(share: float) -> float:
    return round(100 * share, 1)


ROOM = Room("accuracy", "Accuracy", "How well prediction did on this project", show)
