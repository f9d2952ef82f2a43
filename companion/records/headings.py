"""Under which heading a report tells changes, and how several memories are named in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from companion.records.wording import enumerated

NAMED_MOST = 5
"""Memories named in one sentence; of a merge of dozens the others are counted."""
ERASED = "a memory that was erased"


class ReportPart(Enum):
    """A part of a report."""

    GONE = "what comes first: what is no longer there as it was"
    STAYS = "what comes after the decisions"
    FOLDED = "what is behind a fold"


class Heading(Struct, frozen=True):
    """A heading over changes; `order` is its place among all, `figures` of a report say how many stand under it."""

    order: int
    part: ReportPart
    title: str
    about: str
    figures: tuple[str, ...] = ()


FORGOTTEN = Heading(
    10,
    ReportPart.GONE,
    "Forgotten",
    "They are in the archive, not deleted: `companion search WORDS --archived` finds them, and one that is asked "
    "for again comes back.",
    ("forgotten",),
)
MERGED = Heading(
    20,
    ReportPart.GONE,
    "Merged",
    "They said the same as another memory, which stays with the sources, names and uses of all.",
)
OVER = Heading(
    30,
    ReportPart.GONE,
    "Superseded or outdated",
    "The same source said something newer, or what they are about is gone; they are kept with their dates.",
    ("superseded",),
)
BACK = Heading(40, ReportPart.STAYS, "Brought back", "They hold again, or were asked for.", ("revived",))
DECIDED = Heading(47, ReportPart.STAYS, "Decided", "A commit's message was judged to decide how things are done.")
SUMMARISED = Heading(
    50,
    ReportPart.STAYS,
    "Summarised",
    "A context shows them in fewer words; `companion expand ID` shows all of each.",
    ("compressed", "reworded"),
)
RENAMED = Heading(
    60, ReportPart.STAYS, "Renames and aliases", "A search for one name also finds what is known under the other."
)
OPPOSED = Heading(
    70, ReportPart.FOLDED, "Contradictions found", "Both sides stay until you decide.", ("contradictions_found",)
)
RELATED = Heading(80, ReportPart.FOLDED, "Related", "A context that shows one may show the other.", ("linked",))
RANKED = Heading(
    90,
    ReportPart.FOLDED,
    "Warmth and rank",
    "What was used recently is shown first; nothing is hidden.",
    ("moved",),
)


def several(named: Sequence[str], total: int) -> str:
    """Some of `total` memories by name, the others as a number."""
    shown = list(named[:NAMED_MOST]) or [ERASED]
    left = total - len(shown)
    return enumerated([*shown, f"{left:,} more"] if left > 0 else shown)
