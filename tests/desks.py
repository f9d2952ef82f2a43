"""Daemons for tests, each with the repository that its user works in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from blank import blank_home
from fakes import FakeClock, HashEmbedder, WordCounter
from laptops import repository

from companion.adapters.secrets import SecretRedactor
from companion.api import Companion, Note
from companion.app.runtime import Adapters, runtime_over
from companion.app.team import exchange
from companion.app.team.linking import ServerStates
from companion.config import Settings, WatchBy
from companion.daemon.daemon import Daemon
from companion.daemon.log import DaemonLog, log_path
from companion.ports import NoProgress
from companion.records.team import TeamRecord
from companion.store.opening import open_store
from companion.team.text import record_id


@dataclass
class Desk:
    """A daemon and the repository that its user works in."""

    daemon: Daemon
    root: Path

    @property
    def asks(self) -> Companion:
        return self.daemon.companion(self.root)

    def share(self, text: str) -> None:
        noted = self.asks.remember(Note(text))
        self.asks.team_share([noted.id])

    @property
    def project(self) -> str:
        return self.daemon.checkouts.of(self.root).project

    def make(self, *made: TeamRecord) -> list[str]:
        """Have records that were made here; returns their ids."""
        named = {record_id(one): one for one in made}
        runtime = self.daemon.runtime
        exchange.records_of(runtime).add(self.project, named, runtime.adapters.clock.now())
        self.wake()
        return list(named)

    def wake(self) -> None:
        """Have the daemon synchronise now."""
        self.daemon.runtime.one(ServerStates).wake(self.project)

    @property
    def known(self) -> set[str]:
        return set(exchange.records_of(self.daemon.runtime).known(self.project))

    @property
    def says(self) -> str:
        return " ".join(one.text for one in self.asks.team_status().shared)

    @property
    def log(self) -> str:
        """What the daemon wrote down."""
        return log_path(self.daemon.runtime.store.home).read_text()

    @property
    def online(self) -> bool | None:
        server = self.asks.team_status().server
        return server.online if server is not None else None

    @property
    def notes(self) -> tuple[str, ...]:
        """What `companion status` says of the repository beside what it watches."""
        (watched,) = self.daemon.state().repositories
        return watched.notes


@contextmanager
def desk(folder: Path, name: str) -> Iterator[Desk]:
    root = repository(folder / "repo", name)
    database = open_store(blank_home(folder / "home"), wait_s=0.2, memory_limit="200MB")
    runtime = runtime_over(database, Settings(), Adapters(FakeClock(), WordCounter(), SecretRedactor(), HashEmbedder()))
    daemon = Daemon(runtime, DaemonLog(folder / "home"), idle_s=3_600, watch=WatchBy.OFF)
    daemon.start()
    try:
        daemon.companion(root).scan(NoProgress())
        yield Desk(daemon, root)
    finally:
        daemon.close()
        runtime.close()
