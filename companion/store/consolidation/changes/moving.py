"""What moves one memory: the words and the length it is offered at, its rank and warmth, its way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.ports import TokenCounter
from companion.ports.composing import composed
from companion.records import Reword
from companion.store.consolidation.batches import Planned
from companion.store.consolidation.changes.statements import PINNED, Statements
from companion.store.consolidation.patches import Patch


def _columns(**values: str) -> Patch:
    """Columns of the one memory, each with what it becomes, told by `change` and by the memory as it is."""
    one = "select number, id, {told} from batch join memories on id = batch.memories[1]"
    told = ", ".join(f"{value} as {name}" for name, value in values.items())
    return Patch("memories", tuple(values), composed(one, told=told))


DECIDE = Statements(
    (
        _columns(
            kind="'fact'",
            type="'decision'",
            body="""json_object(
    'record', 'Decision', 'question', concat('What was decided on: ', subject, '?'),
    'choice', (change ->> 'choice'), 'reason', (change ->> 'why'), 'status', 'in force'
)""",
        ),
    ),
    refusals=(
        PINNED,
        """
select number, 'it is no episode' as why
from batch
join memories on id = batch.memories[1]
where kind <> 'episode'
""",
    ),
)

SHORTEN = Statements((_columns(offered_level="(change ->> 'level')"),))

WARM = Statements((_columns(warmth="(change ->> 'warmth')"),))

WEIGH = Statements(
    (
        _columns(
            importance="greatest(importance, (change ->> 'importance')::integer, importance_floor)",
            usefulness="(change ->> 'usefulness')::double",
        ),
    ),
    refusals=(PINNED,),
)


def _counted(batch: Sequence[Planned], counter: TokenCounter) -> Mapping[str, object]:
    """Tokens of the new words, in the order of the batch."""
    levels = [one.change.levels for one in batch if isinstance(one.change, Reword)]
    return {"tokens": [[counter.count(text) for text in (one.summary, one.compressed, one.index)] for one in levels]}


_TOKENS = "($tokens::integer[][])[list_position($numbers::integer[], number)]"

REWORD = Statements(
    (
        _columns(
            content_summary="(change -> 'levels' ->> 'summary')",
            content_compressed="(change -> 'levels' ->> 'compressed')",
            content_index="(change -> 'levels' ->> 'index')",
            tokens_summary=f"{_TOKENS}[1]",
            tokens_compressed=f"{_TOKENS}[2]",
            tokens_index=f"{_TOKENS}[3]",
        ),
    ),
    given=_counted,
)

REVIVE = Statements(
    (
        _columns(
            status="'active'",
            archived_at="null",
            archived_reason="''",
            superseded_by="''",
            valid_to="if(valid_to = archived_at, null, valid_to)",
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
