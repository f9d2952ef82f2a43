"""Copies of a file that are whole or absent, and which copies of a store there are."""

from __future__ import annotations

import os
import shutil
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from companion.store.files import PRIVATE_FILE

FOLDER = "backups"
"""Folder of the automatic copies, inside the home."""

COPY_BYTES = 1 << 20
"""Read and written at a time."""

_MAGIC = b"DUCK"
_MAGIC_AT = 8
"""DuckDB writes its four letters after an eight-byte checksum."""


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
