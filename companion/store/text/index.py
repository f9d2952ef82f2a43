"""The full-text index of memories and turns, kept in step with the store.

Derived: what it holds can be made anew from the tables, and a file that is missing, of another
version or damaged is. Before it is asked, it compares a digest of the tables with the one it
reflects, and takes in what differs. Memories are kept here whole as well, so that one file answers
"what do we know about this path" without visiting DuckDB, which is quick at scans and slow at single rows.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import numpy as np

from companion.store.binding import duckdb
from companion.store.bulk import batches
from companion.store.database import Database
from companion.store.memories.rows_sql import load
from companion.store.rows import column, pairs, tuples
from companion.store.statements import execute
from companion.store.text import facets
from companion.store.text.documents import memory_document, memory_space
from companion.store.text.facets import Table
from companion.store.text.space import IndexDamaged, sweep
from companion.store.text.word_index import WordIndex
from companion.store.text.word_space import Document

FOLDER = "words"

TakeIn = Callable[[WordIndex], None]
"""Brings what is new into the file."""

BATCH_MEMORIES = 10_000
"""Memories read and indexed at a time: about 60 MB of Python objects."""

ROWS_AT_ONCE = 2_000
"""Rows fetched at a time: nobody else computes while they are made."""

DOCUMENTS_A_BREATH = 100
"""Documents between two breaths: some ten milliseconds of work, as long as whoever asks may be kept waiting."""

TRIES = 3
"""How often something is taken in at most: into the index, into a copy where that refuses, anew if that is damaged."""

RETRY_S = 5.0
"""After a disk was full the index is tried again, so many seconds later at best: a daemon lives for days."""

_MEMORY_DIGEST = """
select
    (
        select (count(*), bit_xor(hash(hash(
            id, status, importance, pinned, label, confidence, supersedes, superseded_by, archived_at, archived_reason,
            valid_from, valid_to, cited_count, visibility, content_full, content_summary, body,
            content_compressed, content_index, scope_path, offered_level, warmth, usefulness
        ))))
        from memories
        where project_id = $project
    ),
    (select (count(*), bit_xor(hash(hash(memory_id, entity)))) from memory_entities where project_id = $project),
    (select (count(*), bit_xor(hash(hash(memory_id, ordinal, kind, ref, line, quote)))) from memory_evidence),
    (select (count(*), bit_xor(hash(hash(memory_id, kind, ref)))) from memory_artifacts)
"""
"""Hashed twice: the last of several columns goes into their hash unmixed, so that the same change in two rows would
cancel out."""

_MEMORY_STATES = """
with evidence as (
    select memory_id, bit_xor(hash(hash(ordinal, kind, ref, line, quote))) as digest
    from memory_evidence
    group by memory_id
),
entities as (
    select memory_id, bit_xor(hash(entity)) as digest
    from memory_entities
    where project_id = $project
    group by memory_id
),
artifacts as (
    select memory_id, bit_xor(hash(hash(kind, ref))) as digest
    from memory_artifacts
    group by memory_id
)
select
    m.id,
    (hash(
        m.id, m.pinned, m.label, m.confidence, m.valid_from, m.visibility, m.content_full,
        m.content_summary, m.content_compressed, m.content_index, m.scope_path, m.body,
        m.status, m.importance, m.superseded_by, m.archived_at, m.archived_reason, m.valid_to,
        m.cited_count, m.supersedes, m.offered_level, m.warmth, m.usefulness,
        v.digest, e.digest, a.digest
    ) >> 1)::bigint
from memories m
left join evidence v on v.memory_id = m.id
left join entities e on e.memory_id = m.id
left join artifacts a on a.memory_id = m.id
where m.project_id = $project
order by m.created_at, m.id
"""

_ENDED = """
select m.id, coalesce(m.archived_at, s.created_at)
from memories m
left join memories s on s.id = m.superseded_by and m.superseded_by <> ''
where m.id in (select unnest($ids))
    and (m.status <> 'active' or m.superseded_by <> '')
"""


class TextIndex:
    """The index of one store. `missing` says what is wrong with it, empty while all is well."""

    def __init__(self, database: Database, path: Path | None = None) -> None:
        """Nothing is opened before it is asked. Never raises: what is wrong is said in `missing`."""
        self.missing = ""
        self._database = database
        self._path = path or database.home / FOLDER
        self._taken_in: dict[str, tuple[int, TakeIn]] = {}
        """What was taken in, as of which revision of the store, and how."""
        self._try_again_at = 0.0
        """When the index itself is tried again in place of its copy, on the monotonic clock."""
        self._lock = threading.RLock()
        self._breathe: Callable[[], object] = lambda: None
        self._taking_in = threading.Lock()
        """Held by whoever takes something in; before `_lock`, where both are waited for."""
        self._file = WordIndex(self._path, self._lock)
        with suppress(OSError):
            sweep(self._path)

    def close(self) -> None:
        """Let go of the files."""
        with self._lock:
            self._file.close()

    def rest(self) -> None:
        """Let another process write."""
        with self._lock:
            self._file.rest()

    def drop(self) -> None:
        """Throw all of it away: whoever asks has it filled again. What was deleted is then nowhere in its files."""
        with self._taking_in, self._lock:  # a take-in behind the answers ends first
            self._open()
            self._file.drop()
            self.missing = ""

    def rebuild(self) -> None:
        """Throw all of it away and index the memories anew."""
        self.drop()
        with self._lock:
            for project in column(self._database, "select id from projects order by id"):
                self.update(project)

    def verify(self) -> str:
        """Read all files; empty if they are sound, else what is wrong.

        Who asks meanwhile waits for none of it.
        """
        try:
            with closing(WordIndex(self._path)) as other:
                return other.check()
        except OSError as wrong:
            return str(wrong)

    @contextmanager
    def asked(self) -> Iterator[WordIndex]:
        """The file to ask. Nothing is taken in meanwhile, so that what is asked inside one block fits together.

        After damage the rest of the block is left out, and `missing` says so.
        """
        with self._lock:
            if self._file.is_steady:
                yield self._file
                return
            try:
                with self._file.steady():
                    yield self._file
            except (IndexDamaged, OSError) as wrong:
                before = list(self._taken_in.items())
                self._mend(wrong)
                for what, (_, take_in) in before:
                    self.bring(what, take_in)
                if isinstance(wrong, IndexDamaged):
                    self.missing = f"the text index was damaged ({wrong}) and has been rebuilt: ask again"

    def table(self, project: str) -> Table:
        """The facets of a project's memories by document number."""
        with self.asked() as file:
            return np.frombuffer(file.view(memory_space(project)).facets, dtype=facets.MEMORY)
        return np.zeros(0, dtype=facets.MEMORY)

    def version(self, project: str) -> str:
        """A text that changes whenever a memory of the project does (its use apart)."""
        self.update(project)
        with self.asked() as file:
            return file.mark(memory_space(project))
        return ""

    def update(self, project: str) -> None:
        """Take in what changed among a project's memories."""
        self.bring(f"project {project}", lambda file: self._update_memories(file, project))

    def update_behind(self, project: str, breathe: Callable[[], object] = lambda: None) -> None:
        """Take in what changed among a project's memories, much as it may be, behind the answers.

        Who asks meanwhile is answered from the state before until all of it is in. `breathe` is called every few
        documents, and may wait.
        """
        with self._taking_in:
            self._breathe = breathe
            try:
                self._update_memories(self._file, project)
            except (IndexDamaged, OSError) as wrong:
                self._mend(wrong)
            finally:
                self._breathe = lambda: None

    def bring(self, what: str, take_in: TakeIn) -> None:
        """Have something taken in, unless nothing was written since that was done last in this process."""
        revision = self._database.revision
        with self._lock:
            if what in self._taken_in and self._taken_in[what][0] == revision:
                return
            if not self._taking_in.acquire(blocking=False):
                return  # it is being taken in behind the answers
            try:
                if self._file.is_copied and time.monotonic() >= self._try_again_at:
                    self._open()
                for _ in range(TRIES):
                    try:
                        take_in(self._file)
                        self._taken_in[what] = revision, take_in
                        self.missing = self.missing if self._file.is_copied else ""
                        return
                    except (IndexDamaged, OSError) as wrong:
                        self._mend(wrong)
            finally:
                self._taking_in.release()

    def _mend(self, wrong: IndexDamaged | OSError) -> None:
        """Let what is damaged be made anew, or go on in copies for a while where the disk refuses."""
        with self._lock:
            self._taken_in.clear()
            try:
                if isinstance(wrong, OSError):
                    raise wrong
                self._file.disown()
            except OSError as refused:
                self._open(copied=True)
                if self._database.unwritable is None:  # else the store says so, and no more than this
                    why = refused.strerror or refused
                    self.missing = f"the text index cannot be written ({why}) and is in memory for now: free some space"
                self._try_again_at = time.monotonic() + RETRY_S

    def _open(self, *, copied: bool = False) -> None:
        self._file.close()
        self._file = WordIndex(self._path, self._lock, copied=copied)
        self._taken_in.clear()

    def _update_memories(self, file: WordIndex, project: str) -> None:
        space = memory_space(project)
        file.view(space)  # which notices damage
        with self._database.read() as connection:
            digest = str(tuples(connection, _MEMORY_DIGEST, project=project))
            if file.mark(space) == digest:
                return
            states = _fetched(execute(connection, _MEMORY_STATES, {"project": project}))
        known = file.states(space)
        gone = [id_ for id_ in known if id_ not in states]
        changed = [id_ for id_, state in states.items() if known.get(id_) != state]
        with file.changing():
            file.remove(space, gone)
            for ids in batches(changed, BATCH_MEMORIES):
                file.add(space, self._memory_documents(ids, states))
        file.set_mark(space, digest)

    def _memory_documents(self, ids: Sequence[str], states: dict[str, int]) -> list[Document]:
        with self._database.read() as connection:
            memories = load(connection, ids)
            ended = pairs(connection, _ENDED, ids=ids)
        documents = []
        for memory in memories:
            documents.append(memory_document(memory, states[memory.id], ended.get(memory.id)))
            if len(documents) % DOCUMENTS_A_BREATH == 0:
                self._breathe()
        return documents


def _fetched(cursor: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Rows of key and state, fetched a few at a time: nobody else computes while some are."""
    states: dict[str, int] = {}
    while rows := cursor.fetchmany(ROWS_AT_ONCE):
        states.update(rows)
    return states
