"""What a team shares: what leaves, what comes in, and who said what."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from companion.records import Memory

SENT_TOLD = 50
"""Records that `team_sent` tells unless more are asked for: a screen or two."""


class Shareable(Struct, frozen=True):
    """A memory that somebody wants to share, as it would leave: its words, the paths it names and who reads it."""

    memory: Memory
    text: str
    paths: tuple[str, ...]
    seen_by: str


class SharedMemory(Struct, frozen=True):
    """A memory as it is shared: whose it is and since when. `memory` is its id in this store, empty if it has none."""

    memory: str
    text: str
    author: str
    shared_at: datetime


class SentToTeam(Struct, frozen=True):
    """What left this store; `text` is empty once it is withdrawn. `way` is `text`, or the name of a server."""

    record: str
    sort: str
    author: str
    way: str
    sent_at: datetime
    text: str


class TeamExport(Struct, frozen=True):
    """What an export did to a folder: names of files written and removed, and the memories that leave by it first."""

    folder: str
    written: tuple[str, ...]
    removed: tuple[str, ...]
    shared: tuple[SharedMemory, ...]


class TeamImport(Struct, frozen=True):
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


class TeamStanding(Struct, frozen=True):
    """What a project shares here: the latest first; how much waits to leave and to be read; open contradictions.

    `author` is who shares from this checkout, empty where git knows no name; `contradictions` are what they are about
    and who says which; `withdrawn` are who took something back and when. `to_read` counts files of the folder, and
    `refused` are those that were looked at and not taken in, each with why.
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
    server: ServerStanding | None = None
    refused: tuple[tuple[str, str], ...] = ()

    @property
    def is_shared(self) -> bool:
        """Whether anybody shares anything here, or a server is connected."""
        return bool(self.shared or self.withdrawn or self.to_read or self.refused or self.server)

    @property
    def waits(self) -> tuple[str, ...]:
        """What waits here, in sentences with the command to type."""
        read, out = self.to_read, len(self.to_export)
        said = (
            (read, f"{read:,} file{'s' * (read != 1)} to be read: `companion team import`."),
            (out, f"{out:,} record{'s' * (out != 1)} to be exported: `companion team export`."),
        )
        return tuple(sentence for number, sentence in said if number)


class ServerStanding(Struct, frozen=True):
    """How a project stands with its server. `online` is None where the background service has not tried yet.

    `project` is its name there, `since` when it came or went, `wrong` why it cannot be used, `read_to` the position in
    the log, `waiting` how many records wait to go there, `refused` those that it did not take, each with why.
    """

    url: str
    project: str
    online: bool | None
    since: datetime | None
    wrong: str
    read_to: int
    waiting: int
    refused: tuple[tuple[str, str], ...] = ()

    @property
    def says(self) -> str:
        """How a project stands with its server, in a sentence or two."""
        waiting = f"; {self.waiting:,} record{'s' * (self.waiting != 1)} to be sent" if self.waiting else ""
        if self.online is None or self.since is None:
            read = f"read up to record {self.read_to:,}" if self.read_to else "not asked yet"
            return f"Server {self.url}: {read}{waiting}."
        if self.online:
            return f"Server {self.url}: online{waiting}."
        return f"Server {self.url}: offline since {self.since:%d %b %H:%M} UTC{waiting}. {self.wrong}"


class SyncReport(Struct, frozen=True):
    """What a synchronisation did: records that came and went, memories that say something new, versions withdrawn.

    `restored`: the server had lost records, and was given them again. `refused` are records that it did not take,
    `unfit` those of it that were not taken in, each with why.
    """

    pulled: int
    pushed: int
    memories: tuple[str, ...] = ()
    withdrawn: int = 0
    restored: bool = False
    refused: tuple[tuple[str, str], ...] = ()
    unfit: tuple[tuple[str, str], ...] = ()


class SharedHit(Struct, frozen=True):
    """A shared version that a search found. `memory` is its id in this store, empty if it has none."""

    version: str
    memory: str
    text: str
    author: str
    shared_at: datetime
    score: float


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

    def team_prepare(self, url: str) -> tuple[str, ...]:
        """Make or upgrade the tables of a server, by who owns its database; returns what was done, in sentences."""

    def team_connect(self, url: str, project: str = "") -> ServerStanding:
        """Share this project through a server from now on; it is asked first whether it takes part.

        `project` is its name there, the id of the first commit unless it is given. Raises UsageError for a URL that
        has a password in it or would send plain text over a network.
        """

    def team_disconnect(self) -> bool:
        """Share through no server any more; whether there was one. What came from it stays."""

    def team_sync(self) -> SyncReport:
        """Take in what is new on the server and send what is new here, now."""

    def team_search(self, words: str, limit: int = 10) -> tuple[SharedHit, ...]:
        """Search all that is shared on the server, by words and meaning."""

    def team_server(self) -> ServerStanding | None:
        """How this project stands with its server; None if it has none."""
