"""Writes what `reconcile` decided: new memories, ends of old ones, new words for the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from companion.ports import TokenCounter
from companion.records import Draft, Importance
from companion.store.bulk import insert_rows
from companion.store.memories.reconcile import NO_LONGER_SAID, SUPERSEDED, KeptRow, Plan, StatedDraft, memory_id
from companion.store.memories.rows_sql import (
    ARTIFACT_COLUMNS,
    ENTITY_COLUMNS,
    EVIDENCE_COLUMNS,
    INSERT_COLUMNS,
    artifacts_of,
    birth_row,
    content_row,
    entities_of,
    evidence_of,
    evidence_rows,
)

if TYPE_CHECKING:
    import duckdb

_TAKEN = """
select id
from memories
where project_id = $project
    and memory_key in (select unnest($keys::varchar[]))
"""

_RETIRE = """
update memories
set
    status = if(gone.stays, 'active', 'archived'),
    archived_at = if(gone.stays, null, $now::timestamp),
    archived_reason = gone.reason,
    superseded_by = gone.superseded_by,
    valid_to = gone.valid_to
from (
    select
        unnest($ids::varchar[]) as id,
        unnest($stays::boolean[]) as stays,
        unnest($reasons::varchar[]) as reason,
        unnest($successors::varchar[]) as superseded_by,
        unnest($ends::timestamp[]) as valid_to
) as gone
where memories.id = gone.id
"""

_REFRESH = """
update memories
set
    type = said.type,
    subject = said.subject,
    attribute = said.attribute,
    content_full = said.content_full,
    content_summary = said.content_summary,
    content_compressed = said.content_compressed,
    content_index = said.content_index,
    body = said.body,
    confidence = said.confidence,
    valid_to = said.valid_to,
    paths_as_of = null,
    tokens_full = said.tokens_full,
    tokens_summary = said.tokens_summary,
    tokens_compressed = said.tokens_compressed,
    tokens_index = said.tokens_index
from (
    select
        unnest($1::varchar[]) as id,
        unnest($2::varchar[]) as type,
        unnest($3::varchar[]) as subject,
        unnest($4::varchar[]) as attribute,
        unnest($5::varchar[]) as content_full,
        unnest($6::varchar[]) as content_summary,
        unnest($7::varchar[]) as content_compressed,
        unnest($8::varchar[]) as content_index,
        unnest($9::json[]) as body,
        unnest($10::double[]) as confidence,
        unnest($11::timestamp[]) as valid_to,
        unnest($12::integer[]) as tokens_full,
        unnest($13::integer[]) as tokens_summary,
        unnest($14::integer[]) as tokens_compressed,
        unnest($15::integer[]) as tokens_index
) as said
where memories.id = said.id
"""

_PATHS_AS_TOLD = """
update memories
set paths_as_of = null
where id in (select unnest($ids::varchar[]))
"""
"""Links that were told anew name files as their commit did: following renames begins there again."""

_DROP_LINKS = (
    "delete from memory_evidence where memory_id in (select unnest($ids::varchar[]))",
    "delete from memory_entities where memory_id in (select unnest($ids::varchar[]))",
    "delete from memory_artifacts where memory_id in (select unnest($ids::varchar[]))",
)


@dataclass(frozen=True, slots=True)
class Scribe:
    """Writes a plan, for one learner of one project at one moment."""

    connection: duckdb.DuckDBPyConnection
    project: str
    user: str
    learner: str
    now: datetime
    counter: TokenCounter

    def write(self, made: Plan) -> list[str]:
        """Write all of it; returns the new ids in the order of `made.born`."""
        ids = self._fresh_ids([said for said, _ in made.born])
        self._insert(ids, made.born)
        self._retire(ids, made)
        self._refresh(made.same)
        return ids

    def _fresh_ids(self, born: Sequence[StatedDraft]) -> list[str]:
        """Content decides an id; what returns after it was retired counts up to a free one."""
        if not born:
            return []
        keys = sorted({said.key for said in born})
        rows = self.connection.execute(_TAKEN, {"project": self.project, "keys": keys}).fetchall()
        taken = {row[0] for row in rows}
        ids: list[str] = []
        for said in born:
            ordinal = 0
            while (id_ := memory_id(said, ordinal)) in taken:
                ordinal += 1
            taken.add(id_)
            ids.append(id_)
        return ids

    def _insert(self, ids: Sequence[str], born: Sequence[tuple[StatedDraft, KeptRow | None]]) -> None:
        rows = []
        for id_, (said, old) in zip(ids, born, strict=True):
            draft = said.draft if old is None else _heir(said.draft, old)
            birth = birth_row(id_, self.project, self.user, said.key, self.learner, draft, self.now)
            ancestry = ("", 0) if old is None else (old.id, old.importance_floor)
            rows.append((*birth, *ancestry, *content_row(draft), *self._tokens(draft)))
        insert_rows(self.connection, "memories", INSERT_COLUMNS, rows)
        self._link(ids, [said.draft for said, _ in born])

    def _link(self, ids: Sequence[str], drafts: Sequence[Draft]) -> None:
        pairs = list(zip(ids, drafts, strict=True))
        evidence = [row for id_, draft in pairs for row in evidence_rows(id_, draft.evidence)]
        entities = [(self.project, id_, name) for id_, draft in pairs for name in sorted(set(draft.entities))]
        artifacts = [
            (id_, kind, ref)
            for id_, draft in pairs
            for kind, ref in sorted({(artifact.kind.value, artifact.ref) for artifact in draft.artifacts})
        ]
        insert_rows(self.connection, "memory_evidence", EVIDENCE_COLUMNS, evidence)
        insert_rows(self.connection, "memory_entities", ENTITY_COLUMNS, entities)
        insert_rows(self.connection, "memory_artifacts", ARTIFACT_COLUMNS, artifacts)

    def _retire(self, ids: Sequence[str], made: Plan) -> None:
        """Archive what is gone; what another origin newly says of the same thing takes its place."""
        born = list(zip(ids, made.born, strict=True))
        heirs = {said.key: (id_, said.draft.valid_from) for id_, (said, _) in born}
        nobody = ("", None)
        gone = [(old, *(nobody if old.pinned else heirs.get(old.line[0], nobody))) for old in made.retired]
        gone += [(old, id_, said.draft.valid_from) for id_, (said, old) in born if old is not None]
        if not gone:
            return
        stays = [old.pinned and not heir for old, heir, _ in gone]
        reasons = [SUPERSEDED if heir else NO_LONGER_SAID for _, heir, _ in gone]
        given = {
            "now": self.now,
            "ids": [old.id for old, _, _ in gone],
            "stays": stays,
            "reasons": ["" if stay else reason for stay, reason in zip(stays, reasons, strict=True)],
            "successors": [heir for _, heir, _ in gone],
            "ends": [self._end(old, since) for old, _, since in gone],
        }
        self.connection.execute(_RETIRE, given)

    def _end(self, old: KeptRow, successor_from: datetime | None) -> datetime:
        """When the old one ceased to be true: never before it began, whatever the clock says."""
        end = successor_from or self.now
        if old.valid_to is not None:
            end = min(end, old.valid_to)
        return end if old.valid_from is None else max(end, old.valid_from)

    def _refresh(self, same: Sequence[tuple[StatedDraft, KeptRow]]) -> None:
        reworded = [(said, old) for said, old in same if content_row(said.draft) != old.content]
        if reworded:
            rows = [(old.id, *content_row(said.draft), *self._tokens(said.draft)) for said, old in reworded]
            self.connection.execute(_REFRESH, [list(column) for column in zip(*rows, strict=True)])
        moved = self._moved(same)
        if moved:
            ids = [old.id for _, old in moved]
            for statement in _DROP_LINKS:
                self.connection.execute(statement, {"ids": ids})
            self.connection.execute(_PATHS_AS_TOLD, {"ids": ids})
            self._link(ids, [said.draft for said, _ in moved])

    def _moved(self, same: Sequence[tuple[StatedDraft, KeptRow]]) -> list[tuple[StatedDraft, KeptRow]]:
        """Those whose evidence, entities or artifacts are not what is stored."""
        if not same:
            return []
        ids = [old.id for _, old in same]
        evidence = evidence_of(self.connection, ids)
        entities = entities_of(self.connection, ids)
        artifacts = artifacts_of(self.connection, ids)
        return [
            (said, old)
            for said, old in same
            if said.draft.evidence != evidence.get(old.id, ())
            or set(said.draft.entities) != set(entities.get(old.id, ()))
            or set(said.draft.artifacts) != set(artifacts.get(old.id, ()))
        ]

    def _tokens(self, draft: Draft) -> tuple[int, int, int, int]:
        count, levels = self.counter.count, draft.levels
        return count(levels.full), count(levels.summary), count(levels.compressed), count(levels.index)


def _heir(draft: Draft, old: KeptRow) -> Draft:
    """A new version with what a person or its use made of the old one: pin, importance, name."""
    return replace(
        draft,
        pinned=draft.pinned or old.pinned,
        importance=max(draft.importance, Importance(old.importance)),
        label=draft.label or old.label,
    )
