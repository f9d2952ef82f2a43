"""What memories have to do with one another is noted beside them, and struck out when it is so no longer."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from companion.ports import Archive
from companion.records import Change, Relate, Unrelate


def plan(archive: Archive, now: datetime) -> Iterator[Change]:
    """A change for each tie that is new, stronger, weaker or gone; those that stand are left. `now` plays no part."""
    for tie in archive.ties():
        if tie.gone:
            yield Unrelate(tie.relation, tie.a, tie.b, f"no longer so: {tie.reason}")
        else:
            yield Relate(tie.relation, tie.a, tie.b, tie.score, tie.reason)
