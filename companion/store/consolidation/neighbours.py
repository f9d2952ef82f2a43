"""Memories near one another in meaning: for each its nearest few, found once a run for all passes that ask.

Every memory is stood for by the vector of its summary; texts that several memories share are compared once.
What is kept of it are the places of the nearest and how near they are, eight bytes each; the vectors are let
go of. Everything is read in an order that the store decides, so the same store gives the same pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from companion.store.binding import duckdb
from companion.store.consolidation.nearest import OTHERS_AT_ONCE, Floats, Nearest, PackedVectors, Places, Rows, nearest
from companion.store.database import Database
from companion.store.rows import column
from companion.store.statements import execute
from companion.store.text.documents import FULL_TEXT_CHARACTERS

NEAREST = 8
"""Neighbours of each memory that are kept: more than a reader follows, and what is said over and over is found as
the same words."""
NEAREST_FACTS = 20
"""Facts that are kept for each fact, to be compared with it; spec N4."""
FACTS_FROM = 0.2
"""Cosine below which two facts are about different things; a tenth of contradictions in other words lie below."""
READ_AT_ONCE = 5_000
"""Vectors read by one statement: 8 MB here, and several times that in DuckDB."""
SHARED_PAIRS = 4
"""Memories of one text that are paired with each other or with those of a near text, at most so many a side."""

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
create or replace temp table near_sayers as
select id, kind = 'fact' as is_fact, text_hash, dense_rank() over (order by text_hash) - 1 as text
from (
    select id, kind, left(sha256(left(content_summary, $characters)), 32) as text_hash
    from memories
    where project_id = $project
        and status = 'active'
)
where text_hash in (
    select e.text_hash
    from embeddings e
    where e.model = $model
)
"""

_SAID = """
select id, is_fact, text
from near_sayers
order by text, id
"""

_DIMENSION = """
select len(vector)
from embeddings
where model = $model
limit 1
"""

_LAST = """
select coalesce(max(rowid), -1)
from embeddings
"""

_PLACES = """
select e.rowid as nth, p.text
from embeddings e
join (select distinct text_hash, text from near_sayers) p on p.text_hash = e.text_hash
where e.model = $model
order by e.rowid
"""

_ROWS = """
select rowid as nth
from embeddings
where rowid between $first and $last
    and model = $model
    and len(vector) = $dimension
order by rowid
"""

_VALUES = """
select unnest(vector) as value
from (
    select vector
    from embeddings
    where rowid between $first and $last
        and model = $model
        and len(vector) = $dimension
    order by rowid
)
"""
"""The numbers in one column, a range of the table at a time: asked for by their hashes, all would be read each time.
Vectors that nobody asked for are read along: joining each range to those who are wanted takes nearly twice as long."""

_IDS = """
create or replace temp table near_ids as
select place, id
from near_given
"""

_PAIRS = """
create or replace temp table near_found (
    a integer not null,
    b integer not null,
    cosine float not null
)
"""

_ADD_PAIRS = """
insert into near_found
select a, b, cosine
from near_given
"""

_NAMED_PAIRS = """
create or replace temp view near_pairs as
select one.id as a, other.id as b, found.cosine
from near_found found
join near_ids one on one.place = found.a
join near_ids other on other.place = found.b
"""


class VectorBlock(NamedTuple):
    """Pairs of memories by their places in `Neighbours.ids`, with how near each pair is (cosine)."""

    a: Places
    b: Places
    cosine: Floats


class Sayers(NamedTuple):
    """Different texts by their rows among all, and who says each: a slice of `who`, which are places of memories."""

    rows: Rows
    starts: Rows
    who: Rows


class _Said(NamedTuple):
    """All memories that have a vector, in the order of their texts, and the text of each by its number."""

    ids: npt.NDArray[np.object_]
    text: Rows
    is_fact: npt.NDArray[np.bool_]
    vectors: PackedVectors

    def sayers(self, wanted: npt.NDArray[np.bool_]) -> Sayers:
        """The texts that some of the wanted say, with these alone."""
        who = np.flatnonzero(wanted)
        rows, starts = np.unique(self.text[who], return_index=True)
        return Sayers(rows, np.append(starts, len(who)), who)


class _Found(NamedTuple):
    """What is kept: who is who, and the nearest of all, and among the facts alone."""

    ids: npt.NDArray[np.object_]
    everyone: tuple[Sayers, Nearest]
    facts: tuple[Sayers, Nearest]


class Neighbours(Struct, frozen=True, dict=True):
    """What is near what in one project: found when it is first asked for, and then kept.

    Memories without a vector of `model` are left out (empty: the model that most texts have one of). `floor` is
    how near two of all memories must be; `breathe` is called every few milliseconds, and may wait.
    """

    database: Database
    project: str
    model: str = ""
    floor: float = FACTS_FROM
    breathe: Callable[[], object] = lambda: None

    @property
    def none(self) -> bool:
        """Whether there are no vectors to tell by."""
        return not self._named

    @property
    def ids(self) -> npt.NDArray[np.object_]:
        """The memories that pairs name by their places."""
        return self._found.ids

    def pairs(self, floor: float) -> Iterator[VectorBlock]:
        """Pairs of active memories at least `floor` near, the NEAREST of each, once a pair."""
        yield from _blocks(*self._found.everyone, floor, self.breathe)

    def facts(self) -> Iterator[VectorBlock]:
        """Pairs of active facts, the NEAREST_FACTS of each that are at least FACTS_FROM near, once a pair."""
        yield from _blocks(*self._found.facts, FACTS_FROM, self.breathe)

    def lend(self, connection: duckdb.DuckDBPyConnection, blocks: Iterable[VectorBlock]) -> None:
        """Make pairs a table that statements of this connection can read: `near_pairs`, ids `a` and `b`, `cosine`."""
        _given(connection, _IDS, {"place": np.arange(len(self.ids), dtype=np.int32), "id": self.ids})
        execute(connection, _PAIRS)
        for block in blocks:
            _given(connection, _ADD_PAIRS, block._asdict())
        execute(connection, _NAMED_PAIRS)

    @cached_property
    def _named(self) -> str:
        return self.model or model_of(self.database, self.project)

    @cached_property
    def _found(self) -> _Found:
        said = _read(self.database, self.project, self._named, self.breathe)
        everyone, facts = said.sayers(np.ones_like(said.is_fact)), said.sayers(said.is_fact)
        return _Found(
            said.ids,
            (everyone, nearest(said.vectors, everyone.rows, NEAREST, self.floor, self.breathe)),
            (facts, nearest(said.vectors, facts.rows, NEAREST_FACTS, FACTS_FROM, self.breathe)),
        )


def model_of(database: Database, project: str) -> str:
    """The model that most of a project's summaries have a vector of; empty where none has."""
    given = {"project": project, "characters": FULL_TEXT_CHARACTERS}
    return next(iter(column(database, _MODEL, **given)), "")


def _given(connection: duckdb.DuckDBPyConnection, statement: str, columns: dict[str, npt.NDArray[np.generic]]) -> None:
    """Run a statement that reads columns as the table `near_given`: as lists they would take ten times as long."""
    connection.register("near_given", columns)
    try:
        execute(connection, statement)
    finally:
        connection.unregister("near_given")


def _read(database: Database, project: str, model: str, breathe: Callable[[], object]) -> _Said:
    """Who says what that has a vector, and the vectors; of nothing where one has another length than the first."""
    given = {"project": project, "model": model, "characters": FULL_TEXT_CHARACTERS}
    with database.read() as connection:
        execute(connection, _SAYERS, given)
        found = execute(connection, _SAID).fetchnumpy()
        dimension = next(iter(column(connection, _DIMENSION, model=model)), 0)
        text = np.asarray(found["text"])
        vectors = PackedVectors.empty(int(text[-1]) + 1 if len(text) else 0, dimension)
        _fill(connection, model, vectors, breathe)
    return _Said(np.asarray(found["id"]), text, np.asarray(found["is_fact"]), vectors)


def _fill(
    connection: duckdb.DuckDBPyConnection, model: str, into: PackedVectors, breathe: Callable[[], object]
) -> None:
    dimension = into.numbers.shape[1]
    places = execute(connection, _PLACES, {"model": model}).fetchnumpy()
    nths, texts = np.asarray(places["nth"]), np.asarray(places["text"])
    (last,) = column(connection, _LAST)
    for first in range(0, last + 1, READ_AT_ONCE):
        asked = {"first": first, "last": first + READ_AT_ONCE - 1, "model": model, "dimension": dimension}
        wanted = slice(*np.searchsorted(nths, (first, first + READ_AT_ONCE)).tolist())
        there = np.asarray(execute(connection, _ROWS, asked).fetchnumpy()["nth"])
        _, mine, here = np.intersect1d(nths[wanted], there, assume_unique=True, return_indices=True)
        if len(mine):
            values = np.asarray(execute(connection, _VALUES, asked).fetchnumpy()["value"])
            into.put(texts[wanted][mine], values.reshape(len(there), dimension)[here])
        breathe()


def _blocks(said: Sayers, found: Nearest, floor: float, breathe: Callable[[], object]) -> Iterator[VectorBlock]:
    """Pairs of texts as pairs of who says them, and those who say the very same."""
    yield _same(said)
    for start in range(0, len(found.who), OTHERS_AT_ONCE):
        yield _said_by(said, *_once(found, floor, start))
        breathe()


def _same(said: Sayers) -> VectorBlock:
    """Each of those who say the very same, with the next few of them."""
    text = np.repeat(np.arange(len(said.rows)), np.diff(said.starts))
    firsts = [np.flatnonzero(text[:-step] == text[step:]) for step in range(1, SHARED_PAIRS + 1)]
    a = np.concatenate(firsts)
    b = np.concatenate([first + step for step, first in enumerate(firsts, start=1)])
    return _block(said, a, b, np.ones(len(a), dtype=np.float32))


def _once(found: Nearest, floor: float, start: int) -> tuple[Rows, Rows, Floats]:
    """Each pair of texts once: by the first of the two, or by the second where only that has the other."""
    who, cosine = found.who[start : start + OTHERS_AT_ONCE], found.cosine[start : start + OTHERS_AT_ONCE]
    mine = np.arange(start, start + len(who), dtype=np.int32)[:, None]
    mutual = (found.who[who] == mine[:, :, None]).any(axis=2)
    a, column = np.nonzero((who >= 0) & (cosine >= floor) & ((mine < who) | ~mutual))
    return a + start, who[a, column].astype(np.int64), cosine[a, column]


def _said_by(said: Sayers, a: Rows, b: Rows, cosine: Floats) -> VectorBlock:
    """Pairs of texts as pairs of the first few who say the one and the other."""
    many = np.minimum(np.diff(said.starts), SHARED_PAIRS)
    parts = []
    for one, other in product(range(SHARED_PAIRS), repeat=2):
        here = np.flatnonzero((many[a] > one) & (many[b] > other))
        parts.append((said.starts[a[here]] + one, said.starts[b[here]] + other, cosine[here]))
    return _block(said, *map(np.concatenate, zip(*parts, strict=True)))


def _block(said: Sayers, a: Rows, b: Rows, cosine: Floats) -> VectorBlock:
    return VectorBlock(said.who[a].astype(np.int32), said.who[b].astype(np.int32), cosine)
