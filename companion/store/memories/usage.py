"""How memories are used: each time one is served, cited or passed over is logged and counted.

It happens at every assembly, so it is one transaction of two set-based statements and leaves the
store's revision alone: nothing that is cached depends on it. Each run thins the log to what runs read of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from companion.errors import UsageError
from companion.ports.composing import composed
from companion.records import Usage
from companion.records.browsing import Use
from companion.store.by_columns import column_where
from companion.store.database import Database
from companion.store.rows import Query, Table
from companion.store.statements import execute
from companion.store.texts import clean

KINDS_OF_USE = ("retrieved", "cited", "ignored")
SHOWN_AND_LEFT = "shown and left"
"""The rule by which a memory counts as passed over without anybody saying so."""

CONTEXT_CHARACTERS = 200
"""What it was used for is kept this far: a path or an action's name."""

WHOLE = timedelta(days=7)
"""So long every use is kept: as long as a memory is hot, and a person may ask what it was shown for."""
DAYS_KEPT = 400
"""Days of use that the log goes back: what was cited then is worth a hundredth (see HALF_LIFE_DAYS of `worth`).
Counted and not dated, so neither a pause nor a clock that was ahead loses anything."""
ROWS_KEPT = 200_000
"""Rows of a project, the newest: 500 uses on each of those days; thinned in a quarter of a second of one core."""

_COUNT = """
update memories
set {use}_count = {use}_count + 1{moment}
where id in (select unnest($ids::varchar[]))
"""
"""No more columns than are moved: each that is set costs as much as finding the rows."""

_THIN = """
delete from usage_log
where rowid in (
    select place
    from (
        select
            log.rowid as place,
            what, context, used_at,
            row_number() over of_its_sort as newest,
            row_number() over of_its_day as of_day,
            row_number() over (partition by project_id order by used_at desc, log.rowid) as of_all,
            dense_rank() over (partition by project_id order by used_at::date desc) as days,
            used_at in (min(used_at) over of_its_quarter, max(used_at) over of_its_quarter) as bridge
        from usage_log as log
        join memories on memories.id = memory_id
        window
            of_its_sort as (partition by memory_id, what = 'ignored' order by used_at desc, log.rowid),
            of_its_day as (partition by memory_id, what, used_at::date order by used_at desc, log.rowid),
            of_its_quarter as (partition by project_id, time_bucket(interval '15 minutes', used_at))
    )
    where newest > 1
        and not (what = 'ignored' and context <> $left)
        and (
            what = 'retrieved' and of_day > 1 and not bridge and used_at < $whole
            or days > $days
            or of_all > $rows
        )
)
"""
"""Of days past runs read on which days a memory was shown, and the pauses that end a session: so one showing a
day is kept, and the first and last of each quarter of an hour. A memory's newest use stays however old it is, since
its life is counted from there, and so does what a person dismissed, since it is never shown there again."""

USES = Table(Use, "usage_log", {"at": "used_at"})

_TOTALS = Query(
    Usage,
    """
select
    coalesce(sum(retrieved_count), 0)::bigint as retrieved,
    coalesce(sum(cited_count), 0)::bigint as cited,
    coalesce(sum(ignored_count), 0)::bigint as ignored,
    max(last_access_at) as last_access_at
from memories
where project_id = $project
""",
)


def record(database: Database, ids: Sequence[str], what: str, context: str, now: datetime) -> None:
    """Log that memories were `retrieved`, `cited` or `ignored`, for a path or an action (`context`).

    An id that is given twice counts once. Raises UsageError for another word.
    """
    if what not in KINDS_OF_USE:
        raise UsageError(f"A use is one of {', '.join(KINDS_OF_USE)}, not {what!r}.")
    if not ids:
        return
    used = sorted(set(ids))
    given, moment = ({}, "") if what == "ignored" else ({"now": now}, ", last_access_at = $now")
    use = Use(what, now, clean(context)[:CONTEXT_CHARACTERS])
    with database.write(quiet=True) as connection:
        USES.insert(connection, [use] * len(used), memory_id=used)
        execute(connection, composed(_COUNT, use=what, moment=moment), {"ids": used, **given})


def passed_over(database: Database, ids: Sequence[str], context: str) -> frozenset[str]:
    """Which of the memories were found of no use in a context, as it was recorded."""
    if not ids:
        return frozenset()
    return frozenset(column_where(database, "usage_log", "memory_id", what="ignored", context=context, memory_id=ids))


def thin(database: Database, now: datetime) -> None:
    """Take out of the log what no run reads any more; see `WHOLE`, `DAYS_KEPT` and `ROWS_KEPT`."""
    given = {"whole": now - WHOLE, "days": DAYS_KEPT, "rows": ROWS_KEPT, "left": SHOWN_AND_LEFT}
    database.change(_THIN, given, quiet=True)


def of(database: Database, id_: str, limit: int) -> tuple[Use, ...]:
    """The latest uses of one memory, the newest first."""
    return USES.where(database, order="used_at desc, what", limit=limit, memory_id=id_)


def totals(database: Database, project: str) -> Usage:
    """The uses of all memories of a project, added up, and the last of them."""
    return _TOTALS.first(database, project=project) or Usage()
