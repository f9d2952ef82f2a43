"""An inverted file: terms to documents, in one SQLite file, scored by BM25 over arrays.

Documents live in spaces (one for each project's memories, commits, checkout's files) and are
numbered in the order they come. What comes together is one segment and is never changed: its
postings are packed arrays, fetched by term and added up by numpy, which scores 100,000 documents in
a few milliseconds where SQLite's own FTS5 takes tens. A document that goes is struck from the list
of living ones; small segments are merged as new ones come.

The file is derived. Each change is one transaction, so that a killed process leaves the state
before or after it. Whatever cannot be read raises IndexDamaged; the owner then makes it anew.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from pathlib import Path

import numpy as np

from companion.store.files import PRIVATE_FILE
from companion.store.text.bm25 import Flags, Floats, Ints, Postings, Ranked, View, best_of
from companion.store.text.index_rows import (
    TABLES,
    guarded,
    load_view,
    marks,
    merge_small,
    seen_postings,
    slices,
    write_segment,
)
from companion.store.text.segments import Amendment, Document, IndexDamaged, PackedFacets

ROWS_AT_ONCE = 2_000
"""Rows fetched in one go: two milliseconds in which no other thread computes."""

POSTINGS_KEPT = 250_000
"""Entries of postings kept from one question to the next, of all spaces together: the words of a day's work, 2 MB."""

TERMS_KEPT = 10_000
"""Terms whose postings are kept, those that stand nowhere among them: 1 MB."""

_LOG_LIMIT = f"journal_size_limit = {16 << 20}"
"""What SQLite's log may keep on disk after it was merged, in bytes: a first filling makes it huge."""

Found = dict[str, tuple[Ints, Floats] | None]
"""Postings by term as they were read; None for a term that stands nowhere."""


class InvertedFile:
    """One open index file. Threads share it; a lock lets one at a time use the connection."""

    def __init__(self, path: Path, commits: AbstractContextManager[object] | None = None, *, kept: bool = True) -> None:
        """Open or make the file. Raises IndexDamaged if something else lies there, OSError if it cannot be written.

        `commits` is entered for the moment in which a change becomes visible to others. What is not to be `kept` is
        in memory, for a disk that takes nothing: a copy of the file, empty where its log would have to be read too.
        """
        self.path = path
        self.kept = kept
        self._commits = commits
        self._lock = threading.RLock()
        self._views: dict[str, View] = {}
        self._keys: dict[str, tuple[View, dict[int, str]]] = {}
        self._read: dict[str, tuple[View, Found]] = {}
        self._entries_read = 0
        self._spaces: dict[str, int] = {}
        self._seen = 0
        self._steady = False
        with guarded():
            if kept and not path.exists():
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, PRIVATE_FILE))
            self._sql = _connected(path) if kept else _copied(path)
            try:
                for pragma in ("journal_mode = wal", "synchronous = normal", "secure_delete = on", _LOG_LIMIT):
                    self._sql.execute(f"pragma {pragma}").fetchall()
                if commits is not None:
                    self._sql.execute("pragma wal_autocheckpoint = 0").fetchall()
                if not self._sql.execute("select 1 from sqlite_master where name = 'mark'").fetchone():
                    self._sql.executescript(f"begin;{TABLES}commit;")
            except sqlite3.Error:
                self._sql.close()
                raise
            there = path.stat() if kept else None
            self._identity = (there.st_dev, there.st_ino) if there is not None else None

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._sql.close()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """All changes inside are one transaction; changes inside changes join it."""
        with self._lock, guarded():
            if self._sql.in_transaction:
                yield
                return
            self._sql.execute("begin immediate")
            try:
                yield
                with self._commits or nullcontext():
                    self._sql.execute("commit")
            except BaseException:
                self._views.clear()
                self._spaces.clear()
                if self._sql.in_transaction:
                    self._sql.execute("rollback")
                raise
            if self._commits is not None:  # what others wait for is over; merging the log takes a while
                self._sql.execute("pragma wal_checkpoint(passive)").fetchall()

    def mark(self, name: str) -> str:
        """A value kept beside the documents; empty if there is none."""
        with self._lock, guarded():
            row = self._sql.execute("select value from mark where name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def set_mark(self, name: str, value: str) -> None:
        """Keep a value beside the documents."""
        with self.changing():
            self._sql.execute("insert or replace into mark (name, value) values (?, ?)", (name, value))

    def states(self, space: str) -> dict[str, int]:
        """Every living document's key and state."""
        with self._lock, guarded():
            found = self._sql.execute("select key, state from document where space = ?", (self._space(space),))
            states: dict[str, int] = {}
            while rows := found.fetchmany(ROWS_AT_ONCE):
                states.update(rows)
        return states

    def add(self, space: str, documents: Iterable[Document]) -> None:
        """Index documents; those whose keys are known already are replaced. One segment a call."""
        with self.changing():
            listed = list(documents)
            if not listed:
                return
            self.remove(space, [document.key for document in listed])
            number = self._space(space)
            (first,) = self._sql.execute("select next_ord from space where id = ?", (number,)).fetchone()
            write_segment(self._sql, number, first, listed)
            self._sql.executemany(
                "insert into document (space, ord, key, state, record) values (?, ?, ?, ?, ?)",
                [
                    (number, ord_, document.key, document.state, document.record)
                    for ord_, document in enumerate(listed, start=first)
                ],
            )
            self._sql.execute("update space set next_ord = ? where id = ?", (first + len(listed), number))
            merge_small(self._sql, number)
            self._views.pop(space, None)

    def amend(self, space: str, keys: Sequence[str], change: Amendment) -> None:
        """Give documents another state, record and facets; their words and labels stay, unknown keys are passed over.

        A tenth of the work of indexing them anew. Facets keep their size.
        """
        with self.changing():
            number = self._space(space)
            found = self._documents(space, "key", keys)
            packed = PackedFacets(
                self._sql.execute("select id, ords, facets from segment where space = ?", (number,)),
                np.array([ord_ for ord_, _, _ in found], dtype=np.int32),
            )
            rows = []
            for ord_, key, record in found:
                state, said, facets = change(key, record, packed[ord_])
                packed[ord_] = facets
                rows.append((state, said, number, ord_))
            self._sql.executemany("update document set state = ?, record = ? where space = ? and ord = ?", rows)
            self._sql.executemany("update segment set facets = ? where id = ?", packed.written())
            self._views.pop(space, None)

    def remove(self, space: str, keys: Sequence[str]) -> None:
        """Strike documents off; unknown keys are passed over."""
        with self.changing():
            number = self._space(space)
            for some in slices(keys):
                self._sql.execute(
                    f"delete from document where space = ? and key in ({marks(some)})",  # noqa: S608
                    (number, *some),
                )
            self._views.pop(space, None)

    def drop(self, space: str) -> None:
        """Forget a space and all that is in it."""
        with self.changing():
            number = self._space(space)
            for table in ("document", "posting", "segment"):
                self._sql.execute(f"delete from {table} where space = ?", (number,))  # noqa: S608
            self._sql.execute("update space set next_ord = 0 where id = ?", (number,))
            self._views.pop(space, None)

    def is_current(self) -> bool:
        """Whether the path still names this very file: another process may have made it anew. No copy ever does."""
        with self._lock, guarded():
            try:
                there = self.path.stat()
            except OSError:
                return False
            return (there.st_dev, there.st_ino) == self._identity

    @contextmanager
    def steady(self) -> Iterator[None]:
        """For questions that belong together: what another process wrote is looked for once, as the first begins."""
        with self._lock:
            if self._steady:
                yield
                return
            self._look()
            self._steady = True
            try:
                yield
            finally:
                self._steady = False

    def view(self, space: str) -> View:
        """The space as arrays; kept until something in it changes, here or in another process."""
        with self._lock, guarded():
            if not self._steady:
                self._look()
            if space not in self._views:
                self._views[space] = load_view(self._sql, self._space(space))
            return self._views[space]

    def having(self, space: str, labels: Sequence[str]) -> Ints:
        """Numbers of living documents that carry any of the labels, ascending."""
        found = list(self.holders(space, labels).values())
        return np.unique(np.concatenate(found)) if found else np.empty(0, dtype=np.int32)

    def holders(self, space: str, labels: Sequence[str]) -> dict[str, Ints]:
        """Numbers of living documents by label; labels of none are left out."""
        with self._lock, guarded():
            view = self.view(space)
            postings = self._postings(space, labels, view)
        living = {label: ords[view.alive[ords]] for label, (ords, _) in postings.items()}
        return {label: ords for label, ords in living.items() if len(ords)}

    def rank(
        self,
        space: str,
        words: Sequence[str],
        limit: int,
        allowed: Flags | None = None,
        worth: Mapping[str, float] | None = None,
    ) -> Ranked:
        """The best documents for a query by BM25, newest first among equals.

        `allowed` restricts by document number, `worth` says how much each word counts. Of the words so many are
        scored, the rarest first, as `best_of` says.
        """
        with self._lock, guarded():
            view = self.view(space)
            postings = self._postings(space, words, view)
        return best_of(view, postings, words, limit, allowed, worth)

    def records(self, space: str, ords: Sequence[int]) -> dict[int, tuple[str, str]]:
        """Key and record of documents by number."""
        return {ord_: (key, record) for ord_, key, record in self._documents(space, "ord", ords)}

    def keys(self, space: str, ords: Sequence[int]) -> dict[int, str]:
        """Keys of living documents by number, remembered until something in the space changes."""
        with self._lock:
            view = self.view(space)
            known = self._keys.get(space)
            if known is None or known[0] is not view:
                known = self._keys[space] = (view, {})
            absent = [ord_ for ord_ in ords if ord_ not in known[1]]
            known[1].update((ord_, key) for ord_, key, _ in self._documents(space, "ord", absent))
            return known[1]

    def numbers(self, space: str, keys: Sequence[str]) -> dict[str, int]:
        """Document numbers by key; unknown ones are left out."""
        return {key: ord_ for ord_, key, _ in self._documents(space, "key", keys)}

    def keyed(self, space: str, keys: Sequence[str]) -> dict[str, str]:
        """Records by key; unknown ones are left out."""
        return {key: record for _, key, record in self._documents(space, "key", keys)}

    def check(self) -> str:
        """Read all of it; empty if sound, else what is wrong."""
        try:
            with self._lock, guarded():
                (said,) = self._sql.execute("pragma quick_check(1)").fetchone()
                if said != "ok":
                    return str(said)
                for ords, counts, checksum in self._sql.execute("select ords, counts, checksum from posting"):
                    if zlib.crc32(counts, zlib.crc32(ords)) != checksum:
                        return "a posting does not match its checksum"
        except IndexDamaged as wrong:
            return str(wrong)
        return ""

    def _documents(self, space: str, column: str, values: Sequence[str] | Sequence[int]) -> list[tuple[int, str, str]]:
        found: list[tuple[int, str, str]] = []
        with self._lock, guarded():
            number = self._space(space)
            for some in slices(values):
                found += self._sql.execute(
                    f"select ord, key, record from document where space = ? and {column} in ({marks(some)})",  # noqa: S608
                    (number, *some),
                ).fetchall()
        return found

    def _space(self, name: str) -> int:
        """The number of a space, which it keeps for as long as there is the file."""
        known = self._spaces.get(name)
        if known is None:
            known = self._spaces[name] = self._read_space(name)
        return known

    def _read_space(self, name: str) -> int:
        row = self._sql.execute("select id from space where name = ?", (name,)).fetchone()
        if row is None:
            row = self._sql.execute("insert into space (name) values (?) returning id", (name,)).fetchone()
        return int(row[0])

    def _look(self) -> None:
        """Let go of the views if another process has written."""
        with guarded():
            (version,) = self._sql.execute("pragma data_version").fetchone()
            if version != self._seen:
                self._seen = version
                self._views.clear()

    def _postings(self, space: str, terms: Sequence[str], view: View) -> Postings:
        """Numbers and counts by term, of the state that `view` shows; kept for as long as it does."""
        read = self._read.get(space)
        if read is None or read[0] is not view:
            read = self._read[space] = (view, {})
        known = read[1]
        unread = [term for term in dict.fromkeys(terms) if term not in known]
        if unread:
            found = seen_postings(self._sql, self._space(space), unread, len(view.alive))
            known.update((term, found.get(term)) for term in unread)
            self._entries_read += sum(len(ords) for ords, _ in found.values())
        postings = {term: posting for term in dict.fromkeys(terms) if (posting := known[term]) is not None}
        if self._entries_read > POSTINGS_KEPT or len(known) > TERMS_KEPT:
            self._read.clear()
            self._entries_read = 0
        return postings


def _connected(path: Path | str, *, uri: bool = False) -> sqlite3.Connection:
    return sqlite3.connect(path, check_same_thread=False, isolation_level=None, uri=uri)


def _copied(path: Path) -> sqlite3.Connection:
    memory = _connected(":memory:")
    log = path.with_name(f"{path.name}-wal")
    if path.exists() and not (log.exists() and log.stat().st_size):
        with closing(_connected(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as file:
            file.backup(memory)
    return memory
