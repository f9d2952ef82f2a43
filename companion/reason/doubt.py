"""What to ask where a request stays ambiguous: one question, with the two readings in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from companion.escape import one_line
from companion.language.requests import Request, subjects
from companion.reason.cues import AXES, Points
from companion.reason.hints import Memo

ASK_BELOW = 0.5
"""Confidence under which is asked: the reading is then as likely wrong as right."""
QUOTED_CHARS = 70
"""Signs of a word or a title in a question."""

_BETWEEN = {
    frozenset(("stream", "file")): "show it here, or keep it in a file",
    frozenset(("stream", "process")): "show you something, or run something",
    frozenset(("file", "process")): "change files, or run something",
    frozenset(("human", "machine")): "make it for you to read, or for a program to take",
    frozenset(("read", "interpret")): "fetch what is there, or say what I make of it",
    frozenset(("read", "execute")): "only look, or change something",
    frozenset(("interpret", "execute")): "only think about it, or do it",
}


def of_axes(request: Request, found: Points) -> str:
    """The question between the two likeliest labels of the axis that is least sure."""
    axis = min(AXES, key=lambda one: found.shares(one)[0][1])
    (first, _), (second, _), *_ = found.shares(axis)
    unknown = subjects(request)
    about = f"“{one_line(' '.join(unknown[:3]), QUOTED_CHARS)}”: s" if unknown else "S"
    return f"{about}hall I {_BETWEEN[frozenset((first, second))]}?"


def of_referent(vague: str, candidates: Sequence[Memo]) -> str:
    """The question what is meant by a word that names nothing."""
    what = one_line(vague, QUOTED_CHARS)
    if not candidates:
        return f"What is meant by “{what}”? Nothing that is known mentions it."
    titles = [f"“{one_line(one.title, QUOTED_CHARS)}”" for one in candidates[:2]]
    return f"Does “{what}” mean {' or '.join(titles)}?"
