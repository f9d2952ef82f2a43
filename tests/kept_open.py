"""A store stays open between what a test does with it: to make an instance of DuckDB takes 40 ms, to close one 15.

Whoever opens, in this process, a store that is open here shares the instance; all else is as ever. No other process
can open it, and nobody may put another file in its place: what is promised of opening, closing, damage, copies and
processes is tested where nothing is kept open.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb

from companion.config import Settings
from companion.store.connecting import connect
from companion.store.files import FILE_NAME

_KEPT: dict[Path, duckdb.DuckDBPyConnection | None] = {}
"""Homes whose stores are to stay open, each with what keeps it so by now."""


@contextmanager
def kept_open(home: Path, wanted: bool = True) -> Iterator[None]:
    """What is done with the store of a data folder in this block opens it once, from the first `keep_open` on."""
    if wanted:
        _KEPT[home] = None
    try:
        yield
    finally:
        let_go(home)
        _KEPT.pop(home, None)


def keep_open(home: Path) -> None:
    """Have a store stay open, where that is wanted and there is one that nobody else holds."""
    file = home / FILE_NAME
    if home in _KEPT and _KEPT[home] is None and file.exists():
        with suppress(duckdb.Error):
            _KEPT[home] = connect(file, Settings().memory_limit)


def let_go(home: Path) -> None:
    """Close the store of a data folder, so that other processes may open it."""
    if (held := _KEPT.get(home)) is not None:
        held.close()
        _KEPT[home] = None
