"""One connection to a server, by an address as people write it: opened when needed, cut when an answer takes too long.

Its errors are told as ours.
"""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from companion.errors import CompanionError, TeamServerRefused, TeamServerUnreachable

if TYPE_CHECKING:
    from psycopg import Connection as PostgresConnection
    from psycopg import Error, Notify
import importlib
import ipaddress
import os
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import UsageError

if TYPE_CHECKING:
    from types import ModuleType


CONNECT_S = 5
"""A server that does not greet within it is not there."""
ANSWER_S = 30.0
"""The longest that one question waits, for a batch over a slow line; who works at the laptop never waits for it."""
SAID_CHARACTERS = 200
"""Of what a server says: a sentence."""
KEEPALIVES = {"keepalives": 1, "keepalives_idle": 60, "keepalives_interval": 15, "keepalives_count": 4}
"""A silent line is known to be dead after two minutes, by packets of the system."""
_PASSING = ("08", "40", "53", "55", "57", "58", "25006", "XX")
"""Beginnings of states that pass: no connection, no room on the disk, a restart, a replica that only reads."""
NO_STATE = "no state"
LOG_IN = "Put it into ~/.pgpass or the keyring, then run `companion team sync`."
NOT_IT = "password authentication failed"
"""What a server says that speaks English; another one is taken for absent, and what it says is told."""


class ServerConnection:
    """A connection that comes back. Of one thread at a time, but for `wake` and `cut`."""

    def __init__(self, url: str, channel: str = "") -> None:
        """`channel` is what is listened to. Raises UsageError for a URL that may not be used."""
        self._given = checked_address(url)
        self._channel = channel
        self.checked = False
        """Whether who asks has looked at what this connection leads to."""
        self._open: PostgresConnection | None = None
        self._told = False
        self._closed = False
        self._near, self._far = socket.socketpair()
        self._near.setblocking(False)
        self._far.setblocking(False)

    @contextmanager
    def transaction(self, within_s: float = ANSWER_S) -> Iterator[PostgresConnection]:
        """While the block lasts a transaction is open, committed at its end; it is cut off after `within_s` seconds.

        Raises TeamServerUnreachable, TeamServerRefused.
        """
        watch = threading.Timer(within_s, self.cut)
        watch.daemon = True
        watch.start()
        try:
            connection = self._opened()
            with connection.transaction():
                yield connection
        except driver().Error as wrong:
            self._let_go()
            raise _ours(wrong) from None
        finally:
            watch.cancel()

    def wait(self, seconds: float | None) -> None:
        """Wait until the channel has news or the connection ends, `wake` is called, or the time is over."""
        if not self._told and not self._closed:
            line = [] if self._open is None else [self._open.fileno()]
            news, _, _ = select.select([self._near.fileno(), *line], [], [], seconds)
            if set(news) & set(line):
                with suppress(CompanionError), self.transaction() as connection:
                    connection.execute("select 1")  # has what came read, and a line that ended noticed
        self._told = False
        with suppress(BlockingIOError):
            while self._near.recv(512):
                pass

    def wake(self) -> None:
        """Have `wait` return."""
        with suppress(OSError):  # full of earlier calls, or closed
            self._far.send(b"1")

    def cut(self) -> None:
        """End the connection at once, whoever waits for it."""
        connection = self._open
        if connection is not None and not connection.closed:
            with suppress(OSError):
                line = socket.socket(fileno=connection.fileno())
                with suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)
                line.detach()

    def close(self) -> None:
        """No more: what is being asked ends, and so does what waits."""
        self._closed = True
        self.cut()
        self.wake()

    def release(self) -> None:
        """Let go of everything; by the thread that asked, when it asks no more."""
        self.close()
        self._let_go()
        self._near.close()
        self._far.close()

    def _opened(self) -> PostgresConnection:
        if self._closed:
            raise TeamServerUnreachable("The connection to the team's server was closed.")
        if self._open is None:
            psycopg = driver()
            secret = keyring_password(self._given)
            given = {**KEEPALIVES, **self._given, **({"password": secret} if secret else {})}
            given.setdefault("connect_timeout", CONNECT_S)
            given.setdefault("application_name", "companion")
            self._open, self.checked = psycopg.connect(autocommit=True, **given), False
            # Positions are given under a lock, behind what others committed while it was waited for.
            self._open.isolation_level = psycopg.IsolationLevel.READ_COMMITTED
            self._open.add_notify_handler(self._heard)
            if self._channel:
                self._open.execute(psycopg.sql.SQL("listen {}").format(psycopg.sql.Identifier(self._channel)))
        return self._open

    def _heard(self, notice: Notify) -> None:
        """Others appended something; what came from here is known."""
        if self._open is None or notice.pid != self._open.info.backend_pid:
            self._told = True

    def _let_go(self) -> None:
        connection, self._open = self._open, None
        if connection is not None:
            with suppress(Exception):  # whatever became of it
                connection.close()


def _ours(wrong: Error) -> CompanionError:
    """What a server or the way to it says, as an error that says whether to ask again."""
    said = " ".join((wrong.diag.message_primary or str(wrong)).split())[:SAID_CHARACTERS].rstrip(".?! ")
    state = wrong.sqlstate or NO_STATE
    tried = wrong.pgconn
    if tried is not None and (tried.needs_password or (tried.used_password and NOT_IT in said)):
        return TeamServerRefused(f"The team's server wants a password: {said}.", LOG_IN)
    if state.startswith(_PASSING) or (state == NO_STATE and isinstance(wrong, driver().OperationalError)):
        return TeamServerUnreachable(f"The team's server cannot be used now: {said}.", "Local work goes on without it.")
    return TeamServerRefused(f"The team's server refused: {said}.", "Ask who looks after it.")


SCHEMES = ("postgresql://", "postgres://")
ENCRYPTED = ("require", "verify-ca", "verify-full")
"""Values of `sslmode` that never fall back to plain text."""
KEYRING_SERVICE = "companion team"
"""Under this name and the user's a password may lie in the system's keyring."""
INSTALL = "Run `pip install 'companion-context[team]'`."


def driver() -> ModuleType:
    """The package psycopg. Raises TeamServerRefused where it is not installed."""
    try:
        return importlib.import_module("psycopg")
    except ImportError:
        raise TeamServerRefused("psycopg, which speaks to PostgreSQL, is not installed.", INSTALL) from None


def checked_address(url: str) -> dict[str, str]:
    """The parameters of a connection to a URL, with `sslmode` set where the server is not on this machine.

    Raises UsageError for what is no URL of PostgreSQL, has a password in it, or asks for plain text over a network.
    """
    if not url.startswith(SCHEMES):
        raise UsageError("This is not the URL of a PostgreSQL server.", "It looks like `postgresql://user@host/base`.")
    psycopg = driver()
    try:
        given: dict[str, str] = importlib.import_module("psycopg.conninfo").conninfo_to_dict(url)
    except psycopg.Error:  # its words may repeat a password
        raise UsageError(
            "The URL of the server cannot be read.", "It looks like `postgresql://user@host/base`."
        ) from None
    if {"password", "sslpassword"} & given.keys():
        raise UsageError(
            "There is a password in the URL. It was not kept.",
            "Put it into PGPASSWORD, ~/.pgpass or the keyring, and leave it out of the URL.",
        )
    if _on_this_machine(given):
        return given
    mode = given.setdefault("sslmode", "verify-full")
    if mode not in ENCRYPTED:
        raise UsageError(
            f"`sslmode={mode}` may send what your team shares over the network as plain text.",
            f"Use one of {', '.join(ENCRYPTED)}; `verify-full` unless you say otherwise.",
        )
    if mode == "verify-full" and not (given.get("sslrootcert") or os.environ.get("PGSSLROOTCERT") or _own_roots()):
        given["sslrootcert"] = "system"
    return given


def keyring_password(given: dict[str, str]) -> str | None:
    """The password that the keyring has for a user of a server, if there is a keyring and no other password is set."""
    if os.environ.get("PGPASSWORD") or not given.get("user"):
        return None
    with suppress(Exception):  # a keyring that is locked or has no backend: then the server says that one is missing
        found: str | None = importlib.import_module("keyring").get_password(KEYRING_SERVICE, given["user"])
        return found
    return None


def _on_this_machine(given: dict[str, str]) -> bool:
    hosts = given.get("hostaddr") or given.get("host") or os.environ.get("PGHOSTADDR") or os.environ.get("PGHOST", "")
    if not hosts:  # a socket of this machine, unless a service file names another
        return not (given.get("service") or os.environ.get("PGSERVICE"))
    return all(map(_is_loopback, str(hosts).split(",")))


def _is_loopback(host: str) -> bool:
    if host.startswith(("/", "@")) or host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _own_roots() -> bool:
    """Whether the user has certificates of their own for PostgreSQL, which it reads by itself."""
    return (Path.home() / ".postgresql" / "root.crt").exists()
