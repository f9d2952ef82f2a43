"""What memories have to do with one another is noted beside them, and struck out when it is so no longer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from companion.ports import Archive
from companion.records import Change


def plan(archive: Archive, now: datetime) -> Iterator[Change]:
    """A change for each tie that is new, stronger, weaker or gone; those that stand are left. `now` plays no part."""
    yield from archive.ties()
