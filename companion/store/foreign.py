"""Databases of other programs, which are only read, and never waited for long."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path

from companion.errors import SourceError
from companion.store.rows import Row

WAIT_S = 2.0
"""How long another program's lock is waited for: a transaction of an editor takes far less."""
ROWS_HELD = 50
"""Rows read at a time: a long answer is a megabyte."""

_WAYS = ("mode=ro", "mode=ro&immutable=1")
"""How it is opened: with what waits in its log, else as the file stands, where the folder cannot be written."""


def rows_of(path: Path) -> Callable[[str, Mapping[str, object]], Iterator[Row]]:
    """A way to ask a SQLite database: a statement and its parameters, rows. The way raises SourceError."""

    def rows(statement: str, given: Mapping[str, object]) -> Iterator[Row]:
        try:
            with closing(_opened(path)) as connection:
                found = connection.execute(statement, dict(given))
                while some := found.fetchmany(ROWS_HELD):
                    yield from some
        except sqlite3.Error as wrong:
            raise SourceError(f"It is not a readable database: {wrong}.", "Close its program, or leave it.") from wrong

    return rows


def _opened(path: Path) -> sqlite3.Connection:
    address = path.absolute().as_uri()
    for way in _WAYS:
        connection = sqlite3.connect(f"{address}?{way}", uri=True, timeout=WAIT_S)
        connection.text_factory = lambda kept: kept.decode("utf-8", "replace")
        try:
            connection.execute("select 1 from sqlite_master").fetchone()
        except sqlite3.OperationalError:
            connection.close()
            if way == _WAYS[-1]:
                raise
        else:
            return connection
    raise sqlite3.OperationalError("it cannot be opened")
