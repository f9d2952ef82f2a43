"""A project's vectors on disk, as a usearch index or a plain matrix, never trusted unseen.

usearch saves in place and crashes the process on a damaged file. So an index is saved under a name
made of its checksum, forced to disk, and only then named in a small sidecar, which is replaced in
one step: a killed process leaves the old pair or the new. Loading reads the whole file against the
checksum first, and never as a view, since adding to a view crashes too.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from companion.store.files import PRIVATE_FILE, PRIVATE_FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable

    from usearch.index import Index

Keys = npt.NDArray[np.uint64]
Matrix = npt.NDArray[np.void]
"""Rows of a `key` and its `vector`."""

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Label:
    """What the sidecar says of the index file."""

    format: int
    file: str
    sha256: str
    model: str
    dimension: int
    count: int


def new_index(dimension: int) -> Index:
    """An empty index of half-precision vectors compared by cosine."""
    from usearch.index import Index

    return Index(ndim=dimension, metric="cos", dtype="f16")


def new_matrix(keys: npt.NDArray[np.uint64], vectors: npt.NDArray[np.float32]) -> Matrix:
    """Keys and their vectors (one a row) as they are saved."""
    matrix = np.empty(len(keys), dtype=[("key", "<u8"), ("vector", "<f4", (vectors.shape[1],))])
    matrix["key"], matrix["vector"] = keys, vectors
    return matrix


def save(folder: Path, name: str, index: Index, model: str) -> None:
    """Write an index beside the one that is there, then put it in its place. Raises OSError."""
    _save(folder, name, ".usearch", lambda new: index.save(str(new)), model, int(index.ndim), len(index))


def save_matrix(folder: Path, name: str, matrix: Matrix, model: str) -> None:
    """Write a matrix beside the one that is there, then put it in its place. Raises OSError."""

    def write(new: Path) -> None:
        with new.open("wb") as out:
            np.save(out, matrix, allow_pickle=False)

    _save(folder, name, ".npy", write, model, matrix["vector"].shape[1], len(matrix))


def _save(
    folder: Path, name: str, suffix: str, write: Callable[[Path], object], model: str, dimension: int, count: int
) -> None:
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    new = folder / f"{name}.new-{os.getpid()}"
    try:
        os.close(os.open(new, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, PRIVATE_FILE))
        write(new)
        _force(new)
        digest = _sha256(new)
        target = folder / f"{name}-{digest[:16]}{suffix}"
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)
    label = Label(FORMAT, target.name, digest, model, dimension, count)
    fresh = folder / f"{name}.json.new-{os.getpid()}"
    with os.fdopen(os.open(fresh, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, PRIVATE_FILE), "w") as out:
        json.dump(asdict(label), out)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(folder / f"{name}.json")
    for old in _files(folder, name):
        if old.name != target.name:
            _drop(old)


def load(folder: Path, name: str, model: str, dimension: int) -> Index | None:
    """The saved index, or None if there is none for this model that is whole."""
    found = _whole(folder, name, ".usearch", model, dimension)
    if found is None:
        return None
    path, count = found
    try:
        index = new_index(dimension)
        index.load(str(path))
    except (OSError, RuntimeError, ValueError):
        return None
    return index if len(index) == count else None


def saved_keys(folder: Path, name: str, model: str, dimension: int, *, indexed: bool) -> Keys | None:
    """Whose vectors are saved, none of them read into memory; None where no whole index or matrix of this model is."""
    found = _whole(folder, name, ".usearch" if indexed else ".npy", model, dimension)
    if found is None:
        return None
    path, count = found
    try:
        if not indexed:
            return np.array(np.load(path, mmap_mode="r", allow_pickle=False)["key"])
        index = new_index(dimension)
        index.view(str(path))
        keys = np.asarray(index.keys, dtype=np.uint64)
    except (OSError, RuntimeError, ValueError, EOFError):
        return None
    return keys if len(keys) == count else None


def load_matrix(folder: Path, name: str, model: str, dimension: int) -> Matrix | None:
    """The saved matrix, read into memory, or None if there is none for this model that is whole."""
    found = _whole(folder, name, ".npy", model, dimension)
    if found is None:
        return None
    path, count = found
    try:
        matrix: Matrix = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    fits = matrix.dtype == new_matrix(np.empty(0, np.uint64), np.empty((0, dimension), np.float32)).dtype
    return matrix if fits and matrix.shape == (count,) else None


def _whole(folder: Path, name: str, suffix: str, model: str, dimension: int) -> tuple[Path, int] | None:
    """The file that the label names and how many vectors it holds, if it is of this model and undamaged."""
    label = _label(folder / f"{name}.json")
    if label is None or (label.format, label.model, label.dimension) != (FORMAT, model, dimension):
        return None
    path = folder / Path(label.file).name
    try:
        return (path, label.count) if path.suffix == suffix and _sha256(path) == label.sha256 else None
    except OSError:
        return None


def remove(folder: Path, name: str) -> None:
    """Delete what is saved under a name and its sidecar, if they are there."""
    for path in (folder / f"{name}.json", *_files(folder, name)):
        path.unlink(missing_ok=True)


def _files(folder: Path, name: str) -> list[Path]:
    return [path for suffix in (".npy", ".usearch") for path in folder.glob(f"{name}-*{suffix}")]


def _drop(old: Path) -> None:
    """Delete a file that nothing names any more; where another process has it open, a later save does."""
    with contextlib.suppress(OSError):
        old.unlink(missing_ok=True)


def _label(path: Path) -> Label | None:
    try:
        given: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return Label(**given)
    except (OSError, ValueError, TypeError):
        return None


def _sha256(path: Path) -> str:
    with path.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def _force(path: Path) -> None:
    with path.open("r+b") as data:
        os.fsync(data.fileno())
