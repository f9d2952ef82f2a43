"""What turns are summed up to: rolling and session summaries, versions of the whole, blocks of the running array.

All of it is made of turns that stay, so it can be made again: when a conversation is deleted, every summary that tells
of it goes with it, and so does what was made of those.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from companion.store.bulk import insert_rows
from companion.store.texts import clean

if TYPE_CHECKING:
    import duckdb

    from companion.store.database import Database


class SummarySort(StrEnum):
    """What a summary is of."""

    ROLLING = "rolling"
    SESSION = "session"
    WHOLE = "whole"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary as it is kept; `first_heard` and `last_heard` are the turns it tells of, by the order of hearing."""

    sort: SummarySort
    user: str
    persona: str
    made_at: datetime
    text: str
    turns: int
    tokens: int
    last_heard: int
    first_heard: int = 0
    session: str = ""
    number: int = 0
    tokens_before: int = 0
    made_by: str = "rules"


@dataclass(frozen=True, slots=True)
class Tries:
    """How summing up goes with a persona."""

    tried_at: datetime | None = None
    made_at: datetime | None = None
    error: str = ""


_COLUMNS = """
sort, user_id, persona, made_at, text, turns, tokens, last_heard, first_heard, session, number, tokens_before, made_by
"""

_LATEST = f"""
select {_COLUMNS}
from talk_summaries
where user_id = $user
    and sort = $sort
    and persona = $persona
    and session = $session
    and ($number = 0 or number = $number)
order by number desc
limit $limit
"""  # noqa: S608 - a constant

_OF_SESSIONS = f"""
select {_COLUMNS}
from talk_summaries
where session in (select unnest($sessions::varchar[]))
order by session, sort, number
"""  # noqa: S608 - a constant

_DROP = """
delete from talk_summaries
where user_id = (select user_id from conversations where id = $conversation)
    and (
        sort in ('rolling', 'session')
            and session in (select session from turns where conversation_id = $conversation and session <> '')
        or sort = 'whole'
            and last_heard >= (select min(heard) from turns where conversation_id = $conversation)
        or sort = 'block'
            and persona = (select persona from conversations where id = $conversation)
            and last_heard >= (select min(heard) from turns where conversation_id = $conversation and heard > 0)
    )
"""

_TRIED = """
insert into talk_states (user_id, persona, tried_at, made_at, error)
values ($user, $persona, $now, if($error = '', $now::timestamp, null), $error)
on conflict (user_id, persona) do update
set
    tried_at = if($error = '' and error <> '' and not starts_with(error, $what || ': '), tried_at, $now),
    made_at = if($error = '', $now::timestamp, made_at),
    error = if($error = '' and not starts_with(error, $what || ': '), error, $error)
"""

_TRIES = """
select tried_at, made_at, error
from talk_states
where user_id = $user
    and persona = $persona
"""


def keep(database: Database, new: Summary) -> Summary:
    """Keep a summary as the next of its sort, session and persona."""
    with database.write(quiet=True) as connection:
        last = _read(connection, new.user, new.sort, new.persona, new.session, 0, 1)
        number = last[0].number + 1 if last else 1
        kept = replace(new, number=number, text=clean(new.text), made_by=clean(new.made_by))
        said = "\x1f".join((kept.user, kept.persona, kept.sort.value, kept.session, str(number)))
        id_ = "y1" + hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:30]
        names = ("id", *(name.strip() for name in _COLUMNS.split(",")))
        row = (id_, kept.sort.value, kept.user, kept.persona, kept.made_at, kept.text, kept.turns, kept.tokens,
               kept.last_heard, kept.first_heard, kept.session, number, kept.tokens_before, kept.made_by)  # fmt: skip
        insert_rows(connection, "talk_summaries", names, [row])
    return kept


def latest(
    database: Database, user: str, sort: SummarySort, persona: str = "", session: str = "", *, number: int = 0
) -> Summary | None:
    """The newest summary of a sort, or the one of a number."""
    with database.read() as connection:
        found = _read(connection, user, sort, persona, session, number, 1)
    return found[0] if found else None


def of_sessions(database: Database, sessions: Sequence[str]) -> tuple[Summary, ...]:
    """Rolling and session summaries of some sessions, each sort oldest first."""
    rows = database.rows(_OF_SESSIONS, {"sessions": list(sessions)})
    return tuple(_summary(row) for row in rows)


def drop_of(connection: duckdb.DuckDBPyConnection, conversation: str) -> None:
    """What tells of a conversation goes, before the conversation does; joins the caller's transaction."""
    connection.execute(_DROP, {"conversation": conversation})


def tried(database: Database, user: str, persona: str, now: datetime, what: str, error: str = "") -> None:
    """Note that summing up was tried, and why it came to nothing if it did.

    What failed stands until the same (`what`) succeeds: a summary of another sort says nothing about it.
    """
    told = f"{what}: {error}" if error else ""
    asked = {"user": user, "persona": persona, "now": now, "what": what, "error": clean(told)}
    database.change(_TRIED, asked, quiet=True)


def tries(database: Database, user: str, persona: str) -> Tries:
    """How summing up goes with a persona."""
    row = database.row(_TRIES, {"user": user, "persona": persona})
    return Tries(*row) if row else Tries()


def _read(
    connection: duckdb.DuckDBPyConnection,
    user: str,
    sort: SummarySort,
    persona: str,
    session: str,
    number: int,
    limit: int,
) -> tuple[Summary, ...]:
    asked = {"user": user, "sort": sort.value, "persona": persona, "session": session, "number": number, "limit": limit}
    return tuple(_summary(row) for row in connection.execute(_LATEST, asked).fetchall())


def _summary(row: tuple[Any, ...]) -> Summary:
    sort, *rest = row
    return Summary(SummarySort(sort), *rest)
