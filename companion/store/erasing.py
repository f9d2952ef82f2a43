"""What a user deletes for good leaves the file too, and the copies of the store that this program made.

DuckDB only marks a deleted row; its bytes stay until something is written over them. So whoever deletes empties the rows
first, which has their part of the table written anew, and then the space that came free is written over. Copies are
worked on beside their place and put there whole; one that cannot be is named, so that the user can delete it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb

from companion.errors import CompanionError
from companion.store.backup import backups, copy_whole, is_store_file
from companion.store.database import Database, connect
from companion.store.files import FILE_NAME
from companion.store.migrate import bring_up_to_date

if TYPE_CHECKING:
    from collections.abc import Iterator

Holds = Callable[[duckdb.DuckDBPyConnection], bool]
"""Whether what is to go is in a store."""
Delete = Callable[[Database], object]
"""Takes it out of a store."""

_FREE = """
select free_blocks * block_size
from pragma_database_size()
"""
_FILL = """
create table filler as
select hash(range) as one, hash(range + 1) as other
from range($rows)
"""
_EMPTY = "drop table if exists filler"
ROW_BYTES = 16
"""Bytes of a row of two hashes, which nothing packs any smaller."""
ROWS_MORE = 200_000
"""Rows beyond what came free: DuckDB writes whole blocks, and some for itself."""


UNFINISHED = (".new-", ".unfinished-")
"""In names of files that somebody is still writing."""


@dataclass(frozen=True, slots=True)
class Reached:
    """Copies from which something was taken out, and those from which it could not be."""

    mended: tuple[Path, ...] = ()
    left: tuple[Path, ...] = ()


def overwrite_free(database: Database) -> None:
    """Write over the space in the file that nothing uses. Raises StoreUnwritable where the disk is full."""
    with database.write(quiet=True) as connection:
        connection.execute(_EMPTY)
    database.checkpoint()
    with database.write(quiet=True) as connection:
        (free,) = connection.execute(_FREE).fetchone() or (0,)
        connection.execute(_FILL, {"rows": free // ROW_BYTES + ROWS_MORE})
    database.checkpoint()
    with database.write(quiet=True) as connection:
        connection.execute(_EMPTY)
    database.checkpoint()


def reach_copies(
    home: Path,
    holds: Holds,
    delete: Delete,
    memory_limit: str,
) -> Reached:
    """Delete something from the copies of the store that stand in its home, where `holds` finds it in one."""
    mended: list[Path] = []
    left: list[Path] = []
    for copy in _copies(home):
        try:
            if _has(copy, holds, memory_limit):
                _mend(copy, delete, memory_limit)
                mended.append(copy)
        except (duckdb.Error, CompanionError, OSError):
            left.append(copy)
    return Reached(tuple(mended), tuple(left))


def _copies(home: Path) -> Iterator[Path]:
    """The automatic copies, and stores that were put aside."""
    yield from backups(home)
    aside = (path for path in home.glob(f"{FILE_NAME}.*-*") if path.is_file() and is_store_file(path))
    yield from sorted(path for path in aside if not any(mark in path.name for mark in UNFINISHED))


def _has(copy: Path, holds: Holds, memory_limit: str) -> bool:
    connection = connect(copy, memory_limit, read_only=True)
    try:
        return holds(connection)
    except duckdb.CatalogException:
        return False  # of a time before there was such a table
    finally:
        connection.close()


def _mend(copy: Path, delete: Delete, memory_limit: str) -> None:
    work = copy.with_name(f"{copy.name}.unfinished-{os.getpid()}")
    try:
        copy_whole(copy, work)
        database = Database(work.parent, connect(work, memory_limit), memory_limit, name=work.name)
        try:
            bring_up_to_date(database)
            delete(database)
            overwrite_free(database)
        finally:
            database.close()
        work.replace(copy)
    finally:
        for rest in work.parent.glob(f"{work.name}*"):
            rest.unlink(missing_ok=True)
