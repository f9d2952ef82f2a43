"""What memories have to do with one another is noted beside them, and struck out when it is so no longer."""

from __future__ import annotations

from collections.abc import Iterator

from companion.ports import Archive
from companion.records import Change


def plan(archive: Archive) -> Iterator[Change]:
    """A change for each tie that is new, stronger, weaker or gone; those that stand are left."""
    yield from archive.ties()
