"""Code and the work on it: scans, what happens in editors and shells, what a line has behind it, what files declare."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from companion.errors import UsageError
from companion.ports import Progress, Readiness
from companion.records import Interest, Learned, Skipped

if TYPE_CHECKING:  # `Route.declared` loads what the verb that is asked needs
    from companion.records import CodeLens, CommitTold, Declaration, FilePast, Hint, Observation, Overview, Why

ASKED_AGAIN = 20
"""Times that a person who waits has git asked again: longer than it may take for one file and its story."""
LINE_MAX_DIGITS = 9
"""Digits of a line's number: no file has more lines."""
PATIENCE_S = 2.0
"""Seconds that each of these questions waits."""
FACTS_TOLD = 500
"""Rows of one answer of `facts`."""


class ScanReport(Struct, frozen=True):
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
    worth_asking: str = ""
    """`FILE:LINE` of a line whose reason is remembered, or a `FILE`; empty where there is no source."""


class Refreshed(Struct, frozen=True):
    """What a look at changed files or commits did, in counts and seconds."""

    files_changed: int
    files_gone: int
    commits_new: int
    added: int
    changed: int
    retired: int
    seconds: float
    notes: tuple[str, ...] = ()


class AtWork(Struct, frozen=True):
    """What is at the centre of work now, as inferred from what was observed; most interesting first."""

    activity: str
    why_activity: str
    branch: str
    current_file: str
    interests: tuple[Interest, ...] = ()
    events: int = 0


class CodeVerbs(Protocol):
    """The repository, and what is seen and shown at work. Every verb raises CompanionError with a next step."""

    def scan(self, progress: Progress, *, full: bool = False, embed: bool = True) -> ScanReport:
        """Read what is new in history and code, and learn from it; `full` reads all again."""

    def refresh(self, paths: Sequence[str] | None) -> Refreshed:
        """Take in what changed in these files (None: wherever anything did) and in the history."""

    def observe(self, seen: Sequence[Observation]) -> None:
        """Take note of what happened in an editor or shell; written down before it is acted on."""

    def at_work(self) -> AtWork:
        """What is at the centre of work now, and how that is known."""

    def why(self, path: str, line: int, symbol: str = "", patience_s: float = 0.0) -> Why:
        """Why a line (from 1) is as it is: the commit that wrote it, the story of its definition, what concerns that.

        A `symbol` by name stands for its first line, in the file at `path` or, if that is empty, wherever it is; of
        several UsageError lists which. Line 0 asks for the file as a whole. Git is waited for `patience_s` at most;
        the answer says whether more is known later.
        """

    def marks(self, path: str) -> tuple[CodeLens, ...]:
        """The definitions of a file that something is remembered about, by line."""

    def hints(self, path: str) -> tuple[Hint, ...]:
        """Open contradictions and departures from conventions in a file, by line."""

    def overview(self) -> Overview:
        """The project in one look: the work on its files, what changes together, and its newest commits."""

    def file_past(self, path: str) -> FilePast:
        """What made a file: its commits, what changes with it, who works on it, and what is remembered about it."""

    def commit(self, sha: str) -> CommitTold:
        """A commit by its id or the beginning of it: its message, what it changed, and the memories it taught."""

    def facts(self, words: str = "") -> tuple[Declaration, ...]:
        """What files of settings declare that says all of some words, by file and line, at most `FACTS_TOLD`.

        Dependencies, owners, plain settings, CI jobs, scripts and targets: no memories, read from the checkout.
        """


def split_place(place: str) -> tuple[str, int]:
    """The path and line of `FILE:LINE`, or the first of `FILE:FIRST-LAST` either way round; line 0 for anything else.

    That is a file or a definition then.

    Raises UsageError for a line 0, which no file has.
    """
    path, _, lines = place.rpartition(":")
    line, dash, last = lines.partition("-")
    if path and _is_line(line) and (not dash or _is_line(last)):
        first = min(int(line), int(last or line))
        if not first:
            raise UsageError("There is no line 0.", f"Lines begin at 1; `{path}` alone is the file.")
        return path, first
    return place, 0


def is_there(path: Path) -> bool:
    """Whether what somebody typed names a file or folder; a text that no path can be names none."""
    try:
        return path.exists()
    except (OSError, ValueError):  # a whole paragraph is too long for a name
        return False


def _is_line(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= LINE_MAX_DIGITS


def why_in_full(companion: CodeVerbs, path: str, line: int, symbol: str = "") -> Why:
    """Why a line is as it is, once git has said all; for those who can wait some seconds for it."""
    for _ in range(ASKED_AGAIN):
        told = companion.why(path, line, symbol, PATIENCE_S)
        if not told.asking:
            break
    return told
