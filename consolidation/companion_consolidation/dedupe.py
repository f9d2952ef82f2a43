"""Memories that say the same become one, with the evidence of all; what differs in any matter stays two.

Pairs that people told and that are near in meaning, of which rules cannot tell whether they are the same, are asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.ports import Archive
from companion.records import Alike, Change, Inquiry, Merge, Twins


def plan(archive: Archive) -> Iterator[Change]:
    """A merge for each group of which one says all, each memory once: what has taken others in goes nowhere.

    The archive knows which of them stays.
    """
    near = list(archive.near_twins())
    gone: set[str] = set()
    kept: set[str] = set()
    for group in (*archive.twins(), *(one for one in near if isinstance(one, Twins))):
        if group.keep not in gone and gone.isdisjoint(group.drop) and kept.isdisjoint(group.drop):
            gone.update(group.drop)
            kept.add(group.keep)
            yield Merge(group.keep, group.drop, _reason(group))
    archive.ask(one for one in near if isinstance(one, Inquiry))


def _reason(group: Twins) -> str:
    both = "both" if len(group.drop) == 1 else f"all {len(group.drop) + 1}"
    match group.how:
        case Alike.SAME_WORDS:
            return f"{both} say it in the same words"
        case Alike.CONTAINED:
            return f"the longer one says all of it (similarity {group.cosine:.2f})"
        case Alike.SAME_TERMS:
            return f"{both} say the same in other words (similarity {group.cosine:.2f} or more)"
