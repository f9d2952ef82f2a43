"""Talk that was held elsewhere: which assistants' logs may be read, what comes of reading them, and its review."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from companion.ports import Progress
from companion.records.talk import Conversation

LOGS_TOLD = 200
"""Logs that a report names; the rest is counted."""


@dataclass(frozen=True, slots=True)
class TalkSource:
    """An assistant whose logs can be read. `places` are its folders here, `allowed_at` since when they may be read."""

    name: str
    title: str
    places: tuple[str, ...] = ()
    allowed_at: datetime | None = None
    conversations: int = 0
    unseen: int = 0
    """Conversations that came from it, and those of them that wait for review."""


@dataclass(frozen=True, slots=True)
class LogRead:
    """What came of one log: turns that are new or have grown, and why nothing, or not all, was taken."""

    source: str
    path: str
    conversations: int = 0
    new: int = 0
    grown: int = 0
    deleted: int = 0
    faults: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class TalkImport:
    """What was brought in. `logs` names those with something to tell; `unallowed` the sources that were not read."""

    dry_run: bool
    logs: tuple[LogRead, ...] = ()
    logs_read: int = 0
    logs_same: int = 0
    conversations: int = 0
    new: int = 0
    grown: int = 0
    unseen: int = 0
    remembered: int = 0
    """Conversations that were put into memory at once, since reviews are switched off for their source."""
    unallowed: tuple[TalkSource, ...] = ()


@dataclass(frozen=True, slots=True)
class BulkReview:
    """What became of conversations that were reviewed together; `left` could not be, each with the reason."""

    reviewed: int = 0
    memories: int = 0
    items: int = 0
    left: tuple[tuple[str, str], ...] = ()


class Bringing(Protocol):
    """What is brought in from other assistants. Every verb raises CompanionError with a next step."""

    def talk_sources(self) -> tuple[TalkSource, ...]:
        """The assistants whose logs can be read, where they lie, and whether they may be; no log is opened."""

    def allow_source(self, source: str, *, on: bool = True) -> TalkSource:
        """Agree to an assistant's logs being read, from now on, or take that back."""

    def import_talk(
        self,
        progress: Progress,
        sources: Sequence[str] = (),
        file: Path | None = None,
        *,
        dry_run: bool = False,
        here: bool = False,
        if_allowed: bool = False,
    ) -> TalkImport:
        """Bring in what is new in the logs of these assistants (none named: all that may be read), or in one file.

        Each turn goes to the project of the folder that the log names, if that is known, and else is left. `here`
        says that what names no folder belongs to this repository. A dry run keeps nothing. Naming a file is consent to
        reading it; with `if_allowed` only consent to its source is, and without that nothing happens.
        """

    def unseen_talk(self, source: str = "", limit: int = 100) -> tuple[Conversation, ...]:
        """Conversations that were brought in and that nobody has reviewed, the oldest first."""

    def review_unseen(
        self, progress: Progress, conversations: Sequence[str] = (), source: str = "", *, keep: bool
    ) -> BulkReview:
        """Remember what these conversations (none named: all that wait) leave behind, or put them away unremembered."""
