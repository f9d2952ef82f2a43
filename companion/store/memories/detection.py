"""Facts that cannot both hold: found when something is learned, kept until somebody settles them.

Two active facts contradict one another when they speak of the same thing (same key, hence the same
scope, visibility and persona), come from another source or origin, give another value, hold at the
same time, and the judge who is handed in does not find that both can hold. What a judge finds of facts
with other keys is noted here too (`oppose`). Both stay. A pair is noted once; when one side goes, the
pair is closed with a note; what a person settled is not opened again. Decisions count while they are
in force.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from itertools import combinations

from msgspec import Struct

from companion.escape import shortened
from companion.ports import Judge
from companion.records import Oppose, Resolution, Scope, Statement
from companion.records.memory import sharer
from companion.store.binding import duckdb
from companion.store.bulk import insert_dicts
from companion.store.by_columns import pairs_where, rows_where
from companion.store.memories.conflicts import Pair, named, pair_id, standing
from companion.store.memories.contradictions import CLOSED_BY_ITSELF, PAIRS, reopen_pairs
from companion.store.rows import MadeOf, Sql, Table, column

PAIRS_A_KEY = 50
"""Most pairs noted for one key: a hundred manifests that all differ would make five thousand."""

FACTS_A_KEY = 100
"""Facts of one key that are compared, the newest: ten thousand would make fifty million pairs."""

SAID_CHARACTERS = 80
"""A value is quoted this far in a contradiction's reason."""


class _Fact(Struct, frozen=True):
    id: str
    key: str
    source: str
    origin: str
    value: str
    confidence: float
    created_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    subject: str
    attribute: str
    checkout: str
    scope: Scope
    in_force: bool

    def statement(self) -> Statement:
        """What it says, as a judge reads it."""
        said = f"{self.subject} {self.attribute}: {self.value}" if self.attribute else self.value
        subject = self.subject if self.attribute else ""
        by = f"{self.source} {self.origin}"
        return Statement(said, self.scope, subject, self.attribute, self.value, by, self.valid_from, self.valid_to)


_FACTS = Table(
    _Fact,
    "memories",
    {
        "key": "memory_key",
        "checkout": MadeOf("learner", lambda learner: learner.partition("@")[2]),
        "in_force": Sql("""
    status = 'active'
        and superseded_by = ''
        and (type <> 'decision' or json_extract_string(body, '$.status') = 'in force')"""),
    },
)

_OF_KEYS = _FACTS.select("""
where project_id = $project
    and kind = 'fact'
    and memory_key in (select unnest($keys::varchar[]))
    and status = 'active'
qualify
    count(*) over (partition by memory_key) > 1
        and row_number() over (partition by memory_key order by created_at desc, id desc) <= $most
order by created_at, id
""")

_STANDING = """
select distinct if(conflict = '', id, conflict) as name
from contradictions
where resolved_at is null
    and name in (select unnest($conflicts::varchar[]))
"""


def detect(
    connection: duckdb.DuckDBPyConnection,
    project: str,
    keys: Collection[str],
    now: datetime,
    judge: Callable[[], Judge] | None = None,
) -> int:
    """Note the contradictions among facts with one of the keys, close what no longer is one.

    A `judge` is asked whether two values can hold at once (`3.9 or later` beside `3.9 to 3.13`); without one,
    any two that differ cannot. Returns how many conflicts are newly open.
    """
    _close_settled(connection, project, now)
    groups: defaultdict[str, list[_Fact]] = defaultdict(list)
    for fact in _OF_KEYS.all(connection, project=project, keys=set(keys), most=FACTS_A_KEY) if keys else ():
        groups[fact.key].append(fact)
    pairs = {pair_id(a.id, b.id): (a, b) for group in groups.values() for a, b in _pairs(group, judge)}
    if not pairs:
        return 0
    reasons = {id_: _reason(a, b) for id_, (a, b) in pairs.items()}
    known = standing(connection, project, {fact.id for pair in pairs.values() for fact in pair}, CLOSED_BY_ITSELF)
    names = named([Pair(a.id, b.id, reasons[id_]) for id_, (a, b) in pairs.items()], known)
    over = {one.conflict for one in known} - {one.conflict for one in known if one.state}
    found = [
        Oppose(a.id, b.id, min(a.confidence, b.confidence), "", reasons[id_], name)
        for (id_, (a, b)), name in zip(pairs.items(), names, strict=True)
        if name not in over
    ]
    return oppose(connection, project, found, now)


def oppose(connection: duckdb.DuckDBPyConnection, project: str, found: Sequence[Oppose], now: datetime) -> int:
    """Open what a judge found; returns how many conflicts are newly open.

    A pair that a person has settled stays settled; one that was closed by itself is opened again.
    """
    pairs = {pair_id(one.a, one.b): one for one in found if one.a != one.b}
    if not pairs:
        return 0
    known = pairs_where(connection, "contradictions", "id, note", id=pairs)
    again = [id_ for id_, note in known.items() if note.startswith(CLOSED_BY_ITSELF)]
    fresh = {id_: one for id_, one in pairs.items() if id_ not in known}
    conflicts = {pairs[id_].conflict or id_ for id_ in (*fresh, *again)}
    there = column(connection, _STANDING, conflicts=conflicts)
    if again:
        reopen_pairs(connection, again)
    rows = [_row(id_, project, one) | {"detected_at": now} for id_, one in fresh.items()]
    insert_dicts(connection, "contradictions", rows)
    return len(conflicts.difference(there))


def _row(id_: str, project: str, one: Oppose) -> dict[str, object]:
    return {
        **{"id": id_, "project_id": project, "memory_a": one.a, "memory_b": one.b, "reason": one.reason},
        **{"confidence": one.confidence, "judge": one.judge, "conflict": one.conflict},
    }


def _close_settled(connection: duckdb.DuckDBPyConnection, project: str, now: datetime) -> None:
    """Close the open pairs that no longer contradict one another, each with a note that says why."""
    told = "id, memory_a, memory_b"
    pairs = rows_where(connection, "contradictions", told, order="id", project_id=project, resolved_at=None)
    if not pairs:
        return
    ids = {id_ for _, a, b in pairs for id_ in (a, b)}
    facts = {fact.id: fact for fact in _FACTS.where(connection, project_id=project, kind="fact", id=ids)}
    over = [
        (id_, facts.get(a), facts.get(b))
        for id_, a, b in pairs
        if a not in facts or b not in facts or not _conflict(facts[a], facts[b])
    ]
    closed: list[dict[str, object]] = [
        {"id": id_, "resolved_at": now, "resolution": _left_standing(a, b).value, "note": _why_over(a, b)}
        for id_, a, b in over
    ]
    PAIRS.update(connection, closed)


def _left_standing(a: _Fact | None, b: _Fact | None) -> Resolution:
    if a is not None and a.in_force and not (b is not None and b.in_force):
        return Resolution.A_WINS
    if b is not None and b.in_force and not (a is not None and a.in_force):
        return Resolution.B_WINS
    return Resolution.BOTH_VALID


def _why_over(a: _Fact | None, b: _Fact | None) -> str:
    gone = [sharer(fact.origin) or fact.origin for fact in (a, b) if fact is not None and not fact.in_force]
    if gone:
        return f"{CLOSED_BY_ITSELF}what {' and '.join(gone)} said no longer holds"
    return f"{CLOSED_BY_ITSELF}the two no longer hold at the same time"


def _pairs(group: Sequence[_Fact], judge: Callable[[], Judge] | None) -> Iterator[tuple[_Fact, _Fact]]:
    """Contradicting pairs of one key, the older fact first; the oldest pairs where there are too many."""
    found = 0
    for a, b in combinations(group, 2):
        if found == PAIRS_A_KEY:
            return
        if (
            (a.source, a.origin) != (b.source, b.origin)
            and (not a.checkout or b.checkout in ("", a.checkout))
            and _conflict(a, b)
            and (judge is None or judge().rule(a.statement(), b.statement()).contradict is not False)
        ):
            found += 1
            yield a, b


def _conflict(a: _Fact, b: _Fact) -> bool:
    """Whether the two still stand against one another; found by whomever, of one key or not."""
    alike = a.key == b.key and _normal(a.value) == _normal(b.value)
    return a.in_force and b.in_force and not alike and _overlap(a, b)


def _overlap(a: _Fact, b: _Fact) -> bool:
    early, late = datetime.min, datetime.max
    return (a.valid_from or early) < (b.valid_to or late) and (b.valid_from or early) < (a.valid_to or late)


def _normal(value: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", value)).strip().casefold()


def _reason(a: _Fact, b: _Fact) -> str:
    what = f"{a.subject} {a.attribute.replace('_', ' ')}".strip()
    says = (f"{sharer(fact.origin) or fact.origin} says “{shortened(fact.value, SAID_CHARACTERS)}”" for fact in (a, b))
    return f"{what}: {', '.join(says)}."
