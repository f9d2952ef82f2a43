"""Which server a project shares through, how far its log was read, and how it stands with it now."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime

from msgspec import Struct, field
from msgspec.structs import replace

from companion.app.runtime import Runtime
from companion.errors import UsageError
from companion.ports import LogPlace
from companion.store import projects
from companion.wire import keep, kept

NOT_CONNECTED = "This project shares through no server."
CONNECT = "Connect it: `companion team connect postgresql://USER@HOST/BASE`."


class ServerLink(Struct, frozen=True):
    """A server and the name of the project there. No password is in the URL."""

    url: str
    project: str


class ServerLogRead(Struct, frozen=True):
    """How far a log was read; `unread_by` is the version of this program that could not read all of it, or empty.

    `uses_at` is when uses were exchanged last, naive UTC; None: never.
    """

    place: LogPlace = field(default_factory=LogPlace)
    unread_by: str = ""
    uses_at: datetime | None = None


class ServerNow(Struct, frozen=True):
    """How a project stands with its server: since when, and why not where it cannot be used; naive UTC.

    `refused` are records that the server did not take, each with why.
    """

    online: bool
    since: datetime
    wrong: str = ""
    refused: tuple[tuple[str, str], ...] = ()


class ServerStates:
    """How projects stand with their servers, and who synchronises them; one for all who ask a store. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now: dict[str, ServerNow] = {}
        self.wake: Callable[[str], bool] = lambda _: False
        """Has whoever synchronises a project do so at once; whether anybody does."""

    def of(self, project: str) -> ServerNow | None:
        """How a project stands; None where nobody has tried."""
        with self._lock:
            return self._now.get(project)

    def set(self, project: str, now: ServerNow) -> bool:
        """Note how a project stands; whether that is news. What stays as it was keeps its moment."""
        with self._lock:
            before = self._now.get(project)
            if before is not None and (before.online, before.wrong) == (now.online, now.wrong):
                now = replace(now, since=before.since)
            self._now[project] = now
            return before is None or before.online != now.online

    def forget(self, project: str) -> None:
        """A project is connected no more."""
        with self._lock:
            self._now.pop(project, None)


def link_of(runtime: Runtime, project: str) -> ServerLink | None:
    """The server of a project; None if it has none."""
    said = projects.get_value(runtime.store.database, _link_name(project))
    return kept(ServerLink, said) if said else None


def need_link(runtime: Runtime, project: str) -> ServerLink:
    """The server of a project. Raises UsageError if it has none."""
    link = link_of(runtime, project)
    if link is None:
        raise UsageError(NOT_CONNECTED, CONNECT)
    return link


def set_link(runtime: Runtime, project: str, link: ServerLink | None) -> None:
    """Connect a project to a server, or (None) to none; another server's log is read from its start."""
    if link != link_of(runtime, project):
        projects.set_value(runtime.store.database, _link_name(project), keep(link, ServerLink) if link else "")
        set_read(runtime, project, ServerLogRead())
    runtime.one(ServerStates).forget(project)


def read_so_far(runtime: Runtime, project: str) -> ServerLogRead:
    """How far the log of a project was read."""
    said = projects.get_value(runtime.store.database, _read_name(project))
    return kept(ServerLogRead, said) if said else ServerLogRead()


def set_read(runtime: Runtime, project: str, read: ServerLogRead) -> None:
    """Note how far it was read."""
    projects.set_value(runtime.store.database, _read_name(project), keep(read, ServerLogRead))


def _link_name(project: str) -> str:
    return f"team server:{project}"


def _read_name(project: str) -> str:
    return f"team server read:{project}"
