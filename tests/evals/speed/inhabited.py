"""A generated store over a checkout that is really there: what daemons, watchers and editors need beside memories."""

from __future__ import annotations

from pathlib import Path

from companion.ports import Progress
from companion.signals.git import open_repository
from evals.speed.generated import content, paths_of
from evals.speed.latency import SEED, made_store
from evals.speed.processes import git


def inhabited(folder: Path, memories: int, progress: Progress) -> Path:
    """The root of a generated repository in an empty folder, and beside it in `home` a store that has read it."""
    root = folder / "work"
    for path in paths_of(SEED, memories):
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content(path))
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Begin")
    with made_store(memories, progress, folder / "home", open_repository(root)):
        return root
