"""Why a change is not carried out though it was planned: the last look before rows are moved.

Whatever a plan says: what is pinned, a decision in force, or one side of an open contradiction is not put
away; what a person wrote by hand ends by that person (`by_hand`); what a person settled is not opened again; nothing
supersedes itself, not even round a corner; and what different people see, or what holds in different places, is not
merged. Each refusal is a sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.store.binding import duckdb
from companion.store.consolidation import by_hand, digests
from companion.store.consolidation.about import About
from companion.store.consolidation.batches import Planned
from companion.store.consolidation.changes import STATEMENTS
from companion.store.rows import pairs

GONE = "a memory that it is about is gone"
NEWER = "a memory that it is about was learned while the run was being planned"
CHANGED = "a memory that it is about has changed since it was planned"
ARCHIVED = "a memory that it is about was archived since it was planned"
USED = "it was asked for since that was planned"
EARLIER = "an earlier version planned it, and this one makes no such change"


def outdated(connection: duckdb.DuckDBPyConnection, about: About, batch: Sequence[Planned]) -> dict[int, str]:
    """The changes whose memories are not what they were when they were planned, each with a word why."""
    ids = sorted({id_ for one in batch for id_ in one.memories})
    if not ids:
        return {}
    now = digests.states(connection, about.project, ids)
    found: dict[int, str] = {}
    for one in batch:
        for id_, expected in zip(one.memories, one.expected, strict=True):
            was, _, use = expected.partition(" ")
            if id_ not in now:
                found[one.number] = GONE
                continue
            digest, used, status = now[id_]
            if not was:
                found[one.number] = NEWER
            elif digest != was:
                found[one.number] = ARCHIVED if status == "archived" else CHANGED
            elif use and used != use:
                found[one.number] = USED
    return found


def unfit(connection: duckdb.DuckDBPyConnection, about: About, batch: Sequence[Planned]) -> dict[int, str]:
    """The changes of a batch, all of one sort, that what the store holds forbids, each with a word why."""
    numbers = [one.number for one in batch]
    told = STATEMENTS.get(batch[0].what)
    if told is None:
        return dict.fromkeys(numbers, EARLIER)
    found = by_hand.refused(connection, about, batch)
    for statement in told.refusing():
        found = pairs(connection, statement, **about.given(statement, numbers)) | found
    return found
