"""What was promoted of history is held against today: what holds no longer is over, what does again comes back.

What people told is over when its own words say so ("until the end of March"), or when it was to be done and is.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.ports import Archive
from companion.records import Change, Outdate, Revive


def plan(archive: Archive) -> Iterator[Change]:
    """An end for each memory that the check speaks against, with its reason, or a return."""
    for one in archive.checked():
        if one.outdated:
            yield Outdate(one.id, one.outdated)
        else:
            yield Revive(one.id, "what it is about is there again")
