"""Copies of the store that can be relied on: whole, private, and the last few of them kept.

A copy is made under the writer's lock right after a checkpoint, so that the one file holds
everything; it appears under its name only once it is on the disk. The program makes one by itself every day there is
work, and none stays that has damage in it, or damage would in time take the place of all that is sound.
"""

from __future__ import annotations

from pathlib import Path

from companion.errors import StoreUnwritable, UsageError
from companion.store.by_columns import value_where
from companion.store.copying import FOLDER, backups, copy_whole
from companion.store.database import Database
from companion.store.files import PRIVATE_FOLDER, WANTED
from companion.store.projects import get_value

KEPT = 5
"""Automatic copies that are kept: a working week of daily ones."""

EVERY_S = 24 * 3600
"""The next automatic copy is due so long after the last: a day's work is the most that a lost disk block costs."""

PROBE_MEMORY = "200MB"
"""What DuckDB may hold while a copy is looked over: as much as for a check of the store in a daemon."""

_STEM = "companion-"
_STAMP = _STEM + "{number:06d}.duckdb"


def backup(database: Database, target: Path | None) -> Path:
    """Copy the store to the file `target`, or (None) into its own backups, of which the last five stay.

    Returns the copy's path. Raises UsageError where `target` exists, StoreUnwritable where it
    cannot be written, StoreDamaged where an automatic copy has damage in it: then it does not stay.
    """
    path = _next_in(database.home / FOLDER) if target is None else target
    if path.exists():
        raise UsageError(f"{path} exists already.", "Name a file that does not, or move it away.")
    with database.copying:
        try:
            path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
            for rest in path.parent.glob(f"{_STEM}*.unfinished-*") if target is None else ():
                rest.unlink(missing_ok=True)  # of a process that was killed
            copy_whole(database.path, path, still=database.still())
        except OSError as wrong:
            raise StoreUnwritable(
                f"The backup {path} cannot be written: {wrong.strerror or wrong}.",
                "Free some space, or name another place: `companion backup FILE`.",
            ) from wrong
        if target is None:
            try:
                database.probe(path, PROBE_MEMORY)
            except BaseException:
                path.unlink()
                raise
            for old in backups(database.home)[KEPT:]:
                old.unlink()
    return path


def copy_is_due(database: Database, now_s: float) -> bool:
    """Whether an automatic copy is to be made: the last is a day old, or there is none and a repository was read.

    None is while the file still has the bytes of what was deleted. `now_s` is in seconds since 1970, as the file system
    counts; a clock that was set back makes a copy due.
    """
    if get_value(database, WANTED):
        return False
    if copies := backups(database.home):
        return not 0 <= now_s - copies[0].stat().st_mtime < EVERY_S
    return bool(value_where(database, "checkouts", "count(scanned_at)"))


def _next_in(folder: Path) -> Path:
    """The next name: numbered, so that a clock that runs backwards does not reorder the copies."""
    taken = [int(path.stem.rpartition("-")[2]) for path in folder.glob("companion-[0-9]*.duckdb")]
    return folder / _STAMP.format(number=max(taken, default=0) + 1)
