"""One person or topic under several names is one entity: lookups know every spelling from then on."""

from __future__ import annotations

from collections.abc import Iterator

from companion.ports import Archive
from companion.records import Change


def plan(archive: Archive) -> Iterator[Change]:
    """A union for each spelling that is not known yet. Memories keep theirs."""
    yield from archive.spellings()
