"""What is deleted leaves answers too: words that quote it, influences that name it, and what it taught."""

from __future__ import annotations

from collections.abc import Collection

from companion.store.binding import duckdb
from companion.store.by_columns import column_where, delete_where
from companion.store.statements import execute

_HUSH = """
update answers
set said = ''
where said <> ''
    and id in (
        select answer_id
        from influences
        where source_id in (select unnest($ids::varchar[]))
    )
"""
"""An answer may quote anything that it rests on."""

_DROP = (
    "delete from influences where answer_id in (select unnest($ids::varchar[]))",
    "delete from judgements where list_has_any(memories, $ids::varchar[])",
    "delete from answers where id in (select unnest($ids::varchar[]))",
)


def unname(connection: duckdb.DuckDBPyConnection, sources: Collection[str]) -> None:
    """Take memories and items out of all answers; joins the transaction of whoever deletes them."""
    execute(connection, _HUSH, {"ids": sorted(sources)})
    delete_where(connection, "influences", source_id=sources)


def drop_of_talk(connection: duckdb.DuckDBPyConnection, conversation: str) -> None:
    """Delete the answers that were given in a conversation, and what was learned from them, with it."""
    ids = column_where(connection, "answers", "id", conversation_id=conversation)
    if ids:
        unname(connection, ids)
        for statement in _DROP:
            execute(connection, statement, {"ids": ids})
