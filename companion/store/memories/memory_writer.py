"""Writes what `reconcile` decided: new memories, ends of old ones, new words for the same."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from companion.ports import TokenCounter
from companion.records import Draft, Memory, Status
from companion.store.binding import duckdb
from companion.store.by_columns import column_where, pairs_where, set_where
from companion.store.memories.reconcile import NO_LONGER_SAID, SUPERSEDED, Plan, StatedDraft, memory_id
from companion.store.memories.rows_sql import CONTENT, DROP_PARTS, MEMORIES, put_parts
from companion.store.statements import execute


class MemoryWriter(Struct, frozen=True):
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
        keys = {said.key for said in born}
        taken = set(column_where(self.connection, "memories", "id", project_id=self.project, memory_key=keys))
        ids: list[str] = []
        for said in born:
            ordinal = 0
            while (id_ := memory_id(said, ordinal)) in taken:
                ordinal += 1
            taken.add(id_)
            ids.append(id_)
        return ids

    def _insert(self, ids: Sequence[str], born: Sequence[tuple[StatedDraft, Memory | None]]) -> None:
        if not born:
            return
        before = [old.id for _, old in born if old is not None]
        floors = pairs_where(self.connection, "memories", "id, importance_floor", id=before)
        fresh = [
            Memory(
                id=id_,
                project=self.project,
                user=self.user,
                key=said.key,
                draft=said.draft if old is None else _heir(said.draft, old.draft),
                created_at=self.now,
                tokens=self._tokens(said.draft),
                supersedes="" if old is None else old.id,
            )
            for id_, (said, old) in zip(ids, born, strict=True)
        ]
        floor = [floors.get(memory.supersedes, 0) for memory in fresh]
        MEMORIES.insert(self.connection, fresh, learner=self.learner, importance_floor=floor)
        put_parts(self.connection, fresh)

    def _retire(self, ids: Sequence[str], made: Plan) -> None:
        """Archive what is gone; what another origin newly says of the same thing takes its place."""
        born = list(zip(ids, made.born, strict=True))
        heirs = {said.key: (id_, said.draft.valid_from) for id_, (said, _) in born}
        nobody = ("", None)
        gone = [(old, *(nobody if old.draft.pinned else heirs.get(old.key, nobody))) for old in made.retired]
        gone += [(old, id_, said.draft.valid_from) for id_, (said, old) in born if old is not None]
        ended = [self._ended(old.draft, heir, since) | {"id": old.id} for old, heir, since in gone]
        MEMORIES.update(self.connection, ended)

    def _ended(self, old: Draft, heir: str, heir_from: datetime | None) -> dict[str, object]:
        """What is set of one that is gone; what is pinned stays, unless something takes its place."""
        stays = old.pinned and not heir
        end = heir_from or self.now
        if old.valid_to is not None:
            end = min(end, old.valid_to)
        return {
            "status": Status.ACTIVE.value if stays else Status.ARCHIVED.value,
            "archived_at": None if stays else self.now,
            "archived_reason": "" if stays else SUPERSEDED if heir else NO_LONGER_SAID,
            "superseded_by": heir,
            "valid_to": end if old.valid_from is None else max(end, old.valid_from),  # never before it began
        }

    def _refresh(self, same: Sequence[tuple[StatedDraft, Memory]]) -> None:
        reworded = [
            replace(old, draft=said.draft, tokens=self._tokens(said.draft))
            for said, old in same
            if _content(said.draft) != _content(old.draft)
        ]
        MEMORIES.refresh(self.connection, reworded, *CONTENT, paths_as_of=None)
        moved = [replace(old, draft=said.draft) for said, old in same if _links(said.draft) != _links(old.draft)]
        if moved:
            ids = [old.id for old in moved]
            for statement in DROP_PARTS:
                execute(self.connection, statement, {"ids": ids})
            # links that were told anew name files as their commit did: following renames begins there again
            set_where(self.connection, "memories", {"paths_as_of": None}, id=ids)
            put_parts(self.connection, moved)

    def _tokens(self, draft: Draft) -> tuple[int, int, int, int]:
        count, levels = self.counter.count, draft.levels
        return count(levels.full), count(levels.summary), count(levels.compressed), count(levels.index)


def _content(draft: Draft) -> tuple[object, ...]:
    return draft.type, draft.subject, draft.attribute, draft.levels, draft.body, draft.confidence, draft.valid_to


def _links(draft: Draft) -> tuple[object, ...]:
    return draft.evidence, set(draft.entities), set(draft.artifacts)


def _heir(draft: Draft, old: Draft) -> Draft:
    """A new version with what a person or its use made of the old one: pin, importance, name."""
    return replace(
        draft,
        pinned=draft.pinned or old.pinned,
        importance=max(draft.importance, old.importance),
        label=draft.label or old.label,
    )
