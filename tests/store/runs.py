"""Makers of runs for the tests of this room: plans that are kept and carried out on small real stores."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from fakes import PlainRedactor, WordCounter
from journalled import journalled
from msgspec.structs import replace
from stores import NOW, PROJECT, at, fact, memories

from companion.records import Change, Decision, DecisionStatus, Draft, Kind, Levels, Memory, Relate, Relation
from companion.records.runs import ConsolidationRun
from companion.store.consolidation import applying, journal
from companion.store.database import Database
from companion.store.everything import export

TABLES = (
    "memories",
    "memory_evidence",
    "memory_entities",
    "memory_artifacts",
    "contradictions",
    "memory_links",
    "aliases",
    "usage_log",
)
"""What a run may change, and what it must leave alone."""

WHEN = at(100)


def learn(database: Database, *drafts: Draft, now: datetime = NOW) -> tuple[Memory, ...]:
    """Keep drafts as one learner's, in their order."""
    keeper = memories(database)
    keeper.reconcile(PROJECT, "tests", sorted({draft.origin for draft in drafts}), drafts, now)
    return tuple(found(database, draft.value) for draft in drafts)


def found(database: Database, value: str) -> Memory:
    with database.read() as connection:
        rows = connection.execute("select id from memories where value = $v", {"v": value}).fetchall()
    assert len(rows) == 1, value
    return memories(database).get([rows[0][0]])[0]


def episode(value: str, **given: Any) -> Draft:
    text = f"Something happened: {value}"
    return fact(
        value,
        value,
        **{"kind": Kind.EPISODE, "type": "commit", "attribute": "", "origin": f"commit:{value}"}
        | {"levels": Levels(text + " in full words", text, value, value[:50])}
        | given,
    )


def decision(value: str, **given: Any) -> Draft:
    body = Decision("Which store?", value, "it is fast", DecisionStatus.IN_FORCE)
    return replace(fact("store", value), type="decision", body=body, **given)


def plan(database: Database, changes: Iterable[Change], now: datetime = WHEN) -> str:
    """A plan that is kept, as one pass named `tests` proposes it."""
    run = journal.open_run(database, PROJECT, "command", ["tests"], now)
    journal.add(database, run, (("tests", change) for change in changes), PlainRedactor())
    journal.seal(database, run, {"tests": {"seconds": 0.5}})
    return run


def carry_out(database: Database, run: str, now: datetime = WHEN, **given: Any) -> ConsolidationRun:
    """The run as it stands after it was carried out, or stopped."""
    applying.apply(database, run, now, counter=WordCounter(), **given)
    return journal.run(database, PROJECT, run)


def consolidated(database: Database, *changes: Change, now: datetime = WHEN) -> str:
    """A run that is planned and applied at once."""
    run = plan(database, changes, now)
    carry_out(database, run, now)
    return run


def refusals(database: Database, run: str) -> list[str]:
    return [one.why_not for one in journalled(database, run) if one.why_not]


def dump(database: Database) -> dict[str, list[str]]:
    """Every row of every table that a run may change, sorted."""
    kept: dict[str, list[str]] = {}
    with database.read() as connection:
        for table in TABLES:
            rows = connection.execute(f"select * from {table}").fetchall()
            kept[table] = sorted(repr(row) for row in rows)
    return kept


def exported(database: Database, folder: Path) -> dict[str, bytes]:
    """A full export, by file."""
    return {path.name: path.read_bytes() for path in export(database, folder, PROJECT)}


def link(a: str, b: str, score: float = 0.5) -> Relate:
    first, second = sorted((a, b))
    return Relate(Relation.NEAR, first, second, score, "near in meaning")


def rows(database: Database, query: str, **given: object) -> list[tuple[Any, ...]]:
    with database.read() as connection:
        return connection.execute(query, given).fetchall()


def ids(kept: Sequence[Memory]) -> list[str]:
    return [memory.id for memory in kept]


def as_json(value: object) -> str:
    return json.dumps(value, sort_keys=True, default=str)
