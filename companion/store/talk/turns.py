"""What was said, turn by turn: written down before anything else is done with it, and never changed after.

A turn is what a user says until the assistant has answered: messages that pile up, by whatever channel,
are one turn. An imported turn carries its id outside, so a transcript that has grown is read again
without anything being taken in twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from companion.ports import TokenCounter
from companion.records.sorts import Warmth
from companion.records.talk import Conversation, Message, Role, TalkState, Turn
from companion.store.bulk import insert_rows
from companion.store.talk import sessions, warmth
from companion.store.talk.conversations import PREFIX_MIN, need
from companion.store.texts import clean

if TYPE_CHECKING:
    import duckdb

    from companion.store.database import Database

MESSAGE_MAX = 200_000
"""Characters of a message that are kept: a long day's log; what is cut is said in its place."""

SESSION_GAP = timedelta(minutes=30)
"""A pause that ends a session; spec, first table."""

Row = tuple[Any, ...]
COLUMNS = (
    "id", "conversation_id", "number", "said_at", "messages", "channel", "tokens", "warmth", "anchor", "outside",
)  # fmt: skip
"""Columns that a turn is made of by `turn_of`."""
_LISTED = ", ".join(COLUMNS)

_STATE = """
select state, turns
from conversations
where id = $id
"""

_OF = f"""
select {_LISTED}
from turns
where conversation_id = $id
    and number between $first and $last
order by number
"""  # noqa: S608 - a constant

_BY_ID = f"""
select {_LISTED}
from turns
where id in (select unnest($ids::varchar[]))
"""  # noqa: S608 - a constant

_BY_PREFIX = f"""
select {_LISTED}
from turns
where starts_with(id, $prefix)
order by id
limit 2
"""  # noqa: S608 - a constant

_BY_OUTSIDE = """
select outside
from turns
where conversation_id = $id
    and outside in (select unnest($outside::varchar[]))
"""

_SAY_MORE = """
update turns
set messages = $messages, words = $words, tokens = $tokens, anchor = $anchor
where id = $id
"""

_COUNT = """
update conversations
set turns = $turns, last_turn_at = greatest(coalesce(last_turn_at, $now::timestamp), $now::timestamp)
where id = $id
"""

_NEXT_HEARD = """
select 1 + coalesce(max(heard), 0)
from turns
"""


def turn_id(conversation: str, number: int) -> str:
    """The id of a turn."""
    return "t1" + hashlib.sha256(f"{conversation}\x1f{number}".encode()).hexdigest()[:30]


def say(
    database: Database,
    one: Conversation,
    messages: Sequence[Message],
    now: datetime,
    *,
    channel: str,
    counter: TokenCounter,
    firmness: Callable[[Turn], float] = lambda _: 0.0,
    gap: timedelta = SESSION_GAP,
) -> Turn:
    """Write down what was said: in the last turn while that waits for its answer or gets more of it, else in the next.

    One commit holds the turn, how firmly it says what must never be lost (`firmness`), its place among all that was
    heard, the session it belongs to (a new one after a `gap`), and which turns are not hot any more. Raises WrongState
    if the conversation is not active.
    """
    fit = [fitting(message) for message in messages]
    with database.write() as connection:
        state, turns = connection.execute(_STATE, {"id": one.id}).fetchone() or (TalkState.ARCHIVED, 0)
        need(replace(one, state=TalkState(state)), {TalkState.ACTIVE})
        last = _read(connection, one.id, turns, turns)
        fresh = not (last and _goes_on(last[0], fit))
        session = sessions.join(connection, one.user, one.persona, now, gap, more=int(fresh))
        if fresh:
            new = Turn(turn_id(one.id, turns + 1), one.id, turns + 1, now, tuple(fit), channel, _tokens(fit, counter))
            told = replace(new, anchor=firmness(new))
            (heard,) = connection.execute(_NEXT_HEARD).fetchone() or (1,)
            _insert(connection, [told], session, heard)
            warmth.age(connection, one.id, told.number, now)
        else:
            more = (*last[0].messages, *fit)
            grown = replace(last[0], messages=more, tokens=_tokens(more, counter))
            told = replace(grown, anchor=max(grown.anchor, firmness(grown)))
            given = {"id": told.id, "messages": _packed(more), "words": words_of(more), "tokens": told.tokens}
            connection.execute(_SAY_MORE, given | {"anchor": told.anchor})
        connection.execute(_COUNT, {"id": one.id, "turns": told.number, "now": now})
    return told


def take_in(database: Database, one: Conversation, read: Sequence[Turn], *, counter: TokenCounter) -> int:
    """Keep turns that were read from outside, after those that are there; returns how many were new.

    Their numbers are given anew, in the order they come in.
    """
    with database.write() as connection:
        (_, turns) = connection.execute(_STATE, {"id": one.id}).fetchone() or ("", 0)
        asked = {"id": one.id, "outside": [turn.outside for turn in read]}
        known = {row[0] for row in connection.execute(_BY_OUTSIDE, asked).fetchall()}
        fresh: list[Turn] = []
        for turn in read:
            if turn.outside in known:
                continue
            known.add(turn.outside)
            number = turns + len(fresh) + 1
            fit = tuple(fitting(message) for message in turn.messages)
            id_ = turn_id(one.id, number)
            tokens = _tokens(fit, counter)
            cold = Warmth.COLD  # nobody has just heard it
            kept = replace(turn, id=id_, conversation=one.id, number=number, messages=fit, tokens=tokens, warmth=cold)
            fresh.append(kept)
        if fresh:
            _insert(connection, fresh)
            latest = max(turn.at for turn in fresh)
            connection.execute(_COUNT, {"id": one.id, "turns": turns + len(fresh), "now": latest})
    return len(fresh)


def of(database: Database, conversation: str, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
    """The turns of a conversation, in order; both ends count."""
    with database.read() as connection:
        return _read(connection, conversation, first, last)


def get(database: Database, ids: Sequence[str]) -> tuple[Turn, ...]:
    """Turns by their ids, in no order; unknown ones are left out."""
    return tuple(turn_of(row) for row in database.rows(_BY_ID, {"ids": list(ids)}))


def by_prefix(database: Database, prefix: str) -> tuple[Turn, ...]:
    """The turns whose id begins so, at most two; none for a beginning of less than four signs."""
    if len(prefix) < PREFIX_MIN:
        return ()
    return tuple(turn_of(row) for row in database.rows(_BY_PREFIX, {"prefix": prefix}))


def fitting(message: Message) -> Message:
    """A message as it can be kept: what is longer than may be is cut, and says so."""
    text = clean(message.text)
    if len(text) > MESSAGE_MAX:
        text = f"{text[:MESSAGE_MAX]}\n[{len(text) - MESSAGE_MAX:,} more characters were not kept]"
    return Message(message.role, text)


def words_of(messages: Sequence[Message]) -> str:
    """All that is said in a turn as one text: what is searched."""
    return "\n".join(message.text for message in messages)


def _goes_on(last: Turn, said: Sequence[Message]) -> bool:
    """Whether what is said belongs to the last turn: it waits for its answer, or this is more of the answer."""
    answered = any(message.role is Role.ASSISTANT for message in last.messages)
    return not answered or not any(message.role is Role.USER for message in said)


def _insert(connection: duckdb.DuckDBPyConnection, turns: Sequence[Turn], session: str = "", heard: int = 0) -> None:
    rows = [
        (
            turn.id,
            turn.conversation,
            turn.number,
            turn.at,
            _packed(turn.messages),
            clean(turn.channel),
            turn.tokens,
            turn.warmth.value,
            turn.anchor,
            turn.outside,
            words_of(turn.messages),
            session,
            heard,
        )
        for turn in turns
    ]
    insert_rows(connection, "turns", (*COLUMNS, "words", "session", "heard"), rows)


def _read(connection: duckdb.DuckDBPyConnection, conversation: str, first: int, last: int | None) -> tuple[Turn, ...]:
    asked = {"id": conversation, "first": first, "last": (1 << 31) - 1 if last is None else last}
    return tuple(turn_of(row) for row in connection.execute(_OF, asked).fetchall())


def turn_of(row: Row) -> Turn:
    """A turn from its `COLUMNS`."""
    id_, conversation, number, at, messages, channel, tokens, warmth, anchored, outside = row
    said = tuple(Message(Role(role), text) for role, text in json.loads(messages))
    return Turn(id_, conversation, number, at, said, channel, tokens, Warmth(warmth), anchored, outside)


def _packed(messages: Sequence[Message]) -> str:
    return json.dumps([[message.role.value, message.text] for message in messages], ensure_ascii=False)


def _tokens(messages: Sequence[Message], counter: TokenCounter) -> int:
    return sum(counter.count(message.text) for message in messages)
