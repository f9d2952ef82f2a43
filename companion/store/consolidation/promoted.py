"""What was promoted of commits and is to be held against today again: what stands, and what the check ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from companion.records import CheckResult, Draft, Status
from companion.store.bulk import batches
from companion.store.database import Database
from companion.store.memories.reconcile import BROUGHT_BACK, OUTDATED
from companion.store.memories.rows_sql import load
from companion.store.rows import column

LOADED_AT_ONCE = 500
"""Memories loaded at a time: about 2 MB."""

_PROMOTED = """
select id
from memories
where project_id = $project
    and source = 'scan'
    and starts_with(origin, 'commit:')
    and not pinned
    and (
        status = 'active'
            and id not in (
                select memories[1]
                from run_changes
                where what = 'Outdate'
                    and state = 'undone'
            )
            and archived_reason <> $brought_back
        or starts_with(archived_reason, $outdated)
            and content_full <> ''
            and id not in (
                select memories[1]
                from run_changes
                where pass = 'judge'
                    and what = 'Outdate'
                    and state = 'applied'
            )
            and not exists (
                select 1
                from memories as other
                where other.project_id = $project
                    and other.status = 'active'
                    and other.memory_key = memories.memory_key
                    and other.origin = memories.origin
            )
    )
order by id
"""
"""What a person brought back is not ended a second time, be it by undoing a run or by itself. What a judge ended does
not come back because its file is there."""


def checked(
    database: Database,
    project: str,
    check: Callable[[Draft], str | None],
    breathe: Callable[[], object] = lambda: None,
) -> Iterator[CheckResult]:
    """Memories that hold no longer, each with why, and those that were ended for it and that hold again."""
    ids = column(database, _PROMOTED, project=project, outdated=OUTDATED, brought_back=BROUGHT_BACK)
    for some in batches(ids, LOADED_AT_ONCE):
        for memory in load(database, some):
            breathe()
            stands = memory.status is Status.ACTIVE
            why = check(memory.draft if stands else replace(memory.draft, valid_to=None))
            if why is not None and bool(why) == stands:
                yield CheckResult(memory.id, why)
