"""What the product learns from a repository at a commit, with its configuration files or without."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from companion import syntax
from companion.app.replay import scanned_at
from companion.kinds.facts import declares
from companion.ports import Redactor
from companion.records import Draft, FileRole, FileSeen, Scope, Skipped
from companion.records.declared import Declaration
from companion.records.roles import role_of
from companion.signals import git
from companion.signals.files import CommitTree, Entry
from companion.store import declared, projects


class WithoutSettings(CommitTree):
    """A commit's files as if it had no configuration: only code, tests and prose."""

    def entries(self) -> Iterator[Entry | Skipped]:
        """Every file that is no configuration."""
        return (entry for entry in super().entries() if not is_settings(entry.path))

    def seen(self, path: str, redactor: Redactor) -> FileSeen | None:
        """One file; None for configuration."""
        return None if is_settings(path) else super().seen(path, redactor)


def is_settings(path: str) -> bool:
    """Whether a file configures the project or its tools, or declares facts in words."""
    return declares(path) or role_of(path, syntax.language_of(path)) is FileRole.CONFIG


def learn_at(repo: Path, sha: str, hidden: bool) -> Sequence[Draft]:
    """Everything remembered after a scan of a repository as of a commit, and each row that its files declare.

    `hidden` leaves configuration files out. Raises UsageError if the commit is not there.
    """
    reads = WithoutSettings if hidden else CommitTree
    with scanned_at(repo, sha, reads=reads) as (runtime, project):
        database = runtime.store.database
        _, checkout = projects.identify(database, git.open_repository(repo), runtime.adapters.clock.now())
        remembered = [memory.draft for memory in runtime.store.memories.iterate(project)]
        return remembered + [as_draft(row) for row, _ in declared.read(database, checkout)]


def as_draft(row: Declaration) -> Draft:
    """A row of `companion facts` as a fact of the folder that its file stands in."""
    draft = declared.as_memory("", row, 0).draft
    folder = PurePosixPath(row.path).parent.as_posix().removeprefix(".")
    return replace(draft, attribute=row.subject.replace(" ", "_"), scope=Scope(path=folder))
