"""Memories read quickly: out of the text index's copies, the latest ones kept as records.

Where the index is missing the tables answer, slower and just as right.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from companion.records import Memory
from companion.store.memories.aliases import Aliases
from companion.store.memories.rows_sql import load
from companion.store.text import facets, memory_json
from companion.store.text.documents import memory_space
from companion.store.text.facets import Flags, Reader, Table
from companion.store.text.index import TextIndex
from companion.store.text.space import IndexDamaged
from companion.store.text.word_index import WordIndex

if TYPE_CHECKING:
    from companion.store.database import Database

KEPT_MEMORIES = 8_000
"""Records kept in memory: about 3 kB each, all of most projects."""

_Edition = tuple[str, int, int, int]
"""Project, which making of the index, document number and state: a record of another one is not looked at again."""

KEPT_MASKS = 32
"""Readers whose view of a project is kept: branches, personas and moments, 100 kB each at most."""

_ABOUT = """
select m.id
from memories m
where m.project_id = $project
    and m.id in (
        select memory_id
        from memory_entities
        where project_id = $project and entity in (select unnest($entities))
    )
    and m.persona in ('', $persona)
    and m.scope_branch in ('', $branch)
    and (not contains(m.learner, '@') or ends_with(m.learner, '@' || $checkout))
    and if($as_of::timestamp is null, m.status = 'active' and m.superseded_by = '',
           m.created_at <= $as_of::timestamp and coalesce(m.archived_at > $as_of::timestamp, m.status = 'active'))
order by m.importance desc, coalesce(m.valid_from, m.created_at) desc, m.id
limit $limit
"""

_WITHIN = """
select m.id
from memories m
where m.project_id = $project
    and (
        m.scope_path in (select unnest($paths))
        or m.id in (
            select memory_id from memory_evidence where kind = 'file' and ref in (select unnest($paths))
        )
    )
    and m.persona in ('', $persona)
    and m.scope_branch in ('', $branch)
    and (not contains(m.learner, '@') or ends_with(m.learner, '@' || $checkout))
    and if($as_of::timestamp is null, m.status = 'active' and m.superseded_by = '',
           m.created_at <= $as_of::timestamp and coalesce(m.archived_at > $as_of::timestamp, m.status = 'active'))
order by length(m.scope_path) desc, m.importance desc, coalesce(m.valid_from, m.created_at) desc, m.id
limit $limit
"""


class Shelf:
    """The memories of a store, for reading. Threads may share it."""

    def __init__(self, database: Database, index: TextIndex) -> None:
        self.index = index
        self.aliases = Aliases(database)
        self._database = database
        self._kept: OrderedDict[_Edition, Memory] = OrderedDict()
        self._masks: dict[tuple[str, Reader, bool], tuple[object, Flags]] = {}
        self._lock = threading.RLock()

    def at(self, project: str, ords: Sequence[int]) -> dict[int, Memory]:
        """Memories by document number. Raises IndexDamaged."""
        found: dict[int, Memory] = {}
        with self.index.asked() as file, self._lock:
            if file is None:
                return {}
            states = self.index.table(project)["state"]
            made = self.index.generation
            keys = {ord_: (project, made, ord_, int(states[ord_])) for ord_ in ords if ord_ < len(states)}
            for ord_, key in keys.items():
                if key in self._kept:
                    self._kept.move_to_end(key)
                    found[ord_] = self._kept[key]
            absent = [ord_ for ord_ in keys if ord_ not in found]
            for ord_, (_, record) in file.records(memory_space(project), absent).items():
                found[ord_] = self._kept[keys[ord_]] = _decoded(record)
            while len(self._kept) > KEPT_MEMORIES:
                self._kept.popitem(last=False)
        return found

    def entities(self, project: str, ords: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """What memories name, by document number."""
        return {ord_: memory.draft.entities for ord_, memory in self.at(project, ords).items()}

    def visible(self, file: WordIndex, project: str, reader: Reader, *, archived: bool) -> Flags:
        """Which memories a reader sees, by document number; kept until a memory changes."""
        table = self.index.table(project)
        key = (project, reader, archived)
        with self._lock:
            kept = self._masks.get(key)
            if kept is None or kept[0] is not table.base:
                if len(self._masks) >= KEPT_MASKS:
                    self._masks.clear()
                seen = facets.visible(table, reader, archived=archived)
                kept = (table.base, seen & file.view(memory_space(project)).alive)
                self._masks[key] = kept
            return kept[1]

    def get(self, project: str, ids: Sequence[str]) -> tuple[Memory, ...]:
        """Memories by id, in the given order, unknown ones left out."""
        if not ids:
            return ()
        self.index.update(project)
        with self.index.asked() as file:
            if file is not None:
                numbers = file.numbers(memory_space(project), list(ids))
                memories = self.at(project, list(numbers.values()))
                if all(id_ in numbers for id_ in ids):
                    return tuple(memories[numbers[id_]] for id_ in ids if numbers[id_] in memories)
        with self._database.read() as connection:
            return load(connection, ids)

    def about(self, project: str, entities: Sequence[str], reader: Reader, limit: int) -> tuple[Memory, ...]:
        """Visible memories that name any of the entities under any name, the most important, then newest first."""
        if not entities or limit < 1:
            return ()
        entities = self.aliases.of(project, reader.as_of).all(entities)
        self.index.update(project)
        with self.index.asked() as file:
            if file is not None:
                table = self.index.table(project)
                ords = file.having(memory_space(project), [f"@{key}" for key in entities])
                return self._best(file, project, table, ords, np.zeros(len(ords), dtype=np.int64), reader, limit)
        return self._by_tables(_ABOUT, project, reader, limit, "entities", entities)

    def within(self, project: str, path: str, reader: Reader, limit: int, *, above: bool = True) -> tuple[Memory, ...]:
        """Visible memories of the path itself and (with `above`) of the folders above it, the nearest first."""
        paths = self.aliases.of(project, reader.as_of).paths(path)
        if above:
            paths = list(dict.fromkeys([*paths, *facets.ancestors(paths[0]), *facets.ancestors(path)]))
        if not path or limit < 1:
            return ()
        self.index.update(project)
        with self.index.asked() as file:
            if file is not None:
                table = self.index.table(project)
                holders = file.holders(memory_space(project), [f"/{folder}" for folder in paths])
                depth: dict[int, int] = {}
                for distance, folder in enumerate(paths):
                    for ord_ in holders.get(f"/{folder}", np.empty(0, dtype=np.int32)).tolist():
                        depth.setdefault(ord_, distance)
                ords = np.fromiter(depth, dtype=np.int32, count=len(depth))
                far = np.fromiter(depth.values(), dtype=np.int64, count=len(depth))
                return self._best(file, project, table, ords, far, reader, limit)
        return self._by_tables(_WITHIN, project, reader, limit, "paths", paths)

    def failures(
        self, project: str, fingerprints: Sequence[str], since: int, reader: Reader, limit: int
    ) -> tuple[Memory, ...]:
        """Error episodes with one of the fingerprints, or (none given) all since a moment in microseconds."""
        self.index.update(project)
        with self.index.asked() as file:
            if file is not None:
                table = self.index.table(project)
                labels = [f"!{mark}" for mark in fingerprints] if fingerprints else ["!"]
                ords = file.having(memory_space(project), labels)
                ords = ords[table["about"][ords] >= since]
                return self._best(file, project, table, ords, np.zeros(len(ords), dtype=np.int64), reader, limit)
        return ()

    def _best(
        self,
        file: WordIndex,
        project: str,
        table: Table,
        ords: npt.NDArray[np.int32],
        far: npt.NDArray[np.int64],
        reader: Reader,
        limit: int,
    ) -> tuple[Memory, ...]:
        """The visible ones: the nearest, the most important, the newest first."""
        seen = self.visible(file, project, reader, archived=False)[ords]
        ords, far = ords[seen], far[seen]
        importance = table["importance"][ords].astype(np.int8)
        order = np.lexsort((ords, -table["about"][ords], -importance, far))[:limit]
        chosen = ords[order].tolist()
        memories = self.at(project, chosen)
        return tuple(memories[ord_] for ord_ in chosen if ord_ in memories)

    def _by_tables(
        self, statement: str, project: str, reader: Reader, limit: int, name: str, keys: Sequence[str]
    ) -> tuple[Memory, ...]:
        asked = {
            "project": project,
            "persona": reader.persona,
            "branch": reader.branch,
            "checkout": reader.checkout,
            "as_of": reader.as_of,
            "limit": limit,
            name: list(keys),
        }
        with self._database.read() as connection:
            rows = connection.execute(statement, asked).fetchall()
            return load(connection, [row[0] for row in rows])


def _decoded(record: str) -> Memory:
    try:
        return memory_json.decode(record)
    except ValueError as wrong:
        raise IndexDamaged(f"a memory cannot be read: {wrong}") from wrong
