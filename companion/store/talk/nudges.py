"""Nudges as they are kept: a row for each thing that could be offered, with no word of what it says.

What a nudge is about may be deleted for good at any time; its row holds ids, so nothing is left behind.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from companion.errors import UsageError
from companion.records.nudges import NudgeAnswer, NudgeSort, NudgeState

if TYPE_CHECKING:
    import duckdb

    from companion.store.database import Database

CONTRADICTIONS_MOST = 20
"""Open contradictions that could be offered, surest first: the others' turn comes once these are settled."""
KEPT_BACK_FOR = timedelta(days=90)
"""What was kept back and not looked at again for so long is settled, or gone."""
PAST_MOST = 500
"""Offers looked back at: more than a year of two a day, most of which weigh nothing any more."""

_COLUMNS = """
id, sort, subject, state, why, decided_at, times, offered_at, answer, answered_at, conversation_id, project_id
"""

_LATEST = f"""
select {_COLUMNS}
from nudges
where user_id = $user
order by decided_at desc, id
limit $limit
"""  # noqa: S608 - a constant

_OF_SUBJECTS = f"""
select {_COLUMNS}
from nudges
where user_id = $user
    and (state = 'offered' or subject in (select unnest($subjects::varchar[])))
order by offered_at desc nulls last, id
limit $limit
"""  # noqa: S608 - a constant

_BY_PREFIX = f"""
select {_COLUMNS}
from nudges
where user_id = $user
    and starts_with(id, $prefix)
order by id
limit 2
"""  # noqa: S608 - a constant

_KEEP_BACK = """
insert into nudges (id, user_id, project_id, sort, subject, state, why, decided_at)
values ($id, $user, $project, $sort, $subject, 'kept back', $why, $now)
on conflict (id) do update set
    why = excluded.why,
    decided_at = excluded.decided_at
where nudges.state = 'kept back'
"""

_PRUNE = """
delete from nudges
where state = 'kept back'
    and decided_at < $before
"""

_OFFER = """
insert into nudges (id, user_id, project_id, sort, subject, state, why, decided_at, times, offered_at)
values ($id, $user, $project, $sort, $subject, 'offered', $why, $now, 1, $now)
on conflict (id) do update set
    state = 'offered',
    why = excluded.why,
    decided_at = excluded.decided_at,
    times = nudges.times + 1,
    offered_at = excluded.offered_at,
    answer = 'none',
    answered_at = null
"""

_ANSWER = """
update nudges
set answer = $answer, answered_at = $now
where id = $id
    and state = 'offered'
"""

_JOIN = """
update nudges
set conversation_id = $conversation
where id = $id
"""

_OPEN_CONTRADICTIONS = """
select
    id,
    detected_at,
    exists (
        select 1
        from memory_evidence
        where memory_id in (memory_a, memory_b)
            and kind = 'file'
            and ref = $path
    ) as at_hand
from contradictions
where project_id = $project
    and resolved_at is null
qualify row_number() over (partition by if(conflict = '', id, conflict) order by detected_at, id) = 1
order by at_hand desc, confidence desc, detected_at, id
limit $limit
"""


@dataclass(frozen=True, slots=True)
class NudgeRow:
    """A nudge without its words."""

    id: str
    sort: NudgeSort
    subject: str
    state: NudgeState
    why: str
    decided_at: datetime
    times: int
    offered_at: datetime | None
    answer: NudgeAnswer
    answered_at: datetime | None
    conversation: str
    project: str


def nudge_id(user: str, sort: NudgeSort, subject: str) -> str:
    """The id of a nudge: the same subject is the same one."""
    return "n1" + hashlib.sha256("\x1f".join((user, sort.value, subject)).encode()).hexdigest()[:30]


def latest(database: Database, user: str, limit: int) -> tuple[NudgeRow, ...]:
    """What was decided last first."""
    with database.read() as connection:
        return _asked(connection, _LATEST, {"user": user, "limit": limit})


def past(database: Database, user: str, subjects: Sequence[str]) -> tuple[NudgeRow, ...]:
    """What was offered, and what is kept of these subjects."""
    with database.read() as connection:
        return _past(connection, user, subjects)


def get(database: Database, user: str, id_: str) -> NudgeRow:
    """A nudge by its id or the beginning of it. Raises UsageError."""
    with database.read() as connection:
        found = _asked(connection, _BY_PREFIX, {"user": user, "prefix": id_}) if id_ else ()
    if len(found) != 1:
        what = f"Several nudges begin with {id_!r}." if found else f"No nudge begins with {id_!r}."
        raise UsageError(what, "`companion nudges` lists them with their ids.")
    return found[0]


def keep_back(
    database: Database, user: str, project: str, kept: Sequence[tuple[NudgeSort, str, str]], now: datetime
) -> None:
    """Note why things are not offered: sort, subject, reason. What was offered already is left as it is."""
    with database.write(quiet=True) as connection:
        for sort, subject, why in kept:
            given = {"id": nudge_id(user, sort, subject), "user": user, "project": project, "sort": sort.value}
            connection.execute(_KEEP_BACK, given | {"subject": subject, "why": why, "now": now})
        connection.execute(_PRUNE, {"before": now - KEPT_BACK_FOR})


def offer(
    database: Database, user: str, project: str, sort: NudgeSort, subject: str, seen: Sequence[NudgeRow], now: datetime
) -> bool:
    """Note that something is offered; false, and nothing noted, where another client was quicker.

    `seen` is what the decision was made on: a nudge that was offered since makes it void.
    """
    with database.write(quiet=True) as connection:
        if _offered(_past(connection, user, ())) != _offered(seen):
            return False
        given = {"id": nudge_id(user, sort, subject), "user": user, "project": project, "sort": sort.value}
        connection.execute(_OFFER, given | {"subject": subject, "why": "nothing spoke against it", "now": now})
    return True


def answer(database: Database, id_: str, said: NudgeAnswer, now: datetime) -> None:
    """Note the answer to an offer; a later one takes its place."""
    database.change(_ANSWER, {"id": id_, "answer": said.value, "now": now}, quiet=True)


def join(database: Database, id_: str, conversation: str) -> None:
    """Note the conversation that an offer joined."""
    database.change(_JOIN, {"id": id_, "conversation": conversation}, quiet=True)


def open_contradictions(database: Database, project: str, path: str) -> tuple[tuple[str, datetime], ...]:
    """Ids of open contradictions and since when they are known: those about a file at hand first, then surest."""
    given = {"project": project, "path": path, "limit": CONTRADICTIONS_MOST}
    return tuple((row[0], row[1]) for row in database.rows(_OPEN_CONTRADICTIONS, given))


def _offered(rows: Sequence[NudgeRow]) -> list[tuple[str, int]]:
    return sorted((row.id, row.times) for row in rows if row.state is NudgeState.OFFERED)


def _past(connection: duckdb.DuckDBPyConnection, user: str, subjects: Sequence[str]) -> tuple[NudgeRow, ...]:
    return _asked(connection, _OF_SUBJECTS, {"user": user, "subjects": list(subjects), "limit": PAST_MOST})


def _asked(connection: duckdb.DuckDBPyConnection, statement: str, asked: dict[str, Any]) -> tuple[NudgeRow, ...]:
    return tuple(_row(*row) for row in connection.execute(statement, asked).fetchall())


def _row(id_: str, sort: str, subject: str, state: str, why: str, decided_at: datetime, *rest: Any) -> NudgeRow:
    times, offered_at, said, answered_at, conversation, project = rest
    return NudgeRow(
        *(id_, NudgeSort(sort), subject, NudgeState(state), why, decided_at, times, offered_at),
        *(NudgeAnswer(said), answered_at, conversation, project),
    )
