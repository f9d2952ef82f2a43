"""Memories near one another in meaning: for each its nearest few, found block by block in bounded memory.

Every memory is stood for by the vector of its summary. Up to EXACT_TEXTS different texts each is compared
with each. Above that the texts are gathered around centres, and each is compared with those around its own
centre and the PROBED next ones: of pairs that are really near hardly any is missed, at a small part of the
work. Texts that several memories share are compared once.

Everything is computed in an order that the store decides, so the same store gives the same pairs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from companion.store.text_index import FULL_TEXT_CHARACTERS

if TYPE_CHECKING:
    from companion.store.database import Database

Floats = npt.NDArray[np.float32]
Halves = npt.NDArray[np.float16]
Rows = npt.NDArray[np.int64]

EXACT_TEXTS = 12_000
"""Up to here each is compared with each: some 55 billion multiplications for 384 numbers a text."""
PROBED = 16
"""Groups looked at for each text, its own among them: finds .994 of 100,000 texts' pairs above a cosine of .92."""
SAMPLED_TEXTS = 12_000
"""Texts that the centres are found with: some thirty for each centre."""
ROUNDS = 4
"""Times the centres are moved to the middle of what is around them; more changes little."""
ASKED_AT_ONCE, OTHERS_AT_ONCE = 512, 4_096
"""Texts compared at a time with so many others: 8 MB of similarities, 6 MB of numbers."""
READ_AT_ONCE = 5_000
"""Vectors read by one statement: 8 MB here, and several times that in DuckDB."""
SHARED_PAIRS = 4
"""Memories of one text that are paired with each other or with those of a near text, at most so many a side."""
BLOCK_PAIRS = 10_000
"""Pairs handed over at a time: a megabyte of ids."""

_MODEL = """
select e.model
from embeddings e
where e.text_hash in (
    select left(sha256(left(content_summary, $characters)), 32)
    from memories
    where project_id = $project
        and status = 'active'
)
group by e.model
order by count(*) desc, e.model
limit 1
"""

_SAYERS = """
select m.id, m.text_hash, m.created_at >= coalesce($since, m.created_at) as asked, len(e.vector) as dimension
from (
    select id, created_at, left(sha256(left(content_summary, $characters)), 32) as text_hash
    from memories
    where project_id = $project
        and status = 'active'
        and kind like $kind
) m
join embeddings e on e.text_hash = m.text_hash and e.model = $model
order by m.text_hash, m.id
"""

_PLACES = """
create temp table near_places as
select unnest($hashes::varchar[]) as text_hash, unnest(range(len($hashes::varchar[]))) as place
"""

_LAST = """
select coalesce(max(rowid), -1)
from embeddings
"""

_PLACED = """
select p.place
from embeddings e
join near_places p on p.text_hash = e.text_hash
where e.rowid between $first and $last
    and e.model = $model
    and len(e.vector) = $dimension
order by e.rowid
"""

_VALUES = """
select unnest(vector) as value
from (
    select e.vector
    from embeddings e
    join near_places p on p.text_hash = e.text_hash
    where e.rowid between $first and $last
        and e.model = $model
        and len(e.vector) = $dimension
    order by e.rowid
)
"""
"""The numbers in one column, a range of the table at a time: asked for by their hashes, all would be read each time."""


class Block(NamedTuple):
    """Pairs of memories, `ids_a[i] < ids_b[i]`, with how near each pair is (cosine)."""

    ids_a: list[str]
    ids_b: list[str]
    cosine: Floats


@dataclass(frozen=True)
class _Texts:
    """Different texts: their vectors, who says each (a slice of `ids`), and which are asked about."""

    ids: list[str]
    starts: Rows
    matrix: Halves
    asked: npt.NDArray[np.bool_]


def model_of(database: Database, project: str) -> str:
    """The model that most of a project's summaries have a vector of; empty where none has."""
    with database.read() as connection:
        given = {"project": project, "characters": FULL_TEXT_CHARACTERS}
        row = connection.execute(_MODEL, given).fetchone()
    return str(row[0]) if row else ""


def neighbours(
    database: Database,
    project: str,
    model: str,
    k: int,
    floor: float,
    since: datetime | None = None,
    *,
    kind: str = "%",
) -> Iterator[Block]:
    """Pairs of active memories that are at least `floor` near, the `k` nearest of each, once a pair, by ids.

    With `since` one of the two was learned at that moment or later. Memories without a vector of `model` are
    left out; `kind` is a pattern of what is looked at (`fact`, `%`). Takes some 60 MB for 100,000 memories.
    """
    texts = _read(database, project, model, since, kind)
    if texts is None or not texts.asked.any():
        return
    pairs, cosine = _unique(*_compared(texts, k, floor), len(texts.matrix))
    yield from _blocks(texts, pairs, cosine)


def _read(database: Database, project: str, model: str, since: datetime | None, kind: str) -> _Texts | None:
    given = {"project": project, "model": model, "since": since, "characters": FULL_TEXT_CHARACTERS, "kind": kind}
    with database.read() as connection:
        rows = connection.execute(_SAYERS, given).fetchall()
    if not rows:
        return None
    dimension = rows[0][3]
    rows = [row for row in rows if row[3] == dimension]
    hashes: list[str] = []
    starts: list[int] = []
    asked: list[bool] = []
    for at, (_, text_hash, wanted, _) in enumerate(rows):
        if not hashes or hashes[-1] != text_hash:
            hashes.append(text_hash)
            starts.append(at)
            asked.append(False)
        asked[-1] |= wanted
    ids = [row[0] for row in rows]
    del rows
    matrix = _vectors(database, model, dimension, hashes)
    return _Texts(ids, np.array([*starts, len(ids)], dtype=np.int64), matrix, np.array(asked))


def _vectors(database: Database, model: str, dimension: int, hashes: list[str]) -> Halves:
    """The vectors of some texts, one a row."""
    matrix = np.zeros((len(hashes), dimension), dtype=np.float16)
    with database.read() as connection:
        connection.execute(_PLACES, {"hashes": hashes})
        row = connection.execute(_LAST).fetchone()
        for first in range(0, int(row[0]) + 1 if row else 0, READ_AT_ONCE):
            asked = {"first": first, "last": first + READ_AT_ONCE - 1, "model": model, "dimension": dimension}
            places = connection.execute(_PLACED, asked).fetchnumpy()["place"]
            if len(places):
                values = connection.execute(_VALUES, asked).fetchnumpy()["value"]
                matrix[np.asarray(places)] = np.asarray(values).reshape(len(places), dimension)
    return matrix


def _compared(texts: _Texts, k: int, floor: float) -> tuple[Rows, Rows, Floats]:
    """For each text that is asked about the `k` nearest others: rows, rows, similarities."""
    everything = np.arange(len(texts.matrix))
    k = min(k, len(texts.matrix) - 1)
    if k < 1:
        none = np.empty(0, dtype=np.int64)
        return none, none, np.empty(0, dtype=np.float32)
    if len(texts.matrix) <= EXACT_TEXTS:
        found = [_nearest(texts.matrix, everything[texts.asked], everything, k, floor)]
    else:
        found = list(_by_group(texts, k, floor))
    a, b, cosine = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return a, b, cosine


def _by_group(texts: _Texts, k: int, floor: float) -> Iterator[tuple[Rows, Rows, Floats]]:
    centres = _centres(texts.matrix)
    groups = _around(texts.matrix, centres)
    order = np.argsort(groups, kind="stable")
    ends = np.searchsorted(groups[order], np.arange(len(centres) + 1))
    members = [order[ends[at] : ends[at + 1]] for at in range(len(centres))]
    near = np.argsort(-(centres @ centres.T), axis=1, kind="stable")[:, :PROBED]
    for at in range(len(centres)):
        asked = members[at][texts.asked[members[at]]]
        if len(asked):
            others = np.concatenate([members[other] for other in near[at].tolist()])
            yield _nearest(texts.matrix, asked, np.sort(others), k, floor)


def _centres(matrix: Halves) -> Floats:
    """Middles of groups of like vectors, one a row: as many as the root of their number, from an even sample."""
    count = max(1, round(len(matrix) ** 0.5))
    sample = matrix[np.linspace(0, len(matrix) - 1, min(len(matrix), SAMPLED_TEXTS)).astype(np.int64)].astype(
        np.float32
    )
    centres = sample[np.linspace(0, len(sample) - 1, count).astype(np.int64)].copy()
    for _ in range(ROUNDS):
        groups = np.argmax(sample @ centres.T, axis=1)
        sums = np.zeros_like(centres)
        np.add.at(sums, groups, sample)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(lengths > 0, sums / np.maximum(lengths, 1e-9), centres).astype(np.float32)
    return centres


def _around(matrix: Halves, centres: Floats) -> Rows:
    """The centre nearest to each vector."""
    found = np.empty(len(matrix), dtype=np.int64)
    step = OTHERS_AT_ONCE
    for start in range(0, len(matrix), step):
        some = slice(start, start + step)
        found[some] = np.argmax(matrix[some].astype(np.float32) @ centres.T, axis=1)
    return found


def _nearest(matrix: Halves, asked: Rows, others: Rows, k: int, floor: float) -> tuple[Rows, Rows, Floats]:
    """The `k` of `others` nearest to each of `asked`, if `floor` near: rows, rows, similarities."""
    found = [
        _nearest_of(matrix, asked[start : start + ASKED_AT_ONCE], others, k, floor)
        for start in range(0, len(asked), ASKED_AT_ONCE)
    ]
    a, b, cosine = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return a, b, cosine


def _nearest_of(matrix: Halves, some: Rows, others: Rows, k: int, floor: float) -> tuple[Rows, Rows, Floats]:
    asked = matrix[some].astype(np.float32)
    best = np.full((len(some), k), -1.0, dtype=np.float32)
    who = np.full((len(some), k), -1, dtype=np.int64)
    for start in range(0, len(others), OTHERS_AT_ONCE):
        part = others[start : start + OTHERS_AT_ONCE]
        scores = asked @ matrix[part].astype(np.float32).T
        scores[some[:, None] == part[None, :]] = -1.0
        rows = np.flatnonzero(scores.max(axis=1) >= floor)
        if not len(rows):
            continue
        top = _top(scores[rows], k)
        both = np.concatenate([best[rows], np.take_along_axis(scores[rows], top, axis=1)], axis=1)
        ids = np.concatenate([who[rows], part[top]], axis=1)
        top = _top(both, k)
        best[rows], who[rows] = np.take_along_axis(both, top, axis=1), np.take_along_axis(ids, top, axis=1)
    good = best >= floor
    return np.repeat(some, k).reshape(len(some), k)[good], who[good], best[good]


def _top(scores: Floats, k: int) -> Rows:
    """Columns of the `k` largest of each row, or of all if there are fewer."""
    if scores.shape[1] <= k:
        return np.broadcast_to(np.arange(scores.shape[1]), scores.shape)
    return np.argpartition(-scores, k - 1, axis=1)[:, :k]


def _unique(a: Rows, b: Rows, cosine: Floats, count: int) -> tuple[Rows, Floats]:
    """Each pair once, as two columns in ascending order."""
    codes = np.minimum(a, b) * count + np.maximum(a, b)
    codes, first = np.unique(codes, return_index=True)
    return np.stack([codes // count, codes % count], axis=1), np.minimum(cosine[first], 1.0)


def _blocks(texts: _Texts, pairs: Rows, cosine: Floats) -> Iterator[Block]:
    """Pairs of texts as pairs of who says them, and those who say the very same."""
    ids_a: list[str] = []
    ids_b: list[str] = []
    near: list[float] = []
    for one, other, similarity in _said(texts, pairs, cosine):
        ids_a.append(min(one, other))
        ids_b.append(max(one, other))
        near.append(similarity)
        if len(near) == BLOCK_PAIRS:
            yield Block(ids_a, ids_b, np.array(near, dtype=np.float32))
            ids_a, ids_b, near = [], [], []
    if near:
        yield Block(ids_a, ids_b, np.array(near, dtype=np.float32))


def _said(texts: _Texts, pairs: Rows, cosine: Floats) -> Iterator[tuple[str, str, float]]:
    ids, starts = texts.ids, texts.starts.tolist()
    for at in np.flatnonzero((np.diff(texts.starts) > 1) & texts.asked).tolist():
        same = ids[starts[at] : starts[at + 1]]
        for place, one in enumerate(same):
            for other in same[place + 1 : place + 1 + SHARED_PAIRS]:
                yield one, other, 1.0
    for (a, b), similarity in zip(pairs.tolist(), cosine.tolist(), strict=True):
        for one in ids[starts[a] : starts[a + 1]][:SHARED_PAIRS]:
            for other in ids[starts[b] : starts[b + 1]][:SHARED_PAIRS]:
                yield one, other, similarity
