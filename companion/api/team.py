"""What a team shares: what leaves, what comes in, and who said what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Protocol

from companion.records import Memory

SENT_TOLD = 50
"""Records that `team_sent` tells unless more are asked for: a screen or two."""


@dataclass(frozen=True, slots=True)
class Shareable:
    """A memory that somebody wants to share, as it would leave: its words, the paths it names and who reads it."""

    memory: Memory
    text: str
    paths: tuple[str, ...]
    seen_by: str


@dataclass(frozen=True, slots=True)
class SharedMemory:
    """A memory as it is shared: whose it is and since when. `memory` is its id in this store, empty if it has none."""

    memory: str
    text: str
    author: str
    shared_at: datetime


@dataclass(frozen=True, slots=True)
class SentToTeam:
    """What left this store; `text` is empty once it is withdrawn. `way` is `text`, or the name of a server."""

    record: str
    sort: str
    author: str
    way: str
    sent_at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class TeamExport:
    """What an export did to a folder: names of files written and removed, and the memories that leave by it first."""

    folder: str
    written: tuple[str, ...]
    removed: tuple[str, ...]
    shared: tuple[SharedMemory, ...]


@dataclass(frozen=True, slots=True)
class TeamImport:
    """What reading a folder brought: new records and memories, contradictions opened, versions withdrawn.

    `problems` are files that were not taken in, each with why; `changed` those that somebody changed by hand and
    that are taken in as they say now; `always` says whether scans read the folder by themselves.
    """

    folder: str
    records: int
    memories: tuple[str, ...]
    withdrawn: int
    contradictions: int
    problems: tuple[tuple[str, str], ...] = ()
    changed: tuple[str, ...] = ()
    always: bool = False


@dataclass(frozen=True, slots=True)
class TeamStanding:
    """What a project shares here: the latest first; how much waits to leave and to be read; open contradictions.

    `author` is who shares from this checkout, empty where git knows no name; `contradictions` are what they are about
    and who says which; `withdrawn` are who took something back and when.
    """

    author: str
    folder: str
    shared: tuple[SharedMemory, ...]
    shared_total: int
    to_export: tuple[str, ...]
    to_read: int
    always: bool
    contradictions: tuple[str, ...]
    withdrawn: tuple[tuple[str, datetime], ...]


class TeamVerbs(Protocol):
    """What a team shares. Every verb raises CompanionError with a next step."""

    def team_preview(self, ids: Sequence[str]) -> tuple[Shareable, ...]:
        """What memories would say to others, and to whom. Raises UsageError for one that may not leave."""

    def team_share(self, ids: Sequence[str]) -> tuple[SharedMemory, ...]:
        """Make memories project-shared: they leave with the next export, and are read by whoever reads that."""

    def team_withdraw(self, id_: str) -> Memory:
        """Take back what was shared of a memory: its text leaves every store that reads this. Its author alone can."""

    def team_export(self, path: Path | None = None) -> TeamExport:
        """Write what is shared from here to the repository's `.companion/team`, or another folder; a file a record."""

    def team_import(self, path: Path | None = None, *, always: bool | None = None) -> TeamImport:
        """Read what others shared from that folder; `always` agrees to scans doing so, or (False) no more."""

    def team_status(self, limit: int = 20) -> TeamStanding:
        """What is shared, by whom and since when, what waits, and what is contradicted."""

    def team_sent(self, limit: int = SENT_TOLD) -> tuple[SentToTeam, ...]:
        """What left this store, when and whose it is, the latest first."""
