"""Whether a change makes sense in itself, and its texts as the store may keep them."""

from __future__ import annotations

import math
from dataclasses import replace

from companion.ports import Redactor
from companion.records import Levels
from companion.records.findings import Relation
from companion.records.tidying import (
    Change,
    Merge,
    Oppose,
    Relate,
    Rescope,
    Reword,
    Supersede,
    Unite,
    Unrelate,
    Weigh,
    touched,
)
from companion.store.memories.sanitise import INDEX_CHARACTERS
from companion.store.texts import clean

REASON_CHARACTERS = 500
"""A reason is a sentence; a model that goes on is cut."""

DIRECTED = frozenset({Relation.FIXED_BY, Relation.SUPERSEDES})
"""Relations whose two sides are not the same; of all others the smaller id is `a`."""


def fitted(change: Change, redactor: Redactor) -> tuple[Change, str]:
    """The change as the journal can keep it, and why it makes no sense (empty where it does).

    Texts are such that DuckDB can keep them, a reason is of bearable length, sides are in their order. What a
    model may have worded is redacted; all other texts come from memories, which were redacted when they came in.
    """
    wrong = misfit(change)
    return _finite(_fit(change, redactor)), wrong


def _fit(change: Change, redactor: Redactor) -> Change:
    reason = clean(change.reason)
    if isinstance(change, (Oppose, Reword)):
        reason = clean(redactor.redact(reason))
    if len(reason) > REASON_CHARACTERS:
        reason = reason[: REASON_CHARACTERS - 1].rstrip() + "…"
    if reason != change.reason:
        change = replace(change, reason=reason)
    if isinstance(change, Reword):
        return replace(change, levels=_levels(change.levels, redactor))
    if isinstance(change, (Relate, Unrelate)) and change.relation not in DIRECTED and change.b < change.a:
        return replace(change, a=change.b, b=change.a)
    return change


def misfit(change: Change) -> str:
    """Why a change cannot be carried out whatever the store holds; empty where it can."""
    ids = touched(change)
    if len(set(ids)) < len(ids):
        return "it names one memory twice"
    match change:
        case Merge(drop=()):
            return "it drops nothing"
        case Weigh(usefulness=figure) | Oppose(confidence=figure) | Relate(score=figure) if not _bounded(figure):
            return "its figure is out of bounds"
        case Unite(entity=entity, stands_for=other) if entity == other or not entity or not other:
            return "an entity cannot stand for itself"
        case Rescope(path=path, to=to) if not path or path == to:
            return "it moves nothing"
        case Reword(levels=levels) if not all((levels.summary, levels.compressed, levels.index)):
            return "it leaves a level empty"
        case Supersede(old="") | Supersede(new=""):
            return "it names no memory"
        case _:
            return ""


def _bounded(figure: float) -> bool:
    return math.isfinite(figure) and -1 <= figure <= 1


def _finite(change: Change) -> Change:
    """Without a figure that JSON has no word for."""
    match change:
        case Weigh(usefulness=figure) if not math.isfinite(figure):
            return replace(change, usefulness=0.0)
        case Oppose(confidence=figure) if not math.isfinite(figure):
            return replace(change, confidence=0.0)
        case Relate(score=figure) if not math.isfinite(figure):
            return replace(change, score=0.0)
        case _:
            return change


def _levels(levels: Levels, redactor: Redactor) -> Levels:
    """Levels as the store may keep them; the full text is not theirs to change and is left out."""
    texts = [clean(redactor.redact(text)) for text in (levels.summary, levels.compressed, levels.index)]
    summary, compressed, index = texts
    if len(index) > INDEX_CHARACTERS:
        index = index[: INDEX_CHARACTERS - 1].rstrip() + "…"
    return Levels("", summary, compressed, index)
