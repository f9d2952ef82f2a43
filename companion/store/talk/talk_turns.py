"""What was said, turn by turn: written down before anything else is done with it, and never changed after.

A turn is what a user says until the assistant has answered: messages that pile up, by whatever channel,
are one turn. An imported turn carries its id outside, so a transcript that has grown is read again
without anything being taken in twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from companion.errors import UnknownConversation, the_one
from companion.ports import TokenCounter
from companion.records.sorts import Warmth
from companion.records.talk import Conversation, Message, Role, TalkState, Turn
from companion.store.binding import duckdb
from companion.store.by_columns import rows_where, value_where
from companion.store.database import Database
from companion.store.rows import As, Table
from companion.store.statements import execute
from companion.store.talk import sessions, warmth
from companion.store.talk.conversations import PREFIX_MIN, need
from companion.store.texts import clean, hashed_id

MESSAGE_MAX = 200_000
"""Characters of a message that are kept: a long day's log; what is cut is said in its place."""

SESSION_GAP = timedelta(minutes=30)
"""A pause that ends a session; spec, first table."""

TURNS = Table(Turn, "turns", {"at": "said_at", "messages": As.PACKED})

_OF = TURNS.select("""
where conversation_id = $id
    and number between $first and $last
order by number
""")

_COUNT = """
update conversations
set turns = $turns, last_turn_at = greatest(coalesce(last_turn_at, $now::timestamp), $now::timestamp)
where id = $id
"""


def turn_id(conversation: str, number: int) -> str:
    """The id of a turn."""
    return hashed_id("t1", conversation, str(number))


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
        state, turns = next(
            iter(rows_where(connection, "conversations", "state, turns", id=one.id)), (TalkState.ARCHIVED, 0)
        )
        need(replace(one, state=TalkState(state)), {TalkState.ACTIVE})
        last = _OF.first(connection, id=one.id, first=turns, last=turns)
        fresh = last is None or not _goes_on(last, fit)
        session = sessions.join(connection, one.user, one.persona, now, gap, more=int(fresh))
        if last is None or fresh:
            new = Turn(turn_id(one.id, turns + 1), one.id, turns + 1, now, tuple(fit), channel, _tokens(fit, counter))
            told = replace(new, anchor=firmness(new))
            heard = value_where(connection, "turns", "1 + coalesce(max(heard), 0)")
            TURNS.insert(connection, [told], words=words_of(fit), session=session, heard=heard)
            warmth.age(connection, one.id, told.number, now)
        else:
            more = (*last.messages, *fit)
            grown = replace(last, messages=more, tokens=_tokens(more, counter))
            told = replace(grown, anchor=max(grown.anchor, firmness(grown)))
            keep_words(connection, [told], anchor=told.anchor)
        execute(connection, _COUNT, {"id": one.id, "turns": told.number, "now": now})
    return told


def take_in(database: Database, one: Conversation, read: Sequence[Turn], *, counter: TokenCounter) -> None:
    """Keep turns that were read from outside and are not there yet, after those that are.

    Their numbers are given anew, in the order they come in.
    """
    with database.write() as connection:
        turns = value_where(connection, "conversations", "turns", id=one.id, otherwise=0)
        fresh: list[Turn] = []
        for number, turn in enumerate(read, turns + 1):
            kept = replace(fitted(turn, counter), id=turn_id(one.id, number), conversation=one.id, number=number)
            fresh.append(replace(kept, warmth=Warmth.COLD))  # nobody has just heard it
        if fresh:
            words = [words_of(turn.messages) for turn in fresh]
            TURNS.insert(connection, fresh, words=words, session="", heard=0)
            latest = max(turn.at for turn in fresh)
            execute(connection, _COUNT, {"id": one.id, "turns": turns + len(fresh), "now": latest})


def of(database: Database, conversation: str, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
    """The turns of a conversation, in order; both ends count."""
    return _OF.all(database, id=conversation, first=first, last=(1 << 31) - 1 if last is None else last)


def get(database: Database, ids: Sequence[str]) -> tuple[Turn, ...]:
    """Turns by their ids, in no order; unknown ones are left out."""
    return TURNS.where(database, id=ids)


def named(database: Database, id_: str) -> Turn:
    """A turn by its id or the beginning of it. Raises UnknownConversation."""
    found = TURNS.begun(database, id_) if len(id_) >= PREFIX_MIN else ()
    return the_one(
        found, id_, "turn", "`companion talk find` and `companion talk history` show ids.", UnknownConversation
    )


def fitting(message: Message) -> Message:
    """A message as it can be kept: what is longer than may be is cut, and says so."""
    text = clean(message.text)
    if len(text) > MESSAGE_MAX:
        text = f"{text[:MESSAGE_MAX]}\n[{len(text) - MESSAGE_MAX:,} more characters were not kept]"
    return Message(message.role, text)


def fitted(turn: Turn, counter: TokenCounter) -> Turn:
    """A turn that was read from outside as it can be kept, counted."""
    fit = tuple(map(fitting, turn.messages))
    return replace(turn, messages=fit, tokens=_tokens(fit, counter))


def words_of(messages: Sequence[Message]) -> str:
    """All that is said in a turn as one text: what is searched."""
    return "\n".join(message.text for message in messages)


def keep_words(connection: duckdb.DuckDBPyConnection, grown: Sequence[Turn], **more: object) -> None:
    """Keep what turns that are there say by now, and `more` columns of them."""
    words = [words_of(turn.messages) for turn in grown]
    TURNS.refresh(connection, grown, "messages", "tokens", words=words, **more)


def _goes_on(last: Turn, said: Sequence[Message]) -> bool:
    """Whether what is said belongs to the last turn: it waits for its answer, or this is more of the answer."""
    answered = any(message.role is Role.ASSISTANT for message in last.messages)
    return not answered or not any(message.role is Role.USER for message in said)


def _tokens(messages: Sequence[Message], counter: TokenCounter) -> int:
    return sum(counter.count(message.text) for message in messages)
