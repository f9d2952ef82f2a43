"""Copies of the store that can be relied on: whole, private, and the last few of them kept.

A copy is made under the writer's lock right after a checkpoint, so that the one file holds
everything; it appears under its name only once it is on the disk. The program makes one by itself every day there is
work, and none stays that has damage in it, or damage would in time take the place of all that is sound.
"""

from __future__ import annotations

import os
import shutil
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import StoreUnwritable, UsageError
from companion.store.files import PRIVATE_FILE, PRIVATE_FOLDER, WANTED

if TYPE_CHECKING:
    from companion.store.database import Database

FOLDER = "backups"
"""Folder of the automatic copies, inside the home."""

KEPT = 5
"""Automatic copies that are kept: a working week of daily ones."""

EVERY_S = 24 * 3600
"""The next automatic copy is due so long after the last: a day's work is the most that a lost disk block costs."""

PROBE_MEMORY = "200MB"
"""What DuckDB may hold while a copy is looked over: as much as for a check of the store in an owner."""

COPY_BYTES = 1 << 20
"""Read and written at a time."""

_STEM = "companion-"
_STAMP = _STEM + "{number:06d}.duckdb"
_MAGIC = b"DUCK"
_MAGIC_AT = 8
"""DuckDB writes its four letters after an eight-byte checksum."""

_NOTED = """
select value
from store_meta
where name = $name
"""

_READ = """
select count(*)
from checkouts
where scanned_at is not null
"""


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
    if database.value(_NOTED, {"name": WANTED}):
        return False
    if copies := backups(database.home):
        return not 0 <= now_s - copies[0].stat().st_mtime < EVERY_S
    return bool(database.value(_READ))


def backups(home: Path) -> list[Path]:
    """The automatic copies, newest first."""
    return sorted((home / FOLDER).glob("companion-*.duckdb"), reverse=True)


def is_store_file(path: Path) -> bool:
    """Whether a file begins like a DuckDB database."""
    try:
        with path.open("rb") as file:
            head = file.read(_MAGIC_AT + len(_MAGIC))
    except OSError:
        return False
    return head[_MAGIC_AT:] == _MAGIC


def copy_whole(
    source: Path,
    target: Path,
    size_bytes: int | None = None,
    *,
    still: AbstractContextManager[object] = nullcontext(),  # noqa: B008 - it has no state
) -> None:
    """Copy a file, or its first `size_bytes`, so that `target` is either absent or complete.

    It is on the disk, with mode 0600, when this returns; `still` is held only while it is read. Raises OSError.
    """
    unfinished = target.with_name(f"{target.name}.unfinished-{os.getpid()}")
    try:
        descriptor = os.open(unfinished, os.O_CREAT | os.O_WRONLY | os.O_TRUNC | _BINARY, PRIVATE_FILE)
        with os.fdopen(descriptor, "wb") as out:
            with still, source.open("rb") as bytes_in:
                shutil.copyfileobj(bytes_in, out, length=COPY_BYTES)
            if size_bytes is not None:
                out.truncate(size_bytes)
            out.flush()
            os.fsync(out.fileno())
        unfinished.replace(target)
    finally:
        unfinished.unlink(missing_ok=True)
    _sync_folder(target.parent)


_BINARY = getattr(os, "O_BINARY", 0)
"""Windows translates line ends in files opened without it."""


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return  # Windows has no handle to sync for a folder
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _next_in(folder: Path) -> Path:
    """The next name: numbered, so that a clock that runs backwards does not reorder the copies."""
    taken = [int(path.stem.rpartition("-")[2]) for path in folder.glob("companion-[0-9]*.duckdb")]
    return folder / _STAMP.format(number=max(taken, default=0) + 1)
