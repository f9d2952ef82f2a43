"""What was archived long ago is emptied for good: on its own command, after its own dry run.

Only memories that were learned from sources which can be read again, and that nobody laid a hand on: nothing
said by hand or in talk, no decision, nothing a person named, pinned, weighed, forgot or decided against (the
last two are what keeps it from being learned again), and nothing that a living memory leads back to. What is
left of a memory is its index line, what it was about, and why it went: chains and journals still make sense.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from companion.records.runs import Purgeable
from companion.store.binding import duckdb
from companion.store.bulk import batches
from companion.store.by_columns import delete_where, set_where
from companion.store.consolidation.about import ERASED
from companion.store.database import Database
from companion.store.memories.reconcile import FORGOTTEN, LOST, LOST_PIN
from companion.store.reason.forgetting import unname
from companion.store.rows import Query
from companion.store.statements import execute
from companion.store.vectors.sql import FORGET_UNUSED

GRACE_DAYS = 180
"""Days in the archive before a memory may be emptied; spec N6. Of the calendar: long enough to ask for it back."""

PART_MEMORIES = 500
"""Memories emptied in one transaction: some 50 ms."""

_PURGEABLE = Query(
    Purgeable,
    """
with recursive led_to as (
    select id
    from memories
    where project_id = $project
        and status = 'active'
    union
    select earlier.id
    from led_to
    join memories as one on one.id = led_to.id
    join memories as earlier on earlier.superseded_by = one.id or earlier.id = one.supersedes
    where earlier.id <> ''
),
cited as (
    select id
    from led_to
    union
    select ref
    from memory_evidence
    join memories on memories.id = memory_id
    where status = 'active'
    union
    select unnest([a, b])
    from memory_links
    where memory_links.project_id = $project
        and exists (
            select 1
            from memories
            where memories.id in (a, b)
                and status = 'active'
        )
    union
    select unnest([memory_a, memory_b])
    from contradictions
    where contradictions.project_id = $project
        and resolved_at is null
)
select
    id,
    content_index as title,
    archived_at,
    archived_reason as reason,
    strlen(value) + strlen(content_full) + strlen(content_summary) + strlen(content_compressed)
        + coalesce(strlen(body::varchar), 0) as size_bytes
from memories
where project_id = $project
    and status = 'archived'
    and archived_at <= $before
    and archived_reason not in ($forgotten, $lost, $lost_pin)
    and source = 'scan'
    and type not in ('decision', 'conversation')
    and not pinned
    and importance_floor = 0
    and label = ''
    and content_full <> ''
    and id not in (select id from cited)
order by archived_at, id
""",
)

_EMPTY = {
    **dict.fromkeys(("value", "content_full", "content_summary", "content_compressed"), ""),
    **dict.fromkeys(("tokens_full", "tokens_summary", "tokens_compressed"), 0),
    "body": None,
}

_DROP_IMAGES = """
delete from run_rows
where list_has_any(string_split(row_key, chr(31)), $ids::varchar[])
    or table_name = 'contradictions'
        and (run_id, number) in (
            select (run_id, number)
            from run_changes
            where list_has_any(memories, $ids::varchar[])
        )
"""
"""Of their own rows, and of links and contradictions that they stand in."""

_CANNOT_BE_UNDONE = """
update run_changes
set
    why_not = if(state in ('applied', 'planned'), $erased, why_not),
    state = if(state = 'planned', 'refused', state),
    said = null
where list_has_any(memories, $ids::varchar[])
"""

_SAY_NOTHING = """
update run_changes
set
    reason = '',
    change = json_merge_patch(
        change,
        if(
            what = 'Reword',
            '{"reason": "", "levels": {"summary": "", "compressed": "", "index": ""}}',
            '{"reason": ""}'
        )::json
    )
where list_has_any(memories, $ids::varchar[])
"""

_DROP_TOLD = (
    """
delete from run_decisions
where list_has_any(memories, $ids::varchar[])
""",
    """
delete from rulings
where memories is null
    or list_has_any(memories, $ids::varchar[])
""",
    """
delete from judgements
where list_has_any(memories, $ids::varchar[])
""",
)
"""What reports, judges and questions have of their texts: reasons quote what was read. Where it is not known whom a
ruling quotes it goes too: it is made anew."""


def plan(database: Database, project: str, now: datetime) -> tuple[Purgeable, ...]:
    """What a purge would empty, the longest archived first: learned by scanning, and led back to by nothing."""
    before = now - timedelta(days=GRACE_DAYS)
    words = {"forgotten": FORGOTTEN, "lost": LOST, "lost_pin": LOST_PIN}
    return _PURGEABLE.all(database, project=project, before=before, **words)


def purge(database: Database, project: str, now: datetime) -> tuple[Purgeable, ...]:
    """Empty them: texts, bodies, quotes of evidence, vectors, and what the journal kept of their rows.

    In parts, each all or nothing; killed in the middle, the rest is purged the next time. The index line and
    what it was about stay. It cannot be undone. Returns what was emptied.
    """
    listed = plan(database, project, now)
    for some in batches(listed, PART_MEMORIES):
        ids = [one.id for one in some]
        with database.write() as connection:
            _empty(connection, ids)
            _drop_images(connection, ids)
    return listed


def erase_traces(connection: duckdb.DuckDBPyConnection, ids: Collection[str]) -> None:
    """Take every word about memories out of the journal and out of answers, for a deletion that the user asked for.

    Joins the transaction of whoever deletes the memories themselves, and then the vectors of what nobody says. Rows
    of the journal, the reasons and words of changes about them and what judges said of them go; which change of which
    run it was stays, and that it cannot be undone any more.
    """
    wanted = {"ids": sorted(ids)}
    _drop_images(connection, wanted["ids"])
    execute(connection, _SAY_NOTHING, wanted)
    delete_where(connection, "run_digests", memory_id=ids)
    unname(connection, ids)


def _empty(connection: duckdb.DuckDBPyConnection, ids: Sequence[str]) -> None:
    """Empty memories; with them go the vectors of what nobody says any more."""
    set_where(connection, "memories", _EMPTY, id=ids)
    set_where(connection, "memory_evidence", {"quote": ""}, memory_id=ids)
    execute(connection, FORGET_UNUSED)


def _drop_images(connection: duckdb.DuckDBPyConnection, ids: Sequence[str]) -> None:
    given: dict[str, object] = {"ids": list(ids)}
    execute(connection, _CANNOT_BE_UNDONE, given | {"erased": ERASED})
    for statement in _DROP_TOLD:
        execute(connection, statement, given)
    execute(connection, _DROP_IMAGES, given)
