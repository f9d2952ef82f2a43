"""Memories near one another in meaning: for each its nearest few, found once a night for all passes that ask.

Every memory is stood for by the vector of its summary; texts that several memories share are compared once.
What is kept of it are the places of the nearest and how near they are, eight bytes each; the vectors are let
go of. Everything is read in an order that the store decides, so the same store gives the same pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from companion.store.night.nearest import OTHERS_AT_ONCE, Floats, Halves, Nearest, Rows, nearest
from companion.store.text_index import FULL_TEXT_CHARACTERS

if TYPE_CHECKING:
    from companion.store.database import Database

NEAREST = 8
"""Neighbours of each memory that are kept: more than a reader follows, and what is said over and over is found as
the same words."""
NEAREST_FACTS = 20
"""Facts that are kept for each fact, to be compared with it; spec N4."""
FACTS_FROM = 0.3
"""Cosine below which two facts are about different things; contradictions of developers lie above .3."""
READ_AT_ONCE = 5_000
"""Vectors read by one statement: 8 MB here, and several times that in DuckDB."""
SHARED_PAIRS = 4
"""Memories of one text that are paired with each other or with those of a near text, at most so many a side."""
BLOCK_PAIRS = 25_000
"""Pairs handed over at a time: each block is joined with all memories once."""
FACT = "fact"

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
select id, kind, text_hash
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
order by text_hash, id
"""

_DIMENSION = """
select len(vector)
from embeddings
where model = $model
limit 1
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


class Sayers(NamedTuple):
    """Different texts: who says each (a slice of `ids`), and their rows in the matrix of all."""

    ids: list[str]
    starts: Rows
    rows: Rows


@dataclass(frozen=True)
class Neighbours:
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

    def pairs(self, floor: float) -> Iterator[Block]:
        """Pairs of active memories at least `floor` near, the NEAREST of each, once a pair."""
        everyone, _ = self._found
        yield from _blocks(*everyone, floor, self.breathe)

    def facts(self) -> Iterator[Block]:
        """Pairs of active facts, the NEAREST_FACTS of each that are at least FACTS_FROM near, once a pair."""
        _, facts = self._found
        yield from _blocks(*facts, FACTS_FROM, self.breathe)

    @cached_property
    def _named(self) -> str:
        return self.model or model_of(self.database, self.project)

    @cached_property
    def _found(self) -> tuple[tuple[Sayers, Nearest], tuple[Sayers, Nearest]]:
        """The nearest of all, and among the facts alone."""
        said, hashes, is_fact = _said(self.database, self.project, self._named)
        facts = _only(said, is_fact)
        matrix = _vectors(self.database, self._named, hashes, self.breathe)
        return (
            (said, nearest(matrix, said.rows, NEAREST, self.floor, self.breathe)),
            (facts, nearest(matrix, facts.rows, NEAREST_FACTS, FACTS_FROM, self.breathe)),
        )


def model_of(database: Database, project: str) -> str:
    """The model that most of a project's summaries have a vector of; empty where none has."""
    with database.read() as connection:
        given = {"project": project, "characters": FULL_TEXT_CHARACTERS}
        row = connection.execute(_MODEL, given).fetchone()
    return str(row[0]) if row else ""


def _said(database: Database, project: str, model: str) -> tuple[Sayers, list[str], list[bool]]:
    """Who says what that has a vector, in the order of the texts' hashes; these, and who of the first is a fact."""
    ids: list[str] = []
    starts: list[int] = []
    hashes: list[str] = []
    is_fact: list[bool] = []
    with database.read() as connection:
        found = connection.execute(_SAYERS, {"project": project, "model": model, "characters": FULL_TEXT_CHARACTERS})
        while some := found.fetchmany(READ_AT_ONCE):
            for id_, kind, text_hash in some:
                if not hashes or hashes[-1] != text_hash:
                    hashes.append(text_hash)
                    starts.append(len(ids))
                ids.append(id_)
                is_fact.append(kind == FACT)
    return Sayers(ids, np.array([*starts, len(ids)], dtype=np.int64), np.arange(len(hashes))), hashes, is_fact


def _only(said: Sayers, wanted: Sequence[bool]) -> Sayers:
    """Those of the texts that some of the wanted say, with these alone."""
    ids: list[str] = []
    starts: list[int] = []
    rows: list[int] = []
    for row, (start, end) in enumerate(zip(said.starts[:-1].tolist(), said.starts[1:].tolist(), strict=True)):
        mine = [said.ids[place] for place in range(start, end) if wanted[place]]
        if mine:
            starts.append(len(ids))
            rows.append(row)
            ids += mine
    return Sayers(ids, np.array([*starts, len(ids)], dtype=np.int64), np.array(rows, dtype=np.int64))


def _vectors(database: Database, model: str, hashes: list[str], breathe: Callable[[], object]) -> Halves:
    """The vectors of some texts, one a row; zeros for one of another length than the model's first."""
    with database.read() as connection:
        row = connection.execute(_DIMENSION, {"model": model}).fetchone()
        dimension = int(row[0]) if row else 0
        matrix = np.zeros((len(hashes), dimension), dtype=np.float16)
        connection.execute(_PLACES, {"hashes": hashes})
        row = connection.execute(_LAST).fetchone()
        for first in range(0, int(row[0]) + 1 if row else 0, READ_AT_ONCE):
            asked = {"first": first, "last": first + READ_AT_ONCE - 1, "model": model, "dimension": dimension}
            places = connection.execute(_PLACED, asked).fetchnumpy()["place"]
            if len(places):
                values = connection.execute(_VALUES, asked).fetchnumpy()["value"]
                matrix[np.asarray(places)] = np.asarray(values).reshape(len(places), dimension)
            breathe()
    return matrix


def _blocks(said: Sayers, found: Nearest, floor: float, breathe: Callable[[], object]) -> Iterator[Block]:
    """Pairs of texts as pairs of who says them, and those who say the very same."""
    ids_a: list[str] = []
    ids_b: list[str] = []
    near: list[float] = []
    for one, other, similarity in _told(said, found, floor):
        ids_a.append(min(one, other))
        ids_b.append(max(one, other))
        near.append(similarity)
        if len(near) == BLOCK_PAIRS:
            yield Block(ids_a, ids_b, np.array(near, dtype=np.float32))
            ids_a, ids_b, near = [], [], []
            breathe()
    if near:
        yield Block(ids_a, ids_b, np.array(near, dtype=np.float32))


def _told(said: Sayers, found: Nearest, floor: float) -> Iterator[tuple[str, str, float]]:
    ids, starts = said.ids, said.starts.tolist()
    for at in np.flatnonzero(np.diff(said.starts) > 1).tolist():
        same = ids[starts[at] : starts[at + 1]]
        for place, one in enumerate(same):
            for other in same[place + 1 : place + 1 + SHARED_PAIRS]:
                yield one, other, 1.0
    for a, b, similarity in _once(found, floor):
        for one in ids[starts[a] : starts[a + 1]][:SHARED_PAIRS]:
            for other in ids[starts[b] : starts[b + 1]][:SHARED_PAIRS]:
                yield one, other, similarity


def _once(found: Nearest, floor: float) -> Iterator[tuple[int, int, float]]:
    """Each pair of texts once: by the first of the two, or by the second where only that has the other."""
    for start in range(0, len(found.who), OTHERS_AT_ONCE):
        who, cosine = found.who[start : start + OTHERS_AT_ONCE], found.cosine[start : start + OTHERS_AT_ONCE]
        mine = np.arange(start, start + len(who), dtype=np.int32)[:, None]
        mutual = (found.who[who] == mine[:, :, None]).any(axis=2)
        told = (who >= 0) & (cosine >= floor) & ((mine < who) | ~mutual)
        a, column = np.nonzero(told)
        yield from zip((a + start).tolist(), who[a, column].tolist(), cosine[a, column].tolist(), strict=True)
