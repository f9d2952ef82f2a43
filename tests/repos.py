"""Real git repositories in a temporary folder, made the same on every machine."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from companion.records import Commit, RepoState
from companion.signals import git

WHY_ROUNDED = (
    "The total was off by a cent because floats lose digits, so that no sum of prices was right until the rounding step"
    " came last. Each sum was shown beside its parts, and nobody saw that they differed before the books were made up"
    " at the end of a month."
)
"""Why prices are rounded; like those below the body of a commit that explains itself, and so is remembered."""
WHY_TAXED = (
    "The tax office asked for it, because no total told the tax that was added, so that every price has to say it"
    " unless a cart is exempt. The tax is added up by each line of a cart and shown behind its total, since it has to"
    " stand on every bill of the shop."
)
WHY_WHOLE_CENTS = (
    "The old parcels lost cents because floats were added up, so that no invoice was right at the end of a month. Whole"
    " cents are added now, and what is over goes to the last parcel of an order, where those who pack it and those who"
    " send the invoice both read it."
)


@dataclass
class Repo:
    """A repository whose commits are one minute apart, made by one person unless told otherwise."""

    root: Path
    minute: int = 0
    settings: dict[str, str] = field(default_factory=dict)

    def git(self, *arguments: str | bytes, check: bool = True, **environment: str) -> str:
        when = f"2024-05-01T10:{self.minute // 60:02d}:{self.minute % 60:02d} +0200"
        known = {
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": "Ann",
            "GIT_AUTHOR_EMAIL": "ann@example.com",
            "GIT_COMMITTER_NAME": "Ann",
            "GIT_COMMITTER_EMAIL": "ann@example.com",
            "GIT_AUTHOR_DATE": when,
            "GIT_COMMITTER_DATE": when,
            "GIT_ALLOW_PROTOCOL": "file",
        }
        done = subprocess.run(
            ["git", "-c", "init.defaultBranch=main", *arguments],
            cwd=self.root,
            env={**os.environ, **known, **environment},
            capture_output=True,
            check=False,
        )
        assert not check or done.returncode == 0, done.stderr.decode("utf-8", "replace")
        return done.stdout.decode("utf-8", "replace").strip()

    def write(self, path: str, content: str | bytes = "one\ntwo\n") -> Path:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        return place

    def commit(self, message: str, *arguments: str, **environment: str) -> str:
        self.minute += 1
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message, *arguments, check=True, **environment)
        return self.git("rev-parse", "HEAD")

    @property
    def state(self) -> RepoState:
        return git.open_repository(self.root)

    @property
    def blobs(self) -> dict[str, str]:
        """The regular files of the newest commit, each with the id of its blob."""
        return {one.path: one.blob for one in git.read_tree(self.state, "HEAD") if one.mode.startswith("100")}

    def commits(self, since: str = "", rev: str = "HEAD") -> list[Commit]:
        return list(git.read_commits(self.state, since=since, rev=rev))
