"""Memories of one key and scope that say the same in the same words become one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from companion.ports import Archive
from companion.records import Change, Merge


def plan(archive: Archive, now: datetime) -> Iterator[Change]:
    """A merge for each group; the most used, then oldest, memory stays. `now` plays no part."""
    for first, *others in archive.same_words():
        yield Merge(first.id, tuple(other.id for other in others), f"{len(others) + 1} say: {first.title}")
