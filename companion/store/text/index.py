"""The full-text index of memories and turns, kept in step with the store.

Derived: what it holds can be made anew from the tables, and a file that is missing, of another
version or damaged is. Before it is asked, it compares a digest of the tables with the one it
reflects, and takes in what differs. Memories are kept here whole as well, so that one file answers
"what do we know about this path" without visiting DuckDB, which is quick at scans and slow at single rows.
"""

from __future__ import annotations

import math
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from companion.store.memories.rows_sql import load
from companion.store.text import facets
from companion.store.text.documents import memory_document, memory_space
from companion.store.text.facets import Table
from companion.store.text.index_sql import (
    ENDED,
    MEMORY_DIGEST,
    MEMORY_STATES,
)
from companion.store.text.space import IndexDamaged, sweep
from companion.store.text.word_index import WordIndex
from companion.store.text.word_space import Document

if TYPE_CHECKING:
    import duckdb

    from companion.store.database import Database

FOLDER = "words"
BEFORE = "text-index.sqlite*"
"""What the index of earlier versions lies in."""

BATCH_MEMORIES = 10_000
"""Memories read and indexed at a time: about 60 MB of Python objects."""

ROWS_AT_ONCE = 2_000
"""Rows fetched at a time: nobody else computes while they are made."""

DOCUMENTS_A_BREATH = 100
"""Documents between two breaths: some ten milliseconds of work, as long as whoever asks may be kept waiting."""

RETRY_S = 5.0
"""After a disk was full the index is tried again, so many seconds later at best: an owner lives for days."""


class TextIndex:
    """The index of one store. `missing` says what is wrong with it, empty while all is well."""

    def __init__(self, database: Database, path: Path | None = None) -> None:
        """Open the index, or begin a new one. Never raises: what is wrong is said in `missing`."""
        self.missing = ""
        self.generation = 0
        """Raised when documents are numbered anew."""
        self._database = database
        self._path = path or database.home / FOLDER
        self._file: WordIndex | None = None
        self._fresh: dict[str, int] = {}
        self._try_again_at = 0.0
        """When something may be taken in again, on the monotonic clock: soon after a full disk, never after damage."""
        self._lock = threading.RLock()
        self._breathe: Callable[[], object] = _never
        self._taking_in = threading.Lock()
        """Held by whoever takes something in; before `_lock`, where both are waited for."""
        self._open()

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None
            self._try_again_at = math.inf

    def rest(self) -> None:
        """Let another process write."""
        with self._lock:
            if self._file is not None:
                self._file.rest()

    def drop(self) -> None:
        """Throw all of it away: whoever asks has it filled again. What was deleted is then nowhere in its files."""
        with self._taking_in, self._lock:  # a take-in behind the answers ends first
            self._remove()
            self.missing = ""
            self._fresh.clear()
            self._open()

    def rebuild(self) -> None:
        """Throw all of it away and index the memories anew; damage is thereby mended."""
        self.drop()
        with self._lock:
            with self._database.read() as connection:
                projects = [r[0] for r in connection.execute("select id from projects order by id").fetchall()]
            for project in projects:
                self.update(project)

    def verify(self) -> str:
        """Read the whole file; empty if sound, else what is wrong.

        Who asks meanwhile waits for none of it.
        """
        with self.asked() as file:
            if file is None:
                return self.missing
        try:
            with closing(WordIndex(self._path)) as other:
                return other.check()
        except (IndexDamaged, OSError) as wrong:
            return str(wrong)

    @contextmanager
    def asked(self) -> Iterator[WordIndex | None]:
        """The file to ask, None if there is none; damage found on the way is noted in `missing`.

        The caller initialises its answer first: after damage the rest of the block is left out.
        Nothing is taken in meanwhile, so that what is asked inside one block fits together.
        """
        with self._lock:
            try:
                with self._file.steady() if self._file is not None else nullcontext():
                    yield self._file
            except IndexDamaged as wrong:
                self._fail(f"the text index is damaged ({wrong}): run `companion rebuild`")
            except OSError as wrong:
                self._go_on_in_memory(wrong)

    def table(self, project: str) -> Table:
        """The facets of a project's memories by document number."""
        table = np.zeros(0, dtype=facets.MEMORY)
        with self.asked() as file:
            if file is not None:
                table = np.frombuffer(file.view(memory_space(project)).facets, dtype=facets.MEMORY)
        return table

    def version(self, project: str) -> str:
        """A text that changes whenever a memory of the project does (its use apart)."""
        self.update(project)
        version = ""
        with self.asked() as file:
            if file is not None:
                version = file.mark(memory_space(project))
        return version

    def update(self, project: str) -> None:
        """Take in what changed among a project's memories."""
        self._up_to_date(f"project {project}", lambda file: self._update_memories(file, project))

    def update_behind(self, project: str, breathe: Callable[[], object] = lambda: None) -> None:
        """Take in what changed among a project's memories, much as it may be, behind the answers.

        Who asks meanwhile is answered from the state before until all of it is in. `breathe` is called every few
        documents, and may wait.
        """
        with self._taking_in:
            file, self._breathe = self._file, breathe
            try:
                if file is not None:
                    self._update_memories(file, project)
            except IndexDamaged as wrong:
                self._fail(f"the text index is damaged ({wrong}): run `companion rebuild`")
            except OSError as wrong:
                self._go_on_in_memory(wrong)
            finally:
                self._breathe = _never

    def bring(self, what: str, take_in: Callable[[WordIndex], None]) -> None:
        """Have somebody else's documents taken in, unless nothing was written since that was done last."""
        self._up_to_date(what, take_in)

    def _open(self) -> None:
        self.generation += 1
        try:
            for old in self._path.parent.glob(BEFORE):
                old.unlink()
            self._file = WordIndex(self._path, self._lock)
            sweep(self._path)
            self._try_again_at = 0.0
        except IndexDamaged as wrong:
            self._fail(f"the text index is damaged ({wrong}): run `companion rebuild`")
        except OSError as wrong:
            self._go_on_in_memory(wrong)

    def _go_on_in_memory(self, wrong: OSError) -> None:
        """Ask a copy in memory, which takes in what the file cannot; after a while the file is tried again."""
        self.close()
        self.generation += 1
        self._fresh.clear()
        self._file = WordIndex(self._path, kept=False)
        if self._database.unwritable is None:  # else the store says so, and no more than this
            said = wrong.strerror or wrong
            self.missing = f"the text index cannot be written ({said}) and is made in memory for now: free some space"
        self._try_again_at = time.monotonic() + RETRY_S

    def _remove(self) -> None:
        self.close()
        if self._path.exists():
            shutil.rmtree(self._path)

    def _fail(self, why: str) -> None:
        self.close()
        self.missing = why

    def _up_to_date(self, what: str, bring: Callable[[WordIndex], None]) -> None:
        """Run `bring` unless nothing was written since it ran last in this process."""
        revision = self._database.revision
        with self._lock:
            if self._fresh.get(what) == revision:
                return
            if not self._taking_in.acquire(blocking=False):
                return  # it is being taken in behind the answers
            try:
                if (self._file is None or not self._file.is_current()) and time.monotonic() >= self._try_again_at:
                    self._reopen()
                for _ in range(2):  # the second time in memory, where the file could not be written
                    with self.asked() as file:
                        if file is not None:
                            bring(file)
                            self._fresh[what] = revision
                            self.missing = self.missing if not file.kept else ""
                            break
            finally:
                self._taking_in.release()

    def _reopen(self) -> None:
        """Take the file that is there: another process made it anew, or the disk was full and may be no more."""
        self.close()
        self.missing = ""
        self._fresh.clear()
        self._open()

    def _update_memories(self, file: WordIndex, project: str) -> None:
        space = memory_space(project)
        file.view(space)  # which notices damage
        with self._database.read() as connection:
            digest = str(connection.execute(MEMORY_DIGEST, {"project": project}).fetchone())
            if file.mark(space) == digest:
                return
            states = _fetched(connection.execute(MEMORY_STATES, {"project": project}))
        known = file.states(space)
        gone = [id_ for id_ in known if id_ not in states]
        changed = [id_ for id_, state in states.items() if known.get(id_) != state]
        with file.changing():
            file.remove(space, gone)
            for ids in _batches(changed):
                file.add(space, self._memory_documents(ids, states))
        file.set_mark(space, digest)

    def _memory_documents(self, ids: Sequence[str], states: dict[str, int]) -> list[Document]:
        with self._database.read() as connection:
            memories = load(connection, ids)
            ended = dict(connection.execute(ENDED, {"ids": list(ids)}).fetchall())
        documents = []
        for memory in memories:
            documents.append(memory_document(memory, states[memory.id], ended.get(memory.id)))
            if len(documents) % DOCUMENTS_A_BREATH == 0:
                self._breathe()
        return documents


def _never() -> None:
    """Nobody waits."""


def _fetched(cursor: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Rows of key and state, fetched a few at a time: nobody else computes while some are."""
    states: dict[str, int] = {}
    while rows := cursor.fetchmany(ROWS_AT_ONCE):
        states.update(rows)
    return states


def _batches(ids: Sequence[str], size: int = BATCH_MEMORIES) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), size):
        yield ids[start : start + size]
