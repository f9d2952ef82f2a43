"""What each sort of change does, as statements that write images: rows as they are, and as they will be."""

from __future__ import annotations

from collections.abc import Mapping

from companion.store.consolidation.leaving_sql import (
    ADD_UP,
    ANCESTRY,
    ARTIFACTS,
    CLOSE,
    ENTITIES,
    EVIDENCE,
    INHERIT,
    LEAVE,
)
from companion.store.consolidation.ties_sql import OPPOSE, RELATE, UNITE, UNRELATE

BATCH = """
insert into night_rows (run_id, number, table_name, row_key, before, after)
with batch as (
    select number, what, change, reason, memories, $now::timestamp as now, $project as project
    from night_changes
    where run_id = $run
        and number between $first and $last
        and number in (select unnest($numbers::integer[]))
        and state = 'planned'
)
"""
"""How each of them begins: the images of a batch of changes are written."""

_SHORTEN = """
select
    $run, number, 'memories', id,
    json_object('offered_level', offered_level),
    json_object('offered_level', (change ->> 'level'))
from batch
join memories on id = batch.memories[1]
"""

_WARM = """
select
    $run, number, 'memories', id,
    json_object('warmth', warmth),
    json_object('warmth', (change ->> 'warmth'))
from batch
join memories on id = batch.memories[1]
"""

_WEIGH = """
select
    $run, number, 'memories', id,
    json_object('importance', importance, 'usefulness', usefulness),
    json_object(
        'importance', greatest((change ->> 'importance')::integer, importance_floor),
        'usefulness', (change ->> 'usefulness')::double
    )
from batch
join memories on id = batch.memories[1]
"""

_REVIVE = """
select
    $run, number, 'memories', id,
    json_object(
        'status', status, 'archived_at', archived_at, 'archived_reason', archived_reason,
        'superseded_by', superseded_by, 'valid_to', valid_to
    ),
    json_object(
        'status', 'active', 'archived_at', null, 'archived_reason', '', 'superseded_by', '',
        'valid_to', if(valid_to = archived_at, null, valid_to)
    )
from batch
join memories on id = batch.memories[1]
"""

WORDS = """
select
    id, content_summary, content_compressed, content_index, tokens_summary, tokens_compressed, tokens_index
from memories
where id in (select unnest($ids::varchar[]))
"""

WORD_COLUMNS = (
    *("content_summary", "content_compressed", "content_index"),
    *("tokens_summary", "tokens_compressed", "tokens_index"),
)

DEEDS: Mapping[str, tuple[str, ...]] = {
    "Merge": (LEAVE, ADD_UP, EVIDENCE, ENTITIES, ARTIFACTS, INHERIT, CLOSE),
    "Supersede": (LEAVE, ANCESTRY, CLOSE),
    "Shorten": (_SHORTEN,),
    "Weigh": (_WEIGH,),
    "Warm": (_WARM,),
    "Oppose": (OPPOSE,),
    "Outdate": (LEAVE, CLOSE),
    "Retire": (LEAVE, CLOSE),
    "Revive": (_REVIVE,),
    "Relate": (RELATE,),
    "Unrelate": (UNRELATE,),
    "Unite": (UNITE,),
}
"""The statements of each sort of change; rewording and rescoping need more than SQL and stand in `deeds`."""
