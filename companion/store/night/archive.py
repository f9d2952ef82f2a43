"""What the passes of a night may ask of one project: candidates in sets, read-only, in a stable order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

from companion.records import Contradiction, Kind
from companion.records.tidying import Brief
from companion.store.contradictions import open_ones

if TYPE_CHECKING:
    from companion.store.database import Database

_BRIEFS = """
with days as (
    select distinct day
    from activity
    where project_id = $project
),
briefs as (
    select
        memories.id, kind, type, content_index, content_summary,
        [tokens_full, tokens_summary, tokens_compressed, tokens_index] as tokens,
        (
            select count(*)
            from days
            where day > greatest(
                coalesce(last_access_at, created_at), created_at
            )::date
        ) as active_days,
        (
            select count(*)
            from days
            where day > coalesce(valid_from, created_at)::date
        ) as active_days_old,
        importance, retrieved_count + cited_count as uses, pinned, label, body, created_at,
        memory_key, persona, visibility, scope_branch, learner, superseded_by
    from memories
    where project_id = $project
        and status = 'active'
)
"""

_SAME_WORDS = (
    _BRIEFS
    + """
select id, kind, type, content_index, content_summary, tokens, active_days, importance, uses, said
from (
    select
        *,
        concat_ws(
            chr(31), kind, type, memory_key, persona, visibility, scope_branch, learner,
            lower(regexp_replace(trim(content_summary), '\\s+', ' ', 'g'))
        ) as said
    from briefs
)
qualify count(*) over (partition by said) > 1
order by said, importance desc, uses desc, created_at, id
"""
)

_AGED = (
    _BRIEFS
    + """
select id, kind, type, content_index, content_summary, tokens, active_days_old, importance, uses
from briefs
where kind = 'episode'
    and active_days_old > $active_days
    and not pinned
order by active_days_old desc, id
"""
)

_UNUSED = (
    _BRIEFS  # noqa: S608 - constants of this module
    + """
select id, kind, type, content_index, content_summary, tokens, active_days, importance, uses
from briefs
where (active_days > $active_days and uses = 0 and importance <= 1 or superseded_by <> '')
    and not pinned
    and not (type = 'decision' and coalesce(json_extract_string(body, '$.status'), '') = 'in force')
    and kind <> 'pattern'
    and not exists (
        select 1
        from contradictions
        where resolved_at is null
            and briefs.id in (memory_a, memory_b)
    )
order by active_days desc, id
"""
)


@dataclass(frozen=True)
class Archive:
    """One project's memories, for the passes of a night. See `companion.ports.Archive`."""

    database: Database
    project: str
    now: datetime

    def same_words(self) -> Iterator[tuple[Brief, ...]]:
        """Groups of active memories of one key, learner and scope that say the same, most used first."""
        rows = self._rows(_SAME_WORDS, {})
        for _, group in groupby(rows, key=lambda row: row[9]):
            yield tuple(_brief(row) for row in group)

    def aged_episodes(self, active_days: int) -> Iterator[Brief]:
        """Episodes that happened more than so many days of work ago, oldest first."""
        yield from map(_brief, self._rows(_AGED, {"active_days": active_days}))

    def unused(self, active_days: int) -> Iterator[Brief]:
        """Memories that were superseded, or not used for more than so many days of work, and may be forgotten."""
        yield from map(_brief, self._rows(_UNUSED, {"active_days": active_days}))

    def contradictions(self) -> tuple[Contradiction, ...]:
        """The open ones, newest first."""
        return open_ones(self.database, self.project)

    def _rows(self, query: str, given: dict[str, object]) -> list[tuple[Any, ...]]:
        with self.database.read() as connection:
            return connection.execute(query, {"project": self.project, **given}).fetchall()


def _brief(row: tuple[Any, ...]) -> Brief:
    id_, kind, type_, title, text, (full, summary, compressed, index), active_days, importance, uses = row[:9]
    return Brief(id_, Kind(kind), type_, title, text, (full, summary, compressed, index), active_days, importance, uses)
