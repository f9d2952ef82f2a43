"""How well prediction does: commits that were replayed, as points of a curve, and whether work's next file was shown.

A file counts as foreseen at the first touch that brings work to it, by two rules: "opened", within `OPENED_WITHIN`
events of a context that was served for another file, and "edited", within `CITED_WITHIN`. It must be new to the
work: who goes back to a file that was in hand a moment before the context was made needs no telling. Only code that
the context showed counts, not a file that something in it names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from companion.engine.usefulness import CITED_WITHIN, EDITS, OPENED_WITHIN, TOUCHES
from companion.records import Event, Happening, Serving
from companion.records.looking import Measured, Rate, Replayed

POINT_COMMITS = 10
"""Commits behind one point of the curve: fewer jump about, more hide when it changed."""
POINTS_MOST = 60
"""Points that a curve has room for; with more commits each stands for more of them."""


def points(told: Sequence[Measured], size: int = 0) -> tuple[Replayed, ...]:
    """Commits in the order of time as points of a curve, `size` commits each (0: as many as suit the chart)."""
    size = size or max(POINT_COMMITS, -(-len(told) // POINTS_MOST))
    return tuple(_point(told[start : start + size]) for start in range(0, len(told), size or 1))


def _point(some: Sequence[Measured]) -> Replayed:
    def mean(values: Sequence[float]) -> float:
        return round(sum(values) / len(values), 4)

    return Replayed(
        since=some[0].committed_at,
        until=some[-1].committed_at,
        commits=len(some),
        learned=mean([one.learned for one in some]),
        usual=mean([one.usual for one in some]),
        recent=mean([one.recent for one in some]),
    )


def foreseen(servings: Sequence[Serving], events: Sequence[Event], touch: Event) -> tuple[str, bool] | None:
    """How a touch came to a file that was new (`opened`, `edited`), and whether the context before had shown it.

    None where it says nothing. `servings` and `events` are oldest first; `events` may hold `touch` itself.
    """
    how = "opened" if touch.what is Happening.OPENED else "edited" if touch.what in EDITS else ""
    before = [one for one in servings if one.after < touch.number and one.path != touch.path]
    if not how or not before:
        return None
    last = before[-1]
    if last.files is None or touch.number - last.after > (OPENED_WITHIN if how == "opened" else CITED_WITHIN):
        return None
    earlier = [one for one in events if one.path == touch.path and one.number < touch.number]
    in_hand = any(0 <= last.after - one.number < CITED_WITHIN and one.what in TOUCHES for one in earlier)
    again = any(one.number > last.after and _same(one, how) for one in earlier)
    return None if in_hand or again else (how, touch.path in last.files)


def rates(found: Sequence[tuple[str, bool]]) -> Mapping[str, Rate]:
    """How often each was the case, and how often it had been foreseen."""
    times, hits = Counter(how for how, _ in found), Counter(how for how, hit in found if hit)
    return {how: Rate(times[how], hits[how]) for how in times}


def _same(event: Event, how: str) -> bool:
    return event.what is Happening.OPENED if how == "opened" else event.what in EDITS
