"""A usearch index on disk that is never trusted unseen.

usearch saves in place and crashes the process on a damaged file. So an index is saved under a name
made of its checksum, forced to disk, and only then named in a small sidecar, which is replaced in
one step: a killed process leaves the old pair or the new. Loading reads the whole file against the
checksum first, and never as a view, since adding to a view crashes too.
"""

from __future__ import annotations

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
_CHUNK_BYTES = 1 << 20


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
    side = folder / f"{name}.json"
    fresh = folder / f"{name}.json.new-{os.getpid()}"
    with os.fdopen(os.open(fresh, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, PRIVATE_FILE), "w") as out:
        json.dump(asdict(label), out)
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(side)
    for old in folder.glob(f"{name}-*.usearch"):
        if old.name != target.name:
            old.unlink(missing_ok=True)


def load(folder: Path, name: str, model: str, dimension: int) -> Index | None:
    """The saved index, or None if there is none for this model that is whole."""
    label = _label(folder / f"{name}.json")
    if label is None or (label.format, label.model, label.dimension) != (FORMAT, model, dimension):
        return None
    path = folder / Path(label.file).name
    try:
        if _sha256(path) != label.sha256:
            return None
        index = new_index(dimension)
        index.load(str(path))
    except (OSError, RuntimeError, ValueError):
        return None
    return index if len(index) == label.count else None


def remove(folder: Path, name: str) -> None:
    """Delete a saved index and its sidecar, if they are there."""
    for path in (folder / f"{name}.json", *folder.glob(f"{name}-*.usearch")):
        path.unlink(missing_ok=True)


def _label(path: Path) -> Label | None:
    try:
        given: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return Label(**given)
    except (OSError, ValueError, TypeError):
        return None


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as data:
        while chunk := data.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def _force(path: Path) -> None:
    with path.open("r+b") as data:
        os.fsync(data.fileno())
