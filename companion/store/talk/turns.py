"""What was said, turn by turn: written down before anything else is done with it, and never changed after.

A turn is what a user says until the assistant has answered: messages that pile up, by whatever channel,
are one turn. An imported turn carries its id outside, so a transcript that has grown is read again
without anything being taken in twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from companion.ports import TokenCounter
from companion.records.memory import Warmth
from companion.records.talk import Conversation, Message, Role, TalkState, Turn
from companion.store.bulk import insert_rows
from companion.store.talk.conversations import need
from companion.store.texts import clean

if TYPE_CHECKING:
    import duckdb

    from companion.store.database import Database

MESSAGE_MAX = 200_000
"""Characters of a message that are kept: a long day's log; what is cut is said in its place."""

_COLUMNS = "id, conversation_id, number, said_at, messages, channel, tokens, warmth, anchor, outside"

_STATE = """
select state, turns
from conversations
where id = $id
"""

_OF = f"""
select {_COLUMNS}
from turns
where conversation_id = $id
    and number between $first and $last
order by number
"""  # noqa: S608 - a constant

_BY_ID = f"""
select {_COLUMNS}
from turns
where id in (select unnest($ids::varchar[]))
"""  # noqa: S608 - a constant

_BY_OUTSIDE = """
select outside
from turns
where conversation_id = $id
    and outside in (select unnest($outside::varchar[]))
"""

_SAY_MORE = """
update turns
set messages = $messages, words = $words, tokens = $tokens
where id = $id
"""

_COUNT = """
update conversations
set turns = $turns, last_turn_at = greatest(coalesce(last_turn_at, $now::timestamp), $now::timestamp)
where id = $id
"""

_ANCHOR = """
update turns
set anchor = $anchor
where id = $id
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
) -> Turn:
    """Write down what was said: in the last turn while that waits for its answer or gets more of it, else in the next.

    Raises WrongState if the conversation is not active.
    """
    fit = [fitting(message) for message in messages]
    with database.write() as connection:
        state, turns = connection.execute(_STATE, {"id": one.id}).fetchone() or (TalkState.ARCHIVED, 0)
        need(replace(one, state=TalkState(state)), {TalkState.ACTIVE})
        last = _read(connection, one.id, turns, turns)
        if last and _goes_on(last[0], fit):
            more = (*last[0].messages, *fit)
            told = replace(last[0], messages=more, tokens=_tokens(more, counter))
            given = {"id": told.id, "messages": _packed(more), "words": words_of(more), "tokens": told.tokens}
            connection.execute(_SAY_MORE, given)
        else:
            told = Turn(turn_id(one.id, turns + 1), one.id, turns + 1, now, tuple(fit), channel, _tokens(fit, counter))
            _insert(connection, [told])
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
            kept = replace(turn, id=id_, conversation=one.id, number=number, messages=fit, tokens=_tokens(fit, counter))
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
    with database.read() as connection:
        return tuple(_turn(row) for row in connection.execute(_BY_ID, {"ids": list(ids)}).fetchall())


def anchor(database: Database, strengths: Sequence[tuple[str, float]]) -> None:
    """Note how firmly turns say what must never be lost: ids with 0, 0.5 or 1."""
    with database.write() as connection:
        for id_, strength in strengths:
            connection.execute(_ANCHOR, {"id": id_, "anchor": strength})


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


def _insert(connection: duckdb.DuckDBPyConnection, turns: Sequence[Turn]) -> None:
    names = (*(name.strip() for name in _COLUMNS.split(",")), "words")
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
        )
        for turn in turns
    ]
    insert_rows(connection, "turns", names, rows)


def _read(connection: duckdb.DuckDBPyConnection, conversation: str, first: int, last: int | None) -> tuple[Turn, ...]:
    asked = {"id": conversation, "first": first, "last": (1 << 31) - 1 if last is None else last}
    return tuple(_turn(row) for row in connection.execute(_OF, asked).fetchall())


def _turn(row: tuple[Any, ...]) -> Turn:
    id_, conversation, number, at, messages, channel, tokens, warmth, anchored, outside = row
    said = tuple(Message(Role(role), text) for role, text in json.loads(messages))
    return Turn(id_, conversation, number, at, said, channel, tokens, Warmth(warmth), anchored, outside)


def _packed(messages: Sequence[Message]) -> str:
    return json.dumps([[message.role.value, message.text] for message in messages], ensure_ascii=False)


def _tokens(messages: Sequence[Message], counter: TokenCounter) -> int:
    return sum(counter.count(message.text) for message in messages)
