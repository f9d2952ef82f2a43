"""The running array and what it is made of: turns in the order they were heard, over all conversations of a persona.

The array itself is no copy. A turn is in it from the commit that writes the turn down; what older turns became is a
block of `summaries`. Turns that were read from outside were not heard and are not in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.records.talk import Item, Turn
from companion.store.talk import items
from companion.store.talk.turns import COLUMNS, turn_of

if TYPE_CHECKING:
    from companion.store.database import Database
    from companion.store.talk.turns import Row

TURNS_MOST = 20_000
"""Turns read at once; the array is compacted long before."""

_HEARD = f"""
select heard, {", ".join(f"turns.{name}" for name in COLUMNS)}
from turns
join conversations on conversations.id = turns.conversation_id
where user_id = $user
    and ($persona = '*' or persona = $persona)
    and heard > $after
order by heard
limit $limit
"""  # noqa: S608 - a constant

_LENGTH = """
select count(*), coalesce(sum(turns.tokens), 0)::bigint, coalesce(max(heard), 0)
from turns
join conversations on conversations.id = turns.conversation_id
where user_id = $user
    and ($persona = '*' or persona = $persona)
    and heard > $after
"""

_OF_SESSION = f"""
select heard, {", ".join(COLUMNS)}
from turns
where session = $session
order by heard
"""  # noqa: S608 - a constant

_LAST_OF_SESSION = f"""
select heard, {", ".join(COLUMNS)}
from turns
where session = $session
order by heard desc
limit $limit
"""  # noqa: S608 - a constant

_ITEMS_OF = f"""
select {items.COLUMNS}
from items
where (conversation_id, turn) in (
        select conversation_id, number
        from turns
        where id in (select unnest($turns::varchar[]))
    )
order by conversation_id, turn, id
"""  # noqa: S608 - a constant

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

_SET_GIST = """
update turns
set gist = found.gist, keywords = found.keywords
from (
    select unnest($ids::varchar[]) as id, unnest($gists::varchar[]) as gist, unnest($keywords::varchar[][]) as keywords
) as found
where turns.id = found.id
"""

_GISTS = """
select id, gist, keywords
from turns
where id in (select unnest($ids::varchar[]))
    and gist <> ''
"""


def heard(database: Database, user: str, persona: str, after: int) -> tuple[tuple[int, Turn], ...]:
    """Turns heard after a number with a persona (`*`: with all), each with its number, oldest first."""
    return _rows(database, _HEARD, {"user": user, "persona": persona, "after": after, "limit": TURNS_MOST})


def length(database: Database, user: str, persona: str, after: int) -> tuple[int, int, int]:
    """How many turns were heard after a number, their tokens, and the number of the last."""
    row = database.row(_LENGTH, {"user": user, "persona": persona, "after": after})
    return (int(row[0]), int(row[1]), int(row[2])) if row else (0, 0, 0)


def of_session(database: Database, session: str, last: int = 0) -> tuple[tuple[int, Turn], ...]:
    """Turns of a session (or its `last` ones) with their numbers, oldest first."""
    if last:
        return _rows(database, _LAST_OF_SESSION, {"session": session, "limit": last})[::-1]
    return _rows(database, _OF_SESSION, {"session": session})


def items_of(database: Database, turns: Sequence[str]) -> tuple[Item, ...]:
    """What was left behind by turns, in any state."""
    rows = database.rows(_ITEMS_OF, {"turns": list(turns)})
    return tuple(items.item_of(row) for row in rows)


def without_gist(database: Database, user: str, limit: int) -> tuple[str, ...]:
    """Ids of cold turns that have no sentence yet, newest first."""
    rows = database.rows(_WITHOUT_GIST, {"user": user, "limit": limit})
    return tuple(row[0] for row in rows)


def keep_gists(database: Database, found: Sequence[tuple[str, str, Sequence[str]]]) -> None:
    """Keep the sentence and the keywords of turns."""
    given = {
        "ids": [id_ for id_, _, _ in found],
        "gists": [sentence for _, sentence, _ in found],
        "keywords": [list(words) for _, _, words in found],
    }
    database.change(_SET_GIST, given, quiet=True)


def gists(database: Database, ids: Sequence[str]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """The sentences and keywords that are kept, by turn."""
    rows = database.rows(_GISTS, {"ids": list(ids)})
    return {id_: (sentence, tuple(words)) for id_, sentence, words in rows}


def _rows(database: Database, statement: str, asked: dict[str, object]) -> tuple[tuple[int, Turn], ...]:
    rows: list[Row] = database.rows(statement, asked)
    return tuple((row[0], turn_of(row[1:])) for row in rows)
