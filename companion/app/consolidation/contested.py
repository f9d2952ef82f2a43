"""What a file declares and a note denies: a memory as well, so that the two stand in an open contradiction.

What only repeats a file is a row that one asks, and no memory. Where somebody's note says otherwise, whoever is shown
the note has to be shown the row: it is remembered for as long as the file says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from companion.app.runtime import Runtime
from companion.kinds.facts import declared_fact
from companion.records import Kind, Memory, Oppose, Ruling, Source, Statement, Status
from companion.records.declared import Declaration
from companion.store import declared
from companion.store.by_columns import rows_where
from companion.store.memories import detection
from companion.store.memories.memories import ReconcileOutcome
from companion.store.text import analysis

LEARNER = "declared"
NOTES_MOST = 200
"""Notes, the newest, that a scan holds against what files declare."""
SURE = 0.6
"""Confidence from which a note denies a row, as that from which a contradiction is opened."""


class _Note(Struct, frozen=True):
    """What somebody told: its id, its claim, and the terms of it."""

    id: str
    claim: Statement
    terms: frozenset[str]


def contest(runtime: Runtime, project: str, checkout: str, note: str = "") -> ReconcileOutcome:
    """Remember and oppose what a note (by its id; without one, any note) denies of what a checkout declares."""
    memories, database, now = runtime.store.memories, runtime.store.database, runtime.adapters.clock.now()
    learner = f"{LEARNER}@{checkout}"
    rows = [one for one, _ in declared.read(database, checkout) if one.told and one.path and not one.is_dependency]
    notes = _notes(runtime, project, note)
    denied = {_name(row): denials for row in rows if (denials := list(_denials(notes, row)))}
    kept = {_kept_as(one) for one in memories.taught(project, learner)}
    if not denied and not kept:
        return ReconcileOutcome()
    stay = [row for row in rows if _name(row) in denied or (note and _name(row) in kept)]
    origins = sorted({path for path, _, _ in kept} | {row.path for row in stay})
    with database.write() as connection:
        outcome = memories.reconcile(project, learner, origins, map(declared_fact, stay), now)
        ids = {_kept_as(one): one.id for one in memories.taught(project, learner)}
        found = [
            Oppose(ids[name], id_, ruling.confidence, ruling.judge, ruling.reason)
            for name, denials in denied.items()
            for id_, ruling in denials
            if name in ids  # what a person forgot or decided against is not remembered again
        ]
        opened = detection.oppose(connection, project, found, now)
    return outcome + ReconcileOutcome(contradictions=opened)


def _name(row: Declaration) -> tuple[str, str, str]:
    return row.path, row.subject, row.told


def _kept_as(memory: Memory) -> tuple[str, str, str]:
    return memory.draft.origin, memory.draft.subject, memory.draft.value


def _notes(runtime: Runtime, project: str, note: str) -> list[_Note]:
    """What people told as facts, the newest."""
    told = {"project_id": project, "kind": Kind.FACT, "source": Source.BY_HAND, "status": Status.ACTIVE}
    given = told | ({"id": note} if note else {})
    newest = rows_where(runtime.store.database, "memories", "id", order="created_at desc, id", **given)[:NOTES_MOST]
    drafts = [(one.id, one.draft) for one in runtime.store.memories.get([id_ for (id_,) in newest])]
    return [
        _Note(
            id_,
            Statement(of.levels.full, of.scope, valid_from=of.valid_from, valid_to=of.valid_to),
            frozenset(analysis.terms(of.levels.full)),
        )
        for id_, of in drafts
    ]


def _denials(notes: Sequence[_Note], row: Declaration) -> Iterator[tuple[str, Ruling]]:
    """The notes that deny a row, with what the rules say of the two."""
    from companion.judge.rules import RulesJudge

    words = {*analysis.terms(row.told)}
    near = [one for one in notes if words & one.terms]
    if not near:
        return
    judge, said = RulesJudge(), Statement(row.told, declared_fact(row).scope)
    for one in near:
        ruling = judge.rule(one.claim, said)
        if ruling.contradict and ruling.confidence >= SURE:
            yield one.id, ruling
