"""How well prediction did on this project over time: charts, with the same figures in tables beside them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from companion.api import WEEKS_TOLD, Companion
from companion.records.looking import Accuracy, Rate, Replayed, WorkedWeek
from companion.surfaces.page.room import PageRequest, PageView, Room

WEEKS_MOST = 104
"""Two years of weeks: as many points as a phone's width still tells apart."""

FEW = 20
"""Below this no share is given, only the numbers: one file more or less would move it by five hundredths or more."""
WORKED = {
    "edited": ("of files edited next", "had been in the context before"),
    "opened": ("of files opened next", "had been in the context before"),
    "memories": ("of memories shown", "were of use the same day"),
    "asked": ("of contexts asked for", "were ready beforehand"),
}
"""What is counted at work, by its field, in the order of the chart's lines."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of a chart: its name, which of the chart's colours it has, and a value (or none) for each point."""

    name: str
    tone: int
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over the same moments, in hundredths; `counts` says how much stands behind each point.

    `across` and `up` name the axes.
    """

    title: str
    across: str
    up: str
    at: tuple[datetime, ...]
    lines: tuple[_Line, ...]
    counts: tuple[int, ...]

    def data(self) -> str:
        """The chart as the script reads it: seconds since 1970, and the lines."""
        said = {
            "across": self.across,
            "up": self.up,
            "at": [int(moment.replace(tzinfo=UTC).timestamp()) for moment in self.at],
            "lines": [{"name": one.name, "tone": one.tone, "values": one.values} for one in self.lines],
            "counts": self.counts,
        }
        return json.dumps(said, separators=(",", ":"))


def show(companion: Companion, ask: PageRequest) -> PageView:
    """The room of accuracy: how well files were foreseen, in the past and at work."""
    weeks = ask.number("weeks", WEEKS_TOLD, 1, WEEKS_MOST)
    told = companion.accuracy(weeks)
    values = {
        "told": told,
        "weeks": weeks,
        "choices": (12, WEEKS_TOLD, 52, WEEKS_MOST),
        "replayed": on_commits(told.replayed) if len(told.replayed) > 1 else None,
        "worked": at_work(told.weeks) if len(told.weeks) > 1 else None,
        "lately": lately(told),
        "few": FEW,
        "watched": any(week.opened.times or week.edited.times for week in told.weeks),
        "unread": told.overall is None and not companion.stats().files,
    }
    return PageView("accuracy/room.html", values)


def on_commits(points: Sequence[Replayed]) -> Chart:
    """The curve of the commits that were replayed before they were learned from."""
    return Chart(
        "Files of a commit found among the first ten",
        "Commits until",
        "Other files found",
        tuple(one.until for one in points),
        (
            _Line("as learned here", 1, tuple(_hundredths(one.learned) for one in points)),
            _Line("with the usual weights", 2, tuple(_hundredths(one.usual) for one in points)),
            _Line("changed last", 3, tuple(_hundredths(one.recent) for one in points)),
        ),
        tuple(one.commits for one in points),
    )


def at_work(weeks: Sequence[WorkedWeek]) -> Chart:
    """The curve of weeks at work."""
    return Chart(
        "Shown before it was needed, by week",
        "Week of",
        "Shown beforehand",
        tuple(one.week for one in weeks),
        (
            _Line("files edited", 1, tuple(_share(one.edited) for one in weeks)),
            _Line("files opened", 2, tuple(_share(one.opened) for one in weeks)),
            _Line("memories used", 3, tuple(_share(one.memories) for one in weeks)),
            _Line("contexts ready", 4, tuple(_share(one.asked) for one in weeks)),
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
