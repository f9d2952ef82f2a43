"""How the store's file is opened: with our settings, after a little patience, and each failure in our own words."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import NamedTuple

from companion.config import why_unwritable
from companion.errors import StoreDamaged, StoreUnwritable, UsageError
from companion.store.binding import duckdb
from companion.store.files import TEMPORARY, note_damage
from companion.store.replay import keep_if_cut
from companion.store.trouble import as_store_error, held, is_held, is_interruption, unwritable

MAX_THREADS = 4
"""Queries here are small: more threads cost memory (DuckDB reserves some for each) and gain nothing."""

SMALL_STORE_BYTES = 64 << 20
"""Below this (most projects have 5 to 20 MB) a table is a row group or two, and DuckDB gives each to one thread: others
that wait for work take 15 % of a question's processor time and save nothing."""

UNUSED_OPTIMIZERS = (
    *("aggregate_function_rewriter", "aggregate_reuse", "build_side_probe_side", "column_lifetime", "common_aggregate"),
    *("common_subexpressions", "common_subplan", "compressed_materialization", "cte_filter_pusher"),
    *("distinct_aggregate_rewrite", "duplicate_groups", "empty_result_pullup", "extension", "filter_pullup"),
    *("grouping_sets", "join_elimination", "join_filter_pushdown", "join_order", "late_materialization"),
    *("materialized_cte", "outer_join_simplification", "partial_aggregate_pushdown", "partitioned_execution"),
    *("projection_placement", "projection_pullup", "redundant_order_keys", "regex_range", "remote_pushdown"),
    *("reorder_filter", "row_group_pruner", "sampling_pushdown", "scalar_fn_pushdown", "statistics_propagation"),
    *("top_n_window_elimination", "type_pushdown", "window_rewriter", "window_self_join"),
)
"""Steps of DuckDB's planning that small stores do without: a question waits longer for its plan than for its rows.
Joins stand in statements in the order that they are to be made in. A sixth of a question's processor time."""

BLOCK_BYTES = 16_384
"""Of a new store. Each of some forty tables takes a block at least: with DuckDB's usual 256 KiB files were four times
as large. To write 40,000 memories takes an eighth longer, to read them as long as before."""

RETRY_S = 0.05
"""Pause between two tries to open a held store; a short command holds it about this long."""


def connect(path: Path, memory_limit: str, *, read_only: bool = False) -> duckdb.DuckDBPyConnection:
    """A connection with our settings: no extension is fetched, no Python variable is read as a table.

    Raises UsageError for a memory limit that is no size, duckdb.Error for all else.
    """
    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": usual_threads(path),
        "disabled_optimizers": ",".join(UNUSED_OPTIMIZERS) if _small(path) else "",
        "memory_limit": memory_limit,
        "temp_directory": str(path.parent / TEMPORARY),
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "python_enable_replacements": False,
    }
    if not path.exists():
        config["default_block_size"] = BLOCK_BYTES
    try:
        return duckdb.connect(str(path), read_only=read_only, config=config)
    except (duckdb.ParserException, duckdb.InvalidInputException) as wrong:
        if "memory" not in str(wrong).lower():
            raise
        raise UsageError(
            f"Setting `memory_limit` is not a size: {memory_limit!r}.", "Write it like `400MB`."
        ) from wrong


def usual_threads(path: Path) -> int:
    """How many threads DuckDB may use for a store, as large as its file is now; one that is not there yet is small."""
    return 1 if _small(path) else min(MAX_THREADS, os.cpu_count() or 1)


def _small(path: Path) -> bool:
    return not path.exists() or path.stat().st_size < SMALL_STORE_BYTES


class OpenedFile(NamedTuple):
    """A connection, what is to be said of how it opened, and what keeps it from writing, if anything does."""

    connection: duckdb.DuckDBPyConnection
    notice: str = ""
    unwritable: StoreUnwritable | None = None


def connected(path: Path, memory_limit: str, wait_s: float) -> OpenedFile:
    """The store's file, opened; another process is waited for.

    Where nothing can be written beside the file it is only read: a log that is there is taken in, in memory alone.
    Raises StoreHeld, StoreDamaged, StoreUnwritable (where it cannot be read either) and the like (see `trouble`).
    """
    try:
        if why := why_unwritable(path.parent):
            raise unwritable(path, why)
        return _opened(path, memory_limit, wait_s)
    except StoreUnwritable as wrong:
        said = f"{wrong.what} It can still be read; nothing new is stored. {wrong.next_step}"
        return OpenedFile(_connect_patiently(path, memory_limit, wait_s, read_only=True), said, wrong)


def _opened(path: Path, memory_limit: str, wait_s: float) -> OpenedFile:
    connection = _connect_patiently(path, memory_limit, wait_s)
    try:
        return OpenedFile(connection, keep_if_cut(connection, path))
    except OSError as wrong:
        connection.close()
        raise unwritable(path, wrong.strerror or str(wrong)) from wrong
    except BaseException as wrong:
        connection.close()
        raise_mapped(path, wrong)
        raise


def _connect_patiently(
    path: Path, memory_limit: str, wait_s: float, *, read_only: bool = False
) -> duckdb.DuckDBPyConnection:
    deadline = time.monotonic() + wait_s
    while True:
        try:
            return connect(path, memory_limit, read_only=read_only)
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
    """Raise our error in place of DuckDB's; whatever else went wrong passes as it is. Damage is noted for a repair."""
    if is_interruption(wrong):
        raise KeyboardInterrupt from wrong
    if isinstance(wrong, duckdb.Error) and (mapped := as_store_error(path, wrong)) is not None:
        if isinstance(mapped, StoreDamaged):
            note_damage(path, mapped.what)
        raise mapped from wrong
