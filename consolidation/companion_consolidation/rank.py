"""What use says of memories: how far each moves in the ranking, what has become important, what is hot or cold.

Usefulness is what remains of the sessions in which a memory was cited, less those in which it was left or
dismissed, against PRIOR sessions that said nothing: one click moves little, a habit moves much, and nothing
moves it beyond -1 and 1. Being shown counts for nothing. What nobody uses any more drifts back to 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from companion.ports import Archive
from companion.records import Change, Importance, Warm, Warmth, Weigh, Worth

PRIOR = 4.0
"""Sessions of which nothing is known that every memory starts with: one citation is worth a fifth of the whole."""
IGNORED_WORTH = 0.5
"""What passing over counts for against a citation: who did not look has not said that it was wrong."""
DISMISSED_WORTH = 1.5
"""The same where a person said that it is of no use here."""
LEAST_MOVE = 0.05
"""A change of usefulness below this moves no rank by as much as can be seen, and is not written down."""
SIGNIFICANT_AFTER = 3
"""Sessions of citing that make a memory significant; as in the specification."""
HOT_DAYS, WARM_DAYS = 7, 30
"""Days of work since it was used or born, up to which a memory is hot, or warm; as in the specification."""


def plan(archive: Archive, now: datetime) -> Iterator[Change]:
    """New weights and warmths, only where they are others than before. `now` plays no part: work is the clock."""
    for one in archive.worth(HOT_DAYS, WARM_DAYS):
        yield from _weighed(one)
        yield from _warmed(one)


def usefulness(one: Worth) -> float:
    """What use says of a memory, -1 to 1: the mean of its sessions, each for or against, shrunk towards 0."""
    against = IGNORED_WORTH * one.ignored + DISMISSED_WORTH * one.dismissed
    return round((one.cited - against) / (one.cited + against + PRIOR), 2)


def warmth(idle_days: int) -> Warmth:
    """How warm a memory is that was used or born so many days of work ago."""
    if idle_days <= HOT_DAYS:
        return Warmth.HOT
    return Warmth.WARM if idle_days <= WARM_DAYS else Warmth.COLD


def _weighed(one: Worth) -> Iterator[Change]:
    """Nothing for a pinned memory: a person has said what it is worth."""
    if one.pinned:
        return
    found = usefulness(one)
    if abs(found - one.usefulness) < LEAST_MOVE and not (found == 0 and one.usefulness != 0):
        found = one.usefulness
    matters = max(one.importance, one.floor)
    if one.sessions >= SIGNIFICANT_AFTER:
        matters = max(matters, Importance.SIGNIFICANT)
    if (found, matters) != (one.usefulness, one.importance):
        yield Weigh(one.id, matters, found, _why(one))


def _why(one: Worth) -> str:
    said = [f"cited in {_sessions(one.sessions)}"] if one.sessions else []
    if one.ignored:
        said.append("shown and left")
    if one.dismissed:
        said.append("dismissed")
    return " and ".join(said) if said else "not used for a long time of work"


def _sessions(count: int) -> str:
    return "one session" if count == 1 else f"{count} sessions"


def _warmed(one: Worth) -> Iterator[Change]:
    found = warmth(one.idle_days)
    if found is not one.warmth:
        days = "today" if not one.idle_days else f"{one.idle_days} days of work ago"
        yield Warm(one.id, found, f"{one.warmth} until now, last used or born {days}")
