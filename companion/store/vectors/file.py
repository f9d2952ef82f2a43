"""An index of usearch on disk, never trusted unseen.

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

from companion.store.files import PRIVATE_FILE, PRIVATE_FOLDER

if TYPE_CHECKING:
    from usearch.index import Index

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


def save(folder: Path, name: str, index: Index, model: str) -> None:
    """Write an index beside the one that is there, then put it in its place. Raises OSError."""
    folder.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    new = folder / f"{name}.new-{os.getpid()}"
    try:
        os.close(os.open(new, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, PRIVATE_FILE))
        index.save(str(new))
        _force(new)
        digest = _sha256(new)
        target = folder / f"{name}-{digest[:16]}.usearch"
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)
    label = Label(FORMAT, target.name, digest, model, int(index.ndim), len(index))
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
    found = _whole(folder, name, model, dimension)
    if found is None:
        return None
    path, count = found
    try:
        index = new_index(dimension)
        index.load(str(path))
    except (OSError, RuntimeError, ValueError):
        return None
    return index if len(index) == count else None


def _whole(folder: Path, name: str, model: str, dimension: int) -> tuple[Path, int] | None:
    """The file that the label names and how many vectors it holds, if it is of this model and undamaged."""
    label = _label(folder / f"{name}.json")
    if label is None or (label.format, label.model, label.dimension) != (FORMAT, model, dimension):
        return None
    path = folder / Path(label.file).name
    try:
        return (path, label.count) if path.suffix == ".usearch" and _sha256(path) == label.sha256 else None
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
        given: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))  # what is none raises
        return Label(**given)
    except (OSError, ValueError, TypeError):
        return None


def _sha256(path: Path) -> str:
    with path.open("rb") as data:
        return hashlib.file_digest(data, "sha256").hexdigest()


def _force(path: Path) -> None:
    with path.open("r+b") as data:
        os.fsync(data.fileno())
