"""Paths inside git's folders, to what their change means.

A checkout has a folder of its own (`git_dir`) and one it shares with its worktrees (`common_dir`);
mostly they are one. What the index, objects, hooks and locks do there is git's own affair.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from companion.signals.watch.changes import RefsMoved
from companion.signals.watch.reflog import is_commit, last_line

_MEANS = re.compile(
    r"refs/.*|logs/(?:refs/stash|HEAD)|(?:FETCH_|ORIG_|MERGE_|CHERRY_PICK_|REVERT_)?HEAD|BISECT_LOG|packed-refs|shallow"
    r"|reftable(?:/.*)?|rebase-(?:merge|apply)(?:/.*)?|worktrees(?:/[^/]+(?:/(?:HEAD|logs/HEAD|gitdir))?)?"
    r"|modules/(?:.+/)?(?:HEAD|packed-refs|refs/.*|logs/HEAD)|modules(?:/[^/]+)?"
)
"""Files inside git's whose change means that something moved: references, and what git is in the middle of."""

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
        return not inside.endswith(".lock") and (inside == EXCLUDE or _MEANS.fullmatch(inside) is not None)

    def moved(self, changed: Collection[str]) -> RefsMoved | None:
        """What changed paths and HEAD's reflog tell; None if nothing that counts moved."""
        if not any(map(_MEANS.fullmatch, changed)):
            return None
        line, before = last_line(self.git_dir / "logs" / "HEAD"), self._line
        self._line = line
        return RefsMoved(line != before and is_commit(line))
