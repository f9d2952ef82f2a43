"""How memories are used: each time one is served, cited or passed over is logged and counted.

It happens at every assembly, so it is one transaction of two set-based statements and leaves the
store's revision alone: nothing that is cached depends on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from companion.errors import UsageError
from companion.records import Usage
from companion.store.texts import clean

if TYPE_CHECKING:
    from companion.store.database import Database

KINDS_OF_USE = ("retrieved", "cited", "ignored")

CONTEXT_CHARACTERS = 200
"""What it was used for is kept this far: a path or an action's name."""

_LOG = """
insert into usage_log (memory_id, what, used_at, context)
select id, $what, $now, $context
from (select unnest($ids::varchar[]) as id)
"""

_COUNT = {
    "retrieved": """
update memories
set retrieved_count = retrieved_count + 1, last_access_at = $now
where id in (select unnest($ids::varchar[]))
""",
    "cited": """
update memories
set cited_count = cited_count + 1, last_access_at = $now
where id in (select unnest($ids::varchar[]))
""",
    "ignored": """
update memories
set ignored_count = ignored_count + 1
where id in (select unnest($ids::varchar[]))
""",
}
"""A statement a use: each column that is set costs as much as finding the rows."""

_TOTALS = """
select
    coalesce(sum(retrieved_count), 0)::bigint,
    coalesce(sum(cited_count), 0)::bigint,
    coalesce(sum(ignored_count), 0)::bigint,
    max(last_access_at)
from memories
where project_id = $project
"""


def record(database: Database, ids: Sequence[str], what: str, context: str, now: datetime) -> None:
    """Log that memories were `retrieved`, `cited` or `ignored`, for a path or an action (`context`).

    An id that is given twice counts once. Raises UsageError for another word.
    """
    if what not in KINDS_OF_USE:
        raise UsageError(f"A use is one of {', '.join(KINDS_OF_USE)}, not {what!r}.")
    if not ids:
        return
    counted: dict[str, object] = {"ids": sorted(set(ids))}
    moment = {} if what == "ignored" else {"now": now}
    logged = {"what": what, "now": now, "context": clean(context)[:CONTEXT_CHARACTERS]}
    with database.write(quiet=True) as connection:
        connection.execute(_LOG, counted | logged)
        connection.execute(_COUNT[what], counted | moment)


def totals(database: Database, project: str) -> Usage:
    """The uses of all memories of a project, added up, and the last of them."""
    with database.read() as connection:
        row = connection.execute(_TOTALS, {"project": project}).fetchone()
    assert row is not None
    return Usage(*row)
