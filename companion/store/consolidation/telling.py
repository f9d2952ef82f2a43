"""What the journal says of one run, for people: counts by sort, and changes with the memories they are about.

What those said when the run was planned is kept with the changes that a report shows, so that it reads the same
whatever is edited, merged or learned later. Only an erasure takes it out again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from companion.api import DecisionNeeded, Involved, RunChange
from companion.records import CHANGES, Memory, Oppose, told_at
from companion.records.runs import ChangeState, RowMoved
from companion.store.by_columns import delete_where, pairs_where, value_where
from companion.store.database import Database
from companion.store.memories.rows_sql import load
from companion.store.rows import Given, Query, Table, apart, column, tuples

_TALLY = """
select
    what,
    state,
    coalesce(change->>'$.relation', change->>'$.level', change->>'$.warmth', '') as detail,
    count(*) as changes,
    count(distinct coalesce(nullif(change->>'$.conflict', ''), number::varchar)) as conflicts,
    sum(coalesce(try_cast(change->>'$.tokens_saved' as bigint), 0))::bigint as tokens_saved,
    sum(coalesce(json_array_length(change, '$.drop'), 0))::bigint as dropped
from run_changes
where run_id = $run
group by what, state, detail
order by what, state, detail
"""

_CHANGES = Table(
    RunChange,
    "run_changes",
    {"step": "pass", "involved": "said", "contradiction": Given("")},
    key="run_id, number",
)

_PAGE = _CHANGES.select(
    """
where run_id = $run
    and number > $after
order by number
limit $limit
""",
    "memories",
)

_TELLING = _CHANGES.select(
    """
join (
    select
        number, what,
        row_number() over (
            partition by what, coalesce(change->>'$.relation', change->>'$.level', change->>'$.warmth')
            order by
                coalesce(
                    try_cast(change->>'$.tokens_saved' as double),
                    try_cast(change->>'$.score' as double),
                    try_cast(change->>'$.confidence' as double),
                    abs(try_cast(change->>'$.usefulness' as double)),
                    json_array_length(change, '$.drop')
                ) desc nulls last,
                number
        ) as place
    from run_changes
    where run_id = $run
    qualify place <= $each
    order by
        list_position($order::varchar[], what),
        place,
        number
    limit $limit
) as placed on placed.number = run_changes.number
where run_id = $run
order by
    list_position($order::varchar[], run_changes.what),
    place,
    run_changes.number
""",
    "memories",
)
"""Whole changes are read of those alone that are told: sorting 150,000 of them held 40 MB more. Which those are does
not hang on what became of them, so that a change that is undone brings no other into the report."""

_LEARNED_SINCE = """
select count(*)
from memories
where project_id = $project
    and status = 'active'
    and created_at > $since
"""

_OPPOSED = """
select memory_a, memory_b, id
from contradictions
where project_id = $project
    and (memory_a in (select unnest($ids::varchar[])) or memory_b in (select unnest($ids::varchar[])))
"""

_ROWS = """
select table_name, row_key, before::varchar, after::varchar
from run_rows
where run_id = $run
    and number = $number
    and table_name <> 'digest'
order by table_name = 'memories' desc, table_name, row_key
limit $limit
"""

ROWS_TOLD = 200
"""Rows of one change that are told: a merge of dozens moves some hundred."""

INVOLVED_MOST = 8
"""Memories of one change that reports name; of a merge of dozens the others are counted."""
SAID_CHARACTERS = 400
"""A memory is told this far: some four lines."""


class Tally(Struct, frozen=True):
    """How many changes of one sort are in one state; `dropped` counts the memories that merges fold in.

    `conflicts` counts contradictions with all pairs of one as one. `detail` parts a sort further: the relation of a
    link, the level or warmth that a memory comes to.
    """

    what: str
    state: ChangeState
    detail: str
    changes: int
    conflicts: int
    tokens_saved: int
    dropped: int


_DECISIONS = Table(
    DecisionNeeded,
    "run_decisions",
    {"id": "ref", "involved": "said", **apart("command", "answers", "open")},
)


def tally(database: Database, run: str) -> tuple[Tally, ...]:
    """The changes of a run by sort and state."""
    return Query(Tally, _TALLY).all(database, run=run)


def page(database: Database, project: str, run: str, after: int, limit: int) -> tuple[RunChange, ...]:
    """Changes of a run in their order, those numbered above `after`."""
    return _told(database, project, _PAGE, run=run, after=after, limit=limit)


def most_telling(database: Database, project: str, run: str, each: int, limit: int) -> tuple[RunChange, ...]:
    """The changes that a person wants to see first: at most `each` of a sort, `limit` in all."""
    return _told(database, project, _TELLING, run=run, each=each, limit=limit, order=CHANGES)


def keep_said(database: Database, run: str, shown: Sequence[RunChange]) -> None:
    """Keep what their memories say now with these changes: the plan is complete."""
    if shown:
        with database.write(quiet=True) as connection:
            _CHANGES.refresh(connection, shown, "involved", run_id=run)


def involved(memory: Memory) -> Involved:
    """A memory as a report names it: its title, what it says, and where that was read."""
    draft = memory.draft
    title = getattr(draft.body, "title", "") or draft.levels.compressed or draft.levels.index
    says = draft.levels.summary[:SAID_CHARACTERS]
    return Involved(memory.id, draft.kind.value, title[:SAID_CHARACTERS], says, told_at(draft))


def keep_decisions(database: Database, run: str, waiting: Sequence[DecisionNeeded]) -> None:
    """Keep what waits, the most worth it first, in place of what was kept when the run was planned."""
    with database.write(quiet=True) as connection:
        delete_where(connection, "run_decisions", run_id=run)
        about = [[memory.id for memory in one.involved] for one in waiting]
        _DECISIONS.insert(connection, waiting, run_id=run, place=list(range(1, len(waiting) + 1)), memories=about)


def decisions(database: Database, run: str) -> tuple[DecisionNeeded, ...]:
    """What was kept of a run; how it is decided is not."""
    return _DECISIONS.where(database, order="place", run_id=run)


def rows(database: Database, run: str, number: int) -> tuple[RowMoved, ...]:
    """What a change found and what it left, row by row, memories first; none before it was carried out."""
    with database.read() as connection:
        found = tuples(connection, _ROWS, run=run, number=number, limit=ROWS_TOLD)
        keys = [tuple(key.split("\x1f")) for _, key, _, _ in found]
        titles = pairs_where(connection, "memories", "id, content_index", id={part for key in keys for part in key})
    return tuple(
        RowMoved(
            table, key, next((titles[part] for part in key if part in titles), ""), _columns(was), _columns(became)
        )
        for key, (table, _, was, became) in zip(keys, found, strict=True)
    )


def newest(database: Database, project: str) -> datetime | None:
    """When the newest memory of a project was learned; None where there is none."""
    at: datetime | None = value_where(database, "memories", "max(created_at)", project_id=project)
    return at


def learned_since(database: Database, project: str, since: datetime) -> int:
    """How many memories in force were learned after a moment."""
    (count,) = column(database, _LEARNED_SINCE, project=project, since=since)
    return int(count)


def _told(database: Database, project: str, query: Query[RunChange], **asked: object) -> tuple[RunChange, ...]:
    """The changes that a query finds, each with the memories that it is about: as kept, else as they are now."""
    with database.read() as connection:
        found = list(query.keyed(connection, "memories", **asked))
        unkept = {id_ for about, one in found if not one.involved for id_ in about[:INVOLVED_MOST]}
        now = {memory.id: involved(memory) for memory in load(connection, sorted(unkept))}
        sides = {id_ for about, one in found if isinstance(one.change, Oppose) for id_ in about}
        noted = tuples(connection, _OPPOSED, project=project, ids=sides)
    opposed = {frozenset((a, b)): id_ for a, b, id_ in noted}
    return tuple(
        replace(
            one,
            involved=one.involved or tuple(now[id_] for id_ in about if id_ in now),
            contradiction=opposed.get(frozenset(about), "") if isinstance(one.change, Oppose) else "",
        )
        for about, one in found
    )


def _columns(image: str | None) -> dict[str, str] | None:
    """The columns of an image, as text; what is unknown is empty."""
    if image is None:
        return None
    return {name: "" if value is None else str(value) for name, value in json.loads(image).items()}
