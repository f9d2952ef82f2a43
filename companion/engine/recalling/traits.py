"""What is true of a memory whatever it is asked for: the files it names, what sort it is, when it happened.

Some two hundred memories (conventions, decisions, workflows) are looked at for every context, so this
is worked out once for each and kept for a while.
"""

from __future__ import annotations

from datetime import datetime
from math import log2

from msgspec import Struct

from companion.engine.lasting import Lasting
from companion.records import Decision, Episode, EvidenceKind, Failure, Kind, Memory, Pattern


class Traits(Struct, frozen=True):
    """`thinning` divides how near it is: what a commit over many files says of each one thins out."""

    files: tuple[str, ...]
    sorts: tuple[str, ...]
    thinning: float
    happened_at: datetime | None


def _traits(memory: Memory) -> Traits:
    files = paths_of(memory)
    spread = memory.draft.kind is Kind.EPISODE and len(files) > 1
    return Traits(files, sorts_of(memory), log2(1 + len(files)) ** 0.5 if spread else 1.0, happened_at(memory))


def paths_of(memory: Memory) -> tuple[str, ...]:
    """The files and folders a memory names: by entity, by evidence, by scope; in that order."""
    draft = memory.draft
    named = {key[5:]: None for key in draft.entities if key.startswith("file:")}
    for evidence in draft.evidence:
        if evidence.kind is EvidenceKind.FILE:
            named[evidence.ref] = None
    if draft.scope.path:
        named[draft.scope.path] = None
    return tuple(named)


def happened_at(memory: Memory) -> datetime | None:
    """When an episode occurred, or since when a fact is true; None if nobody knows."""
    body = memory.draft.body
    return body.occurred_at if isinstance(body, Episode) else memory.draft.valid_from


def sorts_of(memory: Memory) -> tuple[str, ...]:
    """The words by which an activity knows a memory: its kind, type, label, what an episode changed; some are empty."""
    draft = memory.draft
    body = draft.body
    more: tuple[str, ...] = ()
    if isinstance(body, Episode):
        more = (body.change,)
    elif isinstance(body, Decision):
        more = ("decision",)
    elif isinstance(body, Failure):
        more = ("error",)
    elif isinstance(body, Pattern):
        more = (body.trigger, draft.attribute)
    return (draft.kind, draft.type, draft.label, *more)


traits_of = Lasting(_traits).of
"""The traits of a memory; of the same record they are worked out once."""
