"""Episodes of long ago are offered in fewer words; their full text stays a step away."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from companion.ports import Archive
from companion.records import Change, Level, Shorten

SUMMARY_AFTER_DAYS = 7
"""Days of work after which an episode is offered at its summary; spec N2."""
COMPRESSED_AFTER_DAYS = 30
"""Days of work after which it is offered compressed; spec N2."""


def plan(archive: Archive, now: datetime) -> Iterator[Change]:
    """A shorter level for each episode that is old and would gain by it. `now` plays no part: work is the clock."""
    for brief in archive.aged_episodes(SUMMARY_AFTER_DAYS):
        full, summary, compressed, _ = brief.tokens
        level, tokens = (
            (Level.COMPRESSED, compressed) if brief.active_days > COMPRESSED_AFTER_DAYS else (Level.SUMMARY, summary)
        )
        if tokens < full:
            yield Shorten(brief.id, level, full - tokens, f"happened {brief.active_days} days of work ago")
