"""A conversation that its user wants deleted goes from every table at once; it cannot be undone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from companion.store.binding import duckdb
from companion.store.by_columns import column_where, delete_where, pairs_where, set_where
from companion.store.consolidation.purging import erase_traces
from companion.store.database import Database
from companion.store.memories.rows_sql import DROP_PARTS
from companion.store.reason.forgetting import drop_of_talk, unname
from companion.store.rows import pairs, tuples
from companion.store.statements import execute
from companion.store.talk import sessions, summaries
from companion.store.talk.act_memories import LEARNER
from companion.store.vectors.sql import FORGET_UNUSED

_COUNTS = """
select
    (select count(*) from turns where conversation_id = $conversation),
    (select count(*) from items where conversation_id = $conversation)
"""

_DELETE_TALK = (
    "delete from turn_moves where turn_id in (select id from turns where conversation_id = $conversation)",
    "delete from turns where conversation_id = $conversation",
    "delete from items where conversation_id = $conversation",
    "delete from talk_places where conversation_id = $conversation",
    "delete from conversations where id = $conversation",
    "delete from nudges where subject = $conversation",
    "update nudges set conversation_id = '' where conversation_id = $conversation",
    "delete from memory_evidence where kind = 'conversation' and ref = $conversation",
)

_SAYING_IT = """
select items.id, conversation_id
from items
join memories on memories.id in (select unnest($ids::varchar[]))
where items.memory_id = memories.id
    or items.conversation_id = memories.origin
        and items.text = memories.value
"""

_DELETE_MEMORIES = (
    *DROP_PARTS,
    "delete from memory_links where list_has_any([a, b], $ids::varchar[])",
    "delete from contradictions where list_has_any([memory_a, memory_b], $ids::varchar[])",
    "delete from usage_log where memory_id in (select unnest($ids::varchar[]))",
    "update memories set superseded_by = '' where superseded_by in (select unnest($ids::varchar[]))",
    "update memories set supersedes = '' where supersedes in (select unnest($ids::varchar[]))",
    "delete from memories where id in (select unnest($ids::varchar[]))",
    "update team_records set text = '', memory_id = '' where memory_id in (select unnest($ids::varchar[]))",
)


class Gone(Struct, frozen=True):
    """How much was deleted; `spaces` are the projects (or the user) whose indexes have to take it in."""

    turns: int
    items: int
    memories: int
    spaces: tuple[str, ...]


def forget(database: Database, conversation: str) -> Gone:
    """Delete turns, items and memories of a conversation, with what journals, judges and vectors have of them.

    What was merged with another memory stays, since others said it too; its evidence here goes.
    """
    with database.write() as connection:
        given = {"conversation": conversation}
        ((turns, items),) = tuples(connection, _COUNTS, conversation=conversation)
        made = pairs_where(connection, "memories", "id, project_id", order="id", learner=LEARNER, origin=conversation)
        ids = list(made)
        quoting = column_where(connection, "memory_evidence", "memory_id", kind="conversation", ref=conversation)
        if ids or quoting:
            erase_traces(connection, {*ids, *quoting})
        summaries.drop_of(connection, conversation)
        sessions.leave(connection, conversation)
        drop_of_talk(connection, conversation)
        unname(connection, column_where(connection, "items", "id", conversation_id=conversation))
        _delete(connection, _DELETE_TALK, given)
        if ids:
            _delete(connection, _DELETE_MEMORIES, {"ids": ids})
        execute(connection, FORGET_UNUSED)
    return Gone(turns, items, len(ids), tuple(sorted({*made.values()})))


def erase(database: Database, ids: Sequence[str]) -> int:
    """Delete memories with the items that say the same; how many items that were. What was said in a talk stays."""
    with database.write() as connection:
        saying = pairs(connection, _SAYING_IT, ids=ids)
        erase_traces(connection, ids)
        delete_where(connection, "items", id=saying)
        unname(connection, saying)
        for conversation in sorted({*saying.values()} - {""}):
            summaries.drop_of(connection, conversation)
        set_where(connection, "conversations", {"preview": None}, id=saying.values())
        _delete(connection, _DELETE_MEMORIES, {"ids": list(ids)})
        execute(connection, FORGET_UNUSED)
    return len(saying)


def _delete(connection: duckdb.DuckDBPyConnection, statements: Sequence[str], given: Mapping[str, object]) -> None:
    for statement in statements:
        execute(connection, statement, given)
