"""How every statement begins that writes images of a batch of changes: rows as they are, and as they will be."""

from __future__ import annotations

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

OF_FIRST = """
from batch
join memories on id = batch.memories[1]
"""
