"""What a user deleted for good, noted with its deletion until it has left the copies of the store as well.

Whoever deletes notes it in the same transaction, so where the program is killed behind that, the next who opens the
store goes on.
"""

from __future__ import annotations

from msgspec import Struct

from companion.store.binding import duckdb
from companion.store.care import erasing
from companion.store.care.erasing import Reached
from companion.store.database import Database
from companion.store.projects import get_value, set_value
from companion.store.rows import column
from companion.store.statements import execute
from companion.store.talk import forgetting
from companion.wire import keep, kept

_NAME = "deleted"

_HAS = """
select id
from memories
where id in (select unnest($memories::varchar[]))
union all
select id
from conversations
where id in (select unnest($conversations::varchar[]))
"""

_HAS_VERSIONS = """
select id
from team_records
where id in (select unnest($versions::varchar[]))
"""

_DELETE_VERSIONS = """
delete from team_records
where id in (select unnest($versions::varchar[]))
"""


class Deleted(Struct, frozen=True):
    """Ids of what is gone: memories, conversations with all that was said in them, versions that a team shared.

    `spaces` are the projects (or the user) whose indexes have to take it in.
    """

    memories: tuple[str, ...] = ()
    conversations: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    spaces: tuple[str, ...] = ()


def note(database: Database, more: Deleted) -> None:
    """Note what is deleted in the transaction that is open."""
    before = noted(database) or Deleted()
    both = Deleted(
        (*before.memories, *more.memories),
        (*before.conversations, *more.conversations),
        (*before.versions, *more.versions),
        tuple(sorted({*before.spaces, *more.spaces})),
    )
    set_value(database, _NAME, keep(both, Deleted))
    erasing.want_anew(database)


def noted(database: Database) -> Deleted | None:
    """What may still stand in copies and indexes; None where nothing may."""
    said = get_value(database, _NAME)
    return kept(Deleted, said) if said else None


def clear_copies(database: Database, gone: Deleted, memory_limit: str) -> Reached:
    """Delete it from every copy in the home that has it, and note it no more; what came meanwhile stays noted."""
    with database.copying:
        reached = erasing.reach_copies(
            database.home, lambda copy: _is_in(copy, gone), lambda copy: _delete_from(copy, gone), memory_limit
        )
    with database.write(quiet=True):
        if noted(database) == gone:
            set_value(database, _NAME, "")
    return reached


def _is_in(connection: duckdb.DuckDBPyConnection, gone: Deleted) -> bool:
    found = column(connection, _HAS, memories=gone.memories, conversations=gone.conversations)
    return bool(found or (gone.versions and column(connection, _HAS_VERSIONS, versions=gone.versions)))


def _delete_from(copy: Database, gone: Deleted) -> None:
    with copy.write() as connection:
        execute(connection, _DELETE_VERSIONS, {"versions": list(gone.versions)})
        forgetting.erase(copy, gone.memories)
        for conversation in gone.conversations:
            forgetting.forget(copy, conversation)
