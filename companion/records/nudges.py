"""A nudge: something that might be worth a look, offered once at a moment that disturbs nobody, or kept back."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct


class NudgeSort(StrEnum):
    """What a nudge is about, the most pressing first."""

    LULL = "lull"
    """A conversation in which nobody has spoken for a while."""
    CONTRADICTION = "contradiction"
    """Two memories that cannot both hold."""
    STALE_TASK = "stale-task"
    """A task that nobody has touched for days."""


class NudgeState(StrEnum):
    """Whether somebody was shown it."""

    KEPT_BACK = "kept back"
    OFFERED = "offered"


class NudgeAnswer(StrEnum):
    """What became of one that was offered; `dismissed` is closed without a word, `none` not answered at all."""

    NONE = "none"
    DONE = "done"
    LATER = "later"
    NEVER = "never"
    OPEN = "open"
    DISMISSED = "dismissed"


class Nudge(Struct, frozen=True):
    """One nudge. `subject` is the id of what it is about, `opens` the id of a memory that shows it, if there is one.

    `why` says why it was kept back, or why it was offered; `next_step` is the command that leads further. Times are
    naive UTC.
    """

    id: str
    sort: NudgeSort
    subject: str
    text: str
    state: NudgeState
    why: str
    decided_at: datetime
    answer: NudgeAnswer = NudgeAnswer.NONE
    answered_at: datetime | None = None
    offered_at: datetime | None = None
    times: int = 0
    """How often it was offered: once, or once more after `later`."""
    opens: str = ""
    next_step: str = ""
