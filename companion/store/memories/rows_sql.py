"""Memories to rows and back, in one place: the columns, the body's JSON, evidence and links.

Reading is set-based: `load` fetches any number of memories with four queries.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any

from companion.records import (
    Artifact,
    ArtifactKind,
    Body,
    Decision,
    DecisionStatus,
    Draft,
    Episode,
    Evidence,
    EvidenceKind,
    Failure,
    Importance,
    Kind,
    Level,
    Levels,
    Memory,
    Pattern,
    Scope,
    Source,
    Status,
    Usage,
    Visibility,
    Warmth,
    Workflow,
)

if TYPE_CHECKING:
    import duckdb

Row = tuple[Any, ...]

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


def encode_body(body: Body) -> str | None:
    """A body as JSON, tagged with its record's name; None for a plain fact."""
    if body is None:
        return None
    tagged = {"record": type(body).__name__, **_plain(body)}
    return json.dumps(tagged, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def decode_body(text: str | None) -> Body:
    """The record a body's JSON stands for; fields it does not know are passed over.

    Raises ValueError for JSON that is none of ours.
    """
    if text is None:
        return None
    given = json.loads(text)
    if not isinstance(given, dict) or given.get("record") not in _BODIES:
        raise ValueError("the body is none of ours")
    try:
        return _BODIES[given["record"]](given)
    except (KeyError, TypeError, AttributeError) as wrong:
        raise ValueError(f"the body of a {given['record']} lacks or misuses {wrong}") from wrong


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


def _plain(record: object) -> Any:
    if isinstance(record, Enum):
        return record.value
    if isinstance(record, datetime):
        return record.isoformat()
    if isinstance(record, Mapping):
        return {str(name): _plain(value) for name, value in record.items()}
    if isinstance(record, tuple | list):
        return [_plain(value) for value in record]
    if is_dataclass(record):
        return {field.name: _plain(getattr(record, field.name)) for field in fields(record)}
    return record


def _decision(given: Mapping[str, Any]) -> Decision:
    return Decision(given["question"], given["choice"], given.get("reason", ""), DecisionStatus(given["status"]))


def _episode(given: Mapping[str, Any]) -> Episode:
    return Episode(
        given["title"],
        datetime.fromisoformat(given["occurred_at"]),
        tuple(given.get("people", ())),
        tuple(given.get("commits", ())),
        given.get("change", ""),
    )


def _failure(given: Mapping[str, Any]) -> Failure:
    return Failure(
        given["fingerprint"],
        given["error_type"],
        given["message"],
        given.get("fix", ""),
        given.get("fix_commit", ""),
        bool(given.get("verified", False)),
    )


def _pattern(given: Mapping[str, Any]) -> Pattern:
    return Pattern(
        given["trigger"],
        dict(given.get("template", {})),
        given.get("hint", ""),
        int(given["support"]),
        int(given.get("exception_count", 0)),
        tuple(_evidence(item) for item in given.get("examples", ())),
        tuple(_evidence(item) for item in given.get("exceptions", ())),
    )


def _workflow(given: Mapping[str, Any]) -> Workflow:
    return Workflow(
        given["trigger"],
        tuple(given["steps"]),
        dict(given.get("details", {})),
        int(given.get("runs", 0)),
        int(given.get("successes", 0)),
        given.get("usual_seconds"),
    )


def _evidence(given: Mapping[str, Any]) -> Evidence:
    return Evidence(EvidenceKind(given["kind"]), given["ref"], given.get("line"), given.get("quote", ""))


_BODIES: dict[str, Callable[[Mapping[str, Any]], Body]] = {
    "Decision": _decision,
    "Episode": _episode,
    "Failure": _failure,
    "Pattern": _pattern,
    "Workflow": _workflow,
}
