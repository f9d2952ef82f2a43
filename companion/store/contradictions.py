"""Facts that cannot both hold: found when something is learned, kept until somebody settles them.

Two active facts contradict one another when they speak of the same thing (same key, hence the same
scope, visibility and persona), come from another source or origin, give another value, and hold at
the same time. Both stay. A pair is noted once; when one side goes, the pair is closed with a note;
what a person settled is not opened again. Decisions count while they are in force.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import TYPE_CHECKING

from companion.errors import UsageError
from companion.records import Contradiction, Resolution
from companion.store.bulk import insert_rows
from companion.store.records_sql import load

if TYPE_CHECKING:
    import duckdb

    from companion.store.database import Database

PAIRS_A_KEY = 50
"""Most pairs noted for one key: a hundred manifests that all differ would make five thousand."""

SAID_CHARACTERS = 80
"""A value is quoted this far in a contradiction's reason."""

CLOSED_BY_ITSELF = "closed by itself: "
"""How the note of a pair begins that nobody settled; such a pair may be opened again."""

_COLUMNS = ("id", "project_id", "memory_a", "memory_b", "reason", "confidence", "detected_at")

_FACTS = """
select
    id, memory_key, source, origin, value, confidence, created_at, valid_from, valid_to,
    subject, attribute,
    status = 'active'
        and (type <> 'decision' or json_extract_string(body, '$.status') = 'in force') as in_force
from memories
where project_id = $project
    and kind = 'fact'
    and (memory_key in (select unnest($keys::varchar[])) or id in (select unnest($ids::varchar[])))
    and (status = 'active' or id in (select unnest($ids::varchar[])))
qualify count(*) over (partition by memory_key) > 1 or id in (select unnest($ids::varchar[]))
order by created_at, id
"""

_OPEN_PAIRS = """
select id, memory_a, memory_b
from contradictions
where project_id = $project
    and resolved_at is null
order by id
"""

_KNOWN = """
select id, note
from contradictions
where id in (select unnest($ids::varchar[]))
"""

_CLOSE = """
update contradictions
set resolved_at = $now, resolution = closed.resolution, note = closed.note
from (
    select
        unnest($ids::varchar[]) as id,
        unnest($resolutions::varchar[]) as resolution,
        unnest($notes::varchar[]) as note
) as closed
where contradictions.id = closed.id
"""

_REOPEN = """
update contradictions
set resolved_at = null, resolution = null, note = ''
where id in (select unnest($ids::varchar[]))
"""

_OPEN = """
select id, project_id, memory_a, memory_b, reason, confidence, detected_at, resolved_at, resolution, note
from contradictions
where project_id = $project
    and (resolved_at is null or $all)
order by detected_at desc, id
"""

_BY_PREFIX = """
select id, project_id, memory_a, memory_b, reason, confidence, detected_at, resolved_at, resolution, note
from contradictions
where starts_with(id, $prefix)
order by id
limit 6
"""


@dataclass(frozen=True, slots=True)
class _Fact:
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
    in_force: bool


def detect(connection: duckdb.DuckDBPyConnection, project: str, keys: Collection[str], now: datetime) -> int:
    """Note the contradictions among facts with one of the keys, close what no longer is one.

    Returns how many are newly open.
    """
    _close_settled(connection, project, now)
    groups: defaultdict[str, list[_Fact]] = defaultdict(list)
    for fact in _facts(connection, project, keys, ()):
        groups[fact.key].append(fact)
    pairs = {_pair_id(a, b): (a, b) for group in groups.values() for a, b in _pairs(group)}
    if not pairs:
        return 0
    known = dict(connection.execute(_KNOWN, {"ids": list(pairs)}).fetchall())
    again = [id_ for id_, note in known.items() if note.startswith(CLOSED_BY_ITSELF)]
    if again:
        connection.execute(_REOPEN, {"ids": again})
    rows = [
        (id_, project, a.id, b.id, _reason(a, b), min(a.confidence, b.confidence), now)
        for id_, (a, b) in pairs.items()
        if id_ not in known
    ]
    insert_rows(connection, "contradictions", _COLUMNS, rows)
    return len(rows) + len(again)


def open_ones(database: Database, project: str, *, settled: bool = False) -> tuple[Contradiction, ...]:
    """The open contradictions of a project, newest first; with `settled` the closed ones too."""
    with database.read() as connection:
        rows = connection.execute(_OPEN, {"project": project, "all": settled}).fetchall()
        return _records(connection, rows)


def contradiction(database: Database, prefix: str) -> Contradiction:
    """The one contradiction whose id begins so. Raises UsageError for none or several."""
    with database.read() as connection:
        rows = connection.execute(_BY_PREFIX, {"prefix": prefix}).fetchall() if prefix else []
        found = _records(connection, rows)
    if len(found) == 1:
        return found[0]
    several = ", ".join(one.id for one in found)
    raise UsageError(
        f"Several contradictions begin with {prefix}: {several}."
        if found
        else f"No contradiction begins with {prefix!r}.",
        "`companion contradictions` lists them with their ids.",
    )


def settle(connection: duckdb.DuckDBPyConnection, id_: str, how: Resolution, note: str, now: datetime) -> None:
    """Write down how one was settled."""
    connection.execute(_CLOSE, {"now": now, "ids": [id_], "resolutions": [how.value], "notes": [note]})


def _close_settled(connection: duckdb.DuckDBPyConnection, project: str, now: datetime) -> None:
    """Close the open pairs that no longer contradict one another, each with a note that says why."""
    pairs = connection.execute(_OPEN_PAIRS, {"project": project}).fetchall()
    if not pairs:
        return
    ids = sorted({id_ for _, a, b in pairs for id_ in (a, b)})
    facts = {fact.id: fact for fact in _facts(connection, project, (), ids)}
    over = [
        (id_, facts.get(a), facts.get(b))
        for id_, a, b in pairs
        if a not in facts or b not in facts or not _conflict(facts[a], facts[b])
    ]
    if over:
        given = {
            "now": now,
            "ids": [id_ for id_, _, _ in over],
            "resolutions": [_left_standing(a, b).value for _, a, b in over],
            "notes": [_why_over(a, b) for _, a, b in over],
        }
        connection.execute(_CLOSE, given)


def _left_standing(a: _Fact | None, b: _Fact | None) -> Resolution:
    if a is not None and a.in_force and not (b is not None and b.in_force):
        return Resolution.A_WINS
    if b is not None and b.in_force and not (a is not None and a.in_force):
        return Resolution.B_WINS
    return Resolution.BOTH_VALID


def _why_over(a: _Fact | None, b: _Fact | None) -> str:
    gone = [fact.origin for fact in (a, b) if fact is not None and not fact.in_force]
    if gone:
        return f"{CLOSED_BY_ITSELF}what {' and '.join(gone)} said no longer holds"
    return f"{CLOSED_BY_ITSELF}the two no longer hold at the same time"


def _facts(
    connection: duckdb.DuckDBPyConnection, project: str, keys: Collection[str], ids: Sequence[str]
) -> list[_Fact]:
    given = {"project": project, "keys": sorted(keys), "ids": list(ids)}
    return [_Fact(*row) for row in connection.execute(_FACTS, given).fetchall()]


def _pairs(group: Sequence[_Fact]) -> Iterator[tuple[_Fact, _Fact]]:
    """Contradicting pairs of one key, the older fact first; the oldest pairs where there are too many."""
    found = 0
    for a, b in combinations(group, 2):
        if found == PAIRS_A_KEY:
            return
        if _conflict(a, b):
            found += 1
            yield a, b


def _conflict(a: _Fact, b: _Fact) -> bool:
    return (
        a.in_force
        and b.in_force
        and (a.source, a.origin) != (b.source, b.origin)
        and _normal(a.value) != _normal(b.value)
        and _overlap(a, b)
    )


def _overlap(a: _Fact, b: _Fact) -> bool:
    early, late = datetime.min, datetime.max
    return (a.valid_from or early) < (b.valid_to or late) and (b.valid_from or early) < (a.valid_to or late)


def _normal(value: str) -> str:
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", value)).strip().casefold()


def _pair_id(a: _Fact, b: _Fact) -> str:
    pair = "\x1f".join(sorted((a.id, b.id)))
    return "x1" + hashlib.sha256(pair.encode()).hexdigest()[:30]


def _reason(a: _Fact, b: _Fact) -> str:
    what = f"{a.subject} {a.attribute}".strip()
    return f"{what}: {a.origin} says “{_short(a.value)}”, {b.origin} says “{_short(b.value)}”."


def _short(text: str) -> str:
    return text if len(text) <= SAID_CHARACTERS else text[: SAID_CHARACTERS - 1].rstrip() + "…"


def _records(connection: duckdb.DuckDBPyConnection, rows: Sequence[tuple[object, ...]]) -> tuple[Contradiction, ...]:
    ids = sorted({str(id_) for row in rows for id_ in (row[2], row[3])})
    memories = {memory.id: memory for memory in load(connection, ids)}
    return tuple(
        Contradiction(
            id=str(row[0]),
            project=str(row[1]),
            a=memories[str(row[2])],
            b=memories[str(row[3])],
            reason=str(row[4]),
            confidence=float(row[5]),  # type: ignore[arg-type]
            detected_at=row[6],  # type: ignore[arg-type]
            resolved_at=row[7],  # type: ignore[arg-type]
            resolution=None if row[8] is None else Resolution(str(row[8])),
            note=str(row[9]),
        )
        for row in rows
        if row[2] in memories and row[3] in memories
    )
