"""An index of usearch on disk, never trusted unseen.

usearch saves in place and crashes the process on a damaged file. So an index is saved beside its place, forced to disk,
and only then renamed to a name that ends with its checksum: a killed process leaves what was before or what is new.
Loading reads the whole file against that first, and never as a view, since adding to a view crashes too.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.store.files import PRIVATE_FILE, PRIVATE_FOLDER

if TYPE_CHECKING:
    from usearch.index import Index


def new_index(dimension: int) -> Index:
    """An empty index of half-precision vectors compared by cosine."""
    from usearch.index import Index

    return Index(ndim=dimension, metric="cos", dtype="f16")


def save(folder: Path, name: str, index: Index) -> None:
    """Write an index beside the one that is there, then put it in its place. Raises OSError."""
    folder.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    new = folder / f"{name}.new-{os.getpid()}"
    try:
        os.close(os.open(new, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, PRIVATE_FILE))
        index.save(str(new))
        with new.open("r+b") as data:
            os.fsync(data.fileno())
        target = folder / f"{name}-{_checksum(new)}.usearch"
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)
    for old in _files(folder, name):
        if old != target:
            with suppress(OSError):  # where another process has it open, a later save deletes it
                old.unlink()


def load(folder: Path, name: str, dimension: int) -> Index | None:
    """The saved index, or None if there is none of this dimension that is whole."""
    for path in folder.glob(f"{name}-*.usearch"):
        with suppress(OSError, RuntimeError, ValueError):
            if path.stem.endswith(f"-{_checksum(path)}"):
                index = new_index(dimension)
                index.load(str(path))
                if index.ndim == dimension:
                    return index
    return None


def remove(folder: Path, name: str) -> None:
    """Delete what is saved under a name, if it is there."""
    for path in _files(folder, name):
        path.unlink(missing_ok=True)


def _files(folder: Path, name: str) -> Iterator[Path]:
    """What lies under a name, that of earlier versions too."""
    yield from (path for path in folder.glob(f"{name}[-.]*") if path.suffix in {".usearch", ".json", ".npy"})


def _checksum(path: Path) -> str:
    with path.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()[:16]
