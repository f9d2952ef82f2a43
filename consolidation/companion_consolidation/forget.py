"""What was superseded, and what nobody has asked for in a long time of work, goes to the archive."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from companion.ports import Archive
from companion.records import Change, Retire

FORGET_AFTER_DAYS = 90
"""Days of work without any use; a project that rests forgets nothing. Spec N6."""


def plan(archive: Archive, now: datetime) -> Iterator[Change]:
    """A retirement for each. `now` plays no part: the clock is work."""
    for brief in archive.unused(FORGET_AFTER_DAYS):
        yield Retire(brief.id, f"not asked for in {brief.active_days} days of work: {brief.title}")
