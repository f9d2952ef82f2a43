"""What a watcher tells."""

from __future__ import annotations

from msgspec import Struct


class FilesChanged(Struct, frozen=True):
    """These paths, relative to the checkout's folder, were created, written, moved or deleted.

    A folder among them means everything under it.
    """

    paths: frozenset[str]


class RefsMoved(Struct, frozen=True):
    """HEAD, a branch, tag or stash moved, or an operation that moves them began or ended.

    `committed` says that a commit was made here, whose files were told of as they were written.
    """

    committed: bool


class Overflowed(Struct, frozen=True):
    """Something was missed or may be: all files and references must be looked at again."""

    reason: str


Change = FilesChanged | RefsMoved | Overflowed
