"""Commands that were run: kept redacted, the newest of them, and counted by hour and weekday."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from companion.store.by_columns import column_where, keep_first, value_where
from companion.store.database import Database
from companion.store.rows import Query, Table
from companion.store.texts import hashed_id

KEPT = 20_000
"""Newest commands kept of a project: some two years of a busy day's fifty; about 3 MB."""
PRUNED_EVERY = 500
"""Commands between two looks at how many there are."""


class Command(Struct, frozen=True):
    """One command that ended, as it is kept; `directory` is relative to the repository, empty for its top.

    `step` is what it does for a workflow (several joined by ` && `), `failure` the fingerprint of
    its first error. Times are naive UTC.
    """

    id: str
    project: str
    checkout: str
    started_at: datetime
    directory: str
    command: str
    step: str
    exit_code: int
    duration_s: float
    branch: str = ""
    failure: str = ""


class UsedAt(Struct, frozen=True):
    """How often a step was taken in one hour of one weekday (1 is Monday), and how often it succeeded."""

    weekday: int
    hour: int
    step: str
    runs: int
    successes: int


COMMANDS = Table(Command, "commands")

_RECENT = COMMANDS.select("""
where project_id = $project
    and ($steps_only = false or step <> '')
order by started_at desc, id
limit $limit
""")

_BY_TIME = Query(
    UsedAt,
    """
select
    isodow(started_at) as weekday,
    hour(started_at) as hour,
    step,
    count(*) as runs,
    count(*) filter (where exit_code = 0) as successes
from commands
where project_id = $project
    and step <> ''
    and started_at >= $since
group by all
order by runs desc, step, weekday, hour
""",
)


def command_id(checkout: str, started_at: datetime, command: str) -> str:
    """The id of a command: the same report twice is the same one."""
    return hashed_id("c1", checkout, started_at.isoformat(), command)


def add(database: Database, one: Command) -> bool:
    """Keep a command; False if it is known already. The oldest make room for it."""
    with database.write(quiet=True) as connection:
        if column_where(connection, "commands", "id", id=one.id):
            return False
        COMMANDS.insert(connection, [one])
        count = value_where(connection, "commands", "count(*)", project_id=one.project)
        if count > KEPT and count % PRUNED_EVERY == 0:
            keep_first(connection, "commands", KEPT, order="started_at desc, id", project_id=one.project)
    return True


def recent(database: Database, project: str, limit: int, *, steps_only: bool = False) -> tuple[Command, ...]:
    """The newest commands of a project, oldest first; with `steps_only` those that are a workflow's steps."""
    return _RECENT.all(database, project=project, limit=limit, steps_only=steps_only)[::-1]


def used_at(database: Database, project: str, since: datetime) -> Sequence[UsedAt]:
    """When steps are usually taken, most often first: by weekday and hour in UTC."""
    return _BY_TIME.all(database, project=project, since=since)
