"""What is known before a conversation is read: symbols of a checkout, people, and what the user said for good."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from companion.ports.composing import composed
from companion.records import Memory
from companion.records.talk import Turn
from companion.store.by_columns import column_where, pairs_where
from companion.store.database import Database
from companion.store.memories.reconcile import FORGOTTEN
from companion.store.memories.rows_sql import BY_HAND, memories_of
from companion.store.rows import column, tuples
from companion.store.talk.talk_turns import TURNS

_PEOPLE = """
select distinct entity
from memory_entities
where starts_with(entity, 'person:')
"""


_ANCHORED = TURNS.select("""
join conversations on conversations.id = conversation_id
where user_id = $user
    and anchor >= 1
    and ($persona = '' or persona in ('', $persona))
order by said_at desc, turns.id
limit $limit
""")

_PINNED = """
select id
from memories
where project_id = $user
    and pinned
    and status = 'active'
    and superseded_by = ''
    and kind = 'fact'
    and ($persona = '' or persona in ('', $persona))
order by created_at desc, id
limit $limit
"""

_ENDED = composed(
    """
select id
from memories
where project_id in ($project, $user)
    and {by_hand}
    and status = 'archived'
    and superseded_by = ''
    and archived_reason <> $by_hand
    and archived_at >= $since
    and ($persona = '' or persona in ('', $persona))
order by archived_at desc, id
limit $limit
""",
    by_hand=BY_HAND,
)

_FIRMNESS = """
select number, anchor
from turns
where conversation_id = $conversation
    and number <= $upto
order by number
"""

_WITHIN = TURNS.select("""
join conversations on conversations.id = conversation_id
where user_id = $user
    and conversation_id <> $but
    and said_at >= $since
    and said_at < $until
    and ($persona = '' or persona in ('', $persona))
order by anchor desc, said_at desc, turns.id
limit $limit
""")


def anchored(database: Database, user: str, persona: str, limit: int) -> tuple[Turn, ...]:
    """The turns that say most firmly who the user is or what was decided for good, newest first."""
    return _ANCHORED.all(database, user=user, persona=persona, limit=limit)


def ended(
    database: Database, project: str, user: str, persona: str, *, since: datetime, limit: int
) -> tuple[Memory, ...]:
    """What people noted by hand that came to its end since a moment, not by their own act; the last first."""
    given = {"project": project, "user": user, "persona": persona, "since": since, "limit": limit}
    return memories_of(database, _ENDED, by_hand=FORGOTTEN, **given)


def pinned(database: Database, user: str, persona: str, limit: int) -> tuple[Memory, ...]:
    """Pinned facts that are the user's own and no project's, newest first."""
    return memories_of(database, _PINNED, user=user, persona=persona, limit=limit)


def firmness(database: Database, conversation: str, upto: int) -> tuple[tuple[int, float], ...]:
    """The numbers of a conversation's turns up to one, each with how firm an anchor it is."""
    return tuple(tuples(database, _FIRMNESS, conversation=conversation, upto=upto))


def within(
    database: Database, user: str, persona: str, but: str, since: datetime, until: datetime, limit: int
) -> tuple[Turn, ...]:
    """Turns of other conversations between two moments, anchors first, then the newest."""
    return _WITHIN.all(database, user=user, persona=persona, but=but, since=since, until=until, limit=limit)


def personas(database: Database, conversations: Collection[str]) -> dict[str, str]:
    """With whom conversations are held."""
    return pairs_where(database, "conversations", "id, persona", id=set(conversations))


def symbols(database: Database, checkout: str) -> frozenset[str]:
    """Qualified names of what a checkout defines."""
    return frozenset(column_where(database, "symbols", "distinct qualname", checkout_id=checkout))


def people(database: Database) -> frozenset[str]:
    """Names of people, as their entities spell them: words in lower case."""
    return frozenset(name.removeprefix("person:").replace("_", " ") for name in column(database, _PEOPLE))
