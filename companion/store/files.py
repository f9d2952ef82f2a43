"""Names and permissions of the store's files, and how one is put aside rather than deleted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

FILE_NAME = "companion.duckdb"
"""The store's file in its home folder."""

LOG_SUFFIX = ".wal"
"""What DuckDB appends to a database's name for its write-ahead log."""

TEMPORARY = "temporary"
"""Folder inside the home that queries spill into, so that nothing leaves the private folder."""

PRIVATE_FILE = 0o600
PRIVATE_FOLDER = 0o700


def log_path(path: Path) -> Path:
    """The write-ahead log beside a database file."""
    return path.with_name(path.name + LOG_SUFFIX)


def has_log(path: Path) -> bool:
    """Whether there is a log with anything in it beside a database file."""
    log = log_path(path)
    return log.exists() and log.stat().st_size > 0


def damage_note(path: Path) -> Path:
    """Where it is noted that a command met damage in the store's file: a repair may not find it by itself."""
    return path.with_name(f"{path.name}.damage")


WANTED = "write anew"
"""Name of the note that a store is to be written anew when it is opened the next time."""


def note_damage(path: Path, what: str) -> None:
    """Note what damage a command met in the store's file, if anything can be written."""
    if path.name == FILE_NAME:
        with suppress(OSError):
            damage_note(path).touch(PRIVATE_FILE)
            damage_note(path).write_text(what, "utf-8", "replace")


def set_aside(path: Path) -> Path:
    """Rename a file to `NAME.damaged-N`, N the first free number; returns the new path."""
    aside = numbered(path, "damaged")
    path.rename(aside)
    return aside


def numbered(path: Path, tag: str) -> Path:
    """`NAME.TAG-N` beside a file, N the first number that is free."""
    number = 1
    while (free := path.with_name(f"{path.name}.{tag}-{number}")).exists():
        number += 1
    return free


@contextmanager
def whole(path: Path) -> Iterator[TextIO]:
    """A text file that appears under its name when all of it is written. Raises OSError."""
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        with unfinished.open("w", encoding="utf-8", newline="\n") as out:
            yield out
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
