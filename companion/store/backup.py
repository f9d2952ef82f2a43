"""Copies of the store that can be relied on: whole, private, and the last few of them kept.

A copy is made under the writer's lock right after a checkpoint, so that the one file holds
everything; it appears under its name only once it is on the disk.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import StoreUnwritable, UsageError
from companion.store.files import FILE_NAME, PRIVATE_FILE, PRIVATE_FOLDER, log_path, set_aside

if TYPE_CHECKING:
    from companion.store.database import Database

FOLDER = "backups"
"""Folder of the automatic copies, inside the home."""

KEPT = 5
"""Automatic copies that are kept: a working week of daily ones."""

COPY_BYTES = 1 << 20
"""Read and written at a time."""

_STAMP = "companion-{number:06d}.duckdb"
_MAGIC = b"DUCK"
_MAGIC_AT = 8
"""DuckDB writes its four letters after an eight-byte checksum."""


def backup(database: Database, target: Path | None) -> Path:
    """Copy the store to the file `target`, or (None) into its own backups, of which the last five stay.

    Returns the copy's path. Raises UsageError where `target` exists, StoreUnwritable where it
    cannot be written.
    """
    path = _next_in(database.home / FOLDER) if target is None else target
    if path.exists():
        raise UsageError(f"{path} exists already.", "Name a file that does not, or move it away.")
    try:
        path.parent.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
        with database.still():
            copy_whole(database.path, path)
    except OSError as wrong:
        raise StoreUnwritable(
            f"The backup {path} cannot be written: {wrong.strerror or wrong}.",
            "Free some space, or name another place: `companion backup FILE`.",
        ) from wrong
    if target is None:
        for old in backups(database.home)[KEPT:]:
            old.unlink()
    return path


def backups(home: Path) -> list[Path]:
    """The automatic copies, newest first."""
    return sorted((home / FOLDER).glob("companion-*.duckdb"), reverse=True)


def restore(home: Path, copy: Path) -> Path | None:
    """Put a copy in the store's place; what stood there is kept aside and its path returned.

    The store must not be open anywhere. Raises UsageError for a file that is no store,
    StoreUnwritable where the home cannot be written.
    """
    if not is_store_file(copy):
        raise UsageError(f"{copy} is not a store of companion.", f"The copies are in {home / FOLDER}.")
    path = home / FILE_NAME
    try:
        kept = set_aside(path) if path.exists() else None
        if log_path(path).exists():
            set_aside(log_path(path))
        copy_whole(copy, path)
    except OSError as wrong:
        raise StoreUnwritable(
            f"{copy} could not be put back as {path}: {wrong.strerror or wrong}.",
            f"Nothing was deleted; copy it there yourself, or make {home} writable and try again.",
        ) from wrong
    return kept


def is_store_file(path: Path) -> bool:
    """Whether a file begins like a DuckDB database."""
    try:
        with path.open("rb") as file:
            head = file.read(_MAGIC_AT + len(_MAGIC))
    except OSError:
        return False
    return head[_MAGIC_AT:] == _MAGIC


def copy_whole(source: Path, target: Path, size_bytes: int | None = None) -> None:
    """Copy a file, or its first `size_bytes`, so that `target` is either absent or complete.

    It is on the disk, with mode 0600, when this returns. Raises OSError.
    """
    unfinished = target.with_name(f"{target.name}.unfinished-{os.getpid()}")
    try:
        descriptor = os.open(unfinished, os.O_CREAT | os.O_WRONLY | os.O_TRUNC | _BINARY, PRIVATE_FILE)
        with os.fdopen(descriptor, "wb") as out, source.open("rb") as bytes_in:
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
