"""Changes in batches that one statement can carry out, in an order that comes to the same as one by one.

All of a batch are of one sort, and no two of them move the same row. Changes of different lanes leave one another alone
(one moves a memory's rank, another its warmth) and change places, so that a plan in which they alternate is still a few
batches; what archives, moves or merges a memory keeps its place among all others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from companion import wire
from companion.records import CHANGES, Change
from companion.store.by_columns import rows_where
from companion.store.database import Database
from companion.store.rows import Query, tuples

PAGE_CHANGES = 4_000
"""Changes read and put in order at a time: some 4 MB of Python objects."""

_LED = """
select row_key, led
from (
    select row_key, unnest([before ->> 'stands_for', after ->> 'stands_for']) as led
    from run_rows
    where run_id = $run
        and table_name = 'aliases'
)
where led is not null
"""
"""What the entities that a run united stood for, before and after: a variant moves along with each of them."""


class Planned(Struct, frozen=True):
    """A change as the journal has it, its record as JSON; `memories` and `expected` belong together.

    A run has a hundred thousand, and of hardly any the record itself is needed.
    """

    number: int
    what: str
    record: str
    memories: tuple[str, ...]
    expected: tuple[str, ...]

    @property
    def change(self) -> Change:
        """The record."""
        change: Change = wire.decode_any(Change, json.loads(self.record))
        return change

    @property
    def lane(self) -> str:
        """What it moves; see `companion.records.tidying`."""
        return CHANGES[self.what].lane


def pages(database: Database, query: Query[Planned], edge: int, **given: object) -> Iterator[Sequence[Planned]]:
    """Changes of a run, PAGE_CHANGES of the journal at a time; the query selects what lies beyond `$edge`."""
    while page := query.all(database, edge=edge, limit=PAGE_CHANGES, **given):
        yield page
        edge = page[-1].number


def in_batches(
    database: Database, run: str, project: str, page: Sequence[Planned], most_rows: int
) -> Iterator[tuple[Planned, ...]]:
    """Changes of a run in batches that one statement can carry out, as things stand now. See `batches`."""
    with database.read() as connection:
        aliases = rows_where(connection, "aliases", "entity, stands_for", project_id=project)
        aliases += tuples(connection, _LED, run=run)
        disputes = rows_where(connection, "contradictions", "memory_a, memory_b", project_id=project)
    return batches(page, most_rows, aliases, disputes)


def batches(
    changes: Sequence[Planned],
    most_rows: int,
    aliases: Iterable[tuple[str, str]] = (),
    disputes: Iterable[tuple[str, str]] = (),
) -> Iterator[tuple[Planned, ...]]:
    """The changes in batches of one sort, each about `most_rows` memories at most.

    `aliases` are the entities that are united already, `disputes` the sides of contradictions: what ends a memory may
    close those of it, or pass them on to the memory that stays.
    """
    families = _Families(changes, aliases, disputes)
    for moving, stretch in groupby(changes, key=lambda one: one.lane == "memory"):
        some = list(stretch)
        for _, alike in groupby(some if moving else sorted(some, key=lambda one: one.lane), key=lambda one: one.what):
            yield from _parts(alike, most_rows, families)


def _parts(alike: Iterable[Planned], most_rows: int, families: _Families) -> Iterator[tuple[Planned, ...]]:
    """Changes of one sort, cut where one would move what another of the batch has moved."""
    part: list[Planned] = []
    claimed: set[str] = set()
    rows = 0
    for one in alike:
        claims, weight = families.claims(one), max(1, len(one.memories))
        if part and (rows + weight > most_rows or not claimed.isdisjoint(claims)):
            yield tuple(part)
            part, claimed, rows = [], set(), 0
        part.append(one)
        claimed.update(claims)
        rows += weight
    if part:
        yield tuple(part)


class _Families:
    """What may move together: entities by what they stand for, memories by the contradictions they may meet in."""

    def __init__(
        self, changes: Sequence[Planned], aliases: Iterable[tuple[str, str]], disputes: Iterable[tuple[str, str]]
    ) -> None:
        self._parents: dict[str, str] = {}
        self._disputed: set[str] = set()
        sides = [*disputes, *(one.memories[:2] for one in changes if one.lane == "contradictions")]
        merged = [(one.memories[0], id_) for one in changes if one.what == "Merge" for id_ in one.memories[1:]]
        names = [_names(one) for one in changes if one.lane == "names"]
        for one, other in (*aliases, *names, *sides, *merged):
            self._parents[self._head(one)] = self._head(other)
        self._disputed = {self._head(id_) for pair in sides for id_ in pair}

    def claims(self, one: Planned) -> set[str]:
        """What no other change of the same batch may move."""
        match one.lane:
            case "links":
                return {" ".join((json.loads(one.record)["relation"], *one.memories))}
            case "contradictions":
                return {" ".join(sorted(one.memories))}
            case "names":
                return {self._head(_names(one)[0])}
            case "memory" if CHANGES[one.what].ends:
                return {*one.memories, *(self._disputed & {self._head(id_) for id_ in one.memories})}
            case _:
                return set(one.memories)

    def _head(self, one: str) -> str:
        """The name of the family that one belongs to."""
        path = [one]
        while (parent := self._parents.get(path[-1], path[-1])) != path[-1]:
            path.append(parent)
        self._parents.update(dict.fromkeys(path, path[-1]))
        return path[-1]


def _names(one: Planned) -> tuple[str, str]:
    said = json.loads(one.record)
    return said["entity"], said["stands_for"]
