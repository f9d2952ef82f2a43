"""What was superseded, and history that nobody has asked for in a long time of work.

A memory that was read from the repository has a life in days of work without use, and each use begins it anew. It
is LIFE_DAYS, which is a bound and no blade: longer for what matters, what was cited, and what has been asked for at
long intervals before. Use only ever lengthens a life; the calendar plays no part. What a person wrote or confirmed
is never archived for lying unused: only that person's word, or a newer one about the same thing, ends it.
Forgetting archives: explicit search still finds it, and asking brings it back.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from companion.ports import Archive
from companion.records import Change, Idle, Importance, Retire

LIFE_DAYS = 90
"""Days of work without any use; spec N6."""
LONGER = 2.0
"""How many times longer lives what is significant."""
CITED_WORTH = 0.5
"""What each citation adds to a life, in lives; retrieval alone is weak and only begins it anew."""
CITED_MOST = 4
"""Citations that count: two lives more, whatever happens."""
INTERVALS = 3
"""How many of the longest intervals between two uses are waited for the next one."""


def plan(archive: Archive, now: datetime) -> Iterator[Change]:
    """A retirement for what has outlived its use or was superseded. `now` plays no part: the clock is work."""
    for one in archive.idle(LIFE_DAYS):
        if one.successor:
            yield Retire(one.id, f"superseded by {one.successor}")
        elif left_days(one) < 0:
            yield Retire(one.id, f"not asked for in {one.idle_days} days of work")


def left_days(one: Idle) -> int:
    """How many days of work a memory has left without use; less than 0: none."""
    factor = LONGER if one.importance >= Importance.SIGNIFICANT else 1.0
    lasts = LIFE_DAYS * factor * (1 + CITED_WORTH * min(one.cited, CITED_MOST))
    return max(int(lasts), INTERVALS * one.longest_days) - one.idle_days
