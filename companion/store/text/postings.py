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
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import chain, repeat
from pathlib import Path

import numpy as np

from companion.store.files import PRIVATE_FILE
from companion.store.text.bm25 import Flags, Floats, Ints, Postings, Ranked, View, best_of

MAX_SEGMENTS = 8
"""With more, the smallest half becomes one: few enough to read, few enough rewrites."""

ROWS_AT_ONCE = 2_000
"""Rows fetched in one go: two milliseconds in which no other thread computes."""

_COUNT_LIMIT = 255
_VARIABLES = 500
"""Values in one `in (…)`: older SQLite allows 999."""

_LOG_LIMIT = f"journal_size_limit = {16 << 20}"
"""What SQLite's log may keep on disk after it was merged, in bytes: a first filling makes it huge."""

_TABLES = """
create table mark (name text primary key, value text not null) without rowid;
create table space (
    id integer primary key, name text not null unique, next_ord integer not null default 0
);
create table segment (
    id integer primary key, space integer not null, ords blob not null, lengths blob not null, facets blob not null
);
create table posting (
    space integer not null, term text not null, segment integer not null,
    ords blob not null, counts blob not null, checksum integer not null
);
create index posting_term on posting (space, term);
create index posting_segment on posting (segment);
create table document (
    space integer not null, ord integer not null, key text not null, state integer not null,
    record text not null, primary key (space, ord)
);
create unique index document_key on document (space, key);
"""


class IndexDamaged(Exception):
    """The file is not readable as an index of ours."""


@dataclass(frozen=True, slots=True)
class Document:
    """What is indexed of one document.

    `words` are counted terms for ranking; `labels` exact keys for `having`, which never rank and
    must begin with a mark no word begins with; `state` is compared to see whether it changed;
    `facets` is a fixed-size packed record of the space's own, `record` any text.
    """

    key: str
    state: int
    words: Mapping[str, int]
    labels: tuple[str, ...] = ()
    facets: bytes = b""
    record: str = ""


Amendment = Callable[[str, str, bytes], tuple[int, str, bytes]]
"""From a document's key, record and facets to its state, record and facets as they are now."""


class _Facets:
    """Facets of some documents of a space, by number, where they lie in its segments."""

    def __init__(self, segments: Iterable[tuple[int, bytes, bytes]], wanted: Ints) -> None:
        self._blobs: dict[int, bytearray] = {}
        self._places: dict[int, tuple[bytearray, int]] = {}
        self._width = 0
        for id_, ords, facets in segments:
            numbers = np.frombuffer(ords, dtype=np.int32)
            places = np.nonzero(np.isin(numbers, wanted))[0]
            if len(places):
                self._width = len(facets) // len(numbers)
                blob = self._blobs[id_] = bytearray(facets)
                self._places.update((int(numbers[place]), (blob, int(place) * self._width)) for place in places)

    def __getitem__(self, ord_: int) -> bytes:
        blob, start = self._places[ord_]
        return bytes(blob[start : start + self._width])

    def __setitem__(self, ord_: int, facets: bytes) -> None:
        blob, start = self._places[ord_]
        if len(facets) != self._width:
            raise ValueError("facets keep their size")
        blob[start : start + self._width] = facets

    def written(self) -> list[tuple[bytes, int]]:
        """The segments' facets as they are now, with the segments' ids."""
        return [(bytes(blob), id_) for id_, blob in self._blobs.items()]


class InvertedFile:
    """One open index file. Threads share it; a lock lets one at a time use the connection."""

    def __init__(self, path: Path, commits: AbstractContextManager[object] | None = None) -> None:
        """Open or make the file. Raises IndexDamaged if something else lies there.

        `commits` is entered for the moment in which a change becomes visible to others.
        """
        self.path = path
        self._commits = commits
        self._lock = threading.RLock()
        self._views: dict[str, View] = {}
        self._keys: dict[str, tuple[View, dict[int, str]]] = {}
        self._spaces: dict[str, int] = {}
        self._seen = 0
        with _guarded():
            if not path.exists():
                os.close(os.open(path, os.O_CREAT | os.O_WRONLY, PRIVATE_FILE))
            self._sql = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
            try:
                for pragma in ("journal_mode = wal", "synchronous = normal", "secure_delete = on", _LOG_LIMIT):
                    self._sql.execute(f"pragma {pragma}").fetchall()
                if commits is not None:
                    self._sql.execute("pragma wal_autocheckpoint = 0").fetchall()
                if not self._sql.execute("select 1 from sqlite_master where name = 'mark'").fetchone():
                    self._sql.executescript(f"begin;{_TABLES}commit;")
            except sqlite3.Error:
                self._sql.close()
                raise
            there = path.stat()
            self._identity = (there.st_dev, there.st_ino)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._sql.close()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """All changes inside are one transaction; changes inside changes join it."""
        with self._lock, _guarded():
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
        with self._lock, _guarded():
            row = self._sql.execute("select value from mark where name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def set_mark(self, name: str, value: str) -> None:
        """Keep a value beside the documents."""
        with self.changing():
            self._sql.execute("insert or replace into mark (name, value) values (?, ?)", (name, value))

    def states(self, space: str) -> dict[str, int]:
        """Every living document's key and state."""
        with self._lock, _guarded():
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
            self._write_segment(number, first, listed)
            self._sql.executemany(
                "insert into document (space, ord, key, state, record) values (?, ?, ?, ?, ?)",
                [
                    (number, ord_, document.key, document.state, document.record)
                    for ord_, document in enumerate(listed, start=first)
                ],
            )
            self._sql.execute("update space set next_ord = ? where id = ?", (first + len(listed), number))
            self._merge_small(number)
            self._views.pop(space, None)

    def amend(self, space: str, keys: Sequence[str], change: Amendment) -> None:
        """Give documents another state, record and facets; their words and labels stay, unknown keys are passed over.

        A tenth of the work of indexing them anew. Facets keep their size.
        """
        with self.changing():
            number = self._space(space)
            found = self._documents(space, "key", keys)
            packed = _Facets(
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
            for some in _slices(keys):
                self._sql.execute(
                    f"delete from document where space = ? and key in ({_marks(some)})",  # noqa: S608
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
        """Whether the path still names this very file: another process may have made it anew."""
        with self._lock, _guarded():
            try:
                there = self.path.stat()
            except OSError:
                return False
            return (there.st_dev, there.st_ino) == self._identity

    def view(self, space: str) -> View:
        """The space as arrays; kept until something in it changes, here or in another process."""
        with self._lock, _guarded():
            (version,) = self._sql.execute("pragma data_version").fetchone()
            if version != self._seen:
                self._seen = version
                self._views.clear()
            if space not in self._views:
                self._views[space] = self._load_view(self._space(space))
            return self._views[space]

    def having(self, space: str, labels: Sequence[str]) -> Ints:
        """Numbers of living documents that carry any of the labels, ascending."""
        found = list(self.holders(space, labels).values())
        return np.unique(np.concatenate(found)) if found else np.empty(0, dtype=np.int32)

    def holders(self, space: str, labels: Sequence[str]) -> dict[str, Ints]:
        """Numbers of living documents by label; labels of none are left out."""
        with self._lock, _guarded():
            view = self.view(space)
            postings = self._postings(self._space(space), labels, len(view.alive))
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
        with self._lock, _guarded():
            view = self.view(space)
            postings = self._postings(self._space(space), words, len(view.alive))
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
            with self._lock, _guarded():
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
        with self._lock, _guarded():
            number = self._space(space)
            for some in _slices(values):
                found += self._sql.execute(
                    f"select ord, key, record from document where space = ? and {column} in ({_marks(some)})",  # noqa: S608
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

    def _load_view(self, space: int) -> View:
        (size,) = self._sql.execute("select next_ord from space where id = ?", (space,)).fetchone()
        lengths = np.zeros(size, dtype=np.float32)
        width = 0
        facets = bytearray()
        for ords, long, packed in self._sql.execute(
            "select ords, lengths, facets from segment where space = ?", (space,)
        ):
            numbers = np.frombuffer(ords, dtype=np.int32)
            if len(numbers) and not (numbers.min() >= 0 and numbers.max() < size):
                raise IndexDamaged("a segment names documents that do not exist")
            lengths[numbers] = np.frombuffer(long, dtype=np.float32)
            if packed and not width:
                width = len(packed) // len(numbers)
                facets = bytearray(width * size)
            if width:
                rows = np.frombuffer(packed, dtype=np.uint8).reshape(len(numbers), width)
                np.frombuffer(facets, dtype=np.uint8).reshape(size, width)[numbers] = rows
        alive = self._alive(space, size)
        living = int(alive.sum())
        mean = float(lengths[alive].mean()) if living else 0.0
        return View(lengths, alive, bytes(facets), living, mean)

    def _alive(self, space: int, size: int) -> Flags:
        alive = np.zeros(size, dtype=np.bool_)
        rows = self._sql.execute("select ord from document where space = ?", (space,)).fetchall()
        alive[np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows))] = True
        return alive

    def _postings(self, space: int, terms: Sequence[str], size: int) -> Postings:
        """Numbers and counts by term, segments joined."""
        parts: dict[str, tuple[list[bytes], list[bytes]]] = {}
        for some in _slices(list(dict.fromkeys(terms))):
            for term, ords, counts, checksum in self._sql.execute(
                f"select term, ords, counts, checksum from posting where space = ? and term in ({_marks(some)})",  # noqa: S608
                (space, *some),
            ).fetchall():
                if zlib.crc32(counts, zlib.crc32(ords)) != checksum:
                    raise IndexDamaged("a posting does not match its checksum")
                joined = parts.setdefault(term, ([], []))
                joined[0].append(ords)
                joined[1].append(counts)
        return {term: _joined(ords, counts, size) for term, (ords, counts) in parts.items()}

    def _write_segment(self, space: int, first: int, documents: Sequence[Document]) -> None:
        gathered: dict[str, tuple[array[int], bytearray]] = {}
        for ord_, document in enumerate(documents, start=first):
            entries = chain(document.words.items(), zip(dict.fromkeys(document.labels), repeat(1)))
            for term, count in entries:
                parts = gathered.get(term)
                if parts is None:
                    parts = gathered[term] = (array("i"), bytearray())
                parts[0].append(ord_)
                parts[1].append(count if count < _COUNT_LIMIT else _COUNT_LIMIT)
        numbers = np.arange(first, first + len(documents), dtype=np.int32)
        lengths = np.array([sum(document.words.values()) for document in documents], dtype=np.float32)
        segment = self._new_segment(
            space, numbers.tobytes(), lengths.tobytes(), b"".join(document.facets for document in documents)
        )
        self._insert_postings(
            (space, term, segment, ords.tobytes(), bytes(counts)) for term, (ords, counts) in sorted(gathered.items())
        )

    def _new_segment(self, space: int, ords: bytes, lengths: bytes, facets: bytes) -> int:
        row = self._sql.execute(
            "insert into segment (space, ords, lengths, facets) values (?, ?, ?, ?) returning id",
            (space, ords, lengths, facets),
        ).fetchone()
        return int(row[0])

    def _insert_postings(self, rows: Iterable[tuple[int, str, int, bytes, bytes]]) -> None:
        self._sql.executemany(
            "insert into posting (space, term, segment, ords, counts, checksum) values (?, ?, ?, ?, ?, ?)",
            ((*row, zlib.crc32(row[4], zlib.crc32(row[3]))) for row in rows),
        )

    def _merge_small(self, space: int) -> None:
        sizes = self._sql.execute(
            "select id from segment where space = ? order by length(ords), id", (space,)
        ).fetchall()
        if len(sizes) <= MAX_SEGMENTS:
            return
        old = [row[0] for row in sizes[: MAX_SEGMENTS // 2 + 1]]
        marks = _marks(old)
        (size,) = self._sql.execute("select next_ord from space where id = ?", (space,)).fetchone()
        alive = self._alive(space, size)
        rows = self._sql.execute(
            f"select ords, lengths, facets from segment where id in ({marks}) order by id",  # noqa: S608
            old,
        ).fetchall()
        ords, lengths, facets = (b"".join(parts) for parts in zip(*rows, strict=True))
        new = self._new_segment(space, *_without_dead(ords, lengths, facets, alive))
        joined: defaultdict[str, tuple[list[bytes], list[bytes]]] = defaultdict(lambda: ([], []))
        for term, numbers, counts in self._sql.execute(
            f"select term, ords, counts from posting where segment in ({marks}) order by segment",  # noqa: S608
            old,
        ):
            joined[term][0].append(numbers)
            joined[term][1].append(counts)
        self._sql.execute(f"delete from posting where segment in ({marks})", old)  # noqa: S608
        self._sql.execute(f"delete from segment where id in ({marks})", old)  # noqa: S608
        merged = ((term, _kept(*joined[term], alive)) for term in sorted(joined))
        self._insert_postings((space, term, new, *parts) for term, parts in merged if parts[0])


def _without_dead(ords: bytes, lengths: bytes, facets: bytes, alive: Flags) -> tuple[bytes, bytes, bytes]:
    """A segment's arrays without the documents that were struck off."""
    numbers = np.frombuffer(ords, dtype=np.int32)
    keep = alive[numbers]
    packed = np.frombuffer(facets, dtype=np.uint8).reshape(len(numbers), len(facets) // max(1, len(numbers)))
    kept = np.frombuffer(lengths, dtype=np.float32)[keep]
    return numbers[keep].tobytes(), kept.tobytes(), packed[keep].tobytes()


def _kept(ords: Sequence[bytes], counts: Sequence[bytes], alive: Flags) -> tuple[bytes, bytes]:
    """Joined postings of one term without the documents that were struck off."""
    numbers = np.frombuffer(b"".join(ords), dtype=np.int32)
    keep = alive[numbers]
    return numbers[keep].tobytes(), np.frombuffer(b"".join(counts), dtype=np.uint8)[keep].tobytes()


def _joined(ords: Sequence[bytes], counts: Sequence[bytes], size: int) -> tuple[Ints, Floats]:
    """The arrays of one term. Raises IndexDamaged if they name documents that do not exist."""
    numbers = np.frombuffer(ords[0] if len(ords) == 1 else b"".join(ords), dtype=np.int32)
    if len(numbers) and int(numbers.max()) >= size:
        raise IndexDamaged("a posting names documents that do not exist")
    joined = np.frombuffer(counts[0] if len(counts) == 1 else b"".join(counts), dtype=np.uint8)
    return numbers, joined.astype(np.float32)


def _slices(values: Sequence[str] | Sequence[int]) -> Iterator[Sequence[str] | Sequence[int]]:
    for start in range(0, len(values), _VARIABLES):
        yield values[start : start + _VARIABLES]


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


@contextmanager
def _guarded() -> Iterator[None]:
    """What SQLite or numpy cannot make sense of is one error of ours."""
    try:
        yield
    except sqlite3.OperationalError as wrong:
        if "disk" in str(wrong) or "readonly" in str(wrong) or "unable to open" in str(wrong):
            raise OSError(f"the text index cannot be written: {wrong}") from wrong
        raise IndexDamaged(str(wrong)) from wrong
    except (sqlite3.Error, ValueError, LookupError, TypeError) as wrong:
        raise IndexDamaged(str(wrong)) from wrong
