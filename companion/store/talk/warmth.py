"""How warm turns are: the last ones hot, those before them warm, the archived ones cold; every move is written down."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from companion.records.sorts import Warmth
from companion.records.turn_history import TurnMove
from companion.store.binding import duckdb
from companion.store.by_columns import pairs_where, set_where
from companion.store.database import Database
from companion.store.rows import Table, column, pairs
from companion.store.statements import execute

HOT_TURNS = 5
"""Turns of a conversation that are hot; spec V8."""
ASKED_FOR = "asked for"
LISTED_MOST = 1_000

_AGED = """
select id, warmth
from turns
where conversation_id = $conversation
    and warmth = 'hot'
    and number <= $upto
"""

_COOLED = """
select turns.id, turns.warmth
from turns
join conversations on conversations.id = turns.conversation_id
where user_id = $user
    and state = 'archived'
    and turns.warmth <> 'cold'
    and not exists (
        select 1
        from turn_moves
        where turn_id = turns.id
            and why = $asked_for
            and moved_at >= $since
    )
"""

_PROMOTED = """
select turns.id
from turns
join conversations on conversations.id = turns.conversation_id
where user_id = $user
    and state = 'archived'
    and turns.warmth = 'warm'
    and ($persona = '' or persona in ('', $persona))
order by said_at desc, turns.id
limit $limit
"""

_NOTE = """
insert into turn_moves (turn_id, number, moved_at, before, after, why)
select
    moved.id,
    1 + coalesce((select max(number) from turn_moves where turn_id = moved.id), 0),
    $now,
    moved.warmth,
    $after,
    $why
from (select unnest($ids::varchar[]) as id, unnest($before::varchar[]) as warmth) as moved
"""

_MOVES = Table(TurnMove, "turn_moves", {"turn": "turn_id", "at": "moved_at"}).select("""
join turns on turns.id = turn_id
join conversations on conversations.id = conversation_id
where user_id = $user
    and ($conversation = '' or conversation_id = $conversation)
order by moved_at desc, turn_moves.number desc, turn_id
limit $limit
""")


def age(connection: duckdb.DuckDBPyConnection, conversation: str, newest: int, now: datetime) -> None:
    """Only the last turns of a conversation stay hot; joins the transaction of whoever wrote the newest."""
    if newest > HOT_TURNS:
        found = pairs(connection, _AGED, conversation=conversation, upto=newest - HOT_TURNS)
        _move(connection, found, Warmth.WARM, "grew old", now)


def cool(database: Database, user: str, asked_since: datetime, now: datetime) -> int:
    """Turns of archived conversations become cold, but for those asked for since then; how many did."""
    with database.write(quiet=True) as connection:
        found = pairs(connection, _COOLED, user=user, asked_for=ASKED_FOR, since=asked_since)
        _move(connection, found, Warmth.COLD, "archived", now)
    return len(found)


def promote(database: Database, turn: str, now: datetime) -> None:
    """A cold turn that was asked for is warm until the session is over."""
    with database.write(quiet=True) as connection:
        cold = pairs_where(connection, "turns", "id, warmth", id=turn, warmth=Warmth.COLD)
        _move(connection, cold, Warmth.WARM, ASKED_FOR, now)


def promoted(database: Database, user: str, persona: str, limit: int) -> tuple[str, ...]:
    """Ids of turns of archived conversations that were asked for lately, newest first."""
    return tuple(column(database, _PROMOTED, user=user, persona=persona, limit=limit))


def moves(database: Database, user: str, conversation: str, limit: int) -> tuple[TurnMove, ...]:
    """What became warmer or colder, of one conversation or of all, the latest first."""
    return _MOVES.all(database, user=user, conversation=conversation, limit=min(limit, LISTED_MOST))


def _move(
    connection: duckdb.DuckDBPyConnection, found: Mapping[str, str], after: Warmth, why: str, now: datetime
) -> None:
    if not found:
        return
    ids, before = list(found), list(found.values())
    execute(connection, _NOTE, {"ids": ids, "before": before, "after": after.value, "why": why, "now": now})
    set_where(connection, "turns", {"warmth": after}, id=ids)
