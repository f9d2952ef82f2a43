"""Being the daemon of a store, from taking the lock to letting go of it: exactly one process at a time is."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from msgspec import Struct

from companion.__about__ import __version__
from companion.adapters.clock import SystemClock
from companion.api import Host
from companion.app.compose import open_runtime
from companion.config import Settings, WatchBy, chosen, write_private
from companion.daemon import listeners
from companion.daemon.daemon import Daemon
from companion.daemon.log import DaemonLog

Serve = Callable[[Host, Sequence[socket.socket], str], None]
"""Answers on bound sockets for a host until it stops; the text is what must be said on those that are not private."""

STORE_WAIT_S = 20.0
"""A daemon waits for a command that has the store open: most take a second, and somebody waits for the daemon."""
TURNS_S = 0.001
"""How long a thread computes before another gets its turn, a fifth of Python's own figure: while three others ask, the
writer takes a change in within four fifths of the time, and answers are no fewer."""
FILES_OPEN = 1_024
"""Files and connections a daemon may have open, as most systems allow: the limits of its listeners are made for it."""
HAS_UNIX = hasattr(socket, "AF_UNIX") and os.name == "posix"
CARD_NAME = "owner.json"


class Listeners(Struct, frozen=True):
    """The sockets a daemon listens on: `path` is the private one's, `port` the loopback one's, 0 if there is none."""

    sockets: tuple[socket.socket, ...]
    path: str
    port: int
    token_path: str
    token: str

    @property
    def says(self) -> str:
        """The addresses as people read them."""
        told = [f"unix:{self.path}"] if self.path else []
        return ", ".join([*told, *([f"http://127.0.0.1:{self.port}"] if self.port else [])])


def run_daemon(home: Path, settings: Settings, serve: Serve, *, api: int, http_port: int | None) -> None:
    """Own the store in `home` and have `serve` answer for it, until it is time to leave.

    The caller holds the daemon's lock and keeps it until this returns. `api` is the protocol's number, `http_port`
    a loopback port to listen on too (0: any that is free). Raises StoreError, UsageError.
    """
    sys.setswitchinterval(TURNS_S)
    _allow_files()
    waiting = replace(settings, store_wait_s=max(settings.store_wait_s, STORE_WAIT_S))
    runtime = open_runtime(home, waiting, SystemClock(), keep_model=True)
    try:
        runtime.store.database.need_writable()
        with _listeners(home, http_port) as opened:
            log = DaemonLog(home)
            log.said("started", version=__version__, pid=os.getpid())  # whoever finds the service finds its log
            watch = chosen(WatchBy, "watch", settings.watch)
            daemon = Daemon(runtime, log, idle_s=settings.daemon_idle_s, watch=watch, address=opened.says)
            with _signals(daemon), _card(home, opened, api):
                daemon.start()
                try:
                    serve(daemon, opened.sockets, opened.token)
                finally:
                    daemon.stop("the listener is closed")
                    clean = daemon.close()
    except BaseException:
        runtime.close()
        raise
    if not clean:
        os._exit(0)  # as after a crash: the log beside the store holds everything, and no thread is cut in DuckDB
    runtime.close()


def _allow_files() -> None:
    """Have the system let this process open enough files, where it says fewer and may be told more."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if soft != resource.RLIM_INFINITY and soft < FILES_OPEN:
            most = FILES_OPEN if hard == resource.RLIM_INFINITY else min(FILES_OPEN, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


@contextmanager
def _listeners(home: Path, http_port: int | None) -> Iterator[Listeners]:
    """Listen, and at the end leave no socket behind."""
    private = listeners.unix_listener(home) if HAS_UNIX else None
    path = private.getsockname() if private is not None else ""
    loopback = None
    try:
        token_path, token = Path(), ""
        if http_port is not None or private is None:
            loopback = listeners.loopback_listener(http_port or 0)
            token_path, token = listeners.keep_token(home)
        port = loopback.getsockname()[1] if loopback is not None else 0
        sockets = tuple(one for one in (private, loopback) if one is not None)
        yield Listeners(sockets, path, port, str(token_path) if token else "", token)
    finally:
        for one in (private, loopback):
            if one is not None:
                one.close()
        if path:
            Path(path).unlink(missing_ok=True)


@contextmanager
def _card(home: Path, opened: Listeners, api: int) -> Iterator[None]:
    """Say in `owner.json` who owns the store and where to ask, for as long as that is so."""
    path = home / CARD_NAME
    card = {
        "pid": os.getpid(),
        "version": __version__,
        "api": api,
        "socket": opened.path,
        "port": opened.port,
        "token": opened.token_path,
    }
    write_private(path, json.dumps(card, indent=2) + "\n")
    try:
        yield
    finally:
        try:
            if json.loads(path.read_text("utf-8"))["pid"] == os.getpid():  # a moved home may have another daemon by now
                path.unlink(missing_ok=True)
        except (OSError, ValueError, KeyError):
            pass


@contextmanager
def _signals(daemon: Daemon) -> Iterator[None]:
    """A signal to end has the daemon end in good order, by a thread that waits for no lock the signal interrupted."""

    def told(number: int, _: object) -> None:
        threading.Thread(target=daemon.stop, args=(signal.Signals(number).name,), name="companion-signal").start()

    wanted = [signal.SIGTERM, signal.SIGINT]
    if sys.platform == "win32":
        wanted.append(signal.SIGBREAK)
    before = {number: signal.signal(number, told) for number in wanted}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
