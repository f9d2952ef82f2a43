"""What memories have to do with one another: found in sets, scored, compared with what is kept.

Two memories of one project are tied where they name the same file or entity (the rarer it is, the more it
says), where files they name change together, where they are near in meaning, where one tells of an error and
the other of its fix, and where one took the other's place. Each keeps its KEPT strongest ties of a sort, and
only where it is among the other's strongest too: so nothing collects hundreds. What more than COMMON memories
name ties nothing, nor does a common author. Entries of one list (who works where) are near one another by their form
alone, which says nothing. Memories of different personas are never tied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from companion.records import Relate, Relation, Unrelate
from companion.store.binding import duckdb
from companion.store.consolidation.neighbours import NEAREST
from companion.store.consolidation.view import View
from companion.store.rows import Query, column
from companion.store.statements import execute

KEPT = NEAREST
"""Ties of a sort that a memory keeps: more than a reader follows."""
COMMON = 50
"""What more memories name says nothing of any two of them, and would tie each with all."""
PARTNERS = 3
"""Files that are followed from a file as changing with it."""
SPEAKERS = 4
"""Memories that stand for a file there, the most important ones that are no mere happenings first."""
LEAST_TOGETHER = 3
"""Commits in which two files changed together before it is no accident."""
LEAST_SCORE = 0.2
"""Weaker ties are not kept: one file in common of five."""
LEAST_MOVE = 0.05
"""A score that moved less is left as it is."""
TIES_MOST = 20_000
"""New, changed and ended ties of one run, each a line of the journal: a large project gets its own in a few runs,
the surest first."""
PAIRS_AT_ONCE = 500_000
"""Pairs of memories counted by one statement, so that its memory is bounded."""
_LANGUAGE = """
    null nil none None undefined true True false False self this super default readonly static const let var
    enum class def func function return async await import export void object string number boolean int str
"""
EVERYWHERE = tuple(f"symbol:{word}" for word in _LANGUAGE.split())
"""Words of programming languages: who quotes one of them speaks of no symbol of this project."""

_MEMORIES = """
create temp table tie_memories as
select
    row_number() over (order by id) as n, id, persona, kind, importance,
    type = 'relationship' as listed,
    coalesce(valid_from, created_at) as at
from memories
where project_id = $project
    and status = 'active'
    and superseded_by = ''
"""

_FOUND = """
create temp table tie_found (
    relation varchar not null,
    a bigint not null,
    b bigint not null,
    score double not null,
    reason varchar not null
)
"""

_NAMED = """
create or replace temp table tie_named as
with named as (
    select distinct m.n, m.persona, e.entity
    from memory_entities e
    join tie_memories m on m.id = e.memory_id
    where e.project_id = $project
        and starts_with(e.entity, 'file:') = $files
        and not starts_with(e.entity, 'person:')
        and e.entity not in (select unnest($everywhere::varchar[]))
),
counted as (
    select entity, count(*) as times, row_number() over (order by entity) as entity_n
    from named
    group by entity
)
select
    named.n, named.persona, counted.entity_n, counted.times, named.entity,
    1 / log2(1 + counted.times) as worth,
    sum(1 / log2(1 + counted.times)) over (partition by named.n) as whole
from named
join counted using (entity)
"""

_PAIRS = """
select coalesce(sum(times), 0)
from tie_named
where times between 2 and $common
"""

_SAME = """
insert into tie_found
with pairs as (
    select
        one.n as a, other.n as b,
        sum(one.worth) / sqrt(any_value(one.whole) * any_value(other.whole)) as score,
        arg_max(one.entity_n, one.worth) as entity_n,
        count(*) as entities
    from tie_named one
    join tie_named other
        on other.entity_n = one.entity_n
        and other.n <> one.n
        and other.persona = one.persona
    where one.times <= $common
        and one.n % $parts = $part
    group by one.n, other.n
),
strongest as (
    select a, b, score, entity_n, entities
    from pairs
    where score >= $least
    qualify row_number() over (partition by a order by score desc, b) <= $kept
)
select
    $relation, a, b, score,
    concat(
        $says, regexp_replace(replace(entity, 'file:', ''), '^(\\w+):', '\\1 '),
        if(entities > 1, concat(' and ', entities - 1, ' more'), '')
    )
from strongest
join (select distinct entity_n, entity from tie_named) using (entity_n)
"""

_PARTNERS = """
create temp table tie_partners as
with wholes as (
    select file_a, sum(weight) as whole
    from cochange
    where project_id = $project
    group by file_a
)
select
    c.file_a, c.file_b, c.together,
    least(1.0, c.weight / sqrt(one.whole * other.whole)) as score
from cochange c
join wholes one on one.file_a = c.file_a
join wholes other on other.file_a = c.file_b
where c.project_id = $project
    and c.together >= $least_together
    and c.weight / sqrt(one.whole * other.whole) >= $least
qualify row_number() over (partition by c.file_a order by score desc, c.file_b) <= $partners
"""

_SPEAKERS = """
create temp table tie_speakers as
select f.file_id, f.path, m.n, m.persona
from history_files f
join memory_entities e on e.entity = concat('file:', f.path)
join tie_memories m on m.id = e.memory_id
where f.project_id = $project
    and e.project_id = $project
    and f.alive
qualify row_number() over (
    partition by f.file_id
    order by m.kind = 'episode', m.importance desc, m.at desc, m.n
) <= $speakers
"""

_CO_CHANGE = """
insert into tie_found
with pairs as (
    select
        one.n as a, other.n as b, max(p.score) as score,
        arg_max(concat(one.path, ' and ', other.path, ' changed together ', p.together, ' times'), p.score) as reason
    from tie_partners p
    join tie_speakers one on one.file_id = p.file_a
    join tie_speakers other
        on other.file_id = p.file_b
        and other.n <> one.n
        and other.persona = one.persona
    group by one.n, other.n
)
select $relation, a, b, score, reason
from pairs
anti join (
    select a, b
    from tie_found
    where relation = $same_file
) known using (a, b)
qualify row_number() over (partition by a order by score desc, b) <= $kept
"""
"""Two memories that name the same file are tied by that already."""

_NEAR = """
insert into tie_found
with pairs as (
    select one.n as a, other.n as b, near.cosine as score
    from near_pairs near
    join tie_memories one on one.id = near.a
    join tie_memories other on other.id = near.b and other.persona = one.persona
    where not (one.listed and other.listed)
)
select $relation, a, b, score, 'near in meaning'
from pairs
union all
select $relation, b, a, score, 'near in meaning'
from pairs
"""

_FIXED_BY = """
insert into tie_found
select distinct $relation, broken.n, fix.n, 1.0, concat('commit ', left(f.fix_commit, 10), ' fixed it')
from (
    select id, body->>'fix_commit' as fix_commit
    from memories
    where project_id = $project
        and body->>'record' = 'Failure'
        and length(body->>'fix_commit') >= 10
) f
join memory_artifacts done on done.kind = 'commit' and left(done.ref, 10) = left(f.fix_commit, 10)
join tie_memories broken on broken.id = f.id
join tie_memories fix on fix.id = done.memory_id and fix.n <> broken.n and fix.persona = broken.persona
"""

_STANDING = """
create temp table tie_standing as
with strong as materialized (
    select relation, a, b, score, reason
    from tie_found
    qualify row_number() over (partition by relation, a order by score desc, b) <= $kept
),
lasting as (
    select relation, a, b, score, reason
    from strong
    where relation = $fixed_by
    union all
    select there.relation, there.a, there.b, there.score, there.reason
    from strong there
    join strong back
        on back.relation = there.relation
        and back.a = there.b
        and back.b = there.a
    where there.a < there.b
        and there.relation <> $fixed_by
)
select relation, one.id as a, other.id as b, score, reason
from lasting
join tie_memories one on one.n = lasting.a
join tie_memories other on other.n = lasting.b
union all
select $supersedes, m.id, m.supersedes, 1.0, 'took its place'
from memories m
join tie_memories t on t.id = m.id
join memories old on old.id = m.supersedes and old.id <> m.id
"""

_NEWS = Query(
    Relate,
    """
with news as (
    select s.relation, s.a, s.b, s.score, s.reason, false as gone
    from tie_standing s
    left join memory_links l
        on l.project_id = $project
        and l.relation = s.relation
        and l.a = s.a
        and l.b = s.b
    where l.a is null
        or abs(l.score - s.score) >= $least_move
    union all
    select l.relation, l.a, l.b, l.score, l.reason, true
    from memory_links l
    anti join tie_standing s
        on s.relation = l.relation
        and s.a = l.a
        and s.b = l.b
    where l.project_id = $project
        and l.relation in (select unnest($looked::varchar[]))
        and l.a in (select id from tie_memories)
        and (l.b in (select id from tie_memories) or l.relation = $supersedes)
)
select relation, a, b, score, reason, gone
from news
order by gone desc, relation = $supersedes desc, relation = $fixed_by desc, round(score, 3) desc, relation, a, b
limit $most
""",
)


def ties(view: View) -> Iterator[Relate | Unrelate]:
    """Ties that are not kept yet or are stronger or weaker now, and those that are no more; at most TIES_MOST.

    Without vectors what is kept of what is near in meaning stays.
    """
    project, near, breathe = view.project, view.near, view.breathe
    with view.database.read() as connection:
        execute(connection, _MEMORIES, {"project": project})
        execute(connection, _FOUND)
        _same(connection, project, Relation.SAME_FILE, "both name ", breathe)
        _same(connection, project, Relation.SAME_ENTITY, "both mention ", breathe)
        _co_change(connection, project)
        if near is not None:
            near.lend(connection, near.pairs(view.nearness.related))
            execute(connection, _NEAR, {"relation": Relation.NEAR.value})
        breathe()
        execute(connection, _FIXED_BY, {"project": project, "relation": Relation.FIXED_BY.value})
        news = _news(connection, project, with_near=near is not None)
    for gone, one in news:
        if gone:
            yield Unrelate(one.relation, one.a, one.b, f"no longer so: {one.reason}")
        else:
            yield replace(one, score=round(one.score, 3))


def _same(
    connection: duckdb.DuckDBPyConnection, project: str, relation: Relation, says: str, breathe: Callable[[], object]
) -> None:
    """Ties by what both name, a part of the memories at a time."""
    given = {"project": project, "files": relation is Relation.SAME_FILE, "everywhere": EVERYWHERE}
    execute(connection, _NAMED, given)
    (found,) = column(connection, _PAIRS, common=COMMON)
    parts = 1 + int(found) // PAIRS_AT_ONCE
    for part in range(parts):
        given = {"relation": relation.value, "says": says, "common": COMMON, "parts": parts, "part": part}
        execute(connection, _SAME, {**given, "least": LEAST_SCORE, "kept": KEPT})
        breathe()


def _co_change(connection: duckdb.DuckDBPyConnection, project: str) -> None:
    """Ties by files that change together; each step is a table of its own, which is read in a good order."""
    given = {"project": project, "least_together": LEAST_TOGETHER, "least": LEAST_SCORE, "partners": PARTNERS}
    execute(connection, _PARTNERS, given)
    execute(connection, _SPEAKERS, {"project": project, "speakers": SPEAKERS})
    kept = {"relation": Relation.CO_CHANGE.value, "same_file": Relation.SAME_FILE.value, "kept": KEPT}
    execute(connection, _CO_CHANGE, kept)


def _news(connection: duckdb.DuckDBPyConnection, project: str, *, with_near: bool) -> Iterator[tuple[bool, Relate]]:
    """Ties that are new or others than before, and those that are gone, which the first of the two says."""
    directed = {"fixed_by": Relation.FIXED_BY.value, "supersedes": Relation.SUPERSEDES.value}
    execute(connection, _STANDING, {"kept": KEPT, **directed})
    looked = [relation.value for relation in Relation if with_near or relation is not Relation.NEAR]
    given = {"project": project, "least_move": LEAST_MOVE, "looked": looked, "most": TIES_MOST}
    return _NEWS.keyed(connection, "gone", **given, **directed)
