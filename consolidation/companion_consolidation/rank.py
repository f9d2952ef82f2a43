"""What use says of memories: how far each moves in the ranking, what has become important, what is hot or cold.

Usefulness is what remains of the sessions in which a memory was cited, less those in which it was left or
dismissed, against PRIOR sessions that said nothing: one click moves little, a habit moves much, and nothing
moves it beyond -1 and 1. Being shown counts for nothing. What nobody uses any more drifts back to 0. Of what a team
shares each colleague who cited it counts as one session, up to OTHERS_MOST, whenever that was.

A burst of clicks is one session; a session is worth half after HALF_LIFE_DAYS days of work. Whether a memory is hot,
warm or cold follows from the days of work since it was used or born. Both clocks stand still while nobody works.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from msgspec import Struct

from companion.ports import Archive
from companion.ports.composing import composed
from companion.records import Change, Importance, Warm, Warmth, Weigh
from companion_consolidation.days import DAYS

PRIOR = 4.0
"""Sessions of which nothing is known that every memory starts with: one citation is worth a fifth of the whole."""
IGNORED_WORTH = 0.5
"""What passing over counts for against a citation: who did not look has not said that it was wrong."""
DISMISSED_WORTH = 1.5
"""The same where a person said that it is of no use here."""
LEAST_MOVE = 0.05
"""A change of usefulness below this moves no rank by as much as can be seen, and is not written down."""
SIGNIFICANT_AFTER = 3
"""Sessions of citing that make a memory significant; as in the specification."""
OTHERS_MOST = 4
"""Colleagues that count: as many as make something worth half of the whole, and no crowd outweighs one's own use."""
HOT_DAYS, WARM_DAYS = 7, 30
"""Days of work since it was used or born, up to which a memory is hot, or warm; as in the specification."""


HALF_LIFE_DAYS = 60
"""Days of work, a quarter of a year for most: longer than a piece of work lasts, shorter than a team."""
PAUSE = timedelta(minutes=30)
"""A longer pause ends a session; as in the specification."""
READ_MOST = 50_000
"""Memories weighed in one run: what else has cooled down waits for the next, and a run stays short."""

_WORTH = composed(
    """{days},
mine as (
    select
        id, importance, importance_floor, pinned, usefulness, warmth,
        greatest(coalesce(last_access_at, created_at), created_at) as used_at
    from memories
    where project_id = $project
        and status = 'active'
),
logged as (
    select u.memory_id, u.what, u.context, u.used_at
    from usage_log u
    join mine on mine.id = u.memory_id
),
moments as (
    select used_at, used_at - lag(used_at) over (order by used_at) > $pause as fresh
    from (select distinct used_at from logged)
),
sessions as (
    select used_at, count(*) filter (where fresh) over (order by used_at) as session
    from moments
),
aged as (
    select s.used_at, s.session, latest.number - coalesce(d.number, 0) as age_days
    from sessions s
    cross join latest
    asof left join numbered_days d on d.day <= s.used_at::date
),
uses as (
    select
        l.memory_id, a.session,
        case
            when l.what = 'cited' then 'cited'
            when l.context = $shown_and_left then 'ignored'
            else 'dismissed'
        end as what,
        min(a.age_days) as age_days
    from logged l
    join aged a on a.used_at = l.used_at
    where l.what in ('cited', 'ignored')
    group by all
),
summed as (
    select
        memory_id,
        coalesce(sum(part order by part) filter (where what = 'cited'), 0) as cited,
        coalesce(sum(part order by part) filter (where what = 'ignored'), 0) as ignored,
        coalesce(sum(part order by part) filter (where what = 'dismissed'), 0) as dismissed,
        count(*) filter (where what = 'cited') as sessions
    from (select *, 0.5 ** (age_days / $half_life) as part from uses)
    group by memory_id
),
shared as (
    select memory_id, max(used_by) as others
    from team_records
    where project_id = $project
        and used_by > 0
    group by memory_id
),
idle as (
    select m.*, latest.number - coalesce(d.number, 0) as idle_days
    from mine m
    cross join latest
    asof left join numbered_days d on d.day <= m.used_at::date
)
select
    i.id, i.importance, i.importance_floor as floor, i.pinned, i.usefulness, i.warmth,
    coalesce(s.cited, 0) as cited, coalesce(s.ignored, 0) as ignored, coalesce(s.dismissed, 0) as dismissed,
    coalesce(s.sessions, 0) as sessions, i.idle_days, coalesce(t.others, 0) as others
from idle i
left join summed s on s.memory_id = i.id
left join shared t on t.memory_id = i.id
where s.memory_id is not null
    or t.memory_id is not null
    or i.usefulness <> 0
    or i.warmth <> case
        when i.idle_days <= $hot then 'hot'
        when i.idle_days <= $warm then 'warm'
        else 'cold'
    end
order by coalesce(s.cited, 0) desc, coalesce(s.ignored, 0) desc, i.importance desc, i.id
limit $most
""",
    days=DAYS,
)


class Worth(Struct, frozen=True):
    """What is known of a memory's use, for the run to weigh.

    `cited` and `ignored` count sessions, each worth less the more days of work have passed since; `dismissed`
    is the same of those in which a person said that it is of no use. `sessions` counts all in which it was
    cited. `idle_days` are the days of work since it was last used or born. `others` counts the colleagues who
    cited it.
    """

    id: str
    importance: Importance
    floor: Importance
    pinned: bool
    usefulness: float
    warmth: Warmth
    cited: float
    ignored: float
    dismissed: float
    sessions: int
    idle_days: int
    others: int = 0


def plan(archive: Archive) -> Iterator[Change]:
    """New weights and warmths, only where they are others than before."""
    for one in weighed(archive):
        yield from _weighed(one)
        yield from _warmed(one)


def weighed(archive: Archive) -> Iterator[Worth]:
    """Active memories that were used, or are weighed or as warm as they should no longer be; most used first."""
    given = {"pause": PAUSE, "half_life": HALF_LIFE_DAYS, "hot": HOT_DAYS, "warm": WARM_DAYS, "most": READ_MOST}
    return archive.rows(Worth, _WORTH, **given)


def usefulness(one: Worth) -> float:
    """What use says of a memory, -1 to 1: the mean of its sessions, each for or against, shrunk towards 0."""
    against = IGNORED_WORTH * one.ignored + DISMISSED_WORTH * one.dismissed
    speaks_for = one.cited + min(one.others, OTHERS_MOST)
    return round((speaks_for - against) / (speaks_for + against + PRIOR), 2)


def warmth(idle_days: int) -> Warmth:
    """How warm a memory is that was used or born so many days of work ago."""
    if idle_days <= HOT_DAYS:
        return Warmth.HOT
    return Warmth.WARM if idle_days <= WARM_DAYS else Warmth.COLD


def _weighed(one: Worth) -> Iterator[Change]:
    """Nothing for a pinned memory: a person has said what it is worth."""
    if one.pinned:
        return
    found = usefulness(one)
    if abs(found - one.usefulness) < LEAST_MOVE and not (found == 0 and one.usefulness != 0):
        found = one.usefulness
    matters = max(one.importance, one.floor)
    if one.sessions + one.others >= SIGNIFICANT_AFTER:
        matters = max(matters, Importance.SIGNIFICANT)
    if (found, matters) != (one.usefulness, one.importance):
        yield Weigh(one.id, matters, found, _why(one))


def _why(one: Worth) -> str:
    sessions = "one session" if one.sessions == 1 else f"{one.sessions} sessions"
    said = [f"cited in {sessions}"] if one.sessions else []
    if one.others:
        said.append(f"cited by {one.others} others of the team")
    if one.ignored:
        said.append("shown and left")
    if one.dismissed:
        said.append("dismissed")
    return " and ".join(said) if said else "not used for a long time of work"


def _warmed(one: Worth) -> Iterator[Change]:
    found = warmth(one.idle_days)
    if found is not one.warmth:
        worked = f"worked on for {one.idle_days} days since it was last used or born"
        yield Warm(one.id, found, f"{one.warmth} until now; {worked if one.idle_days else 'last used or born today'}")
