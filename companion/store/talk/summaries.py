"""What turns are summed up to: rolling and session summaries, versions of the whole, blocks of the running array.

All of it is made of turns that stay, so it can be made again: when a conversation is deleted, every summary that tells
of it goes with it, and so does what was made of those.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from companion.store.binding import duckdb
from companion.store.database import Database
from companion.store.rows import Source, Table
from companion.store.statements import execute
from companion.store.texts import clean, hashed_id


class SummarySort(StrEnum):
    """What a summary is of."""

    ROLLING = "rolling"
    SESSION = "session"
    WHOLE = "whole"
    BLOCK = "block"


class Summary(Struct, frozen=True):
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


class Tries(Struct, frozen=True):
    """How summing up goes with a persona."""

    tried_at: datetime | None = None
    made_at: datetime | None = None
    error: str = ""


SUMMARIES = Table(Summary, "talk_summaries")
STATES = Table(Tries, "talk_states")

_LATEST = SUMMARIES.select("""
where user_id = $user
    and sort = $sort
    and persona = $persona
    and session = $session
    and ($number = 0 or number = $number)
order by number desc
limit 1
""")

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


def keep(database: Database, new: Summary) -> Summary:
    """Keep a summary as the next of its sort, session and persona."""
    with database.write(quiet=True) as connection:
        last = latest(connection, new.user, new.sort, new.persona, new.session)
        number = last.number + 1 if last else 1
        kept = replace(new, number=number, text=clean(new.text), made_by=clean(new.made_by))
        id_ = hashed_id("y1", kept.user, kept.persona, kept.sort.value, kept.session, str(number))
        SUMMARIES.insert(connection, [kept], id=id_)
    return kept


def latest(
    source: Source, user: str, sort: SummarySort, persona: str = "", session: str = "", *, number: int = 0
) -> Summary | None:
    """The newest summary of a sort, or the one of a number."""
    return _LATEST.first(source, user=user, sort=sort, persona=persona, session=session, number=number)


def of_sessions(database: Database, sessions: Sequence[str]) -> tuple[Summary, ...]:
    """Rolling and session summaries of some sessions, each sort oldest first."""
    return SUMMARIES.where(database, order="session, sort, number", session=sessions)


def drop_of(connection: duckdb.DuckDBPyConnection, conversation: str) -> None:
    """What tells of a conversation goes, before the conversation does; joins the caller's transaction."""
    execute(connection, _DROP, {"conversation": conversation})


def tried(database: Database, user: str, persona: str, now: datetime, what: str, error: str = "") -> None:
    """Note that summing up was tried, and why it came to nothing if it did.

    What failed stands until the same (`what`) succeeds: a summary of another sort says nothing about it.
    """
    told = f"{what}: {error}" if error else ""
    asked = {"user": user, "persona": persona, "now": now, "what": what, "error": clean(told)}
    database.change(_TRIED, asked, quiet=True)


def tries(database: Database, user: str, persona: str) -> Tries:
    """How summing up goes with a persona."""
    return STATES.one(database, user_id=user, persona=persona) or Tries()
