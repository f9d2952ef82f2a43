"""Line origins on disk, a file for each commit that is or was checked out: derived, and made anew where it is missing.

A file is written aside and put in its place whole, with a checksum, so that a kill leaves what was before and damage
counts as nothing kept. What a commit's lines came from never changes; files of commits left behind stay for a while,
since whoever goes back and forth between branches comes to them again.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from companion.evidence.line_origins import LineOrigins
from companion.store.files import PRIVATE_FILE, PRIVATE_FOLDER
from companion.store.keeping import LastUsed

FOLDER = "line-origins"
FORMAT = b"4 "
"""Begins the first line; the checksum of the rest follows. Since 4 what any merge brought is of the commits that made
it."""
LEFT_BEHIND = 3
"""Files of a project kept beside those of commits that are checked out: of the branches one works on in a day."""
HELD = 4
"""Origins held in memory: those of the checkouts that are asked about, 3 MB each for 1,000 files."""


class KeptOrigins:
    """The line origins of all projects of a store. Threads may share it."""

    def __init__(self, home: Path) -> None:
        """Nothing is read before it is asked."""
        self._folder = home / FOLDER
        self._held: LastUsed[tuple[str, str], LineOrigins] = LastUsed(HELD)
        self._lock = threading.Lock()

    def of(self, project: str, head: str) -> LineOrigins | None:
        """Where the lines of a commit's files came from; None where that was not made yet, or is damaged."""
        with self._lock:
            known = self._held.get((project, head)) or _read(self._path(project, head))
            if known is not None:
                self._held[project, known.head] = known
            return known

    def heads(self, project: str) -> frozenset[str]:
        """The commits whose line origins are kept."""
        on_disk = {path.stem.removeprefix(f"{project}-") for path in self._folder.glob(f"{project}-*.json")}
        return frozenset(on_disk | {head for owner, head in self._held if owner == project})

    def keep(self, project: str, origins: LineOrigins, checked_out: Collection[str]) -> None:
        """Keep the origins as of a commit; on a disk that takes nothing, in memory alone.

        `checked_out` are the commits whose files are needed; of others the newest stay.
        """
        with self._lock:
            self._held[project, origins.head] = origins
            with suppress(OSError):
                _write(self._path(project, origins.head), origins)
                files = sorted(self._folder.glob(f"{project}-*.json"), key=lambda one: -one.stat().st_mtime_ns)
                needed = {self._path(project, head) for head in (*checked_out, origins.head)}
                for old in [path for path in files if path not in needed][LEFT_BEHIND:]:
                    old.unlink(missing_ok=True)

    def drop(self, project: str) -> None:
        """Forget what is kept of a project."""
        with self._lock:
            for key in [key for key in self._held if key[0] == project]:
                del self._held[key]
            for path in self._folder.glob(f"{project}-*.json"):
                path.unlink(missing_ok=True)

    def _path(self, project: str, head: str) -> Path:
        return self._folder / f"{project}-{head}.json"


def _read(path: Path) -> LineOrigins | None:
    try:
        first, _, rest = path.read_bytes().partition(b"\n")
        return LineOrigins.of_json(json.loads(rest)) if first == _first_line(rest) else None
    except (OSError, ValueError):
        return None


def _write(path: Path, origins: LineOrigins) -> None:
    """Raises OSError."""
    path.parent.mkdir(mode=PRIVATE_FOLDER, exist_ok=True)
    rest = json.dumps(origins.as_json(), ensure_ascii=False, separators=(",", ":")).encode()
    fresh = path.with_name(f"{path.name}.new-{os.getpid()}")
    try:
        with os.fdopen(os.open(fresh, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, PRIVATE_FILE), "wb") as out:
            out.write(_first_line(rest) + b"\n" + rest)
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def _first_line(rest: bytes) -> bytes:
    return FORMAT + hashlib.sha256(rest).hexdigest().encode()
