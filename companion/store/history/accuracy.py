"""How well prediction did: commits replayed before they were learned from, and what was foreseen at work, day by day.

Counts and shares alone; no file is named, and a commit only by its id. A commit is measured once: what is
learned later never makes an earlier figure better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from companion.records.looking import Measured, Rate, WorkedWeek
from companion.store.by_columns import keep_first
from companion.store.database import Database
from companion.store.rows import Table, tuples
from companion.store.statements import execute

COMMITS_KEPT = 5_000
"""Replayed commits of a project that are kept, the newest: some years of a busy one, and half a megabyte."""

REPLAYED = Table(Measured, "replayed")

_COUNT = """
insert into foreseen (checkout_id, day, what, times, hits)
values ($checkout, $day, $what, $times, $hits)
on conflict (checkout_id, day, what) do update set
    times = foreseen.times + excluded.times,
    hits = foreseen.hits + excluded.hits
"""

_FORESEEN = """
select date_trunc('week', day)::timestamp as week, what, sum(times)::bigint, sum(hits)::bigint
from foreseen
where day >= $since::date
    and checkout_id in (select id from checkouts where project_id = $project)
group by all
order by all
"""

_USED = """
with days as (
    select
        memory_id,
        used_at::date as day,
        bool_or(what = 'retrieved') as shown,
        bool_or(what = 'cited') as used,
        bool_or(what = 'ignored') as passed_over
    from usage_log
    join memories on memories.id = memory_id
    where project_id = $project
        and used_at >= $since
    group by all
)
select
    date_trunc('week', day)::timestamp as week,
    count(*) filter (shown),
    count(*) filter (shown and used),
    count(*) filter (shown and passed_over and not used)
from days
group by all
order by all
"""
"""A memory counts once a day: so many showings of a day are kept however old it is (see `usage.thin`)."""


def keep_replayed(database: Database, project: str, found: Sequence[Measured], now: datetime) -> None:
    """Keep what was measured; a commit that was measured before stays as it was."""
    if not found:
        return
    with database.write(quiet=True) as connection:
        REPLAYED.insert(connection, found, or_ignore=True, project_id=project, measured_at=now)
        keep_first(connection, "replayed", COMMITS_KEPT, order="committed_at desc, sha", project_id=project)


def replayed(database: Database, project: str) -> tuple[Measured, ...]:
    """Every commit of a project that was measured, oldest first."""
    return REPLAYED.where(database, order="committed_at, sha", project_id=project)


def count(database: Database, checkout: str, at: datetime, more: Mapping[str, Rate]) -> None:
    """Add to what is counted of a day, by what happened: `opened`, `edited` or `asked`."""
    with database.write(quiet=True) as connection:
        for what, rate in more.items():
            given = {"checkout": checkout, "day": at.date(), "what": what, "times": rate.times, "hits": rate.hits}
            execute(connection, _COUNT, given)


def weeks(database: Database, project: str, since: datetime) -> tuple[WorkedWeek, ...]:
    """What was foreseen and what was of use, by week since a moment; weeks without either are left out."""
    with database.read() as connection:
        counted = tuples(connection, _FORESEEN, project=project, since=since)
        used = tuples(connection, _USED, project=project, since=since)
    found: dict[datetime, WorkedWeek] = {}
    for week, what, times, hits in counted:
        rate: dict[str, Any] = {what: Rate(times, hits)}
        found[week] = replace(found.get(week, WorkedWeek(week)), **rate)
    for week, shown, hits, left in used:
        found[week] = replace(found.get(week, WorkedWeek(week)), memories=Rate(shown, hits), left=left)
    return tuple(found[week] for week in sorted(found) if found[week] != WorkedWeek(week))
