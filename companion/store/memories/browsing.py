"""Going through the memories of a project and of its user, newest first, a page at a time.

A page is found from a place in the order (a time and an id), never by counting: what is learned meanwhile moves no
page, and of 100,000 the last costs what the first does.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from companion.ports.composing import composed
from companion.records.browsing import BrowseQuery
from companion.store.database import Database
from companion.store.rows import column, tuples


class Seer(Struct, frozen=True):
    """Who goes through: the spaces whose memories are theirs, and where they stand."""

    spaces: tuple[str, ...]
    checkout: str
    branch: str


class _Page(Struct, frozen=True):
    """Ids with the times that they are sorted by, and how many there are in all."""

    places: Sequence[tuple[str, datetime]]
    total: int


_FITTING = """
from memories
where project_id in (select unnest($spaces::varchar[]))
    and (len($kinds::varchar[]) = 0 or list_contains($kinds::varchar[], kind))
    and ($persona = '' or persona in ('', $persona))
    and scope_branch in ('', $branch)
    and (not contains(learner, '@') or ends_with(learner, '@' || $checkout))
    and case $state
        when 'current' then status = 'active' and superseded_by = ''
        when 'pinned' then pinned
        when 'archived' then status = 'archived' or superseded_by <> ''
        else true
    end
"""

_COUNT = composed("select count(*){fitting}", fitting=_FITTING)

_PAGE = composed(
    """
select id, coalesce(valid_from, created_at) as since
{fitting}
    and (
        $after_at::timestamp is null
        or coalesce(valid_from, created_at) < $after_at::timestamp
        or coalesce(valid_from, created_at) = $after_at::timestamp and id < $after_id
    )
order by since desc, id desc
limit $limit
""",
    fitting=_FITTING,
)


def page(database: Database, seer: Seer, query: BrowseQuery) -> _Page:
    """One page of what fits a query, as `seer` sees it."""
    fitting: dict[str, object] = {
        "spaces": seer.spaces,
        "kinds": query.kinds,
        "persona": query.persona,
        "branch": seer.branch,
        "checkout": seer.checkout,
        "state": query.state,
    }
    place = {"after_at": query.after_at, "after_id": query.after_id, "limit": query.limit}
    with database.read() as connection:
        places = tuples(connection, _PAGE, **fitting, **place)
        (total,) = column(connection, _COUNT, **fitting)
    return _Page(places, total)
