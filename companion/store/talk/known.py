"""What is known before a conversation is read: symbols of a checkout, people, and what the user said for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.records.talk import Turn
from companion.store.talk.turns import of

if TYPE_CHECKING:
    from companion.store.database import Database

_SYMBOLS = """
select distinct qualname
from symbols
where checkout_id = $checkout
"""

_PEOPLE = """
select distinct entity
from memory_entities
where starts_with(entity, 'person:')
"""


_ANCHORED = """
select conversation_id, number
from turns
join conversations on conversations.id = conversation_id
where user_id = $user
    and anchor >= 1
    and ($persona = '' or persona in ('', $persona))
order by said_at desc, turns.id
limit $limit
"""


def anchored(database: Database, user: str, persona: str, limit: int) -> tuple[Turn, ...]:
    """The turns that say most firmly who the user is or what was decided for good, newest first."""
    with database.read() as connection:
        rows = connection.execute(_ANCHORED, {"user": user, "persona": persona, "limit": limit}).fetchall()
    return tuple(turn for id_, number in rows for turn in of(database, id_, number, number))


def symbols(database: Database, checkout: str) -> frozenset[str]:
    """Qualified names of what a checkout defines."""
    with database.read() as connection:
        return frozenset(row[0] for row in connection.execute(_SYMBOLS, {"checkout": checkout}).fetchall())


def people(database: Database) -> frozenset[str]:
    """Names of people, as their entities spell them: words in lower case."""
    with database.read() as connection:
        rows = connection.execute(_PEOPLE).fetchall()
    return frozenset(row[0].removeprefix("person:").replace("_", " ") for row in rows)
