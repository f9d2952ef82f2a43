"""The states of a conversation and the one place a user has, held by the store itself.

Active, paused and ready to close hold the place: whoever starts another meanwhile is refused, whichever
process asks, since taking the place is a row of which there can be one. Every move is one transaction.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime

from msgspec.structs import replace

from companion import wire
from companion.errors import PlaceTaken, UnknownConversation, WrongState, the_one
from companion.records.talk import Conversation, Extraction, Part, Preview, TalkState
from companion.store import projects
from companion.store.binding import duckdb
from companion.store.by_columns import delete_where, value_where
from companion.store.database import Database
from companion.store.rows import Source, Sql, Table
from companion.store.statements import execute
from companion.store.texts import clean, hashed_id

HOLDING = frozenset({TalkState.ACTIVE, TalkState.READY_TO_CLOSE})
"""States that hold the place."""
PREFIX_MIN = 4
"""Signs of an id that are enough to look it up by."""
LISTED_MOST = 1_000

CONVERSATIONS = Table(
    Conversation,
    "conversations",
    {
        "paused": Sql("conversations.paused_at is not null"),
        "unseen": Sql("coalesce(conversations.unseen, false)"),
    },
)

_HOLDER = CONVERSATIONS.select("""
where id = (select conversation_id from talk_places where user_id = $user)
""")

_LISTED = CONVERSATIONS.select("""
where user_id = $user
    and ($state = '' or state = $state)
    and ($persona = '' or persona in ('', $persona))
order by coalesce(last_turn_at, started_at) desc, id
limit $limit
""")

_TAKE = """
insert into talk_places (user_id, conversation_id, taken_at)
values ($user, $id, $now)
"""


def conversation_id(user: str, source: str, outside: str, started_at: datetime) -> str:
    """The id of a conversation: of a transcript that lies outside, the same however often it is read."""
    return hashed_id("c2", user, source, outside or started_at.isoformat())


def start(database: Database, new: Conversation) -> Conversation:
    """Begin a conversation and take the user's place for it. Raises PlaceTaken, which names the holder."""
    with database.write() as connection:
        if (there := _HOLDER.first(connection, user=new.user)) is not None:
            raise taken(database, there)
        kept = _insert(connection, new)
        execute(connection, _TAKE, {"user": new.user, "id": kept.id, "now": kept.started_at})
    return kept


def take_in(database: Database, read: Conversation) -> Conversation:
    """Keep a conversation that was held elsewhere, which needs no place; one that is known already is given back."""
    with database.write() as connection:
        there = CONVERSATIONS.one(connection, user_id=read.user, source=read.source, outside=read.outside)
        return there or _insert(connection, read)


def get(source: Source, id_: str) -> Conversation:
    """A conversation by its id or the beginning of it. Raises UnknownConversation."""
    found = CONVERSATIONS.begun(source, id_) if len(id_) >= PREFIX_MIN else ()
    return the_one(found, id_, "conversation", "`companion talk list` shows them.", UnknownConversation)


def holder(database: Database, user: str) -> Conversation | None:
    """The conversation that holds the user's place; None if it is free."""
    return _HOLDER.first(database, user=user)


def listed(
    database: Database, user: str, limit: int, *, state: TalkState | None = None, persona: str = ""
) -> tuple[Conversation, ...]:
    """The user's conversations, the one spoken in last first."""
    return _LISTED.all(database, user=user, state=state or "", persona=persona, limit=min(limit, LISTED_MOST))


def move(database: Database, id_: str, allowed: Collection[TalkState], after: TalkState, now: datetime) -> Conversation:
    """Bring a conversation from one of the allowed states to another, and take or leave the place with it.

    Raises WrongState from any other state, and PlaceTaken where another conversation holds the place by now.
    """
    with database.write() as connection:
        one = get(connection, id_)
        need(one, allowed)
        CONVERSATIONS.change(connection, id_, state=after, paused_at=None, **_moments(after, now))
        if after in HOLDING and one.state not in HOLDING:
            if (there := _HOLDER.first(connection, user=one.user)) is not None:
                raise taken(database, there)
            execute(connection, _TAKE, {"user": one.user, "id": id_, "now": now})
        elif after not in HOLDING:
            delete_where(connection, "talk_places", conversation_id=id_)
        return get(connection, id_)


def pause(database: Database, id_: str, now: datetime, *, on: bool) -> Conversation:
    """Silence nudges about a conversation, or no more. Raises WrongState if it is not active."""
    with database.write() as connection:
        one = get(connection, id_)
        need(one, {TalkState.ACTIVE})
        if one.paused != on:
            CONVERSATIONS.change(connection, id_, paused_at=now if on else None)
        return replace(one, paused=on)


def keep_preview(database: Database, preview: Preview) -> None:
    """Keep what is under review, with its edits so far."""
    kept = {
        "extraction": wire.encode(preview.extraction),
        "parts": wire.encode(preview.parts),
        "original": preview.original,
    }
    found = preview.extraction
    made = {"made_by": found.made_by, "passes": found.passes, "seconds": found.seconds, "confidence": found.confidence}
    CONVERSATIONS.change(database, preview.conversation.id, preview=json.dumps(kept), **made)


def drop_preview(database: Database, id_: str) -> None:
    """Nothing is under review any more: the conversation goes on, or is put away."""
    CONVERSATIONS.change(database, id_, preview=None)


def preview(database: Database, one: Conversation) -> Preview | None:
    """What is under review; None where nothing is."""
    text = value_where(database, "conversations", "preview", id=one.id)
    if text is None:
        return None
    kept = json.loads(text)
    extraction: Extraction = wire.decode(Extraction, kept["extraction"])
    parts: tuple[Part, ...] = wire.decode(tuple[Part, ...], kept["parts"])
    return Preview(one, extraction, parts, kept["original"])


def need(one: Conversation, allowed: Collection[TalkState]) -> None:
    """Raises WrongState, with what can be done instead, if a conversation is in none of the allowed states."""
    if one.state not in allowed:
        raise WrongState(f"The conversation {one.id[:12]} is {_IN_WORDS[one.state]}.", _INSTEAD[one.state])


def taken(database: Database, there: Conversation) -> PlaceTaken:
    """The error that names who holds the place, and how it is freed."""
    called = f' "{there.title}"' if there.title else ""
    within = f" of {projects.project_name(database, there.project)}" if there.project else ""
    return PlaceTaken(
        f"The conversation {there.id[:12]}{called}{within} is {_IN_WORDS[there.state]}, and there is one at a time.",
        f"{_INSTEAD[there.state]} Or put it away, and nothing of it is remembered: `companion talk archive`.",
    )


_IN_WORDS = {
    TalkState.ACTIVE: "going on",
    TalkState.READY_TO_CLOSE: "waiting for your review",
    TalkState.COMPRESSING: "being put into memory",
    TalkState.ARCHIVED: "archived",
}
_INSTEAD = {
    TalkState.ACTIVE: "Go on with it: `companion talk add`, or end it: `companion talk close`.",
    TalkState.READY_TO_CLOSE: "Look at it: `companion review`, or go on with it: `companion talk resume`.",
    TalkState.COMPRESSING: "`companion review confirm` finishes it.",
    TalkState.ARCHIVED: "Begin another: `companion talk start`.",
}


def _moments(after: TalkState, now: datetime) -> dict[str, datetime | None]:
    """The moments that are noted where a conversation comes to a state."""
    if after is TalkState.ARCHIVED:
        return {"archived_at": now}
    closed = {TalkState.READY_TO_CLOSE: now, TalkState.ACTIVE: None}
    return {"closed_at": closed[after]} if after in closed else {}


def _insert(connection: duckdb.DuckDBPyConnection, new: Conversation) -> Conversation:
    id_ = conversation_id(new.user, new.source, new.outside, new.started_at)
    kept = replace(new, id=id_, title=clean(new.title))
    CONVERSATIONS.insert(connection, [kept])
    return kept
