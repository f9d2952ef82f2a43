"""What a watcher tells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FilesChanged:
    """These paths, relative to the checkout's folder, were created, written, moved or deleted.

    A folder among them means everything under it.
    """

    paths: frozenset[str]


@dataclass(frozen=True, slots=True)
class RefsMoved:
    """HEAD, a branch, tag or stash moved, or an operation that moves them began or ended.

    `committed` says that a commit was made here, whose files were told of as they were written.
    """

    committed: bool


@dataclass(frozen=True, slots=True)
class Overflowed:
    """Something was missed or may be: all files and references must be looked at again."""

    reason: str


Change = FilesChanged | RefsMoved | Overflowed
