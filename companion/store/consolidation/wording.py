"""What the run may say shorter: old episodes to be offered at another length, texts a model may word better.

Age is counted in days of work. What a person asked for is what was cited: opened, searched for or used; that
something stood in a context is not asking.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from companion.records import Aged, Kind, Level, Levels, Wording
from companion.store.consolidation.activity import DAYS
from companion.store.memories.rows_sql import BY_HAND

if TYPE_CHECKING:
    from companion.store.database import Database

TRIES_MOST = 3
"""IdleRuns in which a model is asked about one text in vain: a fourth answer is hardly better than the third."""
REST = timedelta(hours=12)
"""Between two tries: another run, whenever this one began."""
WORTH_TOKENS = 24
"""A shorter summary says all that there is to say in it."""
READ_MOST = 50_000
"""Episodes moved in one run; what is left waits for the next, and a run stays short."""
REASON_CHARACTERS = 300
"""Kept of why an answer was not used."""

_AGED = (
    "with"  # noqa: S608 - constants of this room
    + DAYS
    + """,
latest as (
    select coalesce(max(number), 0) as number
    from numbered_days
),
mine as (
    select
        id, [tokens_full, tokens_summary, tokens_compressed, tokens_index] as tokens, offered_level,
        coalesce(valid_from, created_at)::date as happened
    from memories
    where project_id = $project
        and status = 'active'
        and kind = 'episode'
        and not pinned
        and tokens_summary < tokens_full
),
asked as (
    select memory_id, max(used_at)::date as day
    from usage_log
    where what = 'cited'
        and memory_id in (select id from mine)
    group by memory_id
),
aged as (
    select m.*, latest.number - coalesce(d.number, 0) as age_days
    from mine m
    cross join latest
    asof left join numbered_days d on d.day <= m.happened
),
lately as (
    select a.memory_id, latest.number - coalesce(d.number, 0) as asked_days
    from asked a
    cross join latest
    asof left join numbered_days d on d.day <= a.day
),
due as (
    select
        aged.*, asked_days,
        case
            when coalesce(asked_days <= $asked, false) then 'full'
            when age_days > $compressed and tokens[3] < tokens[2] then 'compressed'
            when age_days > $summary then 'summary'
            else 'full'
        end as level
    from aged
    left join lately on lately.memory_id = aged.id
)
select id, tokens, offered_level, age_days, asked_days
from due
where offered_level <> level
order by age_days desc, id
limit $most
"""
)

_TO_REWORD = (
    """
with mine as (
    select
        id, kind, if(kind = 'episode', subject, content_compressed) as statement,
        content_full, content_summary, content_compressed, content_index,
        [tokens_full, tokens_summary, tokens_compressed, tokens_index] as tokens, md5(content_full) as text_hash
    from memories
    where project_id = $project
        and status = 'active'
        and tokens_summary >= $least
        and not """
    + BY_HAND
    + """
)
select
    id, kind, statement, content_full, content_summary, content_compressed, content_index,
    tokens, mine.text_hash, coalesce(tries, 0)
from mine
left join rewordings on rewordings.text_hash = mine.text_hash and rewordings.model = $model
where rewordings.text_hash is null
    or rewordings.why_not <> '' and tries < $tries and tried_at < $before
order by coalesce(tries, 0), tokens[2] desc, id
limit $limit
"""
)

_NOTE = """
insert into rewordings (text_hash, model, tries, why_not, tried_at)
values ($text_hash, $model, $tries, $why_not, $now)
on conflict (text_hash, model) do update set
    tries = excluded.tries,
    why_not = excluded.why_not,
    tried_at = excluded.tried_at
"""


def aged(
    database: Database, project: str, now: datetime, *, summary_after: int, compressed_after: int, asked_within: int
) -> Iterator[Aged]:
    """Episodes that are offered longer or shorter than they should be, oldest first; see `companion.ports.Archive`."""
    given = {
        "project": project,
        "now": now,
        "summary": summary_after,
        "compressed": compressed_after,
        "asked": asked_within,
        "most": READ_MOST,
    }
    rows = database.rows(_AGED, given)
    for id_, (full, summary, compressed, index), offered, age_days, asked_days in rows:
        yield Aged(id_, (full, summary, compressed, index), Level(offered), age_days, asked_days)


def to_reword(database: Database, project: str, model: str, now: datetime, limit: int) -> Iterator[Wording]:
    """Memories the model was not asked about yet, or in vain another run, longest summaries first."""
    given = {
        "project": project,
        "model": model,
        "least": WORTH_TOKENS,
        "tries": TRIES_MOST,
        "before": now - REST,
        "limit": limit,
    }
    rows = database.rows(_TO_REWORD, given)
    for id_, kind, statement, full, summary, compressed, index, tokens, text_hash, tries in rows:
        levels = Levels(full, summary, compressed, index)
        yield Wording(id_, Kind(kind), statement, levels, tuple(tokens), text_hash, tries)


def note(database: Database, model: str, wording: Wording, why_not: str, now: datetime) -> None:
    """Keep what asking came to; nothing of the texts."""
    given = {
        "text_hash": wording.text_hash,
        "model": model,
        "tries": wording.tries + 1,
        "why_not": why_not[:REASON_CHARACTERS],
        "now": now,
    }
    database.change(_NOTE, given, quiet=True)
