"""Laptops for tests: a store of its own each, that shares one project with a team's server."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from pathlib import Path

from blank import blank_home
from fakes import FakeClock, HashEmbedder, WordCounter

from companion.adapters.postgres.server import PostgresServer
from companion.adapters.secrets import SecretRedactor
from companion.app.local import LocalCompanion
from companion.app.runtime import Adapters, runtime_over
from companion.app.team import exchange
from companion.app.team.linking import ServerLink, set_link
from companion.app.team.syncing import Synced, add_vectors, synchronise
from companion.config import Settings
from companion.records.team import TeamRecord
from companion.signals import git
from companion.store import projects
from companion.store.opening import open_store
from companion.team.text import record_id

PROJECT = "shop"
"""What the project is called on the server."""


def repository(folder: Path, name: str) -> Path:
    """A repository of one commit, the same whoever makes it, whose user has a name."""
    folder.mkdir(parents=True)
    told = {
        "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
        "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
        "HOME": str(folder),
    }
    first = ("-c", "user.name=First", "-c", "user.email=first@example.org")
    for words in (
        ("init", "-q", "-b", "main"),
        (*first, "commit", "-q", "--allow-empty", "-m", "Begin"),
        ("config", "user.name", name),
        ("config", "user.email", f"{name.lower()}@example.org"),
    ):
        subprocess.run(
            ["git", "-C", str(folder), *words], check=True, env={"PATH": "/usr/bin:/bin:/usr/local/bin", **told}
        )
    return folder


class WideEmbedder(HashEmbedder):
    """Of vectors as long as those that servers keep."""

    model = "hash-384"
    dimension = 384


@dataclass
class Laptop:
    """One store and its checkout."""

    here: LocalCompanion
    home: Path

    def make(self, *records: TeamRecord) -> list[str]:
        """Have records that were made here; returns their ids."""
        named = {record_id(one): one for one in records}
        exchange.records_of(self.here.runtime).add(self.here.project, named, self.here.now())
        return list(named)

    @property
    def known(self) -> set[str]:
        return set(exchange.records_of(self.here.runtime).known(self.here.project))

    def sync(self, url: str, *, vectors: bool = False, go_on: Callable[[], bool] = lambda: True) -> Synced:
        """Synchronise once over a connection of its own."""
        one = PostgresServer(url, PROJECT, WideEmbedder.model)
        try:
            done = synchronise(self.here, one, go_on)
            if vectors:
                add_vectors(self.here, one)
            return done
        finally:
            one.release()


@contextmanager
def laptop(folder: Path, name: str, url: str = "") -> Iterator[Laptop]:
    """A laptop in a folder; what is there already is gone on with."""
    root = folder / "repo"
    if not root.exists():
        repository(root, name)
    home = blank_home(folder / "home")
    database = open_store(home, wait_s=5.0, memory_limit="200MB")
    runtime = runtime_over(database, Settings(), Adapters(FakeClock(), WordCounter(), SecretRedactor(), WideEmbedder()))
    state = git.open_repository(root)
    project, checkout = projects.identify(database, state, runtime.adapters.clock.now())
    here = LocalCompanion(runtime, state, project, checkout)
    if url:
        set_link(runtime, project, ServerLink(url, PROJECT))
    try:
        yield Laptop(here, home)
    finally:
        here.close()


def all_equal(laptops: Sequence[Laptop]) -> bool:
    return len({frozenset(one.known) for one in laptops}) == 1


def push_all(folder: Path, url: str, begun: Event) -> None:
    """Synchronise Ada's laptop, in a process that may be killed from `begun` on."""
    with laptop(folder, "Ada") as ada:
        begun.set()
        ada.sync(url)
