"""The store and the repository behind it: scans, checks, exports, backups."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from companion.ports import Progress, Readiness
from companion.records import Skipped


@dataclass(frozen=True, slots=True)
class Learned:
    """How many memories of a kind and type a scan added, changed, retired and left as they were."""

    kind: str
    type: str
    active: int


@dataclass(frozen=True, slots=True)
class ScanReport:
    """What a scan did. Times are in seconds."""

    project: str
    root: str
    branch: str
    commits_new: int
    commits_total: int
    files_new: int
    files_total: int
    files_gone: int
    added: int
    changed: int
    retired: int
    contradictions: int
    learned: tuple[Learned, ...]
    skipped: tuple[Skipped, ...]
    first_context_s: float
    total_s: float
    readiness: Readiness
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a look at changed files or commits did, in counts and seconds."""

    files_changed: int
    files_gone: int
    commits_new: int
    added: int
    changed: int
    retired: int
    seconds: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked: `state` is ok, warning or broken, with the next command."""

    name: str
    state: str
    what: str
    next_step: str = ""


@dataclass(frozen=True, slots=True)
class Stats:
    """What the store holds of one project, in counts and bytes."""

    project: str
    remote: str
    root: str
    commits: int
    files: int
    symbols: int
    languages: tuple[tuple[str, int], ...]
    memories: tuple[Learned, ...]
    archived: int
    open_contradictions: int
    readiness: Readiness
    store_bytes: int
    store_path: str
    retrieved: int = 0
    cited: int = 0
    ignored: int = 0


class Tending(Protocol):
    """What keeps memory in step with the repository, and whole. Every verb raises CompanionError with a next step."""

    def scan(self, progress: Progress, *, full: bool = False, embed: bool = True) -> ScanReport:
        """Read what is new in history and code, and learn from it; `full` reads all again."""

    def refresh(self, paths: Sequence[str] | None) -> Refreshed:
        """Take in what changed in these files (None: wherever anything did) and in the history."""

    def stats(self) -> Stats:
        """What the store holds of this project."""

    def doctor(self) -> tuple[Finding, ...]:
        """Check the store, the indexes, the models and the repository."""

    def rebuild(self, progress: Progress) -> tuple[Finding, ...]:
        """Make every derived index anew from what is canonical."""

    def export(self, folder: Path, *, everything: bool = False) -> tuple[Path, ...]:
        """Write what is remembered of this project, or `everything` the store keeps, as JSON Lines and Markdown.

        Everything is memories of all projects, conversations, what they left open, acts, answers, runs and notes.
        """

    def import_file(self, path: Path) -> int:
        """Read an export back, a folder or its lines; returns the number of memories that were new.

        An export of everything gives an empty store the same content, any other what it lacks.
        """

    def backup(self, target: Path | None) -> Path:
        """A consistent copy of the whole store."""
