"""The rows of an index file: functions over its connection, which the file locks and puts into transactions."""

from __future__ import annotations

import sqlite3
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from companion.store.text.bm25 import Flags, Postings, View
from companion.store.text.segments import (
    Document,
    IndexDamaged,
    joined_postings,
    postings_of,
    still_alive,
    without_dead,
)

MAX_SEGMENTS = 8
"""With more, the smallest half becomes one: few enough to read, few enough rewrites."""

_VARIABLES = 500
"""Values in one `in (…)`: older SQLite allows 999."""

TABLES = """
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


def load_view(sql: sqlite3.Connection, space: int) -> View:
    """A space as arrays: its segments joined, and which of its documents are alive."""
    (size,) = sql.execute("select next_ord from space where id = ?", (space,)).fetchone()
    lengths = np.zeros(size, dtype=np.float32)
    width = 0
    facets = bytearray()
    for ords, long, packed in sql.execute("select ords, lengths, facets from segment where space = ?", (space,)):
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
    alive = alive_in(sql, space, size)
    count = int(alive.sum())
    mean = float(lengths[alive].mean()) if count else 0.0
    return View(lengths, alive, bytes(facets), count, mean)


def alive_in(sql: sqlite3.Connection, space: int, size: int) -> Flags:
    """Which of a space's documents, by number, were not struck off."""
    alive = np.zeros(size, dtype=np.bool_)
    rows = sql.execute("select ord from document where space = ?", (space,)).fetchall()
    alive[np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows))] = True
    return alive


def _read_postings(sql: sqlite3.Connection, space: int, terms: Sequence[str], size: int) -> Postings:
    """Numbers and counts by term, segments joined."""
    parts: dict[str, tuple[list[bytes], list[bytes]]] = {}
    for some in slices(terms):
        for term, ords, counts, checksum in sql.execute(
            f"select term, ords, counts, checksum from posting where space = ? and term in ({marks(some)})",  # noqa: S608
            (space, *some),
        ).fetchall():
            if zlib.crc32(counts, zlib.crc32(ords)) != checksum:
                raise IndexDamaged("a posting does not match its checksum")
            joined = parts.setdefault(term, ([], []))
            joined[0].append(ords)
            joined[1].append(counts)
    return {term: joined_postings(ords, counts, size) for term, (ords, counts) in parts.items()}


def seen_postings(sql: sqlite3.Connection, space: int, terms: Sequence[str], size: int) -> Postings:
    """Postings without what another process has added behind the documents that are seen, `size` in number."""
    (there,) = sql.execute("select next_ord from space where id = ?", (space,)).fetchone()
    found = _read_postings(sql, space, terms, there)
    if there == size:
        return found
    seen = {term: ords < size for term, (ords, _) in found.items()}
    return {term: (ords[seen[term]], counts[seen[term]]) for term, (ords, counts) in found.items()}


def write_segment(sql: sqlite3.Connection, space: int, first: int, documents: Sequence[Document]) -> None:
    """Documents as one segment, numbered from `first` on."""
    gathered = postings_of(documents, first)
    numbers = np.arange(first, first + len(documents), dtype=np.int32)
    lengths = np.array([sum(document.words.values()) for document in documents], dtype=np.float32)
    facets = b"".join(document.facets for document in documents)
    segment = _new_segment(sql, space, numbers.tobytes(), lengths.tobytes(), facets)
    rows = ((space, term, segment, ords.tobytes(), bytes(counts)) for term, (ords, counts) in sorted(gathered.items()))
    _insert_postings(sql, rows)


def _new_segment(sql: sqlite3.Connection, space: int, ords: bytes, lengths: bytes, facets: bytes) -> int:
    row = sql.execute(
        "insert into segment (space, ords, lengths, facets) values (?, ?, ?, ?) returning id",
        (space, ords, lengths, facets),
    ).fetchone()
    return int(row[0])


def _insert_postings(sql: sqlite3.Connection, rows: Iterable[tuple[int, str, int, bytes, bytes]]) -> None:
    sql.executemany(
        "insert into posting (space, term, segment, ords, counts, checksum) values (?, ?, ?, ?, ?, ?)",
        ((*row, zlib.crc32(row[4], zlib.crc32(row[3]))) for row in rows),
    )


def merge_small(sql: sqlite3.Connection, space: int) -> None:
    """Make one segment of the smaller half where there are more than MAX_SEGMENTS, without what was struck off."""
    sizes = sql.execute("select id from segment where space = ? order by length(ords), id", (space,)).fetchall()
    if len(sizes) <= MAX_SEGMENTS:
        return
    old = [row[0] for row in sizes[: MAX_SEGMENTS // 2 + 1]]
    among = marks(old)
    (size,) = sql.execute("select next_ord from space where id = ?", (space,)).fetchone()
    alive = alive_in(sql, space, size)
    rows = sql.execute(
        f"select ords, lengths, facets from segment where id in ({among}) order by id",  # noqa: S608
        old,
    ).fetchall()
    ords, lengths, facets = (b"".join(parts) for parts in zip(*rows, strict=True))
    new = _new_segment(sql, space, *without_dead(ords, lengths, facets, alive))
    joined: defaultdict[str, tuple[list[bytes], list[bytes]]] = defaultdict(lambda: ([], []))
    for term, numbers, counts in sql.execute(
        f"select term, ords, counts from posting where segment in ({among}) order by segment",  # noqa: S608
        old,
    ):
        joined[term][0].append(numbers)
        joined[term][1].append(counts)
    sql.execute(f"delete from posting where segment in ({among})", old)  # noqa: S608
    sql.execute(f"delete from segment where id in ({among})", old)  # noqa: S608
    merged = ((term, still_alive(*joined[term], alive)) for term in sorted(joined))
    _insert_postings(sql, ((space, term, new, *parts) for term, parts in merged if parts[0]))


def slices(values: Sequence[str] | Sequence[int]) -> Iterator[Sequence[str] | Sequence[int]]:
    """Values, so many at a time as one statement takes."""
    for start in range(0, len(values), _VARIABLES):
        yield values[start : start + _VARIABLES]


def marks(values: Sequence[object]) -> str:
    """A question mark for each value of one statement."""
    return ", ".join("?" * len(values))


@contextmanager
def guarded() -> Iterator[None]:
    """What SQLite or numpy cannot make sense of is one error of ours."""
    try:
        yield
    except sqlite3.OperationalError as wrong:
        if "disk" in str(wrong) or "readonly" in str(wrong) or "unable to open" in str(wrong):
            raise OSError(f"the text index cannot be written: {wrong}") from wrong
        raise IndexDamaged(str(wrong)) from wrong
    except (sqlite3.Error, ValueError, LookupError, TypeError) as wrong:
        raise IndexDamaged(str(wrong)) from wrong
