"""The clock of a run: the days on which a project was worked on, as its commits, asks, notes and events tell.

Nothing is written down for it. A day counts if a commit was authored on it, a memory was asked for or used, a
person told something, or an editor or shell was busy. Days that lie in the future of the run do not count, so
a clock that was ahead for a while, or is set back, makes nothing older.
"""

from __future__ import annotations

DAYS = """
with days as (
    select authored_at::date as day
    from commits
    where project_id = $project
        and authored_at::date <= $now::date
        and not is_merge
        and not gone
    union
    select used_at::date
    from usage_log
    where what <> 'ignored'
        and used_at <= $now
        and memory_id in (
            select id
            from memories
            where project_id = $project
        )
    union
    select created_at::date
    from memories
    where project_id = $project
        and source <> 'scan'
        and created_at <= $now
    union
    select noted_at::date
    from events
    where noted_at <= $now
        and checkout_id in (
            select id
            from checkouts
            where project_id = $project
        )
),
numbered_days as (
    select day, row_number() over (order by day) as number
    from days
),
latest as (
    select coalesce(max(number), 0) as number
    from numbered_days
)"""
"""Common table expressions for a query with $project and $now: `days`, `numbered_days` from 1, and the `latest`."""
