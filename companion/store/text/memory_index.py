"""Memories read quickly: out of the text index's copies, the latest ones kept as records."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from companion import wire
from companion.records import Memory
from companion.store.database import Database
from companion.store.keeping import LastUsed, VersionedCache
from companion.store.memories.aliases import Aliases
from companion.store.memories.rows_sql import load
from companion.store.text import facets
from companion.store.text.documents import memory_space
from companion.store.text.facets import Flags, Viewer
from companion.store.text.index import TextIndex
from companion.store.text.space import IndexDamaged
from companion.store.text.word_index import WordIndex

KEPT_MEMORIES = 8_000
"""Records kept in memory: about 3 kB each, all of most projects."""

_Edition = tuple[str, int, int]
"""Project, document number and state, which a memory's id is part of."""

KEPT_MASKS = 32
"""Readers whose view of a project is kept: branches, personas and moments, 100 kB each at most."""


class MemoryIndex:
    """The memories of a store, for reading. Threads may share it."""

    def __init__(self, database: Database, index: TextIndex) -> None:
        self.index = index
        self.aliases = Aliases(database)
        self._database = database
        self._kept: LastUsed[_Edition, Memory] = LastUsed(KEPT_MEMORIES)
        self._masks = VersionedCache(KEPT_MASKS)
        self._lock = threading.RLock()

    def at(self, project: str, ords: Sequence[int]) -> dict[int, Memory]:
        """Memories by document number. Raises IndexDamaged."""
        found: dict[int, Memory] = {}
        with self.index.asked() as file, self._lock:
            states = self.index.table(project)["state"]
            keys = {ord_: (project, ord_, int(states[ord_])) for ord_ in ords if ord_ < len(states)}
            for ord_, key in keys.items():
                if key in self._kept:
                    self._kept.move_to_end(key)
                    found[ord_] = self._kept[key]
            absent = [ord_ for ord_ in keys if ord_ not in found]
            for ord_, (_, record) in file.records(memory_space(project), absent).items():
                found[ord_] = self._kept[keys[ord_]] = _decoded(record)
        return found

    def entities(self, project: str, ords: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """What memories name, by document number."""
        return {ord_: memory.draft.entities for ord_, memory in self.at(project, ords).items()}

    def visible(self, file: WordIndex, project: str, reader: Viewer, *, archived: bool) -> Flags:
        """Which memories a reader sees, by document number; kept until a memory changes."""
        table = self.index.table(project)

        def seen() -> Flags:
            return facets.visible(table, reader, archived=archived) & file.view(memory_space(project)).alive

        return self._masks((project, reader, archived), table.base, seen)

    def get(self, project: str, ids: Sequence[str]) -> tuple[Memory, ...]:
        """Memories by id, in the given order, unknown ones left out."""
        if not ids:
            return ()
        self.index.update(project)
        with self.index.asked() as file:
            numbers = file.numbers(memory_space(project), list(ids))
            memories = self.at(project, list(numbers.values()))
            if all(id_ in numbers for id_ in ids):
                return tuple(memories[numbers[id_]] for id_ in ids if numbers[id_] in memories)
        with self._database.read() as connection:
            return load(connection, ids)

    def about(self, project: str, entities: Sequence[str], reader: Viewer, limit: int) -> tuple[Memory, ...]:
        """Visible memories that name any of the entities under any name, the most important, then newest first."""
        if not entities or limit < 1:
            return ()
        labels = [f"@{key}" for key in self.aliases.of(project, reader.as_of).all(entities)]
        return self._best(project, [labels], reader, limit)

    def within(self, project: str, path: str, reader: Viewer, limit: int, *, above: bool = True) -> tuple[Memory, ...]:
        """Visible memories of the path itself and (with `above`) of the folders above it, the nearest first."""
        paths = self.aliases.of(project, reader.as_of).paths(path)
        if above:
            paths = list(dict.fromkeys([*paths, *facets.ancestors(paths[0]), *facets.ancestors(path)]))
        if not path or limit < 1:
            return ()
        return self._best(project, [[f"/{folder}"] for folder in paths], reader, limit)

    def failures(
        self, project: str, fingerprints: Sequence[str], since: int, reader: Viewer, limit: int
    ) -> tuple[Memory, ...]:
        """Error episodes with one of the fingerprints, or (none given) all since a moment in microseconds."""
        labels = [f"!{mark}" for mark in fingerprints] or ["!"]
        return self._best(project, [labels], reader, limit, since)

    def _best(
        self, project: str, labels: Sequence[Sequence[str]], reader: Viewer, limit: int, since: int = facets.NEVER
    ) -> tuple[Memory, ...]:
        """The visible ones with a label, those of the first labels first, then the most important, then the newest."""
        self.index.update(project)
        with self.index.asked() as file:
            table = self.index.table(project)
            far: dict[int, int] = {}
            for distance, some in enumerate(labels):
                for ord_ in file.having(memory_space(project), some).tolist():
                    far.setdefault(ord_, distance)
            ords = np.fromiter(far, dtype=np.int32, count=len(far))
            seen = self.visible(file, project, reader, archived=False)[ords] & (table["about"][ords] >= since)
            ords, distances = ords[seen], np.fromiter(far.values(), dtype=np.int64, count=len(far))[seen]
            importance = table["importance"][ords].astype(np.int8)
            order = np.lexsort((ords, -table["about"][ords], -importance, distances))[:limit]
            chosen = ords[order].tolist()
            memories = self.at(project, chosen)
            return tuple(memories[ord_] for ord_ in chosen if ord_ in memories)
        return ()


def _decoded(record: str) -> Memory:
    try:
        memory: Memory = wire.kept(Memory, record)
        return memory
    except ValueError as wrong:
        raise IndexDamaged(f"a memory cannot be read: {wrong}") from wrong
