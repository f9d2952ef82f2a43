"""Paths inside git's folders, to what their change means.

A checkout has a folder of its own (`git_dir`) and one it shares with its worktrees (`common_dir`);
mostly they are one. What the index, objects, hooks and locks do there is git's own affair.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

TAIL_BYTES = 4_096
"""Read from the end of a reflog: its last line is a subject and two ids, git cuts subjects at 1,000."""
_COMMITS = re.compile(rb"[^\t]*\t(?:commit|am)\b", re.IGNORECASE)
"""A line of HEAD's reflog that says that a commit was made here."""
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
    _line: bytes = field(default=b"", init=False)

    def __post_init__(self) -> None:
        self._line = _last_line(self.git_dir / "logs" / "HEAD")

    @staticmethod
    def enters(inside: str) -> bool:
        """Whether a folder of git's (its path inside it, '' for itself) holds what is to be known."""
        return not inside or _ENTERED.fullmatch(inside) is not None

    @staticmethod
    def matters(inside: str) -> bool:
        """Whether a changed path inside a folder of git's means anything."""
        return not inside.endswith(".lock") and (inside == EXCLUDE or _MEANS.fullmatch(inside) is not None)

    def moved(self, changed: Collection[str]) -> bool | None:
        """Whether a commit was made here, as paths and HEAD's reflog tell; None if nothing that counts moved."""
        if not any(map(_MEANS.fullmatch, changed)):
            return None
        line, before = _last_line(self.git_dir / "logs" / "HEAD"), self._line
        self._line = line
        return line != before and _COMMITS.match(line) is not None


def _last_line(path: Path) -> bytes:
    """The last line of a file; empty if there is none."""
    try:
        with path.open("rb") as log:
            size = log.seek(0, os.SEEK_END)
            log.seek(max(0, size - TAIL_BYTES))
            return log.read().rstrip(b"\n").rpartition(b"\n")[2]
    except OSError:
        return b""
