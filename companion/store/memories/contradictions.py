"""Contradictions as they are noted: read, settled by a person, and opened again; `detection` notes and closes them.

Pairs of one conflict are one entry, the best evidenced of either side first.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from companion.errors import UsageError
from companion.records import Contradiction, Memory, Resolution
from companion.store.binding import duckdb
from companion.store.by_columns import rows_where, set_where
from companion.store.database import Database
from companion.store.memories.rows_sql import load
from companion.store.rows import Given, Query, Source, Sql, Table, apart, fetched, reading
from companion.store.statements import execute

SEVERAL = 6
"""Ids told of those that begin alike."""

CLOSED_BY_ITSELF = "closed by itself: "
"""How the note of a pair begins that nobody settled; such a pair may be opened again."""


class NotedPair(Struct, frozen=True):
    """A pair as it was noted: a contradiction by itself, and the conflict that it belongs to."""

    pair: Contradiction
    conflict: str

    def joins(self, side: list[Memory], against: list[Memory]) -> bool:
        """Whether it shares a memory with one of two sides; its two memories are then put where they belong."""
        a, b = self.pair.a, self.pair.b
        turned = b in side or a in against
        if not (turned or a in side or b in against):
            return False
        for one, of in zip((b, a) if turned else (a, b), (side, against), strict=True):
            if one not in of:
                of.append(one)
        return True


PAIRS = Table(
    NotedPair,
    "contradictions",
    {
        "pair": "",
        "pair.a": Given(None),
        "pair.b": Given(None),
        **apart("pair.scope_a", "pair.scope_b", "pair.merged", "pair.also_a", "pair.also_b", "pair.pairs"),
        "conflict": Sql("if(contradictions.conflict = '', contradictions.id, contradictions.conflict)"),
    },
)
"""Pairs as they are noted; the memories are read apart, by the columns `memory_a` and `memory_b`."""

_SETTLE = """
update contradictions
set
    resolved_at = $now,
    note = $note,
    resolution = if(
        list_contains($side::varchar[], memory_a),
        $how,
        case $how when 'a_wins' then 'b_wins' when 'b_wins' then 'a_wins' else $how end
    )
where id in (select unnest($ids::varchar[]))
"""

_OPEN = PAIRS.select(
    """
where project_id = $project
    and (resolved_at is null or $all)
order by conflict, resolved_at, detected_at, id
""",
    "memory_a",
    "memory_b",
)

_BY_PREFIX = PAIRS.select(
    """
where if(contradictions.conflict = '', id, contradictions.conflict) in (
    select if(conflict = '', id, conflict)
    from contradictions
    where starts_with(id, $prefix)
)
order by conflict, resolved_at, detected_at, id
""",
    "memory_a",
    "memory_b",
)


def open_ones(
    database: Database, project: str, *, settled: bool = False, sees: Callable[[Memory], bool] = lambda _: True
) -> tuple[Contradiction, ...]:
    """The open contradictions of a project, newest first; with `settled` the closed ones too.

    Pairs with a side that somebody does not see are left out.
    """
    pairs = read_pairs(database, _OPEN, project=project, all=settled)
    found = [one for one in pairs if sees(one.pair.a) and sees(one.pair.b)]
    return tuple(sorted(gathered(found), key=lambda one: (one.detected_at, one.id), reverse=True))


def noted(database: Database, project: str) -> frozenset[frozenset[str]]:
    """The pairs that were ever noted, by the ids of their memories."""
    return frozenset(map(frozenset, rows_where(database, "contradictions", "memory_a, memory_b", project_id=project)))


def contradiction(database: Database, prefix: str) -> Contradiction:
    """The one contradiction of which a pair's id begins so. Raises UsageError for none or several."""
    entries = gathered(read_pairs(database, _BY_PREFIX, prefix=prefix) if prefix else [])
    found = [one for one in entries if any(id_.startswith(prefix) for id_ in one.pairs)]
    if len(found) == 1:
        return found[0]
    several = ", ".join(one.id for one in found[:SEVERAL])
    raise UsageError(
        f"Several contradictions begin with {prefix}: {several}."
        if found
        else f"No contradiction begins with {prefix!r}.",
        "`companion contradictions` lists them with their ids.",
    )


def settle(
    connection: duckdb.DuckDBPyConnection, one: Contradiction, how: Resolution, note: str, now: datetime
) -> None:
    """Write down how one was settled, of each pair as its own two sides stand."""
    given = {"ids": list(one.pairs), "how": how.value, "note": note, "now": now}
    execute(connection, _SETTLE, given | {"side": [memory.id for memory in one.side_a]})


def reopen(connection: duckdb.DuckDBPyConnection, one: Contradiction) -> None:
    """Open one that a person has settled. Raises UsageError for one that was closed because a side is over."""
    if one.note.startswith(CLOSED_BY_ITSELF):
        raise UsageError(
            f"{one.id} was closed because {one.note.removeprefix(CLOSED_BY_ITSELF)}.",
            "It opens again by itself where both sides are said once more.",
        )
    reopen_pairs(connection, one.pairs)


def reopen_pairs(connection: duckdb.DuckDBPyConnection, ids: Collection[str]) -> None:
    """Open pairs that were resolved or closed."""
    set_where(connection, "contradictions", {"resolved_at": None, "resolution": None, "note": ""}, id=ids)


def read_pairs(source: Source, query: Query[NotedPair], **given: object) -> list[NotedPair]:
    """The pairs that a question finds, with their memories; those of which one is gone for good are left out."""
    with reading(source) as connection:
        columns = fetched(connection, query.statement, given)
        memories = {one.id: one for one in load(connection, sorted({*columns["memory_a"], *columns["memory_b"]}))}
    sides = {f"pair.{side}": [memories.get(id_) for id_ in columns[f"memory_{side}"]] for side in ("a", "b")}
    return [noted for noted in query.read(columns, sides) if noted.pair.a and noted.pair.b]


def gathered(found: Sequence[NotedPair]) -> Iterator[Contradiction]:
    """Each conflict once; `found` lists its pairs in a row, the first noted first.

    Pairs of one conflict between which no side is left that links them are no longer one.
    """
    for _, some in groupby(found, key=lambda one: (one.conflict, one.pair.resolved_at)):
        left = list(some)
        while left:
            linked = [left.pop(0)]
            a, b = [linked[0].pair.a], [linked[0].pair.b]
            while further := [one for one in left if one.joins(a, b)]:
                linked += further
                left = [one for one in left if one not in further]
            yield _entry([one.pair for one in linked], a, b)


def _entry(pairs: Sequence[Contradiction], a: Sequence[Memory], b: Sequence[Memory]) -> Contradiction:
    """A conflict with the best evidenced of either side first."""
    (one, *also_a), (other, *also_b) = (sorted(side, key=_best) for side in (a, b))
    first = pairs[0]
    shown = next((pair for pair in pairs if {pair.a.id, pair.b.id} == {one.id, other.id}), first)
    return replace(
        first,
        a=one,
        b=other,
        reason=shown.reason,
        confidence=max(pair.confidence for pair in pairs),
        judge=shown.judge,
        also_a=tuple(also_a),
        also_b=tuple(also_b),
        pairs=tuple(pair.id for pair in pairs),
    )


def _best(memory: Memory) -> tuple[object, ...]:
    """What is pinned comes first, then what most evidence speaks for, then what is surest and was there first."""
    draft = memory.draft
    return (not draft.pinned, -len(draft.evidence), -draft.confidence, memory.created_at, memory.id)
