"""Talk that was held elsewhere and is brought in: who may be read, how far it was, and what is kept of it.

Turns and the mark of how far a log was read are one commit, so a kill loses no turn and doubles none. A turn that has
grown since is kept as it is now; one that is shorter than it was stays as it was. What the user deleted does not come
in again, whichever log says it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from companion.ports import TokenCounter
from companion.records.talk import Conversation, Turn
from companion.store.talk import conversations, items, turns
from companion.store.texts import clean

if TYPE_CHECKING:
    import duckdb

    from companion.store.database import Database

_SOURCES = """
select name, allowed_at
from talk_sources
where allowed_at is not null
    and ended_at is null
order by name
"""

_ALLOW = """
insert into talk_sources (name, allowed_at, ended_at)
values ($name, $now, null)
on conflict (name) do update set allowed_at = excluded.allowed_at, ended_at = null
"""

_END = """
update talk_sources
set ended_at = $now
where name = $name
    and ended_at is null
"""

_LOG = """
select path, size, changed_ns, place, digest, facts, turns, unplaced, checkouts, why
from talk_logs
where source = $source
    and name = $name
"""

_NOTE = """
insert or replace into talk_logs (
    source, name, path, size, changed_ns, place, digest, facts, turns, unplaced, checkouts, why, read_at
)
values (
    $source, $name, $path, $size, $changed_ns, $place, $digest, $facts, $turns, $unplaced, $checkouts, $why, $now
)
"""

_ELSEWHERE = """
select turns.outside
from turns
join conversations on conversations.id = turns.conversation_id
where conversations.user_id = $user
    and conversations.source = $source
    and conversations.outside <> $talk
    and turns.outside in (select unnest($outside::varchar[]))
"""

_THERE = """
select turns.outside, turns.id, length(turns.words)
from turns
join conversations on conversations.id = turns.conversation_id
where conversations.user_id = $user
    and conversations.source = $source
    and conversations.outside = $talk
    and turns.outside in (select unnest($outside::varchar[]))
"""

_GROW = """
update turns
set messages = $messages, words = $words, tokens = $tokens, gist = ''
where id = $id
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

_UNSEEN = """
select id
from conversations
where user_id = $user
    and unseen
    and state = 'archived'
    and ($source = '' or source = $source)
    and (last_turn_at is null or last_turn_at < $before)
order by started_at, id
limit $limit
"""

_COUNTS = """
select source, count(*), count(*) filter (where unseen)
from conversations
where user_id = $user
    and outside <> ''
group by source
"""

_GONE = """
select digest
from talk_gone
where digest in (select unnest($digests::varchar[]))
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

_ANCHOR = """
update turns
set anchor = told.anchor
from (select unnest($ids::varchar[]) as id, unnest($anchors::double[]) as anchor) as told
where turns.id = told.id
    and turns.anchor <> told.anchor
"""


@dataclass(frozen=True, slots=True)
class LogMark:
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


@dataclass(frozen=True, slots=True)
class Brought:
    """What came of some turns of one conversation: new ones, ones that grew, ones that the user had deleted."""

    conversation: Conversation | None = None
    new: int = 0
    grown: int = 0
    deleted: int = 0


def allowed(database: Database) -> dict[str, datetime]:
    """The sources that may be read, and since when."""
    return dict(database.rows(_SOURCES))


def allow(database: Database, source: str, now: datetime, *, on: bool) -> None:
    """The user agreed to a source's being read, or takes that back."""
    database.change(_ALLOW if on else _END, {"name": source, "now": now})


def mark_of(database: Database, source: str, name: str) -> LogMark:
    """How far a log was read."""
    row = database.row(_LOG, {"source": source, "name": clean(name)})
    return LogMark() if row is None else LogMark(*row)


def note(database: Database, source: str, name: str, mark: LogMark, now: datetime) -> None:
    """Keep how far a log was read; joins the caller's transaction."""
    given = {field: getattr(mark, field) for field in LogMark.__slots__}
    given |= {"source": source, "name": clean(name), "path": clean(mark.path), "now": now}
    database.change(_NOTE, given, quiet=True)


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
        new = turns.take_in(database, one, fresh, counter=counter)
        for id_, turn in grown:
            connection.execute(_GROW, {"id": id_, **_words(turn, counter)})
        connection.execute(_FRESH, {"id": one.id, "until": until, "title": clean(talk.title)})
        items.drop_candidates(database, one.id)
    return Brought(replace(one, unseen=True), new, len(grown), deleted)


def fresh_in(database: Database, talk: Conversation, read: Sequence[Turn]) -> Brought:
    """What `keep` would find new, without keeping it."""
    with database.read() as connection:
        fresh, grown, deleted = _sorted(connection, talk, read)
    return Brought(talk if fresh or grown else None, len(fresh), len(grown), deleted)


def unseen(database: Database, user: str, source: str, before: datetime, limit: int) -> tuple[Conversation, ...]:
    """Conversations that were brought in, not reviewed, and silent since a moment; the oldest first."""
    asked = {"user": user, "source": source, "before": before, "limit": min(limit, conversations.LISTED_MOST)}
    ids = [row[0] for row in database.rows(_UNSEEN, asked)]
    return tuple(conversations.get(database, id_) for id_ in ids)


def counts(database: Database, user: str) -> dict[str, tuple[int, int]]:
    """How many conversations came from each source, and how many of them wait for review."""
    return {row[0]: (row[1], row[2]) for row in database.rows(_COUNTS, {"user": user})}


def seen(database: Database, id_: str, *, on: bool = True) -> None:
    """Somebody reviewed what was brought in, or has to do so again; joins the caller's transaction."""
    database.change(_SEEN, {"id": id_, "on": on})


def anchor(database: Database, strengths: Sequence[tuple[str, float]]) -> None:
    """How firmly turns say what must never be lost, once they were reviewed; joins the caller's transaction."""
    ids, anchors = [id_ for id_, _ in strengths], [strength for _, strength in strengths]
    database.change(_ANCHOR, {"ids": ids, "anchors": anchors})


def note_deleted(database: Database, conversation: str, now: datetime) -> None:
    """Note what a conversation that is about to be deleted is called outside, so that it does not come in again."""
    with database.write() as connection:
        rows = connection.execute(_NAMES, {"id": conversation}).fetchall()
        names = {(source, talk) for source, talk, _ in rows} | {(source, turn) for source, _, turn in rows if turn}
        connection.execute(_DELETED, {"digests": sorted(_digest(*name) for name in names), "now": now})


def _sorted(
    connection: duckdb.DuckDBPyConnection, talk: Conversation, read: Sequence[Turn]
) -> tuple[list[Turn], list[tuple[str, Turn]], int]:
    """Turns that are new, those that have grown with their ids, and how many were deleted before."""
    asked = {"user": talk.user, "source": talk.source, "talk": talk.outside, "outside": [one.outside for one in read]}
    names = {one.outside: _digest(talk.source, one.outside) for one in read}
    whole = _digest(talk.source, talk.outside)
    given = {"digests": [whole, *names.values()]}
    gone = {row[0] for row in connection.execute(_GONE, given).fetchall()}
    if whole in gone:
        return [], [], len(read)
    elsewhere = {row[0] for row in connection.execute(_ELSEWHERE, asked).fetchall()}
    there = {row[0]: (row[1], row[2]) for row in connection.execute(_THERE, asked).fetchall()}
    left = [one for one in read if names[one.outside] not in gone and one.outside not in elsewhere]
    latest = {one.outside: one for one in left}
    grown = [(there[name][0], one) for name, one in latest.items() if name in there and _length(one) > there[name][1]]
    fresh = [one for name, one in latest.items() if name not in there]
    return fresh, grown, sum(digest in gone for digest in names.values())


def _length(turn: Turn) -> int:
    return len(turns.words_of([turns.fitting(message) for message in turn.messages]))


def _words(turn: Turn, counter: TokenCounter) -> dict[str, Any]:
    fit = [turns.fitting(message) for message in turn.messages]
    packed = json.dumps([[message.role.value, message.text] for message in fit], ensure_ascii=False)
    return {"messages": packed, "words": turns.words_of(fit), "tokens": sum(counter.count(one.text) for one in fit)}


def _digest(*names: str) -> str:
    return hashlib.sha256("\x1f".join(names).encode("utf-8", "replace")).hexdigest()[:32]
