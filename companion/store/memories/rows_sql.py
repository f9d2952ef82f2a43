"""Memories to rows and back, in one place: the columns, evidence and links (bodies: see `bodies`).

Reading is set-based: `load` fetches any number of memories with four queries.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from companion.records import (
    Artifact,
    ArtifactKind,
    Draft,
    Evidence,
    EvidenceKind,
    Importance,
    Kind,
    Level,
    Levels,
    Memory,
    Scope,
    Source,
    Status,
    Usage,
    Visibility,
    Warmth,
)
from companion.store.memories.bodies import decode_body, encode_body

if TYPE_CHECKING:
    import duckdb

Row = tuple[Any, ...]

BY_HAND = "(source not in ('scan', 'shadow-extraction') and not starts_with(origin, 'assistant '))"
"""In SQL: whether a person wrote a memory by hand."""

CONTENT_COLUMNS = (
    "type",
    "subject",
    "attribute",
    "content_full",
    "content_summary",
    "content_compressed",
    "content_index",
    "body",
    "confidence",
    "valid_to",
)
"""What may be said anew of the same value; refreshed in place, without a new version."""

TOKEN_COLUMNS = ("tokens_full", "tokens_summary", "tokens_compressed", "tokens_index")

BIRTH_COLUMNS = (
    "id",
    "project_id",
    "user_id",
    "memory_key",
    "kind",
    "value",
    "scope_language",
    "scope_path",
    "scope_environment",
    "scope_version",
    "scope_branch",
    "visibility",
    "persona",
    "source",
    "learner",
    "origin",
    "importance",
    "pinned",
    "label",
    "status",
    "created_at",
    "valid_from",
    "supersedes",
    "importance_floor",
)
"""What a memory gets when it is born, beside its content."""

INSERT_COLUMNS = BIRTH_COLUMNS + CONTENT_COLUMNS + TOKEN_COLUMNS
EVIDENCE_COLUMNS = ("memory_id", "ordinal", "kind", "ref", "line", "quote")
ENTITY_COLUMNS = ("project_id", "memory_id", "entity")
ARTIFACT_COLUMNS = ("memory_id", "kind", "ref")

MEMORY_COLUMNS = (
    *("id", "project_id", "user_id", "memory_key", "kind", "type", "subject", "attribute", "value"),
    *("content_full", "content_summary", "content_compressed", "content_index"),
    *("tokens_full", "tokens_summary", "tokens_compressed", "tokens_index", "body"),
    *("scope_language", "scope_path", "scope_environment", "scope_version", "scope_branch"),
    *("visibility", "persona", "source", "origin", "confidence", "importance", "pinned", "label"),
    *("status", "archived_reason", "created_at", "valid_from", "valid_to"),
    *("last_access_at", "retrieved_count", "cited_count", "ignored_count", "supersedes", "superseded_by", "learner"),
    *("offered_level", "warmth", "usefulness"),
)
"""What a memory is read from, in the order of `_MEMORIES`."""

_MEMORIES = """
select
    id, project_id, user_id, memory_key, kind, type, subject, attribute, value,
    content_full, content_summary, content_compressed, content_index,
    tokens_full, tokens_summary, tokens_compressed, tokens_index,
    body::varchar, scope_language, scope_path, scope_environment, scope_version, scope_branch,
    visibility, persona, source, origin, confidence, importance, pinned, label,
    status, archived_reason, created_at, valid_from, valid_to,
    last_access_at, retrieved_count, cited_count, ignored_count, supersedes, superseded_by, learner,
    offered_level, warmth, usefulness
from memories
where id in (select unnest($ids::varchar[]))
"""

_EVIDENCE = """
select memory_id, kind, ref, line, quote
from memory_evidence
where memory_id in (select unnest($ids::varchar[]))
order by memory_id, ordinal
"""

_ENTITIES = """
select memory_id, entity
from memory_entities
where memory_id in (select unnest($ids::varchar[]))
order by memory_id, entity
"""

_ARTIFACTS = """
select memory_id, kind, ref
from memory_artifacts
where memory_id in (select unnest($ids::varchar[]))
order by memory_id, kind, ref
"""


def load(connection: duckdb.DuckDBPyConnection, ids: Sequence[str]) -> tuple[Memory, ...]:
    """Memories in the order of `ids`; those that do not exist are left out."""
    if not ids:
        return ()
    given = {"ids": list(ids)}
    rows = {str(row[0]): row for row in connection.execute(_MEMORIES, given).fetchall()}
    if not rows:
        return ()
    evidence = evidence_of(connection, ids)
    entities = entities_of(connection, ids)
    artifacts = artifacts_of(connection, ids)
    return tuple(
        memory_from(rows[id_], evidence.get(id_, ()), entities.get(id_, ()), artifacts.get(id_, ()))
        for id_ in ids
        if id_ in rows
    )


def evidence_of(connection: duckdb.DuckDBPyConnection, ids: Sequence[str]) -> dict[str, tuple[Evidence, ...]]:
    """The evidence of each of the memories that has some, in its order."""
    found: defaultdict[str, list[Evidence]] = defaultdict(list)
    for id_, kind, ref, line, quote in connection.execute(_EVIDENCE, {"ids": list(ids)}).fetchall():
        found[id_].append(Evidence(EvidenceKind(kind), ref, line, quote))
    return {id_: tuple(items) for id_, items in found.items()}


def entities_of(connection: duckdb.DuckDBPyConnection, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The entities of each of the memories that names some, sorted."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for id_, entity in connection.execute(_ENTITIES, {"ids": list(ids)}).fetchall():
        found[id_].append(entity)
    return {id_: tuple(items) for id_, items in found.items()}


def artifacts_of(connection: duckdb.DuckDBPyConnection, ids: Sequence[str]) -> dict[str, tuple[Artifact, ...]]:
    """The artifacts of each of the memories that has some, sorted."""
    found: defaultdict[str, list[Artifact]] = defaultdict(list)
    for id_, kind, ref in connection.execute(_ARTIFACTS, {"ids": list(ids)}).fetchall():
        found[id_].append(Artifact(ArtifactKind(kind), ref))
    return {id_: tuple(items) for id_, items in found.items()}


def content_row(draft: Draft) -> Row:
    """The values of CONTENT_COLUMNS."""
    levels = draft.levels
    return (
        draft.type,
        draft.subject,
        draft.attribute,
        levels.full,
        levels.summary,
        levels.compressed,
        levels.index,
        encode_body(draft.body),
        draft.confidence,
        draft.valid_to,
    )


def birth_row(id_: str, project: str, user: str, key: str, learner: str, draft: Draft, now: datetime) -> Row:
    """The values of BIRTH_COLUMNS but for the last two, which an earlier version decides."""
    scope = draft.scope
    return (
        id_,
        project,
        user,
        key,
        draft.kind.value,
        draft.value,
        scope.language,
        scope.path,
        scope.environment,
        scope.version,
        scope.branch,
        draft.visibility.value,
        draft.persona,
        draft.source.value,
        learner,
        draft.origin,
        int(draft.importance),
        draft.pinned,
        draft.label,
        Status.ACTIVE.value,
        now,
        draft.valid_from,
    )


def evidence_rows(id_: str, evidence: Iterable[Evidence]) -> list[Row]:
    """The rows of EVIDENCE_COLUMNS."""
    return [(id_, ordinal, item.kind.value, item.ref, item.line, item.quote) for ordinal, item in enumerate(evidence)]


def memory_from(
    row: Row, evidence: tuple[Evidence, ...], entities: tuple[str, ...], artifacts: tuple[Artifact, ...]
) -> Memory:
    """The memory of a row of MEMORY_COLUMNS. Raises ValueError for words that are none of ours."""
    draft = Draft(
        kind=Kind(row[4]),
        type=row[5],
        subject=row[6],
        attribute=row[7],
        value=row[8],
        levels=Levels(row[9], row[10], row[11], row[12]),
        origin=row[26],
        evidence=evidence,
        body=decode_body(row[17]),
        entities=entities,
        artifacts=artifacts,
        scope=Scope(row[18], row[19], row[20], row[21], row[22]),
        visibility=Visibility(row[23]),
        source=Source(row[25]),
        confidence=row[27],
        importance=Importance(row[28]),
        label=row[30],
        pinned=row[29],
        persona=row[24],
        valid_from=row[34],
        valid_to=row[35],
    )
    return Memory(
        id=row[0],
        project=row[1],
        user=row[2],
        key=row[3],
        draft=draft,
        created_at=row[33],
        tokens=(row[13], row[14], row[15], row[16]),
        status=Status(row[31]),
        archived_reason=row[32],
        supersedes=row[40],
        superseded_by=row[41],
        usage=Usage(row[37], row[38], row[39], row[36]),
        checkout=row[42].partition("@")[2],
        offered=Level(row[43]),
        warmth=Warmth(row[44]),
        usefulness=row[45],
    )
