"""Small histories to rank by, and the library that knows nothing but them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from companion.records import ChangeStatus, Commit, FileChange, Person

ANN = Person("Ann", "ann@example.com")
START = datetime(2024, 5, 1, 10, 0)


def commit(number: int, *files: str, subject: str = "", parents: int = 1) -> Commit:
    """A commit that touches files: `a` changes it, `+a` adds, `-a` deletes, `a>b` renames."""
    at = START + timedelta(hours=number)
    return Commit(
        sha=f"{number:040x}",
        parents=tuple(f"{number - 1 - back:040x}" for back in range(parents)) if number else (),
        author=ANN,
        authored_at=at,
        committed_at=at,
        subject=subject or f"Work {number}",
        body="",
        changes=tuple(_change(file) for file in files),
    )


def history(*rows: str | Sequence[str]) -> list[Commit]:
    """Commits from rows of files, oldest first; a row may be one text of files separated by spaces."""
    return [commit(number, *(row.split() if isinstance(row, str) else row)) for number, row in enumerate(rows)]


def _change(file: str) -> FileChange:
    if ">" in file:
        old, _, new = file.partition(">")
        return FileChange(ChangeStatus.RENAMED, new, old)
    if file.startswith("+"):
        return FileChange(ChangeStatus.ADDED, file[1:])
    if file.startswith("-"):
        return FileChange(ChangeStatus.DELETED, file[1:])
    return FileChange(ChangeStatus.MODIFIED, file)
