"""Which pairs are one conflict: they share a side, and what stands against it says the same.

Where A contradicts B and A' says what A says, A' contradicts B too, and that is one thing to decide. Each pair is noted
for itself, so that it ends when a side of it does; pairs of one conflict bear its name, are shown as one entry, are
asked about once and are settled together.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Sequence

from msgspec import Struct

from companion.language.lexicon import value_of
from companion.store.binding import duckdb
from companion.store.rows import Query
from companion.store.texts import hashed_id

_VALUES = re.compile(r"“([^”]*)”(?: and |, [^“”]* says )“([^”]*)”|refuses “([^”]*)”")
"""The two values that a reason quotes of the two sides, or the one that a side refuses and the other gives."""


class Pair(Struct, frozen=True):
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
