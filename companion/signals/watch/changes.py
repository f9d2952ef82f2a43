"""What a watcher tells."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class What(StrEnum):
    """What moved references, as their files and the last line of a reflog tell."""

    COMMIT = "commit"
    CHECKOUT = "checkout"
    MERGE = "merge"
    REBASE = "rebase"
    PULL = "pull"
    FETCH = "fetch"
    RESET = "reset"
    STASH = "stash"
    REVERT = "revert"
    CHERRY_PICK = "cherry-pick"
    BRANCH = "branch"
    TAG = "tag"
    WORKTREE = "worktree"
    SUBMODULE = "submodule"
    OTHER = "references"


@dataclass(frozen=True, slots=True)
class FilesChanged:
    """These paths, relative to the checkout's folder, were created, written, moved or deleted.

    A folder among them means everything under it.
    """

    paths: frozenset[str]


@dataclass(frozen=True, slots=True)
class RefsMoved:
    """HEAD, a branch, tag or stash moved, or an operation that moves them began or ended."""

    what: What


@dataclass(frozen=True, slots=True)
class Overflowed:
    """Something was missed or may be: all files and references must be looked at again."""

    reason: str


Change = FilesChanged | RefsMoved | Overflowed
