"""Changes in batches that one statement can carry out, in an order that comes to the same as one by one.

Two changes of one batch never move the same row. Changes of different sorts that leave one another alone
(one moves a memory's rank, another its warmth) may change places, so that a plan in which they alternate
is still a few batches; what archives, moves or merges a memory keeps its place among all that touches it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from companion.records.tidying import Change, Merge, Oppose, Relate, Rescope, Retire, Revive, Supersede, Unite, Unrelate

ALONE = "alone"
"""Claims a row before all others: nothing about it may change places with this."""

BESIDE = "beside"
"""Reads a row, and may stand beside others that do."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A change that waits, as the journal has it; `memories` and `expected` belong together."""

    number: int
    what: str
    change: Change
    memories: tuple[str, ...]
    expected: tuple[str, ...]


@dataclass(slots=True)
class _Claimed:
    """In which rounds a row is claimed, the latest of each way."""

    alone: int = -1
    ways: dict[str, int] = field(default_factory=dict)


def batches(
    changes: Sequence[Planned], most_rows: int, aliases: Iterable[tuple[str, str]] = ()
) -> Iterator[tuple[Planned, ...]]:
    """The changes, in batches of one sort that touch at most so many memories (a change alone may be more).

    `aliases` are the entities that stand for others already: uniting one may move the rows of its variants.
    """
    rounds: defaultdict[int, dict[str, list[Planned]]] = defaultdict(dict)
    claimed: defaultdict[str, _Claimed] = defaultdict(_Claimed)
    families = _Families([*aliases, *((c.entity, c.stands_for) for c in _united(changes))])
    for one in changes:
        number = _round(one, claimed, families)
        rounds[number].setdefault(one.what, []).append(one)
    for number in sorted(rounds):
        for alike in rounds[number].values():
            yield from _parts(alike, most_rows)


def _united(changes: Sequence[Planned]) -> Iterator[Unite]:
    return (one.change for one in changes if isinstance(one.change, Unite))


class _Families:
    """Entities that stand for one another, directly or by way of others."""

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        self._parents: dict[str, str] = {}
        for one, other in pairs:
            self._parents[self.head(one)] = self.head(other)

    def head(self, entity: str) -> str:
        """The name of an entity's family."""
        path = [entity]
        while (parent := self._parents.get(path[-1], path[-1])) != path[-1]:
            path.append(parent)
        self._parents.update(dict.fromkeys(path, path[-1]))
        return path[-1]


def _round(one: Planned, claimed: defaultdict[str, _Claimed], families: _Families) -> int:
    """The first round after all that must come before it; its claims are noted."""
    claims = _claims(one.change, families)
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


def _claims(change: Change, families: _Families) -> tuple[tuple[str, str], ...]:
    """The rows that a change is about, and in which way."""
    match change:
        case Merge(keep, drop):
            return tuple((id_, ALONE) for id_ in (keep, *drop))
        case Supersede(old, new):
            return ((old, ALONE), (new, ALONE))
        case Retire(id=id_) | Revive(id=id_) | Rescope(id=id_):
            return ((id_, ALONE),)
        case Relate(relation, a, b) | Unrelate(relation, a, b):
            return ((a, BESIDE), (b, BESIDE), (f"{relation.value}\x1f{a}\x1f{b}", ALONE))
        case Oppose(a, b):
            return ((a, BESIDE), (b, BESIDE), ("\x1f".join(sorted((a, b))), ALONE))
        case Unite(entity):
            return ((f"family of {families.head(entity)}", ALONE),)
        case _:
            return ((change.id, type(change).__name__),)


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
