"""What happened, in its order: pages of memories by the time they tell of, and how many there are a month.

A page is found from a place in the order (a time and an id), never by counting: a page far down costs what the
first one does, and what is learned meanwhile moves no page.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from companion.ports.composing import composed
from companion.records.looking import Happened, MonthCount, TimelinePage, TimelineQuery
from companion.records.search import State
from companion.store.database import Database
from companion.store.memories.rows_sql import load
from companion.store.rows import Query, tuples

_FITTING = """
with fitting as (
    select id, coalesce(valid_from, created_at) as moment
    from memories
    where if(
            $act = '',
            project_id in (select unnest($spaces::varchar[])),
            act_id = $act
            or $act_project <> '' and act_id = '' and project_id = $act_project and source <> 'scan'
        )
        and (len($kinds::varchar[]) = 0 or list_contains($kinds::varchar[], kind))
        and (len($types::varchar[]) = 0 or list_contains($types::varchar[], type))
        and (
            len($changes::varchar[]) = 0
            or list_contains($changes::varchar[], coalesce(json_extract_string(body, '$.change'), ''))
        )
        and (
            $path = ''
            or id in (
                select memory_id
                from memory_entities
                where entity = 'file:' || $path
                    or starts_with(entity, 'file:' || $path || '/')
            )
        )
        and (
            len($people::varchar[]) = 0
            or id in (select memory_id from memory_entities where list_contains($people::varchar[], entity))
        )
        and ($persona = '' or persona in ('', $persona))
        and scope_branch in ('', $branch)
        and (not contains(learner, '@') or ends_with(learner, '@' || $checkout))
        and case $state
            when 'current' then status = 'active' and superseded_by = ''
            when 'pinned' then pinned
            when 'archived' then status = 'archived' or superseded_by <> ''
            else true
        end
)
"""

_PAGE = composed(
    """{fitting}
select id, moment
from fitting
where ($before::timestamp is null or moment < $before::timestamp or moment = $before::timestamp and id > $before_id)
    and ($after::timestamp is null or moment > $after::timestamp)
order by moment desc, id
limit $limit
""",
    fitting=_FITTING,
)
"""Towards the past. A place without an id has all that stands at its time behind it."""

_MONTHS = Query(
    MonthCount,
    composed(
        """{fitting}
select date_trunc('month', moment)::timestamp as month, count(*) as count
from fitting
group by all
order by all
""",
        fitting=_FITTING,
    ),
)

LAST_ID = "\x7f"
"""Stands behind every id: a time without an id means its first moment, with nothing of it on the nearer side."""


class Whose(Struct, frozen=True):
    """In whose name the timeline is read: spaces, checkout, branch, and an act with the project that it is of."""

    spaces: tuple[str, ...]
    checkout: str
    branch: str
    act: str = ""
    act_project: str = ""


def read(
    database: Database,
    whose: Whose,
    query: TimelineQuery,
    people: Sequence[str] = (),
) -> TimelinePage:
    """A page of the timeline, with the counts of all months if they are asked for.

    `people` are the entities that the person goes by; with archived ones included its `state` plays no part.
    """
    fitting: dict[str, object] = {
        "act": whose.act,
        "act_project": whose.act_project,
        "spaces": whose.spaces,
        "kinds": query.kinds,
        "types": query.types,
        "changes": query.changes,
        "path": query.path,
        "people": people,
        "persona": query.persona,
        "branch": whose.branch,
        "checkout": whose.checkout,
        "state": State.ALL if query.include_archived else query.state or State.CURRENT,
    }
    place = {"after": query.after, "before": query.before, "before_id": query.before_id or LAST_ID}
    with database.read() as connection:
        found = tuples(connection, _PAGE, limit=query.limit + 1, **fitting, **place)
        months = _MONTHS.all(connection, **fitting) if query.count else ()
        shown = found[: query.limit]
        memories = {memory.id: memory for memory in load(connection, [id_ for id_, _ in shown])}
    told = tuple(Happened(at, memories[id_]) for id_, at in shown if id_ in memories)
    return TimelinePage(told, len(found) > query.limit, months)
