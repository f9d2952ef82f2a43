"""Which pairs are one conflict: they share a side, and what stands against it says the same.

Where A contradicts B and A' says what A says, A' contradicts B too, and that is one thing to decide. Each pair is noted
for itself, so that it ends when a side of it does; pairs of one conflict bear its name, are shown as one entry, are
asked about once and are settled together.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from companion.language.lexicon import value_of
from companion.records import Contradiction, Memory, Resolution
from companion.store.binding import duckdb
from companion.store.memories.rows_sql import load
from companion.store.rows import Given, Query, Source, Sql, Table, fetched, reading
from companion.store.texts import hashed_id

_VALUES = re.compile(r"“([^”]*)”(?: and |, [^“”]* says )“([^”]*)”|refuses “([^”]*)”")
"""The two values that a reason quotes of the two sides, or the one that a side refuses and the other gives."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories and why they cannot both hold; `conflict` names the conflict that it is known to belong to.

    `state` is True of one that is open, False of one that was settled as both valid, None of one not noted yet.
    """

    a: str
    b: str
    reason: str
    conflict: str = ""
    state: bool | None = None


_TOUCHING = Query(
    Pair,
    """
select
    memory_a as a, memory_b as b, reason, if(conflict = '', contradictions.id, conflict) as conflict,
    resolved_at is null as state
from contradictions
join memories as one on one.id = memory_a
join memories as other on other.id = memory_b
where contradictions.project_id = $project
    and (memory_a in (select unnest($ids::varchar[])) or memory_b in (select unnest($ids::varchar[])))
    and (resolved_at is null or not starts_with(note, $by_itself))
    and one.status = 'active'
    and other.status = 'active'
order by detected_at, contradictions.id
""",
)
"""Of what was settled, only that of which both sides hold: a new statement for a side that lost is another conflict."""


@dataclass(frozen=True, slots=True)
class NotedPair:
    """A pair as it was noted."""

    id: str
    project: str
    a: Memory
    b: Memory
    reason: str
    confidence: float
    detected_at: datetime
    resolved_at: datetime | None
    resolution: Resolution | None
    note: str
    judge: str
    conflict: str

    def joins(self, side: list[Memory], against: list[Memory]) -> bool:
        """Whether it shares a memory with one of two sides; its two memories are then put where they belong."""
        turned = self.b in side or self.a in against
        if not (turned or self.a in side or self.b in against):
            return False
        for one, of in zip((self.b, self.a) if turned else (self.a, self.b), (side, against), strict=True):
            if one not in of:
                of.append(one)
        return True


PAIRS = Table(
    NotedPair,
    "contradictions",
    {
        "a": Given(None),
        "b": Given(None),
        "conflict": Sql("if(contradictions.conflict = '', contradictions.id, contradictions.conflict)"),
    },
)
"""Pairs as they are noted; the memories are read apart, by the columns `memory_a` and `memory_b`."""

Alike = Callable[[str, str, bool], bool]
"""Whether two memories (by id) that stand against a third say the same; the flag: they give it the same value."""


def standing(
    connection: duckdb.DuckDBPyConnection, project: str, ids: Collection[str], closed_by_itself: str
) -> list[Pair]:
    """The pairs noted of some memories: the open ones, and those settled as both valid."""
    return list(_TOUCHING.all(connection, project=project, ids=set(ids), by_itself=closed_by_itself))


def named(pairs: Sequence[Pair], known: Sequence[Pair], alike: Alike = lambda _a, _b, same: same) -> list[str]:
    """The name of the conflict that each of `pairs` belongs to: that of one of `known`, or of the first of its own."""
    at_side: defaultdict[str, dict[str, Pair]] = defaultdict(dict)
    fixed = {one.conflict for one in known}
    became: dict[str, str] = {}
    names: list[str] = []
    for one in (*known, *pairs):
        name = one.conflict
        if not name:
            met = [
                _last(became, found)
                for side in (one.a, one.b)
                for found, other in at_side[side].items()
                if _one_conflict(one, other, alike)
            ]
            name = next((found for found in met if found in fixed), (met or [pair_id(one.a, one.b)])[0])
            became |= {found: name for found in met if found != name and found not in fixed}
            names.append(name)
        for side in (one.a, one.b):
            at_side[side].setdefault(name, one)
    return [_last(became, name) for name in names]


def pair_id(a: str, b: str) -> str:
    """The id of a pair, from those of its two memories in any order."""
    return hashed_id("x1", *sorted((a, b)))


def read_pairs(source: Source, query: Query[NotedPair], **given: object) -> list[NotedPair]:
    """The pairs that a question finds, with their memories; those of which one is gone for good are left out."""
    with reading(source) as connection:
        columns = fetched(connection, query.statement, given)
        memories = {one.id: one for one in load(connection, sorted({*columns["memory_a"], *columns["memory_b"]}))}
    sides = {side: [memories.get(id_) for id_ in columns[f"memory_{side}"]] for side in ("a", "b")}
    return [pair for pair in query.read(columns, sides) if pair.a and pair.b]


def gathered(found: Sequence[NotedPair]) -> Iterator[Contradiction]:
    """Each conflict once; `found` lists its pairs in a row, the first noted first.

    Pairs of one conflict between which no side is left that links them are no longer one.
    """
    for _, some in groupby(found, key=lambda one: (one.conflict, one.resolved_at)):
        left = list(some)
        while left:
            a, b = [left[0].a], [left[0].b]
            linked = [left.pop(0)]
            while further := [one for one in left if one.joins(a, b)]:
                linked += further
                left = [one for one in left if one not in further]
            yield _entry(linked, a, b)


def _last(became: dict[str, str], name: str) -> str:
    while name in became:
        name = became[name]
    return name


def _one_conflict(one: Pair, other: Pair, alike: Alike) -> bool:
    sides = {one.a, one.b}
    against = {other.a, other.b}
    if sides == against:
        return True
    (mine,), (theirs,) = sides - against, against - sides
    values = _values(one.reason)
    return alike(mine, theirs, bool(values) and values == _values(other.reason))


def _values(reason: str) -> frozenset[str]:
    """The values that a reason says the two sides give, however they are spelled or spaced."""
    found = (value_of(value) for some in _VALUES.findall(reason) for value in some if value)
    return frozenset(re.sub(r"\W+", "", value.casefold()) for value in found)


def _entry(pairs: Sequence[NotedPair], a: Sequence[Memory], b: Sequence[Memory]) -> Contradiction:
    """A conflict with the best evidenced of either side first."""
    (one, *also_a), (other, *also_b) = (sorted(side, key=_best) for side in (a, b))
    first = pairs[0]
    shown = next((pair for pair in pairs if {pair.a.id, pair.b.id} == {one.id, other.id}), first)
    return Contradiction(
        id=first.id,
        project=first.project,
        a=one,
        b=other,
        reason=shown.reason,
        confidence=max(pair.confidence for pair in pairs),
        detected_at=first.detected_at,
        resolved_at=first.resolved_at,
        resolution=first.resolution,
        note=first.note,
        judge=shown.judge,
        also_a=tuple(also_a),
        also_b=tuple(also_b),
        pairs=tuple(pair.id for pair in pairs),
    )


def _best(memory: Memory) -> tuple[object, ...]:
    """What is pinned comes first, then what most evidence speaks for, then what is surest and was there first."""
    draft = memory.draft
    return (not draft.pinned, -len(draft.evidence), -draft.confidence, memory.created_at, memory.id)
