"""The running array and what it is made of: turns in the order they were heard, over all conversations of a persona.

The array itself is no copy. A turn is in it from the commit that writes the turn down; what older turns became is a
block of `summaries`. Turns that were read from outside were not heard and are not in it.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.records.talk import Item, Turn
from companion.store.database import Database
from companion.store.rows import column, tuples
from companion.store.talk import items
from companion.store.talk.talk_turns import TURNS

TURNS_MOST = 20_000
"""Turns read at once; the array is compacted long before."""

_HEARD = TURNS.select(
    """
join conversations on conversations.id = turns.conversation_id
where user_id = $user
    and ($persona = '*' or persona = $persona)
    and heard > $after
order by heard
limit $limit
""",
    "heard",
)

_LENGTH = """
select count(*), coalesce(sum(turns.tokens), 0)::bigint, coalesce(max(heard), 0)
from turns
join conversations on conversations.id = turns.conversation_id
where user_id = $user
    and ($persona = '*' or persona = $persona)
    and heard > $after
"""

_OF_SESSION = TURNS.select(
    """
where session = $session
order by heard desc
limit $limit
""",
    "heard",
)

_ITEMS_OF = items.ITEMS.select("""
where (conversation_id, turn) in (
        select conversation_id, number
        from turns
        where id in (select unnest($turns::varchar[]))
    )
order by conversation_id, turn, id
""")

_WITHOUT_GIST = """
select turns.id
from turns
join conversations on conversations.id = turns.conversation_id
where user_id = $user
    and turns.warmth = 'cold'
    and gist = ''
order by said_at desc
limit $limit
"""

_GISTS = """
select id, gist, keywords
from turns
where id in (select unnest($ids::varchar[]))
    and gist <> ''
"""


def heard(database: Database, user: str, persona: str, after: int) -> tuple[tuple[int, Turn], ...]:
    """Turns heard after a number with a persona (`*`: with all), each with its number, oldest first."""
    return tuple(_HEARD.keyed(database, "heard", user=user, persona=persona, after=after, limit=TURNS_MOST))


def length(database: Database, user: str, persona: str, after: int) -> tuple[int, int, int]:
    """How many turns were heard after a number, their tokens, and the number of the last."""
    ((count, tokens, last),) = tuples(database, _LENGTH, user=user, persona=persona, after=after)
    return count, tokens, last


def of_session(database: Database, session: str, last: int | None = None) -> tuple[tuple[int, Turn], ...]:
    """Turns of a session (or its `last` ones) with their numbers, oldest first."""
    return tuple(_OF_SESSION.keyed(database, "heard", session=session, limit=last))[::-1]


def items_of(database: Database, turns: Sequence[str]) -> tuple[Item, ...]:
    """What was left behind by turns, in any state."""
    return _ITEMS_OF.all(database, turns=turns)


def without_gist(database: Database, user: str, limit: int) -> tuple[str, ...]:
    """Ids of cold turns that have no sentence yet, newest first."""
    return tuple(column(database, _WITHOUT_GIST, user=user, limit=limit))


def keep_gists(database: Database, found: Sequence[tuple[str, str, Sequence[str]]]) -> None:
    """Keep the sentence and the keywords of turns."""
    rows = [{"id": id_, "gist": sentence, "keywords": list(words)} for id_, sentence, words in found]
    with database.write(quiet=True) as connection:
        TURNS.update(connection, rows)


def gists(database: Database, ids: Sequence[str]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The sentences and keywords that are kept, by turn."""
    return {id_: (sentence, tuple(words)) for id_, sentence, words in tuples(database, _GISTS, ids=ids)}
