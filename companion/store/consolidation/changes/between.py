"""What stands between memories, or names: contradictions, links and aliases."""

from __future__ import annotations

from companion.ports.composing import composed
from companion.store.consolidation.changes.statements import PAIR, Statements
from companion.store.consolidation.patches import Patch

CONTRADICTION = (
    *("memory_a", "memory_b", "reason", "confidence", "detected_at", "resolved_at", "resolution", "note"),
    *("judge", "conflict"),
)
RESOLUTION = ("resolved_at", "resolution", "note")

_PAIRS = composed(
    """
select number, change, reason, now, {pair} as id
from batch
""",
    pair=composed(PAIR, one="memories[1]", other="memories[2]"),
)

OPPOSE = Statements(
    (
        Patch(
            "contradictions",
            RESOLUTION,
            composed(
                """
select number, id, null as resolved_at, null as resolution, '' as note
from ({pairs})
""",
                pairs=_PAIRS,
            ),
        ),
        Patch(
            "contradictions",
            CONTRADICTION,
            composed(
                """
select
    number, id, (change ->> 'a') as memory_a, (change ->> 'b') as memory_b, reason,
    (change ->> 'confidence')::double as confidence, now as detected_at, null as resolved_at, null as resolution,
    '' as note, (change ->> 'judge') as judge, (change ->> 'conflict') as conflict
from ({pairs})
""",
                pairs=_PAIRS,
            ),
            of="new",
        ),
    ),
    refusals=(
        """
select distinct number, 'one of the two is in the archive' as why
from batch
join memories on list_contains(batch.memories, id)
where status <> 'active'
""",
        composed(
            """
select number, if(resolved_at is null, 'it is open already', 'a person has settled it') as why
from ({pairs})
join contradictions using (id)
where resolved_at is null
    or not starts_with(note, $closed)
""",
            pairs=_PAIRS,
        ),
    ),
)

_LINK = "(change ->> 'relation') as relation, (change ->> 'a') as a, (change ->> 'b') as b"

RELATE = Statements(
    (
        Patch(
            "memory_links",
            ("score", "reason", "found_at"),
            composed(
                """
select number, {link}, (change ->> 'score')::double as score, reason, now as found_at
from batch
""",
                link=_LINK,
            ),
            of="any",
        ),
    )
)

UNRELATE = Statements(
    (
        Patch(
            "memory_links",
            ("score", "reason", "found_at"),
            composed(
                """
select number, {link}
from batch
""",
                link=_LINK,
            ),
            gone=True,
        ),
    ),
    refusals=(
        """
select number, 'the two are not linked' as why
from batch
where not exists (
    select 1
    from memory_links as known
    where known.project_id = batch.project
        and known.relation = (change ->> 'relation')
        and known.a = (change ->> 'a')
        and known.b = (change ->> 'b')
)
""",
    ),
)

UNITE = Statements(
    (
        Patch(
            "aliases",
            ("stands_for", "reason", "found_at"),
            """
with united as (
    select
        number, batch.reason, now, project, (change ->> 'entity') as entity,
        coalesce(further.stands_for, (change ->> 'stands_for')) as stands_for
    from batch
    left join aliases as further
        on further.project_id = project
        and further.entity = (change ->> 'stands_for')
)
select number, entity, stands_for, reason, now as found_at
from united
union all
select number, variant.entity, united.stands_for, variant.reason, variant.found_at
from united
join aliases as variant
    on variant.project_id = project
    and variant.stands_for = united.entity
""",
            of="any",
        ),
    ),
    refusals=(
        """
select
    number,
    if(known.stands_for = (change ->> 'entity'), 'each would stand for the other', 'it is known already') as why
from batch
join aliases as known
    on known.project_id = batch.project
    and (
        known.entity = (change ->> 'stands_for')
            and known.stands_for = (change ->> 'entity')
        or known.entity = (change ->> 'entity')
            and known.stands_for = (change ->> 'stands_for')
    )
""",
    ),
)
"""An alias leads straight to what it stands for: what led to this entity leads on to the other."""
