"""What people told of a file follows it: it goes with a deleted one, moves with a renamed one, returns with it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from companion.ports import Archive
from companion.records import Change, Fate, Rescope, Retire, Revive
from companion.records.findings import FILE_GONE


def plan(archive: Archive, now: datetime) -> Iterator[Change]:
    """A change for each memory whose file is not where it was. `now` plays no part."""
    for one in archive.hanging():
        match one.fate:
            case Fate.GONE:
                yield Retire(one.id, f"{FILE_GONE}{one.path}")
            case Fate.MOVED:
                yield Rescope(one.id, one.path, one.to, f"{one.path} is {one.to} now")
            case Fate.BACK:
                yield Revive(one.id, f"{one.path} is back")
