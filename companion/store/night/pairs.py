"""Pairs of statements that could contradict one another, found in sets: candidates, not yet contradictions.

Only facts are compared (decisions in force, preferences and rules among them), each with

- those that give another value to the same property of the same subject in the same folder (a part of the
  project may do as it likes), the newest SLOT_FACTS of them,
- the NEAREST_FACTS nearest in meaning, where there are vectors, and
- as many that share the rarest words, where at least one of the two is free text.

Left out are pairs that cannot meet: one source of a reading (a file does not contradict itself usefully), two
work trees, two personas, scopes or times that do not overlap. So are pairs that were noted before, and those
that the same judge has found compatible: what a pair says decides that, not its ids, so a memory that is
reworded is compared again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from companion.records import Ruling, Scope, Statement
from companion.store.contradictions import CLOSED_BY_ITSELF, INFERRED_MOST
from companion.store.night.neighbours import NEAREST_FACTS

if TYPE_CHECKING:
    import duckdb

    from companion.store.database import Database
    from companion.store.night.neighbours import Neighbours

SLOT_FACTS = 30
"""Facts of one subject and property that are compared, the newest: ten thousand would make fifty million pairs."""
RARE_WORDS = 6
"""Words of a text that it is found by, its rarest: those are what it is about."""
COMMON_WORD, COMMON_WORD_LARGE = 40, 15
"""A word of more memories than that finds nothing in particular, and would pair each with all; the second holds
from LARGE_FACTS on, where vectors find what words do not."""
LARGE_FACTS = 10_000
"""Facts of a large store: with the first limit 40,000 of them would take 300 MB to compare by words."""
TEXT_CHARACTERS = 600
"""Characters of a statement that a judge reads: the first sentences say it, the rest argues."""
MOST_PAIRS = 12_000
"""Pairs judged in one night, those of one property first, then the nearest; the others have their turn next time.
By rules that takes some seconds."""

_FACTS = """
create temp table pair_facts as
select
    row_number() over (order by created_at, id) as n,
    id, attribute, source, origin, persona,
    split_part(learner, '@', 2) as checkout,
    lower(concat_ws(chr(31), subject, attribute)) as slot,
    lower(regexp_replace(trim(value), '\\s+', ' ', 'g')) as said,
    content_summary,
    scope_language, scope_path, scope_environment, scope_version, scope_branch,
    coalesce(valid_from, '-infinity'::timestamp) as valid_from,
    coalesce(valid_to, 'infinity'::timestamp) as valid_to,
    created_at >= coalesce($since, created_at) as asked,
    md5(concat_ws(
        chr(31), type, subject, attribute, value, left(content_full, $characters), learner, source, origin,
        scope_language, scope_path, scope_environment, scope_version, scope_branch,
        coalesce(valid_from::varchar, ''), coalesce(valid_to::varchar, '')
    )) as digest
from memories
where project_id = $project
    and kind = 'fact'
    and status = 'active'
    and superseded_by = ''
    and (type <> 'decision' or coalesce(json_extract_string(body, '$.status'), '') = 'in force')
    and ($everything or id in (select unnest($among::varchar[])))
"""

_ARRIVED = """
select id, left(content_full, $characters)
from memories
where project_id = $project
    and kind = 'fact'
    and status = 'active'
    and created_at >= $since
order by id
limit $limit
"""

_SLOT_MATES = """
select id
from memories
where project_id = $project
    and kind = 'fact'
    and status = 'active'
    and attribute <> ''
    and (subject, attribute) in (
        select (subject, attribute)
        from memories
        where id in (select unnest($ids::varchar[]))
    )
order by created_at desc, id
limit $limit
"""

_FOUND = """
create temp table pair_found (
    a bigint,
    b bigint,
    same_slot boolean,
    nearness double
)
"""

_SAME_SLOT = """
insert into pair_found
with newest as (
    select *
    from pair_facts
    where attribute <> ''
    qualify row_number() over (partition by slot, scope_path order by n desc) <= $most
)
select older.n, newer.n, true, 1
from newest as older
join newest as newer
    on newer.slot = older.slot
    and newer.scope_path = older.scope_path
    and newer.n > older.n
where newer.said <> older.said
    and (newer.asked or older.asked)
"""

_SAME_WORDS = """
insert into pair_found
with words as (
    select distinct
        n,
        regexp_replace(
            unnest(regexp_extract_all(lower(content_summary), '[\\p{L}_][\\p{L}\\p{N}_]{2,}')),
            '(ations?|ing|ed|es|s)$', ''
        ) as word
    from pair_facts
),
rare as (
    select word, ln(1 + $common / count(*)) as weight
    from words
    group by word
    having count(*) between 2 and $common
),
known as (
    select n, word, weight, attribute = '' as free, asked
    from words
    join rare using (word)
    join pair_facts using (n)
    qualify row_number() over (partition by n order by weight desc, word) <= $rare
),
shared as (
    select one.n as one, other.n as other, sum(one.weight) as weight
    from known as one
    join known as other
        on other.word = one.word
        and other.n <> one.n
    where one.asked
        and (one.free or other.free)
    group by one.n, other.n
    qualify row_number() over (partition by one.n order by sum(one.weight) desc, other.n desc) <= $nearest
)
select least(one, other), greatest(one, other), false, max(weight) / 100
from shared
group by least(one, other), greatest(one, other)
"""

_FORGET_TEXTS = "alter table pair_facts drop column content_summary"
"""Once words were shared: what is left of a memory is small, and half a million pairs carry it twice."""

_NEAR = """
insert into pair_found
select least(a.n, b.n), greatest(a.n, b.n), false, near.cosine
from near_pairs as near
join pair_facts as a on a.id = near.a
join pair_facts as b on b.id = near.b
where (a.attribute = '' or b.attribute = '')
    and (a.asked or b.asked)
"""

_CANDIDATES = """
with pairs as (
    select a, b, bool_or(same_slot) as same_slot, max(nearness) as nearness
    from pair_found
    group by a, b
),
both_sides as materialized (
    select older, newer, same_slot, nearness
    from pairs
    join pair_facts as older on older.n = pairs.a
    join pair_facts as newer on newer.n = pairs.b
),
meeting as (
    select
        older.id as a, newer.id as b, same_slot, nearness, newer.n as n, older.n as m,
        md5(older.digest || newer.digest) as pair_hash,
        'x1' || left(sha256(least(older.id, newer.id) || chr(31) || greatest(older.id, newer.id)), 30) as pair_id
    from both_sides
    where older.persona = newer.persona
        and not (older.source = 'scan' and newer.source = 'scan' and older.origin = newer.origin)
        and (older.checkout = '' or newer.checkout in ('', older.checkout))
        and older.valid_from < newer.valid_to
        and newer.valid_from < older.valid_to
        and (older.scope_language = '' or newer.scope_language in ('', older.scope_language))
        and (older.scope_environment = '' or newer.scope_environment in ('', older.scope_environment))
        and (older.scope_version = '' or newer.scope_version in ('', older.scope_version))
        and (older.scope_branch = '' or newer.scope_branch in ('', older.scope_branch))
        and (
            older.scope_path in ('', newer.scope_path)
            or newer.scope_path = ''
            or starts_with(newer.scope_path, older.scope_path || '/')
            or starts_with(older.scope_path, newer.scope_path || '/')
        )
)
select meeting.a, meeting.b, meeting.pair_hash, rulings.contradict, rulings.confidence, rulings.reason
from meeting
left join rulings
    on rulings.pair_hash = meeting.pair_hash
    and rulings.judge = $judge
left join contradictions
    on contradictions.id = meeting.pair_id
where (rulings.pair_hash is null or rulings.contradict)
    and (contradictions.id is null or starts_with(contradictions.note, $by_itself))
qualify row_number() over (order by same_slot desc, nearness desc, n desc, m desc) <= $limit
order by same_slot desc, nearness desc, n desc, m desc
"""
"""Both sides of each pair are put together before anything is compared: two personas alike are no reason to
bring two memories together, and the optimiser would. Pairs are counted and not limited: `order by … limit` over
these joins gave all 188,356 for a limit of 12,000 (DuckDB 2.0.0)."""

_FORGET_TABLES = ("drop table if exists temp.pair_found", "drop table if exists temp.pair_facts")

_STATEMENTS = """
select
    id, left(content_full, $characters), scope_language, scope_path, scope_environment, scope_version, scope_branch,
    if(attribute <> '', subject, if(source <> 'scan', label, '')) as about,
    attribute, if(attribute <> '', value, '') as given,
    source, learner, origin, valid_from, valid_to, created_at, pinned,
    confidence <= $inferred as inferred
from memories
where id in (select unnest($ids::varchar[]))
"""
"""What free text is about is its label, if somebody told it; what a reading is labelled with is a sort of memory."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Two memories to compare, `a` the older; `known` is what the judge said of just that pair before."""

    a: str
    b: str
    pair_hash: str
    known: Ruling | None = None


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two: what it says, when it was said, and whether it is pinned."""

    statement: Statement
    said_at: datetime
    pinned: bool


def candidates(
    database: Database,
    project: str,
    judge: str,
    *,
    since: datetime | None = None,
    near: Neighbours | None = None,
    among: Sequence[str] | None = None,
    limit: int = MOST_PAIRS,
) -> list[Candidate]:
    """Pairs that `judge` has not found compatible yet, those of one property first, then the nearest.

    With `since` one of the two was learned at that moment or later. `near` knows which are near in meaning; None:
    do without. `among` names the memories looked at; None: all.
    """
    with database.read() as connection:
        try:
            _gather(connection, project, since, among)
            if near is not None and not near.none:
                near.lend(connection, near.facts())
                connection.execute(_NEAR)
            given = {"judge": judge, "by_itself": CLOSED_BY_ITSELF, "limit": limit}
            rows = connection.execute(_CANDIDATES, given).fetchall()
        finally:
            for statement in _FORGET_TABLES:
                connection.execute(statement)
    return [_candidate(row, judge) for row in rows]


def sides(database: Database, ids: Sequence[str]) -> dict[str, Side]:
    """What some memories state, as a judge reads it, by id."""
    with database.read() as connection:
        given = {"ids": sorted(set(ids)), "characters": TEXT_CHARACTERS, "inferred": INFERRED_MOST}
        return {row[0]: _side(row) for row in connection.execute(_STATEMENTS, given).fetchall()}


def arrived(database: Database, project: str, since: datetime, limit: int) -> list[tuple[str, str]]:
    """Ids and texts of facts learned at a moment or later, at most `limit`."""
    given = {"project": project, "since": since, "limit": limit, "characters": TEXT_CHARACTERS}
    with database.read() as connection:
        return [(id_, text) for id_, text in connection.execute(_ARRIVED, given).fetchall()]


def slot_mates(database: Database, project: str, ids: Sequence[str]) -> list[str]:
    """Facts that give a value to a property which one of some memories gives one to, newest first."""
    given = {"project": project, "ids": list(ids), "limit": SLOT_FACTS * len(ids)}
    with database.read() as connection:
        return [row[0] for row in connection.execute(_SLOT_MATES, given).fetchall()]


def _gather(
    connection: duckdb.DuckDBPyConnection, project: str, since: datetime | None, among: Sequence[str] | None
) -> None:
    for statement in _FORGET_TABLES:
        connection.execute(statement)
    given = {"project": project, "since": since, "characters": TEXT_CHARACTERS}
    made = connection.execute(_FACTS, {**given, "everything": among is None, "among": list(among or ())}).fetchone()
    large = made is not None and int(made[0]) >= LARGE_FACTS
    connection.execute(_FOUND)
    connection.execute(_SAME_SLOT, {"most": SLOT_FACTS})
    common = COMMON_WORD_LARGE if large else COMMON_WORD
    connection.execute(_SAME_WORDS, {"common": common, "rare": RARE_WORDS, "nearest": NEAREST_FACTS})
    connection.execute(_FORGET_TEXTS)


def _candidate(row: tuple[Any, ...], judge: str) -> Candidate:
    a, b, pair_hash, contradict, confidence, reason = row
    known = None if contradict is None else Ruling(bool(contradict), float(confidence), str(reason), judge)
    return Candidate(a, b, pair_hash, known)


def _side(row: tuple[Any, ...]) -> Side:
    statement = Statement(
        text=row[1],
        scope=Scope(*row[2:7]),
        subject=row[7],
        attribute=row[8],
        value=row[9],
        said_by=f"{row[10]} {row[11]} {row[12]}",
        valid_from=row[13],
        valid_to=row[14],
        inferred=row[17],
    )
    return Side(statement, row[13] or row[15], row[16])
