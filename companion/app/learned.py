"""What the product learns from a repository at a commit: for measuring, in a store of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from companion import syntax
from companion.app.compose import open_rooms
from companion.app.replay import SetClock, Unseen
from companion.app.rooms import Rooms
from companion.app.scanning.scan import Scanner
from companion.config import Settings
from companion.errors import UsageError
from companion.kinds.facts import declares
from companion.ports import Redactor
from companion.records import Draft, FileSeen, RepoState, Role, Skipped
from companion.signals import git
from companion.signals.files import CommitTree, Entry
from companion.store import projects


class WithoutSettings(CommitTree):
    """A commit's files as if it had no configuration: only code, tests and prose."""

    def entries(self) -> Iterator[Entry | Skipped]:
        """Every file that is no configuration."""
        return (entry for entry in super().entries() if not is_settings(entry.path))

    def seen(self, path: str, redactor: Redactor) -> FileSeen | None:
        """One file; None for configuration."""
        return None if is_settings(path) else super().seen(path, redactor)


def is_settings(path: str) -> bool:
    """Whether a file configures the project or its tools, or declares facts in words."""
    return declares(path) or syntax.role_of(path, syntax.language_of(path)) is Role.CONFIG


def learn_at(repo: Path, sha: str, hidden: bool) -> Sequence[Draft]:
    """Everything remembered after a scan of a repository as of a commit.

    `hidden` leaves configuration files out. Raises UsageError if the commit is not there.
    """
    with scanned_at(repo, sha, hidden=hidden) as (rooms, project):
        return [memory.draft for memory in rooms.memories.iterate(project)]


@contextmanager
def scanned_at(
    repo: Path, sha: str, *, hidden: bool = False, settings: Settings | None = None
) -> Iterator[tuple[Rooms, str]]:
    """A store of its own after a scan of a repository as of a commit, with the project's id; gone afterwards.

    Its clock stands at that commit. Raises UsageError if the commit is not there.
    """
    state = git.open_repository(repo)
    if not git.is_ancestor(state, sha, sha):
        raise UsageError(f"{repo} has no commit {sha}.", "Fetch more of its history.")
    at: RepoState = replace(state, head=sha)
    tree = WithoutSettings(at, sha) if hidden else CommitTree(at, sha)
    with tempfile.TemporaryDirectory(prefix="companion-learned-") as folder:
        clock = SetClock(max(commit.committed_at for commit in git.read_commits(at, since=f"{sha}~1", rev=sha)))
        rooms = open_rooms(Path(folder), settings or Settings(embeddings="off"), clock)
        try:
            project, checkout = projects.identify(rooms.database, at, clock.now())
            Scanner(rooms, at, project, checkout, Unseen(), clock.now(), workers=2).run(tree)
            yield rooms, project
        finally:
            tree.close()
            rooms.close()
