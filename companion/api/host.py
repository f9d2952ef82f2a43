"""Who owns the store and answers for many repositories: what it says of itself, and what it tells."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from companion.api.companion import Companion


class Watched(Struct, frozen=True):
    """One repository that a daemon keeps an eye on. `watching` is events, polling or off, with a word why."""

    root: str
    project: str
    branch: str
    watching: str
    folders: int
    waiting: int
    refreshed_at: datetime | None = None
    notes: tuple[str, ...] = ()


class DaemonState(Struct, frozen=True):
    """The process that owns the store: who it is, where it listens, what it does. Times are naive UTC, sizes bytes."""

    pid: int
    version: str
    home: str
    address: str
    started_at: datetime
    requests: int
    attached: int
    """Clients that hold a connection open (editors, pages); while there is one, the daemon stays."""
    leaves_after_s: float
    memory_bytes: int
    repositories: tuple[Watched, ...] = ()


class News(Struct, frozen=True):
    """Something that changed in one repository, told to those who are attached to it.

    `what` is `refreshed`, `contradictions`, `prefetched` or `leaving` (the daemon ends); `paths` are the files it
    is about, relative to the root; `says` is a sentence for people.
    """

    what: str
    root: str
    says: str = ""
    paths: tuple[str, ...] = ()
    count: int = 0


class Host(Protocol):
    """Who owns the store and answers for every repository of one user."""

    def companion(self, path: Path, *, anywhere: bool = False) -> Companion:
        """The companion for the repository that `path` lies in; closing it lets go of nothing.

        With `anywhere` there need not be one: what then belongs to no project is still the user's.
        """

    def once(self, id_: str) -> AbstractContextManager[None]:
        """While the block lasts this thread writes for the request with this id; raises AlreadyKept if it was kept."""

    def state(self) -> DaemonState:
        """What the background service is and does."""

    def attached(self) -> AbstractContextManager[None]:
        """While the block lasts a client is attached, and the daemon stays."""

    def asked(self) -> AbstractContextManager[None]:
        """While the block lasts a request is answered; its end starts the time until the daemon leaves."""

    def news(self, path: Path, tell: Callable[[News], None]) -> AbstractContextManager[None]:
        """While the block lasts, `tell` hears what changes in the repository that `path` lies in, from any thread."""

    def stop(self, why: str) -> None:
        """End in good order: what is being written is finished first. Returns at once."""

    def when_stopped(self, tell: Callable[[], None]) -> None:
        """`tell` is called once, from any thread, when the daemon is to end (at once if it is already)."""
