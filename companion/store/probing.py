"""Whether a store is whole: whatever a command may read, look up or write over is read here, and nothing is changed.

DuckDB compares a block of the file with its checksum when it first needs it. Rows are read for that, and keys are
written over in transactions that are rolled back, for which every part of an index is looked into. What is left are
blocks that only a checkpoint reads (of rows that were deleted), and blocks that this process has in memory while those
on the disk went bad: they are compared with their checksums here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from companion.errors import StoreDamaged
from companion.ports.composing import composed, quoted
from companion.store.trouble import REPAIR

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

ROWS_AT_ONCE = 10_000
"""Rows whose keys are written over in one transaction: so many vectors take 15 MB, and a writer waits no longer."""

HEADERS, HEADER_BYTES = 3, 4_096
"""A file of DuckDB 2.0 begins with three headers; blocks follow. Each begins with the checksum of the rest of it."""
FACTOR, SEED = np.uint64(0xBF58476D1CE4E5B9), np.uint64(5_381)
"""The checksum: the seed and all words of eight bytes, each times the factor, by exclusive or."""

_TABLES = """
select table_name
from duckdb_tables()
where not internal
    and not temporary
    and database_name = current_database()
    and estimated_size > 0
order by table_name
"""
"""Tables that hold rows, deleted ones among them until a checkpoint: of the others nothing lies in the file."""

_COLUMNS = """
select table_name, column_name, data_type like '%[]'
from duckdb_columns()
where database_name = current_database()
order by table_name, column_index
"""
"""Of all tables at once: each such question has DuckDB list the columns of all."""

_KEYS = """
select table_name, constraint_column_names[1]
from duckdb_constraints()
where constraint_type = 'PRIMARY KEY'
    and database_name = current_database()
order by table_name
"""

_BLOCK_BYTES = """
select block_size
from pragma_database_size()
where database_name = current_database()
"""

_BLOCKS = """
select unnest(list_append(additional_block_ids, block_id))
from pragma_storage_info($table)
"""

_METADATA_BLOCKS = """
select block_id
from pragma_metadata_info()
"""


def probe(connection: DuckDBPyConnection, path: Path, alone: AbstractContextManager[object], *, only_read: bool) -> int:
    """Read all that commands may need of the store at `path`, on a connection without a transaction; returns its rows.

    Where it is `only_read`, keys are not looked up in their indexes. While `alone` is held nobody else writes; it is
    let go again and again. Raises duckdb.Error or StoreDamaged where something cannot be read.
    """
    tables = [str(row[0]) for row in connection.execute(_TABLES).fetchall()]
    columns = connection.execute(_COLUMNS).fetchall()
    rows = sum(_read(connection, name, [one[1:] for one in columns if one[0] == name]) for name in tables)
    for table, key in () if only_read else connection.execute(_KEYS).fetchall():
        if table in tables:
            _look_up(connection, table, key, alone)
    with alone:
        found = {row[0] for table in tables for row in connection.execute(_BLOCKS, {"table": table}).fetchall()}
        found |= {row[0] for row in connection.execute(_METADATA_BLOCKS).fetchall()}
        blocks = sorted(block for block in found if block is not None and block >= 0)
        unlike = tuple(_unlike(path, blocks, block_bytes(connection)))
    if unlike:
        what = f"{path} cannot be read: checksums do not match at bytes {', '.join(f'{at:,}' for at in unlike)}."
        raise StoreDamaged(what, REPAIR)
    return rows


def block_bytes(connection: DuckDBPyConnection) -> int:
    """How long a block of this store is: a store keeps the length that it was made with."""
    (length,) = connection.execute(_BLOCK_BYTES).fetchone() or (0,)
    return int(length)


def _read(connection: DuckDBPyConnection, table: str, columns: Iterable[tuple[str, bool]]) -> int:
    """Read every value of a table, of these columns (and whether each holds lists); returns the number of rows.

    One number is made of each column, for which all of it is read. How long lists are says as much as what is in them,
    and is found out in a tenth of the time.
    """
    sums = [f"bit_xor({'len' if listed else 'hash'}({quoted(name)}))" for name, listed in columns]
    read = composed("select {sums} from {table}", sums=", ".join(["count(*)", *sums]), table=quoted(table))
    row = connection.execute(read).fetchone()
    return int(row[0]) if row else 0


def _look_up(connection: DuckDBPyConnection, table: str, key: str, alone: AbstractContextManager[object]) -> None:
    """Write every key over as it is, which looks it up in the index, and take that back.

    Asking for keys would do for an index of one column alone, and `on conflict` takes damage for a conflict.
    """
    newest = composed("select max(rowid) from {table}", table=quoted(table))
    (last,) = connection.execute(newest).fetchone() or (None,)
    same = "update {table} set {key} = {key} where rowid between $first and $last"
    update = composed(same, table=quoted(table), key=quoted(key))
    for first in range(0, -1 if last is None else int(last) + 1, ROWS_AT_ONCE):
        with alone:
            connection.execute("begin")
            try:
                connection.execute(update, {"first": first, "last": first + ROWS_AT_ONCE - 1})
            finally:
                connection.execute("rollback")


def _unlike(path: Path, blocks: list[int], length: int) -> Iterator[int]:
    """Where in the file headers and these blocks, each so many bytes long, begin that do not match their checksums.

    None where no header does: then the file is of a DuckDB that reckons otherwise.
    """
    with path.open("rb") as file:
        headers = [at for at in range(0, HEADERS * HEADER_BYTES, HEADER_BYTES) if not _matches(file.read(HEADER_BYTES))]
        if len(headers) == HEADERS:
            return
        yield from headers
        for block in blocks:
            file.seek(at := HEADERS * HEADER_BYTES + block * length)
            if not _matches(file.read(length)):
                yield at


def _matches(part: bytes) -> bool:
    if not part or len(part) % 8:
        return False
    words = np.frombuffer(part, "<u8")
    return bool(np.bitwise_xor.reduce(words[1:] * FACTOR, initial=SEED) == words[0])
