"""Stretches of activity of a user with a persona: they begin with a turn after a pause, and frame summaries."""

from __future__ import annotations

from datetime import datetime, timedelta

from companion.records.turn_history import TalkSession
from companion.store.binding import duckdb
from companion.store.by_columns import rows_where, value_where
from companion.store.database import Database
from companion.store.rows import Source, Table, apart
from companion.store.statements import execute
from companion.store.texts import hashed_id

LISTED_MOST = 1_000

SESSIONS = Table(TalkSession, "talk_sessions", apart("rolling", "summary"))

_LATEST = SESSIONS.select("""
where user_id = $user
    and persona = $persona
    and ($before = 0 or number < $before)
order by number desc
limit 1
""")

_LISTED = SESSIONS.select("""
where user_id = $user
    and ($persona = '*' or persona = $persona)
order by last_turn_at desc, id
limit $limit
""")

_GO_ON = """
update talk_sessions
set last_turn_at = greatest(last_turn_at, $now::timestamp), turns = turns + $more
where id = $id
"""

_END_IDLE = """
update talk_sessions
set ended_at = last_turn_at
where user_id = $user
    and ended_at is null
    and last_turn_at < $since
"""

_UNSUMMED = SESSIONS.select("""
where user_id = $user
    and ended_at is not null
    and turns > 0
    and not exists (
        select 1
        from talk_summaries
        where sort = 'session'
            and session = talk_sessions.id
    )
order by started_at
limit $limit
""")

_LEAVE = """
update talk_sessions
set turns = talk_sessions.turns - gone.turns
from (
    select session, count(*) as turns
    from turns
    where conversation_id = $conversation
        and session <> ''
    group by session
) as gone
where talk_sessions.id = gone.session
"""

_DELETE_EMPTY = "delete from talk_sessions where turns <= 0 and ended_at is not null"


def join(
    connection: duckdb.DuckDBPyConnection, user: str, persona: str, now: datetime, gap: timedelta, *, more: int
) -> str:
    """The session that something said now belongs to, begun if the last one is over; joins the caller's transaction.

    `more` is how many new turns it gets. A clock that was set back goes on with the session it finds.
    """
    last = latest(connection, user, persona)
    if last is not None and now - last.last_turn_at <= gap and last.ended_at is None:
        execute(connection, _GO_ON, {"id": last.id, "now": now, "more": more})
        return last.id
    number = 1
    if last is not None:
        number = last.number + 1
        SESSIONS.change(connection, last.id, ended_at=last.ended_at or last.last_turn_at)
    id_ = session_id(user, persona, number)
    SESSIONS.insert(connection, [TalkSession(id_, persona, number, now, now, max(1, more))], user_id=user)
    return id_


def session_id(user: str, persona: str, number: int) -> str:
    """The id of a session."""
    return hashed_id("s1", user, persona, str(number))


def leave(connection: duckdb.DuckDBPyConnection, conversation: str) -> None:
    """The turns of a conversation will be deleted: sessions do not count them any more; joins the transaction."""
    execute(connection, _LEAVE, {"conversation": conversation})
    execute(connection, _DELETE_EMPTY)


def latest(source: Source, user: str, persona: str, *, before: int = 0) -> TalkSession | None:
    """The newest session with a persona, going on or over, or the one `before` a number; None if there is none."""
    return _LATEST.first(source, user=user, persona=persona, before=before)


def listed(database: Database, user: str, persona: str, limit: int) -> tuple[TalkSession, ...]:
    """Sessions with a persona (`*`: with all), the newest first."""
    return _LISTED.all(database, user=user, persona=persona, limit=min(limit, LISTED_MOST))


def end_idle(database: Database, user: str, since: datetime) -> None:
    """Sessions without a turn since then are over."""
    database.change(_END_IDLE, {"user": user, "since": since}, quiet=True)


def unsummed(database: Database, user: str, limit: int) -> tuple[TalkSession, ...]:
    """Sessions that are over and were not summed up, oldest first."""
    return _UNSUMMED.all(database, user=user, limit=limit)


def counted(database: Database, user: str, persona: str) -> tuple[int, int, datetime | None]:
    """Turns and sessions with a persona, and when the last turn came in."""
    told = "coalesce(sum(turns), 0)::bigint, count(*), max(last_turn_at)"
    ((turns, sessions, last),) = rows_where(database, "talk_sessions", told, user_id=user, persona=persona)
    return turns, sessions, last


def last_run(database: Database) -> datetime | None:
    """When the store was tidied last."""
    at: datetime | None = value_where(database, "runs", "max(ended_at)", state="applied")
    return at
