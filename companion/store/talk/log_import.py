"""Talk that was held elsewhere and is brought in: who may be read, how far it was, and what is kept of it.

Turns and the mark of how far a log was read are one commit, so a kill loses no turn and doubles none. A turn that has
grown since is kept as it is now; one that is shorter than it was stays as it was. What the user deleted does not come
in again, whichever log says it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from companion.ports import TokenCounter
from companion.records.talk import Conversation, Turn
from companion.store.binding import duckdb
from companion.store.by_columns import column_where, delete_where, pairs_where, put_row, set_where
from companion.store.database import Database
from companion.store.rows import Table, tuples
from companion.store.statements import execute
from companion.store.talk import conversations, items, talk_turns
from companion.store.texts import clean


class LogMark(Struct, frozen=True):
    """How far a log was read; see the table `talk_logs`. `size` is -1 while it was not read to the end."""

    path: str = ""
    size: int = -1
    changed_ns: int = 0
    place: int = 0
    digest: str = ""
    facts: str = "{}"
    turns: int = 0
    unplaced: int = 0
    checkouts: str = ""
    why: str = ""


LOGS = Table(LogMark, "talk_logs")

_KNOWN = """
select conversations.outside, turns.outside, turns.id, length(turns.words)
from turns
join conversations on conversations.id = turns.conversation_id
where conversations.user_id = $user
    and conversations.source = $source
    and turns.outside in (select unnest($outside::varchar[]))
"""

_FRESH = """
update conversations
set
    unseen = true,
    preview = if(state = 'archived', null, preview),
    title = if(title = '', $title, title),
    last_turn_at = greatest(coalesce(last_turn_at, $until::timestamp), $until::timestamp)
where id = $id
"""

_SEEN = """
update conversations
set unseen = not $on
where id = $id
    and outside <> ''
"""

_UNSEEN = conversations.CONVERSATIONS.select("""
where user_id = $user
    and unseen
    and state = 'archived'
    and ($source = '' or source = $source)
    and (last_turn_at is null or last_turn_at < $before)
order by started_at, id
limit $limit
""")

_COUNTS = """
select source, count(*), count(*) filter (where unseen)
from conversations
where user_id = $user
    and outside <> ''
group by source
"""

_DELETED = """
insert or ignore into talk_gone (digest, gone_at)
select unnest($digests::varchar[]), $now
"""

_NAMES = """
select conversations.source, conversations.outside, turns.outside
from conversations
left join turns on turns.conversation_id = conversations.id
where conversations.id = $id
    and conversations.outside <> ''
"""


class Brought(Struct, frozen=True):
    """What came of some turns of one conversation: new ones, ones that grew, ones that the user had deleted."""

    conversation: Conversation | None = None
    new: int = 0
    grown: int = 0
    deleted: int = 0


def allowed(database: Database) -> dict[str, datetime]:
    """The sources that may be read, and since when."""
    found = pairs_where(database, "talk_sources", "name, allowed_at", order="name", ended_at=None)
    return {name: at for name, at in found.items() if at is not None}


def allow(database: Database, source: str, now: datetime, *, on: bool) -> None:
    """The user agreed to a source's being read, or takes that back."""
    if on:
        put_row(database, "talk_sources", name=source, allowed_at=now, ended_at=None)
    else:
        set_where(database, "talk_sources", {"ended_at": now}, name=source, ended_at=None)


def mark_of(database: Database, source: str, name: str) -> LogMark:
    """How far a log was read."""
    return LOGS.one(database, source=source, name=clean(name)) or LogMark()


def note(database: Database, source: str, name: str, mark: LogMark, now: datetime) -> None:
    """Keep how far a log was read; joins the caller's transaction."""
    with database.write(quiet=True) as connection:
        delete_where(connection, "talk_logs", source=source, name=clean(name))
        LOGS.insert(connection, [mark], source=source, name=name, read_at=now)


def keep(
    database: Database, talk: Conversation, read: Sequence[Turn], until: datetime, *, counter: TokenCounter
) -> Brought:
    """Keep what is new of some turns of a conversation, which is made where it is not there; joins a transaction.

    It waits for review from then on, and what was under review of it is read anew.
    """
    with database.write() as connection:
        fresh, grown, deleted = _sorted(connection, talk, read)
        if not fresh and not grown:
            return Brought(deleted=deleted)
        one = conversations.take_in(database, talk)
        talk_turns.take_in(database, one, fresh, counter=counter)
        if grown:
            more = [replace(talk_turns.fitted(turn, counter), id=id_) for id_, turn in grown]
            talk_turns.keep_words(connection, more, gist="")
        execute(connection, _FRESH, {"id": one.id, "until": until, "title": clean(talk.title)})
        items.drop_candidates(database, one.id)
    return Brought(replace(one, unseen=True), len(fresh), len(grown), deleted)


def fresh_in(database: Database, talk: Conversation, read: Sequence[Turn]) -> Brought:
    """What `keep` would find new, without keeping it."""
    with database.read() as connection:
        fresh, grown, deleted = _sorted(connection, talk, read)
    return Brought(talk if fresh or grown else None, len(fresh), len(grown), deleted)


def unseen(database: Database, user: str, source: str, before: datetime, limit: int) -> tuple[Conversation, ...]:
    """Conversations that were brought in, not reviewed, and silent since a moment; the oldest first."""
    asked = {"user": user, "source": source, "before": before, "limit": min(limit, conversations.LISTED_MOST)}
    return _UNSEEN.all(database, **asked)


def counts(database: Database, user: str) -> dict[str, tuple[int, int]]:
    """How many conversations came from each source, and how many of them wait for review."""
    return {source: (talks, waiting) for source, talks, waiting in tuples(database, _COUNTS, user=user)}


def seen(database: Database, id_: str, *, on: bool = True) -> None:
    """Somebody reviewed what was brought in, or has to do so again; joins the caller's transaction."""
    database.change(_SEEN, {"id": id_, "on": on})


def anchor(database: Database, strengths: Sequence[tuple[str, float]]) -> None:
    """How firmly turns say what must never be lost, once they were reviewed; joins the caller's transaction."""
    with database.write() as connection:
        talk_turns.TURNS.update(connection, [{"id": id_, "anchor": strength} for id_, strength in strengths])


def note_deleted(database: Database, conversation: str, now: datetime) -> None:
    """Note what a conversation that is about to be deleted is called outside, so that it does not come in again."""
    with database.write() as connection:
        rows = tuples(connection, _NAMES, id=conversation)
        names = {(source, talk) for source, talk, _ in rows} | {(source, turn) for source, _, turn in rows if turn}
        execute(connection, _DELETED, {"digests": sorted(_digest(*name) for name in names), "now": now})


def _sorted(
    connection: duckdb.DuckDBPyConnection, talk: Conversation, read: Sequence[Turn]
) -> tuple[list[Turn], list[tuple[str, Turn]], int]:
    """Turns that are new, those that have grown with their ids, and how many were deleted before."""
    names = {one.outside: _digest(talk.source, one.outside) for one in read}
    whole = _digest(talk.source, talk.outside)
    gone = set(column_where(connection, "talk_gone", "digest", digest=[whole, *names.values()]))
    if whole in gone:
        return [], [], len(read)
    known = tuples(connection, _KNOWN, user=talk.user, source=talk.source, outside=list(names))
    there = {name: (id_, length) for within, name, id_, length in known if within == talk.outside}
    elsewhere = {name for within, name, _, _ in known if within != talk.outside}
    left = [one for one in read if names[one.outside] not in gone and one.outside not in elsewhere]
    latest = {one.outside: one for one in left}
    grown = [(there[name][0], one) for name, one in latest.items() if name in there and _length(one) > there[name][1]]
    fresh = [one for name, one in latest.items() if name not in there]
    return fresh, grown, sum(digest in gone for digest in names.values())


def _length(turn: Turn) -> int:
    return len(talk_turns.words_of([talk_turns.fitting(message) for message in turn.messages]))


def _digest(*names: str) -> str:
    return hashlib.sha256("\x1f".join(names).encode("utf-8", "replace")).hexdigest()[:32]
