"""Memories in the tables: one row each, with evidence, entities and artifacts in tables of their own.

Reading is set-based: `load` fetches any number of memories with four queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from companion.records import Artifact, Evidence, Memory
from companion.store.binding import duckdb
from companion.store.bulk import insert_dicts
from companion.store.rows import Columns, Given, MadeOf, Source, Table, column, fetched, groups, reading

BY_HAND = "(source not in ('scan', 'shadow-extraction') and not starts_with(origin, 'assistant '))"
"""In SQL: whether a person wrote a memory by hand."""

MEMORIES = Table(
    Memory,
    "memories",
    {
        "key": "memory_key",
        "draft": "",
        "draft.levels": "content_",
        "draft.evidence": Given(()),
        "draft.entities": Given(()),
        "draft.artifacts": Given(()),
        "tokens": ("tokens_full", "tokens_summary", "tokens_compressed", "tokens_index"),
        "usage": "",
        "usage.retrieved": "retrieved_count",
        "usage.cited": "cited_count",
        "usage.ignored": "ignored_count",
        "offered": "offered_level",
        "checkout": MadeOf("learner", lambda learner: learner.partition("@")[2]),
    },
)
EVIDENCE = Table(Evidence, "memory_evidence")
ARTIFACTS = Table(Artifact, "memory_artifacts")

CONTENT = (
    *("draft.type", "draft.subject", "draft.attribute", "draft.levels", "draft.body", "draft.confidence"),
    *("draft.valid_to", "tokens"),
)
"""Fields of what may be said anew of the same value; refreshed in place, without a new version."""

_MEMORIES = MEMORIES.select("where memories.id in (select unnest($ids::varchar[]))")

_EVIDENCE = EVIDENCE.select(
    """
where memory_id in (select unnest($ids::varchar[]))
order by memory_id, ordinal
""",
    "memory_id",
)

_ENTITIES = """
select memory_id, entity
from memory_entities
where memory_id in (select unnest($ids::varchar[]))
order by memory_id, entity
"""

_ARTIFACTS = ARTIFACTS.select(
    """
where memory_id in (select unnest($ids::varchar[]))
order by memory_id, kind, ref
""",
    "memory_id",
)


DROP_PARTS = (
    "delete from memory_evidence where memory_id in (select unnest($ids::varchar[]))",
    "delete from memory_entities where memory_id in (select unnest($ids::varchar[]))",
    "delete from memory_artifacts where memory_id in (select unnest($ids::varchar[]))",
)


class MemoryParts(Struct, frozen=True):
    """What belongs to memories, by their ids: evidence in its order, entities and artifacts sorted."""

    evidence: Mapping[str, tuple[Evidence, ...]]
    entities: Mapping[str, Sequence[str]]
    artifacts: Mapping[str, tuple[Artifact, ...]]


def parts_of(connection: duckdb.DuckDBPyConnection, ids: Sequence[str]) -> MemoryParts:
    """What belongs to memories."""
    return MemoryParts(
        _EVIDENCE.by(connection, "memory_id", ids=ids),
        groups(connection, _ENTITIES, ids=ids),
        _ARTIFACTS.by(connection, "memory_id", ids=ids),
    )


def load(source: Source, ids: Sequence[str]) -> tuple[Memory, ...]:
    """Memories in the order of `ids`; those that do not exist are left out."""
    if not ids:
        return ()
    with reading(source) as connection:
        columns = fetched(connection, _MEMORIES.statement, {"ids": ids})
        if not columns["id"]:
            return ()
        parts = parts_of(connection, ids)
    found = {memory.id: memory for memory in _made(columns, parts)}
    return tuple(found[id_] for id_ in ids if id_ in found)


def memories_of(source: Source, statement: str, **given: object) -> tuple[Memory, ...]:
    """The memories whose ids a statement finds, in its order."""
    with reading(source) as connection:
        return load(connection, column(connection, statement, **given))


def memory_of(row: Mapping[str, Any], parts: MemoryParts) -> Memory:
    """The memory of a row of the table, by column. Raises ValueError for words that are none of ours."""
    columns = {name: (value,) for name, value in row.items()}
    (memory,) = _made(columns, parts)
    return memory


def _made(columns: Columns, parts: MemoryParts) -> Iterable[Memory]:
    ids = columns["id"]
    ready: Columns = {
        "draft.evidence": [parts.evidence.get(id_, ()) for id_ in ids],
        "draft.entities": [tuple(parts.entities.get(id_, ())) for id_ in ids],
        "draft.artifacts": [parts.artifacts.get(id_, ()) for id_ in ids],
    }
    return _MEMORIES.read(columns, ready)


def put_parts(connection: duckdb.DuckDBPyConnection, memories: Sequence[Memory]) -> None:
    """Put in what belongs to memories."""
    evidence = [(memory.id, at, one) for memory in memories for at, one in enumerate(memory.draft.evidence)]
    EVIDENCE.insert(
        connection,
        [one for _, _, one in evidence],
        memory_id=[id_ for id_, _, _ in evidence],
        ordinal=[at for _, at, _ in evidence],
    )
    artifacts = [
        (memory.id, one)
        for memory in memories
        for one in sorted(set(memory.draft.artifacts), key=lambda one: (one.kind.value, one.ref))
    ]
    ARTIFACTS.insert(connection, [one for _, one in artifacts], memory_id=[id_ for id_, _ in artifacts])
    entities = [
        {"project_id": memory.project, "memory_id": memory.id, "entity": name}
        for memory in memories
        for name in sorted(set(memory.draft.entities))
    ]
    insert_dicts(connection, "memory_entities", entities)
