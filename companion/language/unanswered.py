"""What leaves a question open: a reply that does not know, and putting the answer off."""

from __future__ import annotations

from companion.language.marks import MarkKind, marks_of
from companion.language.phrases import says

NEAR = 3
"""Words behind a "not" among which what is denied begins; it may stand just before it too ("I find no rule")."""


def leaves_open(text: str) -> bool:
    """Whether somebody says that they do not know, or puts the answer off."""
    words = text.split()
    denied = (at for at, word in enumerate(words) if any(one.kind == MarkKind.NEGATION for one in marks_of(word)))
    return says(text, "talk.unknown") or any(
        says(" ".join(words[max(0, at - 1) : at + 1 + NEAR]), "talk.knowing") for at in denied
    )
