"""The store and the notes beside it: counts, checks, exports, copies; the preamble an assistant is told first."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from companion.ports import Progress, Readiness
from companion.records import Learned

if TYPE_CHECKING:  # `Route.declared` loads what the verb that is asked needs
    from companion.records import Accuracy, NotePage, Preamble

WEEKS_TOLD = 26
"""Weeks of work that `accuracy` tells unless more are asked for: half a year, as many points as a chart shows well."""


class Finding(Struct, frozen=True):
    """One thing that was checked: `state` is ok, warning or broken, with the next command."""

    name: str
    state: str
    what: str
    next_step: str = ""


class Stats(Struct, frozen=True):
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


class AdminVerbs(Protocol):
    """What keeps the store whole, and the notes in sight. Every verb raises CompanionError with a next step."""

    def stats(self) -> Stats:
        """What the store holds of this project."""

    def accuracy(self, weeks: int = WEEKS_TOLD) -> Accuracy:
        """How well prediction did on this project: on commits before it learned from them, and week by week at work.

        What was shown counts as foreseen if it was then opened, edited or cited; nothing is counted twice.
        """

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

    def notes(self, name: str = "") -> tuple[NotePage, ...]:
        """The notes that are there, or the one of a name (`status`, `today`, `project`)."""

    def update_status(self, fields: Mapping[str, str]) -> NotePage:
        """Set fields of the status, each with the present time; an empty value takes one out. All else stays."""

    def preamble(self) -> Preamble:
        """What an assistant is told first: the notes, whole. The same bytes until one of them changes.

        It is written anew when a note changed, when nobody asked for an hour, and after a restart.
        """

    def place_note(self, name: str) -> Path:
        """Where a note lies, for an editor; the file is made if it is not there yet."""

    def notices(self) -> tuple[str, ...]:
        """What the user should know beside the answers since this was asked last, in sentences."""

    def now(self) -> datetime:
        """The companion's clock, naive UTC."""
