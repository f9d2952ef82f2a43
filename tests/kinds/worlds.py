"""A world made of a folder on disk: real files, and whatever commits and parsed code a test hands in."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from pathspec import GitIgnoreSpec

from companion.records import Commit, Draft, FileSeen, ParsedFile, RepoState

NOT_SOURCE = frozenset({".git", "node_modules", ".venv", "__pycache__"})
"""Folders that no checkout tracks."""

FILE_MAX_BYTES = 1_000_000
"""The product's own limit (`Settings.file_max_bytes`)."""


@dataclass(frozen=True)
class FolderWorld:
    """What lies in a folder, all of it new. `commits`, `old` ones, `code` and `new_code` are given, not found.

    `unchanged` names files that were learned from before: they exist, but are not offered again.
    """

    path: Path
    commits: Sequence[Commit] = ()
    old: Sequence[Commit] = ()
    code: Sequence[ParsedFile] = ()
    new_code: Sequence[ParsedFile] | None = None
    unchanged: frozenset[str] = frozenset()
    gone: Sequence[str] = ()
    said: Sequence[Draft] = ()
    project: str = "p1"
    now: datetime = field(default_factory=lambda: datetime(2026, 1, 5, 9, 0))

    @property
    def repo(self) -> RepoState:
        return RepoState(
            root=str(self.path),
            common_dir=str(self.path / ".git"),
            root_commit="",
            remote="",
            head="",
            branch="main",
            default_branch="main",
        )

    def new_commits(self) -> Sequence[Commit]:
        return self.commits

    def recent_commits(self, limit: int) -> Sequence[Commit]:
        return (*self.old, *self.commits)[-limit:]

    def taught(self, learner: str) -> Sequence[Draft]:
        return self.said

    def lines_left(self, sha: str) -> tuple[int, int] | None:
        return None

    def lines_made(self, sha: str, path: str) -> Collection[int]:
        return ()

    def changed_texts(self, matching: Iterable[str]) -> Iterator[FileSeen]:
        spec = GitIgnoreSpec.from_lines(matching)
        for path in self.all_paths():
            if path not in self.unchanged and spec.match_file(path):
                seen = _read(self.path, path)
                if seen is not None:
                    yield seen

    def sample_texts(self, matching: Iterable[str], limit: int) -> Iterator[FileSeen]:
        spec = GitIgnoreSpec.from_lines(matching)
        paths = [path for path in self.all_paths() if spec.match_file(path)]
        for path in paths[:: max(1, -(-len(paths) // max(1, limit)))]:
            if (seen := _read(self.path, path)) is not None:
                yield seen

    def texts_at(self, paths: Iterable[str]) -> Iterator[FileSeen]:
        yield from (seen for path in paths if (seen := _read(self.path, path)) is not None)

    def gone_paths(self) -> Sequence[str]:
        return self.gone

    def changed_code(self) -> Sequence[ParsedFile]:
        return self.code if self.new_code is None else self.new_code

    def all_code(self) -> Sequence[ParsedFile]:
        return self.code

    def all_paths(self) -> Sequence[str]:
        found: list[str] = []
        for folder, folders, files in os.walk(self.path):
            folders[:] = sorted(f for f in folders if f not in NOT_SOURCE)
            for name in files:
                full = Path(folder) / name
                if not full.is_symlink():
                    found.append(full.relative_to(self.path).as_posix())
        return sorted(found)


def world_of(folder: Path, files: Mapping[str, str], commits: Sequence[Commit] = ()) -> FolderWorld:
    """A world whose folder holds the given files, path to text."""
    for path, text in files.items():
        full = folder / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_text(text, encoding="utf-8", newline="")
    return FolderWorld(folder, commits=commits)


def _read(root: Path, path: str) -> FileSeen | None:
    full = root / path
    try:
        raw = full.read_bytes()
    except OSError:
        return None
    if len(raw) > FILE_MAX_BYTES or b"\0" in raw[:8000]:
        return None
    blob = hashlib.sha1(b"blob %d\0" % len(raw) + raw).hexdigest()
    return FileSeen(path, blob, raw.decode("utf-8", "replace"))
