"""A repository with an eye on it, and what the eye told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from repos import Repo

from companion.signals import git
from companion.signals.watch import Watching

DEADLINE_S = 10.0
"""How long what must come is waited for, on the slowest machine."""


class Told:
    """Everything that was told, from the first to the last."""

    def __init__(self) -> None:
        self.changes: list[frozenset[str] | None] = []
        self.threads: set[int] = set()
        self._came = threading.Condition()

    def __call__(self, change: frozenset[str] | None) -> None:
        with self._came:
            self.changes.append(change)
            self.threads.add(threading.get_ident())
            self._came.notify_all()

    def wait(self, until: Callable[[], bool]) -> None:
        """Wait until something is so; fails with what was told instead."""
        end = time.monotonic() + DEADLINE_S
        with self._came:
            while not until():
                left = end - time.monotonic()
                assert left > 0, self.changes
                self._came.wait(left)

    def paths(self) -> set[str]:
        return {path for change in self.changes if change for path in change}

    def commits(self) -> int:
        """How often it was told that a commit was made here."""
        return self.changes.count(frozenset())

    def looks(self) -> int:
        """How often everything is to be looked at."""
        return self.changes.count(None)

    def clear(self) -> None:
        with self._came:
            self.changes.clear()


class Eye:
    """A watched repository."""

    def __init__(self, root: Path, mode: str = "events", limit: int | None = None) -> None:
        self.root = root
        self.told = Told()
        self.watching = Watching(git.open_repository(root), self.told, limit)
        self.watching.start(mode)

    def settle(self) -> None:
        """Wait until everything done so far was told: a file written last is told last."""
        mark = self.root / "zz-mark.txt"
        mark.write_text(str(time.monotonic_ns()))
        self.told.wait(lambda: "zz-mark.txt" in self.told.paths())
        mark.unlink()
        self.told.clear()
        self.told.wait(lambda: "zz-mark.txt" in self.told.paths())
        self.told.clear()


Look = Callable[..., Eye]


@pytest.fixture
def look() -> Iterator[Look]:
    """Begins to watch a folder; all eyes are closed at the end."""
    eyes: list[Eye] = []

    def begin(root: Path, mode: str = "events", limit: int | None = None) -> Eye:
        eyes.append(Eye(root, mode, limit))
        return eyes[-1]

    yield begin
    for eye in eyes:
        eye.watching.close()


@pytest.fixture
def project(repo: Repo) -> Repo:
    """A committed project with rules of what is ignored."""
    repo.write(".gitignore", "*.log\nbuild/\n")
    repo.write("README.md", "# Project\n")
    repo.write("src/a.py", "x = 1\n")
    repo.write("src/deep/b.py", "y = 1\n")
    repo.commit("Start")
    return repo
