"""Whether a change makes sense in itself, and its texts as the store may keep them."""

from __future__ import annotations

import math

from msgspec.structs import replace

from companion.escape import shortened
from companion.ports import Redactor
from companion.records import Levels
from companion.records.findings import Relation
from companion.records.tidying import Change, Oppose, Relate, Reword, Unrelate, misfit
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
    fit = _fit(change, redactor)
    if fit.figure and not math.isfinite(getattr(fit, fit.figure)):  # JSON has no word for it
        fit = replace(fit, **{fit.figure: 0.0})
    return fit, misfit(change)


def _fit(change: Change, redactor: Redactor) -> Change:
    reason = clean(change.reason)
    if isinstance(change, (Oppose, Reword)):
        reason = clean(redactor.redact(reason))
    reason = shortened(reason, REASON_CHARACTERS)
    if reason != change.reason:
        change = replace(change, reason=reason)
    if isinstance(change, Reword):
        return replace(change, levels=_levels(change.levels, redactor))
    if isinstance(change, (Relate, Unrelate)) and change.relation not in DIRECTED and change.b < change.a:
        return replace(change, a=change.b, b=change.a)
    return change


def _levels(levels: Levels, redactor: Redactor) -> Levels:
    """Levels as the store may keep them; the full text is not theirs to change and is left out."""
    texts = [clean(redactor.redact(text)) for text in (levels.summary, levels.compressed, levels.index)]
    summary, compressed, index = texts
    return Levels("", summary, compressed, shortened(index, INDEX_CHARACTERS))
