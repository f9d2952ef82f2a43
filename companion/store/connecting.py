"""How the store's file is opened: with our settings, after a little patience, and each failure in our own words."""

from __future__ import annotations

import os
import time
from pathlib import Path

import duckdb

from companion.errors import UsageError
from companion.store.files import TEMPORARY
from companion.store.replay import keep_if_cut
from companion.store.trouble import as_store_error, held, is_held, is_interruption, unwritable

MAX_THREADS = 4
"""Queries here are small: more threads cost memory (DuckDB reserves some for each) and gain nothing."""

RETRY_S = 0.05
"""Pause between two tries to open a held store; a short command holds it about this long."""


def connect(path: Path, memory_limit: str, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """A connection with our settings: no extension is fetched, no Python variable is read as a table.

    Raises UsageError for a memory limit that is no size, duckdb.Error for all else.
    """
    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": usual_threads(),
        "memory_limit": memory_limit,
        "temp_directory": str(path.parent / TEMPORARY),
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "python_enable_replacements": False,
    }
    try:
        return duckdb.connect(str(path), read_only=read_only, config=config)
    except (duckdb.ParserException, duckdb.InvalidInputException) as wrong:
        if "memory" not in str(wrong).lower():
            raise
        raise UsageError(
            f"Setting `memory_limit` is not a size: {memory_limit!r}.", "Write it like `400MB`."
        ) from wrong


def usual_threads() -> int:
    """How many threads DuckDB may use here."""
    return min(MAX_THREADS, os.cpu_count() or 1)


def connected(path: Path, memory_limit: str, wait_s: float) -> tuple[duckdb.DuckDBPyConnection, str]:
    """A connection, and what is to be said of a log that a crash left behind; another process is waited for.

    Raises StoreHeld, StoreDamaged, StoreUnwritable and the like (see `trouble`).
    """
    connection = _connect_patiently(path, memory_limit, wait_s)
    try:
        return connection, keep_if_cut(connection, path)
    except OSError as wrong:
        connection.close()
        raise unwritable(path, wrong.strerror or str(wrong)) from wrong
    except BaseException as wrong:
        connection.close()
        raise_mapped(path, wrong)
        raise


def _connect_patiently(path: Path, memory_limit: str, wait_s: float) -> duckdb.DuckDBPyConnection:
    deadline = time.monotonic() + wait_s
    while True:
        try:
            return connect(path, memory_limit)
        except duckdb.IOException as wrong:
            if is_held(str(wrong)) and time.monotonic() < deadline:
                time.sleep(RETRY_S)
                continue
            if is_held(str(wrong)):
                raise held(path, str(wrong), wait_s) from wrong
            raise_mapped(path, wrong)
            raise
        except duckdb.Error as wrong:
            raise_mapped(path, wrong)
            raise


def raise_mapped(path: Path, wrong: BaseException) -> None:
    """Raise our error in place of DuckDB's; whatever else went wrong passes as it is."""
    if is_interruption(wrong):
        raise KeyboardInterrupt from wrong
    if isinstance(wrong, duckdb.Error) and (mapped := as_store_error(path, wrong)) is not None:
        raise mapped from wrong
