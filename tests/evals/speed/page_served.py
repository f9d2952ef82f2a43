"""A page served by a process of its own, as a daemon serves it, over a generated store: to be measured from outside."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.parse import urlencode

from companion.api import Companion, DaemonState, News
from companion.app.compose import open_runtime
from companion.app.replay import SetClock
from companion.config import Settings
from companion.daemon.memory_use import tidy, untidy
from companion.daemon.process import TURNS_S
from companion.surfaces.http.handler import RequestHandler
from companion.surfaces.http.server import made_server
from companion.surfaces.page.app import Page
from companion.surfaces.page.page_access import PageAccess
from evals.speed.latency import Made, Served, state_of

KEY = "measured"
LEAVING_S = 30
"""How long the serving process may take to end; it only closes a store."""
LINK, REST = "link", "rest"
"""What it is asked over its line: a link that lets a browser in, and to rest as a daemon does that is warm."""


@dataclass
class OneCompanion:
    """A host with one companion, whatever is asked for."""

    one: Served
    folder: Path

    def __post_init__(self) -> None:
        """Nobody has asked it to stop."""
        self._told: list[Callable[[], None]] = []

    def companion(self, path: Path, *, anywhere: bool = False) -> Companion:
        """The one; closing it lets go of nothing."""
        return self.one

    def state(self) -> DaemonState:
        """A daemon in name only."""
        return DaemonState(0, "", str(self.folder), "", datetime.min, 0, 0, 0.0, 0)

    def attached(self) -> nullcontext[None]:
        """Nobody counts."""
        return nullcontext()

    def asked(self) -> nullcontext[None]:
        """Nobody counts."""
        return nullcontext()

    def once(self, id_: str) -> nullcontext[None]:
        """Nothing is asked again."""
        return nullcontext()

    def news(self, path: Path, tell: Callable[[News], None]) -> nullcontext[None]:
        """There is none."""
        return nullcontext()

    def stop(self, why: str) -> None:
        """End the server."""
        for tell in self._told:
            tell()

    def when_stopped(self, tell: Callable[[], None]) -> None:
        """Remember whom to tell."""
        self._told.append(tell)


class Kept(Served):
    """One that is asked again and again: closing it lets go of nothing."""

    def close(self) -> None:
        """It goes on."""


@dataclass(frozen=True)
class Listening:
    """A page that another process serves: where, and the line to that process."""

    port: int
    folder: str
    line: Connection

    def at(self, place: str, **query: str) -> str:
        """The address of a room or part, from the root."""
        asked = f"?{urlencode(query)}" if query else ""
        return f"/{KEY}/{self.folder}/{place}{asked}"

    def whole(self, place: str) -> str:
        """The whole address of a room."""
        return f"http://127.0.0.1:{self.port}{self.at(place)}"

    def link(self) -> str:
        """The address that lets a browser in, from the root."""
        return self._told(LINK)

    def rest(self) -> None:
        """What was served is written down, and what stays is not searched for garbage again."""
        self._told(REST)

    def _told(self, what: str) -> str:
        self.line.send(what)
        return str(self.line.recv())


@contextmanager
def served(folder: Path, made: Made) -> Iterator[Listening]:
    """The page of a generated store over loopback, for as long as the block lasts. Raises EOFError if it cannot be."""
    spawned = get_context("spawn")
    here, there = spawned.Pipe()
    process = spawned.Process(target=_serve, args=(folder, made, there), daemon=True)
    process.start()
    there.close()
    try:
        port, name = here.recv()
        yield Listening(port, name, here)
    finally:
        here.close()  # which ends it
        process.join(LEAVING_S)
        process.kill()
        process.join()


def _serve(folder: Path, made: Made, line: Connection) -> None:
    """In the other process: serve, and answer over the line until it is closed."""
    sys.setswitchinterval(TURNS_S)
    runtime = open_runtime(folder, Settings(), SetClock(made.now))
    try:
        one = Kept(runtime, state_of(str(folder)), made.project, made.checkout)
        with _listening(OneCompanion(one, folder)) as (page, port):
            line.send((port, page.folders.name(folder)))
            while (asked := _heard(line)) is not None:
                if asked == REST:
                    one.write_down()
                    tidy()
                line.send(page.link(folder) if asked == LINK else "")
    finally:
        untidy()
        runtime.close()


def _heard(line: Connection) -> str | None:
    try:
        return str(line.recv())
    except (EOFError, OSError):
        return None


@contextmanager
def _listening(host: OneCompanion) -> Iterator[tuple[Page, int]]:
    desk = RequestHandler(host)
    page = Page(desk, KEY)
    plug = socket.create_server(("127.0.0.1", 0))
    server = made_server(PageAccess(page.app()), desk)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[plug])), daemon=True)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield page, plug.getsockname()[1]
    finally:
        host.stop("measured")
        thread.join()
        desk.lanes.close()
