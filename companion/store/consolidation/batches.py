"""Changes in batches that one statement can carry out, in an order that comes to the same as one by one.

Two changes of one batch never move the same row. Changes of different sorts that leave one another alone
(one moves a memory's rank, another its warmth) may change places, so that a plan in which they alternate
is still a few batches; what archives, moves or merges a memory keeps its place among all that touches it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from companion import wire
from companion.records.tidying import Change

ALONE = "alone"
"""Claims a row before all others: nothing about it may change places with this."""

BESIDE = "beside"
"""Reads a row, and may stand beside others that do."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A change as the journal has it, its record as JSON; `memories` and `expected` belong together.

    A run has a hundred thousand, and of hardly any the record itself is needed.
    """

    number: int
    what: str
    record: str
    memories: tuple[str, ...]
    expected: tuple[str, ...]

    @classmethod
    def read(cls, number: int, what: str, record: str, memories: Sequence[str], expected: Sequence[str]) -> Planned:
        """What a row of the journal says."""
        return cls(number, what, record, tuple(memories), tuple(expected))

    @property
    def change(self) -> Change:
        """The change as the pass proposed it, read from the journal."""
        read: Change = wire.decode_any(Change, json.loads(self.record))
        return read


@dataclass(slots=True)
class _Claimed:
    """In which rounds a row is claimed, the latest of each way."""

    alone: int = -1
    ways: dict[str, int] = field(default_factory=dict)


def batches(
    changes: Sequence[Planned],
    most_rows: int,
    aliases: Iterable[tuple[str, str]] = (),
    disputes: Iterable[tuple[str, str]] = (),
) -> Iterator[tuple[Planned, ...]]:
    """The changes, in batches of one sort that touch at most so many memories (a change alone may be more).

    `aliases` are the entities that stand for others already: uniting one may move the rows of its variants.
    `disputes` are the two sides of each contradiction, open or not: what archives one side closes it, or hands
    it on to the memory that stays, so that a merge elsewhere may find it there.
    """
    rounds: defaultdict[int, dict[str, list[Planned]]] = defaultdict(dict)
    claimed: defaultdict[str, _Claimed] = defaultdict(_Claimed)
    entities = _Families([*aliases, *_united(changes)])
    sides = [*disputes, *(one.memories[:2] for one in changes if one.what == "Oppose")]
    merged = [(one.memories[0], id_) for one in changes if one.what == "Merge" for id_ in one.memories[1:]]
    related = _Families([*sides, *merged])
    disputed = frozenset(related.head(id_) for pair in sides for id_ in pair)
    for one in changes:
        claims = [*_claims(one, entities), *_in_dispute(one, related, disputed)]
        number = _round(claims, claimed)
        rounds[number].setdefault(one.what, []).append(one)
    for number in sorted(rounds):
        for alike in rounds[number].values():
            yield from _parts(alike, most_rows)


def _united(changes: Sequence[Planned]) -> Iterator[tuple[str, str]]:
    for one in changes:
        if one.what == "Unite":
            said = json.loads(one.record)
            yield said["entity"], said["stands_for"]


class _Families:
    """What belongs together, directly or by way of others."""

    def __init__(self, pairs: Iterable[Sequence[str]]) -> None:
        self._parents: dict[str, str] = {}
        for one, other in pairs:
            self._parents[self.head(one)] = self.head(other)

    def head(self, one: str) -> str:
        """The name of the family that one belongs to."""
        path = [one]
        while (parent := self._parents.get(path[-1], path[-1])) != path[-1]:
            path.append(parent)
        self._parents.update(dict.fromkeys(path, path[-1]))
        return path[-1]


def _round(claims: Sequence[tuple[str, str]], claimed: defaultdict[str, _Claimed]) -> int:
    """The first round after all that must come before what claims this; its claims are noted."""
    number = 0
    for row, way in claims:
        before = claimed[row]
        number = max(number, before.alone + 1, before.ways.get(way, -1) + (way != BESIDE))
        if way == ALONE:
            number = max([number, *(last + 1 for last in before.ways.values())])
    for row, way in claims:
        if way == ALONE:
            claimed[row].alone = max(claimed[row].alone, number)
        else:
            claimed[row].ways[way] = max(claimed[row].ways.get(way, -1), number)
    return number


def _claims(one: Planned, families: _Families) -> tuple[tuple[str, str], ...]:
    """The rows that a change is about, and in which way."""
    match one.what:
        case "Merge" | "Supersede" | "Outdate" | "Retire" | "Revive" | "Rescope":
            return tuple((id_, ALONE) for id_ in one.memories)
        case "Relate" | "Unrelate":
            link = "\x1f".join((json.loads(one.record)["relation"], *one.memories))
            return (*((id_, BESIDE) for id_ in one.memories), (link, ALONE))
        case "Oppose":
            return (*((id_, BESIDE) for id_ in one.memories), ("\x1f".join(sorted(one.memories)), ALONE))
        case "Unite":
            return ((f"family of {families.head(json.loads(one.record)['entity'])}", ALONE),)
        case _:
            return ((one.memories[0], one.what),)


def _in_dispute(one: Planned, related: _Families, disputed: frozenset[str]) -> Iterator[tuple[str, str]]:
    """What a change claims of contradictions: to open one beside others, or to have all that may meet in it."""
    if disputed and one.what in {"Merge", "Supersede", "Outdate", "Retire", "Oppose"}:
        for head in {related.head(id_) for id_ in one.memories} & disputed:
            yield f"dispute of {head}", BESIDE if one.what == "Oppose" else ALONE


def _parts(alike: Sequence[Planned], most_rows: int) -> Iterator[tuple[Planned, ...]]:
    part: list[Planned] = []
    rows = 0
    for one in alike:
        weight = max(1, len(one.memories))
        if part and rows + weight > most_rows:
            yield tuple(part)
            part, rows = [], 0
        part.append(one)
        rows += weight
    if part:
        yield tuple(part)
