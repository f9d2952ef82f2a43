"""What was observed in the world: commits, files, errors. Signals make them, kinds learn from them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct


class ChangeStatus(StrEnum):
    """How a commit changed a file, in git's own letters."""

    ADDED = "A"
    MODIFIED = "M"
    DELETED = "D"
    RENAMED = "R"


class Person(Struct, frozen=True):
    """A name and an e-mail address as git knows them."""

    name: str
    email: str


class FileChange(Struct, frozen=True):
    """One file of a commit; `old_path` is set for renames and copies."""

    status: ChangeStatus
    path: str
    old_path: str = ""


class Commit(Struct, frozen=True):
    """One commit. Times are naive UTC; `changes` of a merge are empty.

    `reverts` is the full id named by a revert's message; `pull_request` the number of the request it came by, as text.
    """

    sha: str
    parents: tuple[str, ...]
    author: Person
    authored_at: datetime
    committed_at: datetime
    subject: str
    body: str
    changes: tuple[FileChange, ...]
    co_authors: tuple[Person, ...] = ()
    reviewers: tuple[Person, ...] = ()
    reverts: str = ""
    pull_request: str = ""

    @property
    def is_merge(self) -> bool:
        """Whether it joins two lines of history."""
        return len(self.parents) > 1


class RepoState(Struct, frozen=True):
    """A checkout as it stands.

    `root` is the work tree (the git folder itself for a bare repository); `common_dir` is shared by
    all worktrees; `remote` is normalised (`host/owner/name`, no scheme, no user); `head` is empty on
    an unborn branch; `branch` is empty when detached; `in_progress` is `merge`, `rebase`,
    `cherry-pick`, `revert`, `bisect` or empty.
    """

    root: str
    common_dir: str
    root_commit: str
    remote: str
    head: str
    branch: str
    default_branch: str = ""
    bare: bool = False
    shallow: bool = False
    in_progress: str = ""
    submodules: tuple[str, ...] = ()


class FileSeen(Struct, frozen=True):
    """A text file that may be read. `content_hash` is git's blob id of the bytes on disk.

    `text` has secrets redacted; lone surrogates and undecodable bytes are replaced.
    """

    path: str
    content_hash: str
    text: str


class Skipped(Struct, frozen=True):
    """Something that was not read, and why, in a word a user understands."""

    path: str
    reason: str


class Frame(Struct, frozen=True):
    """One place an error names. `path` is relative to the repository where it lies inside it."""

    path: str
    line: int | None = None
    symbol: str = ""
    inside: bool = False
    """Whether the path is a file of this repository."""


class ErrorReport(Struct, frozen=True):
    """A parsed traceback or compiler message.

    `fingerprint` is the same for the same error on another day, machine or line; `tool` is the
    language or program that spoke (`python`, `typescript`, `go`, `rust`, `java`, `c`, …).
    """

    tool: str
    error_type: str
    message: str
    fingerprint: str
    frames: tuple[Frame, ...] = ()
    symbols: tuple[str, ...] = ()


class Learned(Struct, frozen=True):
    """How many memories of a kind and type a scan added, changed, retired and left as they were."""

    kind: str
    type: str
    active: int
