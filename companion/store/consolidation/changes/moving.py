"""What moves one memory: the words and the length it is offered at, its rank and warmth, its way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.ports import TokenCounter
from companion.records import Reword
from companion.store.consolidation.batches import Planned
from companion.store.consolidation.changes.statements import PINNED, Statements
from companion.store.consolidation.patches import Patch

SHORTEN = Statements(
    (
        Patch(
            "memories",
            ("offered_level",),
            """
select number, memories[1] as id, (change ->> 'level') as offered_level
from batch
""",
            of="known",
        ),
    )
)

WARM = Statements(
    (
        Patch(
            "memories",
            ("warmth",),
            """
select number, memories[1] as id, (change ->> 'warmth') as warmth
from batch
""",
            of="known",
        ),
    )
)

WEIGH = Statements(
    (
        Patch(
            "memories",
            ("importance", "usefulness"),
            """
select
    number, id, greatest((change ->> 'importance')::integer, importance_floor) as importance,
    (change ->> 'usefulness')::double as usefulness
from batch
join memories on id = batch.memories[1]
""",
            of="known",
        ),
    ),
    refusals=(PINNED,),
)


def _counted(batch: Sequence[Planned], counter: TokenCounter) -> Mapping[str, object]:
    """Tokens of the new words, in the order of the batch."""
    levels = [one.change.levels for one in batch if isinstance(one.change, Reword)]
    return {"tokens": [[counter.count(text) for text in (one.summary, one.compressed, one.index)] for one in levels]}


REWORD = Statements(
    (
        Patch(
            "memories",
            (
                *("content_summary", "content_compressed", "content_index"),
                *("tokens_summary", "tokens_compressed", "tokens_index"),
            ),
            """
select
    number, memories[1] as id, (change -> 'levels' ->> 'summary') as content_summary,
    (change -> 'levels' ->> 'compressed') as content_compressed, (change -> 'levels' ->> 'index') as content_index,
    counted[1] as tokens_summary, counted[2] as tokens_compressed, counted[3] as tokens_index
from batch
join (select unnest($numbers::integer[]) as number, unnest($tokens::integer[][]) as counted) as told using (number)
""",
            of="known",
        ),
    ),
    given=_counted,
)

REVIVE = Statements(
    (
        Patch(
            "memories",
            ("status", "archived_at", "archived_reason", "superseded_by", "valid_to"),
            """
select
    number, id, 'active' as status, null as archived_at, '' as archived_reason, '' as superseded_by,
    if(valid_to = archived_at, null, valid_to) as valid_to
from batch
join memories on id = batch.memories[1]
""",
            of="known",
        ),
    ),
    refusals=(
        """
select
    number,
    case
        when one.status = 'active' then 'it is active already'
        when one.content_full = '' then 'its text was removed for good'
        when heir.status = 'active' then heir.id || ' has its place and still holds'
        else other.id || ' says the same of it and still holds'
    end as why
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
""",
    ),
)
