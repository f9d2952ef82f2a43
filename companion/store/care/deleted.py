"""What a user deletes for good leaves the file too, and the copies of the store that this program made.

Whoever deletes notes it in the same transaction, so where the program is killed behind that, the next who opens the
store goes on. DuckDB only marks a deleted row; its bytes stay, in free space or beside what is still used. So the store
is written anew, row by row, beside its place, and put there whole. Where others ask the store meanwhile that cannot be:
it is noted, and done when the store is opened the next time. A copy that cannot be written anew is named, so that the
user can delete it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from companion.errors import CompanionError, StoreUnwritable
from companion.store.binding import duckdb
from companion.store.by_columns import column_where, delete_where
from companion.store.care.rebuilding import salvaged
from companion.store.connecting import connect
from companion.store.copying import backups, copy_whole, is_store_file
from companion.store.database import Database
from companion.store.files import FILE_NAME, WANTED
from companion.store.migrate import bring_up_to_date
from companion.store.projects import get_value, set_value
from companion.store.rows import column
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

UNFINISHED = (".new-", ".unfinished-")
"""In names of files that somebody is still writing."""


class Deleted(Struct, frozen=True):
    """Ids of what is gone: memories, conversations with all that was said in them, versions that a team shared.

    `spaces` are the projects (or the user) whose indexes have to take it in.
    """

    memories: tuple[str, ...] = ()
    conversations: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    spaces: tuple[str, ...] = ()


class Reached(Struct, frozen=True):
    """Copies from which something was taken out, and those from which it could not be."""

    mended: tuple[Path, ...] = ()
    left: tuple[Path, ...] = ()


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
    set_value(database, WANTED, "1")  # the store is to be written anew


def noted(database: Database) -> Deleted | None:
    """What may still stand in copies and indexes; None where nothing may."""
    said = get_value(database, _NAME)
    return kept(Deleted, said) if said else None


def clear_copies(database: Database, gone: Deleted, memory_limit: str) -> Reached:
    """Delete it from every copy in the home that has it, and note it no more; what came meanwhile stays noted."""
    with database.copying:
        reached = reach_copies(database.home, gone, memory_limit)
    with database.write(quiet=True):
        if noted(database) == gone:
            set_value(database, _NAME, "")
    return reached


def write_anew_if_wanted(database: Database, memory_limit: str) -> bool:
    """Write the store anew if that was noted; nobody else may ask it meanwhile. Whether it was.

    Raises StoreUnwritable where there is no room for it; then it is as it was, and noted still.
    """
    if not get_value(database, WANTED):
        return False
    database.checkpoint()
    with database.released():
        _write_anew(database.path, memory_limit)
    set_value(database, WANTED, "")
    return True


def reach_copies(home: Path, gone: Deleted, memory_limit: str) -> Reached:
    """Delete what is gone from the copies of the store that stand in its home, where it is in one."""
    mended: list[Path] = []
    left: list[Path] = []
    for copy in _copies(home):
        try:
            if _has(copy, gone, memory_limit):
                _mend(copy, gone, memory_limit)
                mended.append(copy)
        except (duckdb.Error, CompanionError, OSError):
            left.append(copy)
    return Reached(tuple(mended), tuple(left))


def _copies(home: Path) -> Iterator[Path]:
    """The automatic copies, and stores that were put aside."""
    yield from backups(home)
    aside = (path for path in home.glob(f"{FILE_NAME}.*-*") if path.is_file() and is_store_file(path))
    yield from sorted(path for path in aside if not any(mark in path.name for mark in UNFINISHED))


def _has(copy: Path, gone: Deleted, memory_limit: str) -> bool:
    connection = connect(copy, memory_limit, read_only=True)
    try:
        found = column(connection, _HAS, memories=gone.memories, conversations=gone.conversations)
        return bool(found or (gone.versions and column_where(connection, "team_records", "id", id=gone.versions)))
    except duckdb.CatalogException:
        return False  # of a time before there was such a table
    finally:
        connection.close()


def _mend(copy: Path, gone: Deleted, memory_limit: str) -> None:
    work = copy.with_name(f"{copy.name}.unfinished-{os.getpid()}")
    try:
        copy_whole(copy, work)
        database = Database(work.parent, connect(work, memory_limit), memory_limit, name=work.name)
        try:
            bring_up_to_date(database)
            _delete_from(database, gone)
            database.checkpoint()
        finally:
            database.close()
        _write_anew(work, memory_limit)
        made = copy.stat()
        os.utime(work, (made.st_atime, made.st_mtime))  # it is as old as it was: the next copy is due as before
        work.replace(copy)
    finally:
        for rest in work.parent.glob(f"{work.name}*"):
            rest.unlink(missing_ok=True)


def _write_anew(path: Path, memory_limit: str) -> None:
    """Put a file in a store's place that holds its rows and nothing else. Whoever waits for it waits on."""
    try:
        rebuilt = salvaged(path, (), memory_limit)
        if rebuilt is None:
            raise duckdb.IOException(f"{path} cannot be opened")
        fresh, _, lost = rebuilt
        if lost:
            fresh.unlink()
            raise duckdb.IOException(f"not all rows can be read: {' '.join(lost)}")
        fresh.replace(path)
    except (duckdb.Error, OSError) as wrong:
        raise StoreUnwritable(
            f"{path} could not be rewritten without what was deleted: {wrong}.",
            f"Nothing else was lost. Free {path.stat().st_size:,} bytes of space; the next command tries again.",
        ) from wrong


def _delete_from(copy: Database, gone: Deleted) -> None:
    with copy.write() as connection:
        delete_where(connection, "team_records", id=gone.versions)
        forgetting.erase(copy, gone.memories)
        for conversation in gone.conversations:
            forgetting.forget(copy, conversation)
