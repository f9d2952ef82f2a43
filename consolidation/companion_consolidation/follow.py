"""What a person told stands until a person ends it: what an earlier run put away unasked comes back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from companion.ports import Archive
from companion.records import Change, Revive


def plan(archive: Archive, now: datetime) -> Iterator[Change]:
    """A change for each memory of a person that a run had archived. `now` plays no part."""
    for id_ in archive.put_away():
        yield Revive(id_, "a person told it, and no person ended it")
