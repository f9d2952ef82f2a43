"""What leaves a question open: a reply that does not know, and putting the answer off."""

from __future__ import annotations

from companion.language.marks import MarkKind, marks_of
from companion.language.phrases import says


def leaves_open(text: str) -> bool:
    """Whether somebody says that they do not know, or puts the answer off."""
    denied = any(mark.kind == MarkKind.NEGATION for mark in marks_of(text))
    return says(text, "talk.unknown") or (denied and says(text, "talk.knowing"))
