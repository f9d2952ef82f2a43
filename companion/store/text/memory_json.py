"""A memory as a line of JSON and back: the form in which the text index keeps a copy to read from."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

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

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_read = json.JSONDecoder().raw_decode
"""What stands at a place of a text, and where it ends: without the search for white space that we never write, which
took an eighth of the time."""


_KINDS = {kind.value: kind for kind in Kind}
_VISIBILITIES = {visibility.value: visibility for visibility in Visibility}
_SOURCES = {source.value: source for source in Source}
_STATUSES = {status.value: status for status in Status}
_LEVELS = {level.value: level for level in Level}
_WARMTHS = {warmth.value: warmth for warmth in Warmth}
_EVIDENCE = {kind.value: kind for kind in EvidenceKind}
_ARTIFACTS = {kind.value: kind for kind in ArtifactKind}
_IMPORTANCES = tuple(Importance)
# Looked up rather than made: an enumeration's own call takes ten times as long.
_EVERYWHERE = Scope()
_UNUSED = Usage()
# Most memories apply everywhere or were never used: one record serves them all.


def encode(memory: Memory) -> str:
    """The memory as a JSON array, in the order `decode` reads it."""
    draft, scope, levels, usage = memory.draft, memory.draft.scope, memory.draft.levels, memory.usage
    return _ENCODER.encode(
        [
            [memory.status, memory.archived_reason, draft.importance, _text(draft.valid_to)],
            [memory.supersedes, memory.superseded_by, memory.offered, memory.warmth, memory.usefulness],
            [usage.retrieved, usage.cited, usage.ignored, _text(usage.last_access_at)],
            [memory.id, memory.project, memory.user, memory.key, memory.checkout],
            [_text(memory.created_at), memory.tokens],
            [draft.kind, draft.type, draft.subject, draft.attribute, draft.value],
            [levels.full, levels.summary, levels.compressed, levels.index],
            [scope.language, scope.path, scope.environment, scope.version, scope.branch],
            [draft.origin, draft.visibility, draft.source, draft.confidence],
            [draft.label, draft.pinned, draft.persona, _text(draft.valid_from)],
            draft.entities,
            [[item.kind, item.ref, item.line, item.quote] for item in draft.evidence],
            [[item.kind, item.ref] for item in draft.artifacts],
            encode_body(draft.body),
        ]
    )


def decode(text: str) -> Memory:
    """The memory that `encode` wrote. Raises ValueError for anything else."""
    try:
        parts, end = _read(text)
        if end != len(text):
            raise ValueError("not a memory of ours: there is more")
        return _memory(*parts)
    except (TypeError, KeyError, IndexError) as wrong:
        raise ValueError(f"not a memory of ours: {wrong}") from wrong


def _memory(*parts: Any) -> Memory:
    (status, archived_reason, importance, valid_to), versions, usage, *others = parts
    head, born, said, levels, scope, ways, marks, entities, evidence, artifacts, body = others
    draft = Draft(
        kind=_KINDS[said[0]],
        type=said[1],
        subject=said[2],
        attribute=said[3],
        value=said[4],
        levels=Levels(*levels),
        origin=ways[0],
        evidence=tuple([Evidence(_EVIDENCE[kind], ref, line, quote) for kind, ref, line, quote in evidence]),
        body=decode_body(body),
        entities=tuple(entities),
        artifacts=tuple([Artifact(_ARTIFACTS[kind], ref) for kind, ref in artifacts]) if artifacts else (),
        scope=Scope(*scope) if any(scope) else _EVERYWHERE,
        visibility=_VISIBILITIES[ways[1]],
        source=_SOURCES[ways[2]],
        confidence=ways[3],
        importance=_IMPORTANCES[importance],
        label=marks[0],
        pinned=marks[1],
        persona=marks[2],
        valid_from=_time(marks[3]),
        valid_to=_time(valid_to),
    )
    return Memory(
        id=head[0],
        project=head[1],
        user=head[2],
        key=head[3],
        draft=draft,
        created_at=datetime.fromisoformat(born[0]),
        tokens=(born[1][0], born[1][1], born[1][2], born[1][3]),
        status=_STATUSES[status],
        archived_reason=archived_reason,
        supersedes=versions[0],
        superseded_by=versions[1],
        offered=_LEVELS[versions[2]],
        warmth=_WARMTHS[versions[3]],
        usefulness=versions[4],
        usage=Usage(usage[0], usage[1], usage[2], _time(usage[3])) if any(usage) else _UNUSED,
        checkout=head[4],
    )


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
