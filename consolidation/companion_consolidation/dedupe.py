"""Memories that say the same become one, with the evidence of all; what differs in any matter stays two.

Pairs that people told and that are near in meaning, of which rules cannot tell whether they are the same, are asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from companion.ports import Archive
from companion.records import Change, Merge, Twins


def plan(archive: Archive, now: datetime) -> Iterator[Change]:
    """A merge for each group that says the same; the archive knows which of them stays. `now` plays no part."""
    for group in archive.twins():
        yield Merge(group.keep, group.drop, _reason(group))
    archive.ask(archive.near_twins())


def _reason(group: Twins) -> str:
    both = "both" if len(group.drop) == 1 else f"all {len(group.drop) + 1}"
    if group.same_words:
        return f"{both} say it in the same words"
    return f"{both} say the same in other words (similarity {group.cosine:.2f} or more)"
