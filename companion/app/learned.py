"""What the product learns from a repository at a commit: for measuring, in a store of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from companion.app.compose import open_rooms
from companion.app.replay import SetClock
from companion.app.rooms import Rooms
from companion.app.scanning.scan import Scanner
from companion.config import Settings
from companion.errors import UsageError
from companion.ports import NoProgress
from companion.records import RepoState
from companion.signals import git
from companion.signals.files import CommitTree
from companion.store import projects


@contextmanager
def scanned_at(
    repo: Path, sha: str, *, reads: type[CommitTree] = CommitTree, settings: Settings | None = None
) -> Iterator[tuple[Rooms, str]]:
    """A store of its own after a scan of a repository as of a commit, with the project's id; gone afterwards.

    Its clock stands at that commit, and `reads` gives its files. Raises UsageError if the commit is not there.
    """
    state = git.open_repository(repo)
    if not git.is_ancestor(state, sha, sha):
        raise UsageError(f"{repo} has no commit {sha}.", "Fetch more of its history.")
    at: RepoState = replace(state, head=sha)
    tree = reads(at, sha)
    with tempfile.TemporaryDirectory(prefix="companion-learned-") as folder:
        clock = SetClock(max(commit.committed_at for commit in git.read_commits(at, since=f"{sha}~1", rev=sha)))
        rooms = open_rooms(Path(folder), settings or Settings(embeddings="off"), clock)
        try:
            project, checkout = projects.identify(rooms.database, at, clock.now())
            Scanner(rooms, at, project, checkout, NoProgress(), clock.now(), workers=2).run(tree)
            yield rooms, project
        finally:
            tree.close()
            rooms.close()
