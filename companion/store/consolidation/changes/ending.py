"""What goes to the archive by merges, supersessions and retirements, and what it leaves behind."""

from __future__ import annotations

from companion.ports.composing import composed
from companion.store.consolidation.changes.between import CONTRADICTION, RESOLUTION
from companion.store.consolidation.changes.statements import PAIR, PINNED, Statements
from companion.store.consolidation.patches import Patch
from companion.store.memories.rows_sql import BY_HAND

_ARCHIVED = Patch(
    "memories",
    ("status", "archived_at", "archived_reason", "superseded_by", "valid_to"),
    """
select
    number, id, 'archived' as status, $now::timestamp as archived_at, why as archived_reason,
    if(successor = '', superseded_by, successor) as superseded_by,
    if(
        ends is null,
        valid_to,
        greatest(least(coalesce(valid_to, ends), ends), coalesce(valid_from, ends))
    ) as valid_to
from leaving
join memories using (id)
""",
)
"""What is superseded ceased to be true when its heir began to be, what is outdated when that was seen; neither before
it began itself."""

_CLOSED = Patch(
    "contradictions",
    RESOLUTION,
    """
select
    min(number) as number, contradictions.id, $now::timestamp as resolved_at,
    case
        when count(distinct leaving.id) = 2 then 'both_valid'
        when bool_or(leaving.id = memory_a) then 'b_wins'
        else 'a_wins'
    end as resolution,
    $closed || 'one side was ' || min(why) as note
from leaving
join contradictions on leaving.id in (memory_a, memory_b)
where project_id = $project
    and resolved_at is null
group by contradictions.id
""",
)

_INHERITED = Patch(
    "contradictions",
    CONTRADICTION,
    composed(
        """
with sides as (
    select
        number, successor, if(memory_a = leaving.id, memory_b, memory_a) as other, reason, confidence, judge,
        if(conflict = '', contradictions.id, conflict) as conflict
    from leaving
    join contradictions on leaving.id in (memory_a, memory_b)
    where project_id = $project
        and resolved_at is null
)
select
    min(number) as number, {pair} as id,
    if(any_value(heir.created_at) <= any_value(opposed.created_at), successor, other) as memory_a,
    if(any_value(heir.created_at) <= any_value(opposed.created_at), other, successor) as memory_b,
    min(reason) as reason, max(sides.confidence) as confidence, $now::timestamp as detected_at, null as resolved_at,
    null as resolution, '' as note, min(judge) as judge, min(conflict) as conflict
from sides
join memories as heir on heir.id = successor
join memories as opposed on opposed.id = other
where opposed.status = 'active'
    and other <> successor
    and other not in (select id from leaving)
group by successor, other
""",
        pair=composed(PAIR, one="successor", other="other"),
    ),
    of="new",
)
"""What a merged memory contradicted, the one that stays contradicts."""

_USES = Patch(
    "memories",
    ("retrieved", "cited", "ignored", "last_access_at", "importance"),
    """
select
    number, stays.id, any_value(stays.retrieved_count) + sum(goes.retrieved_count) as retrieved,
    any_value(stays.cited_count) + sum(goes.cited_count) as cited,
    any_value(stays.ignored_count) + sum(goes.ignored_count) as ignored,
    greatest(any_value(stays.last_access_at), max(goes.last_access_at)) as last_access_at,
    greatest(
        any_value(stays.importance), max(if(goes.pinned, goes.importance_floor, goes.importance))
    ) as importance
from leaving
join memories as goes on goes.id = leaving.id
join memories as stays on stays.id = successor
group by number, stays.id
""",
)

_EVIDENCE = Patch(
    "memory_evidence",
    ("kind", "ref", "line", "quote"),
    composed(
        """
with there as (
    select memory_id, max(ordinal) as last, count(*) as pieces
    from memory_evidence
    where memory_id in (select successor from leaving)
    group by memory_id
),
told as (
    select number, successor, memory_id, ordinal, kind, ref, line, quote
    from leaving
    join memory_evidence on memory_id = id
    union all
    select number, successor, goes.id, 0, 'command', 'companion remember', null, left(goes.content_full, 200)
    from leaving
    join (select id, content_full from memories where {by_hand}) as goes on goes.id = leaving.id
    join memories as stays on stays.id = successor
    where left(stays.content_full, 200) <> left(goes.content_full, 200)
),
fresh as (
    select
        number, successor, kind, ref, line, quote,
        row_number() over (
            partition by successor
            order by min(memory_id), min(ordinal), kind, ref, line, quote
        ) as place
    from told
    where not exists (
        select 1
        from memory_evidence as own
        where own.memory_id = successor
            and own.kind = told.kind
            and own.ref = told.ref
            and own.line is not distinct from told.line
            and own.quote = told.quote
    )
    group by number, successor, kind, ref, line, quote
)
select
    number, successor as memory_id, (coalesce(last, -1) + place)::integer as ordinal, kind, ref, line, quote
from fresh
left join there on memory_id = successor
where coalesce(pieces, 0) + place <= $evidence_kept
""",
        by_hand=BY_HAND,
    ),
    of="new",
)
"""What a person wrote by hand keeps its words as evidence of the one that it was folded into."""

_ENTITIES = Patch(
    "memory_entities",
    ("memory_id", "entity"),
    """
select distinct number, successor as memory_id, entity
from leaving
join memory_entities on memory_id = id
""",
    of="new",
)

_ARTIFACTS = Patch(
    "memory_artifacts",
    ("memory_id", "kind", "ref"),
    """
select distinct number, successor as memory_id, kind, ref
from leaving
join memory_artifacts on memory_id = id
""",
    of="new",
)

_ANCESTRY = Patch(
    "memories",
    ("supersedes",),
    """
select number, successor as id, leaving.id as supersedes
from leaving
join memories on memories.id = successor
where supersedes = ''
""",
)

_MUST_STAY = """
select
    number,
    min(case
        when status <> 'active' then 'it is in the archive already'
        when pinned then 'it is pinned'
        when type = 'decision' and (body ->> 'status') = 'in force' then 'it is a decision in force'
    end) as why
from leaving
join memories using (id)
group by number
having why is not null
"""
"""What must not be archived, whatever a plan says."""

_IN_DISPUTE = """
select distinct number, 'it stands in an open contradiction' as why
from leaving
join contradictions on leaving.id in (memory_a, memory_b)
where project_id = $project
    and resolved_at is null
"""

_SUCCESSOR_GONE = """
select distinct number, 'the memory that would stay is in the archive' as why
from leaving
join memories on memories.id = successor
where status <> 'active'
"""

_ROUND = """
with recursive chain as (
    select number, successor as id
    from leaving
    union
    select number, superseded_by
    from chain
    join memories using (id)
    where superseded_by <> ''
)
select distinct number, 'it would supersede itself round a corner' as why
from chain
join leaving using (number, id)
"""
"""`union` leaves out what was seen: a chain that is a circle already is walked once."""

_UNLIKE = """
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
from leaving
join memories as stays on stays.id = successor
join memories as goes on goes.id = leaving.id
group by number
having why is not null
"""

RETIRE = Statements(
    (_ARCHIVED, _CLOSED),
    refusals=(_MUST_STAY, _IN_DISPUTE),
    leaving="""
select number, memories[1] as id, '' as successor, $faded as why, null::timestamp as ends
from batch
""",
)

OUTDATE = Statements(
    (_ARCHIVED, _CLOSED),
    refusals=(PINNED,),
    leaving="""
select number, memories[1] as id, '' as successor, concat($outdated, ': ', reason) as why, now as ends
from batch
""",
)

MERGE = Statements(
    (_ARCHIVED, _USES, _EVIDENCE, _ENTITIES, _ARTIFACTS, _INHERITED, _CLOSED),
    refusals=(_MUST_STAY, _SUCCESSOR_GONE, _ROUND, _UNLIKE),
    leaving="""
select number, unnest(memories[2:]) as id, memories[1] as successor, $merged as why, null::timestamp as ends
from batch
""",
)

SUPERSEDE = Statements(
    (_ARCHIVED, _ANCESTRY, _CLOSED),
    refusals=(_MUST_STAY, _SUCCESSOR_GONE, _ROUND),
    leaving="""
select
    number, memories[1] as id, memories[2] as successor, $superseded as why,
    coalesce(heir.valid_from, heir.created_at) as ends
from batch
join memories as heir on heir.id = memories[2]
""",
)
