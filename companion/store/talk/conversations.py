"""The states of a conversation and the one place a user has, held by the store itself.

Active, paused and ready to close hold the place: whoever starts another meanwhile is refused, whichever
process asks, since taking the place is a row of which there can be one. Every move is one transaction
and is written down.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from companion import wire
from companion.errors import PlaceTaken, UnknownConversation, WrongState
from companion.records.talk import Conversation, Extraction, Part, Preview, TalkState
from companion.store import projects
from companion.store.bulk import insert_rows
from companion.store.texts import clean

if TYPE_CHECKING:
    import duckdb

    from companion.store.database import Database

HOLDING = frozenset({TalkState.ACTIVE, TalkState.READY_TO_CLOSE})
"""States that hold the place."""
PREFIX_MIN = 4
"""Signs of an id that are enough to look it up by."""
LISTED_MOST = 1_000

_COLUMNS = """
id, user_id, state, started_at, project_id, persona, source, title, paused_at is not null, turns, last_turn_at,
closed_at, archived_at, outside, coalesce(unseen, false)
"""

_BY_PREFIX = f"""
select {_COLUMNS}
from conversations
where starts_with(id, $prefix)
order by id
limit 2
"""  # noqa: S608 - a constant

_HOLDER = f"""
select {_COLUMNS}
from conversations
where id = (select conversation_id from talk_places where user_id = $user)
"""  # noqa: S608 - a constant

_LISTED = f"""
select {_COLUMNS}
from conversations
where user_id = $user
    and ($state = '' or state = $state)
    and ($persona = '' or persona in ('', $persona))
order by coalesce(last_turn_at, started_at) desc, id
limit $limit
"""  # noqa: S608 - a constant

_BY_OUTSIDE = f"""
select {_COLUMNS}
from conversations
where user_id = $user
    and source = $source
    and outside = $outside
"""  # noqa: S608 - a constant


_MOVE = """
update conversations
set
    state = $after,
    paused_at = null,
    closed_at = case when $after = 'ready_to_close' then $now when $after = 'active' then null else closed_at end,
    archived_at = if($after = 'archived', $now::timestamp, archived_at)
where id = $id
"""

_PAUSE = """
update conversations
set paused_at = if($on, coalesce(paused_at, $now::timestamp), null)
where id = $id
"""

_NOTE = """
insert into talk_moves (conversation_id, number, moved_at, before, after, why)
select $id, coalesce(max(number), 0) + 1, $now, $before, $after, $why
from talk_moves
where conversation_id = $id
"""

_TAKE = """
insert into talk_places (user_id, conversation_id, taken_at)
values ($user, $id, $now)
"""

_LEAVE = "delete from talk_places where conversation_id = $id"

_SET_PREVIEW = """
update conversations
set preview = $preview, made_by = $made_by, passes = $passes, seconds = $seconds, confidence = $confidence
where id = $id
"""

_DROP_PREVIEW = """
update conversations
set preview = null
where id = $id
"""

_PREVIEW = """
select preview
from conversations
where id = $id
"""


def conversation_id(user: str, source: str, outside: str, started_at: datetime) -> str:
    """The id of a conversation: of a transcript that lies outside, the same however often it is read."""
    said = "\x1f".join((user, source, outside or started_at.isoformat()))
    return "c2" + hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:30]


def start(database: Database, new: Conversation) -> Conversation:
    """Begin a conversation and take the user's place for it. Raises PlaceTaken, which names the holder."""
    with database.write() as connection:
        if (there := _one(connection, _HOLDER, {"user": new.user})) is not None:
            raise taken(database, there)
        kept = _insert(connection, new)
        connection.execute(_TAKE, {"user": new.user, "id": kept.id, "now": kept.started_at})
    return kept


def take_in(database: Database, read: Conversation) -> Conversation:
    """Keep a conversation that was held elsewhere, which needs no place; one that is known already is given back."""
    with database.write() as connection:
        asked = {"user": read.user, "source": read.source, "outside": read.outside}
        there = _one(connection, _BY_OUTSIDE, asked)
        return there or _insert(connection, read)


def get(database: Database, id_: str) -> Conversation:
    """A conversation by its id or the beginning of it. Raises UnknownConversation."""
    rows = database.rows(_BY_PREFIX, {"prefix": id_}) if len(id_) >= PREFIX_MIN else []
    if len(rows) != 1:
        what = f"Several conversations begin with {id_!r}." if rows else f"No conversation begins with {id_!r}."
        raise UnknownConversation(what, "`companion talk list` shows them.")
    return _conversation(rows[0])


def holder(database: Database, user: str) -> Conversation | None:
    """The conversation that holds the user's place; None if it is free."""
    with database.read() as connection:
        return _one(connection, _HOLDER, {"user": user})


def listed(
    database: Database, user: str, limit: int, *, state: TalkState | None = None, persona: str = ""
) -> tuple[Conversation, ...]:
    """The user's conversations, the one spoken in last first."""
    asked = {"user": user, "state": state.value if state else "", "persona": persona, "limit": min(limit, LISTED_MOST)}
    return tuple(_conversation(row) for row in database.rows(_LISTED, asked))


def move(
    database: Database, id_: str, allowed: Collection[TalkState], after: TalkState, why: str, now: datetime
) -> Conversation:
    """Bring a conversation from one of the allowed states to another, and take or leave the place with it.

    Raises WrongState from any other state, and PlaceTaken where another conversation holds the place by now.
    """
    with database.write() as connection:
        one = _present(connection, id_)
        need(one, allowed)
        connection.execute(_MOVE, {"id": id_, "after": after.value, "now": now})
        _note(connection, one, after.value, why, now)
        if after in HOLDING and one.state not in HOLDING:
            if (there := _one(connection, _HOLDER, {"user": one.user})) is not None:
                raise taken(database, there)
            connection.execute(_TAKE, {"user": one.user, "id": id_, "now": now})
        elif after not in HOLDING:
            connection.execute(_LEAVE, {"id": id_})
        return _present(connection, id_)


def pause(database: Database, id_: str, now: datetime, *, on: bool) -> Conversation:
    """Silence nudges about a conversation, or no more. Raises WrongState if it is not active."""
    with database.write() as connection:
        one = _present(connection, id_)
        need(one, {TalkState.ACTIVE})
        connection.execute(_PAUSE, {"id": id_, "on": on, "now": now})
        _note(connection, one, "paused" if on else "active", "paused" if on else "unpaused", now)
        return replace(one, paused=on)


def keep_preview(database: Database, preview: Preview) -> None:
    """Keep what is under review, with its edits so far."""
    kept = {
        "extraction": wire.encode(preview.extraction),
        "parts": wire.encode(preview.parts),
        "original": preview.original,
    }
    found = preview.extraction
    made = {"passes": found.passes, "seconds": found.seconds, "confidence": found.confidence}
    given = {"id": preview.conversation.id, "preview": json.dumps(kept), "made_by": clean(found.made_by), **made}
    database.change(_SET_PREVIEW, given)


def drop_preview(database: Database, id_: str) -> None:
    """Nothing is under review any more: the conversation goes on, or is put away."""
    database.change(_DROP_PREVIEW, {"id": id_})


def preview(database: Database, one: Conversation) -> Preview | None:
    """What is under review; None where nothing is."""
    row = database.row(_PREVIEW, {"id": one.id})
    if row is None or row[0] is None:
        return None
    kept = json.loads(row[0])
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


def _insert(connection: duckdb.DuckDBPyConnection, new: Conversation) -> Conversation:
    id_ = conversation_id(new.user, new.source, new.outside, new.started_at)
    kept = replace(new, id=id_, title=clean(new.title))
    names = ("id", "user_id", "project_id", "persona", "source", "title", "state", "started_at", "outside")
    row = (
        id_,
        kept.user,
        kept.project,
        kept.persona,
        kept.source,
        kept.title,
        kept.state,
        kept.started_at,
        kept.outside,
    )
    insert_rows(connection, "conversations", names, [row])
    _note(connection, replace(kept, state=TalkState.ACTIVE), kept.state.value, "started", kept.started_at, before="")
    return kept


def _note(
    connection: duckdb.DuckDBPyConnection,
    one: Conversation,
    after: str,
    why: str,
    now: datetime,
    before: str | None = None,
) -> None:
    left = one.state.value if before is None else before
    connection.execute(_NOTE, {"id": one.id, "now": now, "before": left, "after": after, "why": clean(why)})


def _present(connection: duckdb.DuckDBPyConnection, id_: str) -> Conversation:
    one = _one(connection, _BY_PREFIX, {"prefix": id_})
    if one is None:
        raise UnknownConversation(f"No conversation begins with {id_!r}.", "`companion talk list` shows them.")
    return one


def _one(connection: duckdb.DuckDBPyConnection, statement: str, asked: dict[str, str]) -> Conversation | None:
    row = connection.execute(statement, asked).fetchone()
    return None if row is None else _conversation(row)


def _conversation(row: tuple[Any, ...]) -> Conversation:
    id_, user, state, started_at, *rest = row
    return Conversation(id_, user, TalkState(state), started_at, *rest)
