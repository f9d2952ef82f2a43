"""What the journal of the runs holds: each run, each of its changes, and what applying and undoing came to."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from msgspec import Struct, field


class RunState(StrEnum):
    """How far a run has come."""

    PLANNING = "planning"
    PLANNED = "planned"
    APPLYING = "applying"
    APPLIED = "applied"
    UNDONE = "undone"
    DISCARDED = "discarded"


class ChangeState(StrEnum):
    """What became of one change."""

    PLANNED = "planned"
    APPLIED = "applied"
    REFUSED = "refused"
    UNDONE = "undone"


class ConsolidationRun(Struct, frozen=True):
    """One run. Times are naive UTC; `planned`, `applied`, `refused` and `undone` count its changes.

    `figures` are what each pass counted (seconds, tokens saved), by pass and name.
    """

    id: str
    project: str
    asked_by: str
    state: RunState
    passes: tuple[str, ...]
    planned_at: datetime
    since: datetime | None = None
    """Of runs before 30 November 2026 alone: they could be asked for what was learned since."""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    undone_at: datetime | None = None
    planned: int = 0
    """Changes that wait to be applied."""
    applied: int = 0
    refused: int = 0
    undone: int = 0
    figures: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    wrong: Mapping[str, str] = field(default_factory=dict)
    """Why a pass did not run or broke off, by its name."""
    notes: tuple[str, ...] = ()
    """What is to be said of the whole run, in sentences."""


class RowMoved(Struct, frozen=True):
    """A row that a change moved: `was` and `became` are the columns it moved, as text; None where there is no row.

    `title` is what people call the memory that the row is or belongs to, empty where it belongs to none.
    """

    table: str
    key: tuple[str, ...]
    title: str
    was: Mapping[str, str] | None
    became: Mapping[str, str] | None


class Kept(Struct, frozen=True):
    """A change that could not be taken back, and why."""

    number: int
    why_not: str


class Undone(Struct, frozen=True):
    """What undoing came to: changes taken back by this call, and those that were kept, each with its reason."""

    run: str
    undone: int
    kept: tuple[Kept, ...] = ()


class Purgeable(Struct, frozen=True):
    """An archived memory whose texts may go for good: what it is called, since when it is archived, and why it was."""

    id: str
    title: str
    archived_at: datetime
    reason: str
    size_bytes: int
