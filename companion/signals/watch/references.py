"""Paths inside git's folders, to what their change means.

A checkout has a folder of its own (`git_dir`) and one it shares with its worktrees (`common_dir`);
mostly they are one. What the index, objects, hooks and locks do there is git's own affair.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from companion.signals.watch.changes import What
from companion.signals.watch.reflog import last_line, what

_SIGNS: tuple[tuple[re.Pattern[str], What], ...] = tuple(
    (re.compile(pattern), meaning)
    for pattern, meaning in (
        (r"(?:logs/)?refs/stash", What.STASH),
        (r"worktrees(?:/[^/]+(?:/(?:HEAD|logs/HEAD|gitdir))?)?", What.WORKTREE),
        (r"modules/(?:.+/)?(?:HEAD|packed-refs|refs/.*|logs/HEAD)|modules(?:/[^/]+)?", What.SUBMODULE),
        (r"rebase-(?:merge|apply)(?:/.*)?", What.REBASE),
        (r"logs/HEAD", What.OTHER),
        (r"MERGE_HEAD", What.MERGE),
        (r"CHERRY_PICK_HEAD", What.CHERRY_PICK),
        (r"REVERT_HEAD", What.REVERT),
        (r"ORIG_HEAD|BISECT_LOG|packed-refs|shallow|reftable(?:/.*)?", What.OTHER),
        (r"HEAD", What.CHECKOUT),
        (r"FETCH_HEAD|refs/remotes(?:/.*)?", What.FETCH),
        (r"refs/tags(?:/.*)?", What.TAG),
        (r"refs/heads(?:/.*)?", What.BRANCH),
        (r"refs/.*", What.OTHER),
    )
)
"""What the path of a changed file says, as far as one file can."""

_ORDER = (
    What.STASH, What.WORKTREE, What.SUBMODULE, What.REBASE, What.MERGE, What.CHERRY_PICK, What.REVERT,
    What.FETCH, What.CHECKOUT, What.TAG, What.BRANCH, What.OTHER,
)  # fmt: skip
"""Where several files changed and no reflog tells, the first of these is meant."""

_ENTERED = re.compile(
    r"(?:refs|reftable|rebase-merge|rebase-apply|logs|logs/refs|worktrees|worktrees/[^/]+|worktrees/[^/]+/logs"
    r"|modules|info|modules/(?!.*/(?:objects|refs|logs|hooks|info|lfs)(?:/|$))[^/]+(?:/[^/]+){0,3}|refs/.+)"
)
"""Folders inside git's that are watched; never objects, hooks or large-file stores."""

EXCLUDE = "info/exclude"
"""Rules of what is ignored that are this clone's alone."""


@dataclass
class References:
    """Reads what moved from changed paths; remembers the last line of HEAD's reflog."""

    git_dir: Path
    common_dir: Path
    _line: bytes = field(default=b"", init=False)

    def __post_init__(self) -> None:
        self._line = last_line(self.git_dir / "logs" / "HEAD")

    @staticmethod
    def enters(inside: str) -> bool:
        """Whether a folder of git's (its path inside it, '' for itself) holds what is to be known."""
        return not inside or _ENTERED.fullmatch(inside) is not None

    @staticmethod
    def matters(inside: str) -> bool:
        """Whether a changed path inside a folder of git's means anything."""
        return not inside.endswith(".lock") and (inside == EXCLUDE or sign_of(inside) is not None)

    def what(self, changed: Collection[str]) -> What | None:
        """What was done, as changed paths and HEAD's reflog tell; None if nothing that counts."""
        signs = {sign for inside in changed if (sign := sign_of(inside)) is not None}
        if not signs:
            return None
        line = last_line(self.git_dir / "logs" / "HEAD")
        told = what(line) if line != self._line else None
        self._line = line
        for sign in (What.STASH, What.WORKTREE, What.SUBMODULE):
            if sign in signs and told in (None, What.RESET):
                return sign
        if told is not None:
            return told
        if any((self.git_dir / name).exists() for name in ("rebase-merge", "rebase-apply")):
            return What.REBASE
        return next(sign for sign in _ORDER if sign in signs)


def sign_of(inside: str) -> What | None:
    """What the change of one path inside a folder of git's says; None: nothing."""
    return next((meaning for pattern, meaning in _SIGNS if pattern.fullmatch(inside)), None)
