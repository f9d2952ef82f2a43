"""Why a change is not carried out though it was planned: the last look before rows are moved.

Whatever a plan says: what is pinned, a decision in force, or one side of an open contradiction is not put
away; what a person wrote by hand ends by that person (`by_hand`); what a person settled is not opened again; nothing
supersedes itself, not even round a corner; and what different people see, or what holds in different places, is not
merged. Each refusal is a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.records.tidying import Rescope
from companion.store.consolidation import by_hand, digests
from companion.store.consolidation.about import About
from companion.store.consolidation.batches import Planned
from companion.store.consolidation.deeds import moved_entities, moved_path
from companion.store.memories.rows_sql import load

if TYPE_CHECKING:
    import duckdb

GONE = "a memory that it is about is gone"
NEWER = "a memory that it is about was learned while the run was being planned"
CHANGED = "a memory that it is about has changed since it was planned"
ARCHIVED = "a memory that it is about was archived since it was planned"
USED = "it was asked for since that was planned"

_BATCH = """
with recursive batch as (
    select number, what, change, memories, $project as project
    from night_changes
    where run_id = $run
        and number between $first and $last
        and number in (select unnest($numbers::integer[]))
        and state = 'planned'
)
"""

_ARCHIVED = """
select id
from memories
where id in (select unnest($ids::varchar[]))
    and status = 'archived'
"""

_LEFT_BY = """
select row_key, arg_max((after ->> 'digest'), number)
from night_rows
where run_id = $run
    and table_name = 'digest'
group by row_key
"""

_LEAVES = """
, leaving as (
    select number, unnest(if(what = 'Merge', memories[2:], memories[:1])) as id
    from batch
)
select
    number,
    min(case
        when status <> 'active' then 'it is in the archive already'
        when pinned then 'it is pinned'
        when type = 'decision' and (body ->> 'status') = 'in force' then 'it is a decision in force'
    end) as why
from leaving
join memories on memories.id = leaving.id
group by number
having why is not null
"""
"""What must not be archived, whatever a plan says."""

_IN_DISPUTE = """
select distinct number, 'it stands in an open contradiction'
from batch
join contradictions on memories[1] in (memory_a, memory_b)
where project_id = $project
    and resolved_at is null
"""

_STAYS = """
select number, 'the memory that would stay is in the archive'
from batch
join memories on id = if(what = 'Merge', batch.memories[1], batch.memories[2])
where status <> 'active'
"""

_ROUND = """
, chain as (
    select number, if(what = 'Merge', memories[1], memories[2]) as id
    from batch
    union
    select number, superseded_by
    from chain
    join memories on memories.id = chain.id
    where superseded_by <> ''
)
select distinct number, 'it would supersede itself round a corner'
from chain
join batch using (number)
where list_contains(if(what = 'Merge', memories[2:], memories[:1]), id)
"""
"""`union` leaves out what was seen: a chain that is a circle already is walked once."""

_UNLIKE = """
, folded as (
    select number, memories[1] as keep, unnest(memories[2:]) as id
    from batch
)
select
    number,
    min(case
        when stays.kind <> goes.kind or stays.type <> goes.type then 'the two are of different kinds'
        when stays.visibility <> goes.visibility or stays.persona <> goes.persona then 'different people see the two'
        when stays.scope_environment <> goes.scope_environment
            or stays.scope_version <> goes.scope_version
            or stays.scope_branch <> goes.scope_branch
            then 'the two hold in different places'
        when contains(stays.learner, '@')
            and split_part(stays.learner, '@', 2) <> split_part(goes.learner, '@', 2)
            then 'the two belong to different checkouts'
    end) as why
from folded
join memories as stays on stays.id = keep
join memories as goes on goes.id = folded.id
group by number
having why is not null
"""

_PINNED = """
select number, 'it is pinned'
from batch
join memories on id = batch.memories[1]
where pinned
"""

_REPLACED = """
select
    number,
    case
        when one.status = 'active' then 'it is active already'
        when one.content_full = '' then 'its text was removed for good'
        when heir.status = 'active' then heir.id || ' has its place and still holds'
        else other.id || ' says the same of it and still holds'
    end
from batch
join memories as one on one.id = batch.memories[1]
left join memories as heir on heir.id = one.superseded_by and heir.status = 'active'
left join memories as other
    on other.id <> one.id
    and other.memory_key = one.memory_key
    and other.project_id = one.project_id
    and other.source = one.source
    and other.origin = one.origin
    and other.learner = one.learner
    and other.value = one.value
    and other.status = 'active'
where one.status = 'active'
    or one.content_full = ''
    or heir.id is not null
    or other.id is not null
"""

_SETTLED = """
select
    number,
    case
        when resolved_at is null then 'it is open already'
        else 'a person has settled it'
    end
from batch
join contradictions
    on id = 'x1' || left(sha256(
        least(memories[1], memories[2]) || chr(31) || greatest(memories[1], memories[2])
    ), 30)
where resolved_at is null
    or not starts_with(note, $closed)
"""

_ASLEEP = """
select distinct number, 'one of the two is in the archive'
from batch
join memories on list_contains(batch.memories, id)
where status <> 'active'
"""

_UNLINKED = """
select number, 'the two are not linked'
from batch
where not exists (
    select 1
    from memory_links as known
    where known.project_id = $project
        and known.relation = (change ->> 'relation')
        and known.a = (change ->> 'a')
        and known.b = (change ->> 'b')
)
"""

_SAME_ENTITY = """
select
    number,
    if(known.stands_for = (change ->> 'entity'), 'each would stand for the other', 'it is known already')
from batch
join aliases as known
    on known.project_id = $project
    and (
        known.entity = (change ->> 'stands_for')
            and known.stands_for = (change ->> 'entity')
        or known.entity = (change ->> 'entity')
            and known.stands_for = (change ->> 'stands_for')
    )
"""

_CHECKS: Mapping[str, tuple[str, ...]] = {
    "Merge": (_LEAVES, _STAYS, _ROUND, _UNLIKE),
    "Supersede": (_LEAVES, _STAYS, _ROUND),
    "Weigh": (_PINNED,),
    "Oppose": (_ASLEEP, _SETTLED),
    "Outdate": (_PINNED,),
    "Retire": (_LEAVES, _IN_DISPUTE),
    "Revive": (_REPLACED,),
    "Unrelate": (_UNLINKED,),
    "Unite": (_SAME_ENTITY,),
}
"""What is looked at for each sort of change, beside whether its memories are as they were."""


def outdated(connection: duckdb.DuckDBPyConnection, about: About, batch: Sequence[Planned]) -> dict[int, str]:
    """The changes whose memories are not what they were when they were planned, each with a word why.

    What an earlier change of the same run legitimately made of a memory (another scope, active again) counts
    as what it was.
    """
    ids = sorted({id_ for one in batch for id_ in one.memories})
    if not ids:
        return {}
    now = digests.states(connection, about.project, ids)
    left = dict(connection.execute(_LEFT_BY, {"run": about.run}).fetchall())
    archived = {row[0] for row in connection.execute(_ARCHIVED, {"ids": ids}).fetchall()}
    found: dict[int, str] = {}
    for one in batch:
        for id_, expected in zip(one.memories, one.expected, strict=True):
            was, _, use = expected.partition(" ")
            state = now.get(id_)
            if state is None:
                found[one.number] = GONE
            elif not was:
                found[one.number] = NEWER
            elif state.digest not in {was, left.get(id_)}:
                found[one.number] = ARCHIVED if id_ in archived else CHANGED
            elif use and state.use != use:
                found[one.number] = USED
    return found


def used(connection: duckdb.DuckDBPyConnection, about: About, batch: Sequence[Planned]) -> dict[int, str]:
    """The changes planned on how their memories had been used that were used since, as `outdated` has it."""
    now = digests.uses(connection, about.project, sorted({id_ for one in batch for id_ in one.memories}))
    return {
        one.number: USED
        for one in batch
        for id_, expected in zip(one.memories, one.expected, strict=True)
        if (use := expected.partition(" ")[2]) and now.get(id_) != use
    }


def unfit(connection: duckdb.DuckDBPyConnection, about: About, batch: Sequence[Planned]) -> dict[int, str]:
    """The changes of a batch, all of one sort, that what the store holds forbids, each with a word why."""
    numbers = [one.number for one in batch]
    what = batch[0].what
    found = by_hand.refused(connection, about, batch)
    for statement in _CHECKS.get(what, ()):
        rows = connection.execute(_BATCH + statement, about.given(_BATCH + statement, numbers)).fetchall()
        found = dict(rows) | found
    return _moves_nothing(connection, batch) if what == "Rescope" else found


def _moves_nothing(connection: duckdb.DuckDBPyConnection, batch: Sequence[Planned]) -> dict[int, str]:
    memories = {memory.id: memory for memory in load(connection, [one.memories[0] for one in batch])}
    found: dict[int, str] = {}
    for one in batch:
        memory, change = memories.get(one.memories[0]), one.change
        assert isinstance(change, Rescope)
        if memory is not None:
            path, entities = memory.draft.scope.path, memory.draft.entities
            if moved_path(path, change) == path and not moved_entities(entities, change):
                found[one.number] = f"nothing of it lies at {change.path}"
    return found
