"""The thin way to a companion: finds who can answer for a repository, importing almost nothing itself.

    finding.py   is there a daemon of the store, and where
    starting.py  start one, have an older one replaced, end one
    hosting.py   be one
    remote.py    ask one
    stream.py    stay attached to one, and hear its news
    companions.py      both of these for several repositories

Where no daemon lives and none is wanted, the store is opened in this process.
"""

from __future__ import annotations

import os
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from companion.client.finding import lock_is_held

if TYPE_CHECKING:  # a cold shell that only asks a daemon waits for none of these
    from collections.abc import Callable
    from pathlib import Path

    from companion.api import Companion, DaemonState, Finding, News
    from companion.app.scheduled import ScheduleLog
    from companion.client.finding import Address
    from companion.client.stream import Attachment
    from companion.config import DaemonUse
    from companion.errors import StoreHeld

BLAS_THREADS = "OPENBLAS_NUM_THREADS"
"""How many threads numpy starts as it is loaded. No product in one context is worth a second one, whose start takes
as long as loading numpy."""


def connect(path: Path, *, start: bool = False, anywhere: bool = False, patient: bool = True) -> Companion:
    """A companion for the repository that `path` lies in; the caller closes it.

    With `anywhere` it need not lie in one: what is the user's own is known everywhere. A living daemon is asked.
    Where there is none, `start` (or the setting `daemon`) has one started; else the store is opened in this process;
    if another process holds it, this waits for a moment. Who asks once and leaves is not `patient`: then no model is
    loaded in this process.

    Raises:
        NotARepository: there is no git repository at the path, and it may not be anywhere.
        StoreHeld: another process keeps the store.
        StoreError: no daemon could be started, or a newer one does not understand us.
    """
    from companion.config import DaemonUse, data_home
    from companion.errors import StoreHeld, StoreUnwritable

    home = data_home()
    use = daemon_use(home)
    with suppress(StoreUnwritable):  # then no daemon can be, and what is there is read in this process
        if (
            use is not DaemonUse.NEVER
            and (address := _daemon(home, start=start or use is DaemonUse.ALWAYS)) is not None
        ):
            return _remote(home, path, address)
    if not patient:
        os.environ.setdefault(BLAS_THREADS, "1")
    from companion.app.compose import open_companion

    try:
        return open_companion(path, anywhere=anywhere, patient=patient).verbs
    except StoreHeld as wrong:
        if use is DaemonUse.NEVER:
            raise
        if (address := _daemon(home, start=False)) is not None:  # it came up meanwhile
            return _remote(home, path, address)
        _wait_for_its_end(home, wrong)
    return open_companion(path, anywhere=anywhere, patient=patient).verbs


def _wait_for_its_end(home: Path, held: StoreHeld) -> None:
    """Wait for a daemon that is ending and still holds the store.

    Raises StoreHeld where another process holds it, or the daemon does not end in time.
    """
    from companion.client.finding import lock_holder
    from companion.client.starting import LOOK_EVERY_S, STOP_WAIT_S
    from companion.errors import StoreHeld

    deadline, ours = time.monotonic() + STOP_WAIT_S, lock_holder(home)
    if held.holder_pid != ours and not (held.holder_pid is None and lock_is_held(home)):
        raise held
    while lock_is_held(home):
        if time.monotonic() > deadline:
            raise StoreHeld(
                f"The background service, process {ours}, is ending and still holds the store in {home}.",
                "Try again in a moment; `companion logs` shows what it finishes.",
                ours,
            ) from held
        time.sleep(LOOK_EVERY_S)


def attach(
    path: Path, on_news: Callable[[News], None], on_lost: Callable[[str], None] = lambda why: None
) -> Attachment:
    """Stay attached to the daemon, which is started where it is missing, until the attachment is closed.

    `on_news` gets the news of the repository that `path` lies in. When the daemon is lost, `on_lost` is told
    why, once, and another is started - unless it was ended on purpose: then the next to ask starts one. Both are
    called on a thread of the attachment.
    """
    from companion.client.finding import find_daemon
    from companion.client.starting import start_daemon
    from companion.client.stream import Attachment
    from companion.config import data_home

    home = data_home()
    return Attachment(path, on_news, lambda: start_daemon(home), on_lost, lambda: find_daemon(home))


def daemon_state(home: Path | None = None) -> DaemonState | None:
    """Who the daemon is and what it does; None if there is none."""
    from pathlib import Path

    from companion.client.finding import find_daemon
    from companion.client.remote import RemoteCompanion
    from companion.config import data_home

    address = find_daemon(home or data_home())
    if address is None:
        return None
    with closing(RemoteCompanion(address, Path())) as companion:
        return companion.state()


def schedule_log(root: str) -> ScheduleLog:
    """The log of the runs that the system starts by itself for the checkout at `root`."""
    from companion.app.scheduled import ScheduleLog
    from companion.config import data_home

    return ScheduleLog(data_home(), root)


def page_link(path: Path) -> str:
    """A link to the local page of the repository that `path` lies in; it works once, within a minute.

    A daemon serves it, and is started where there is none. Raises UsageError where the setting `daemon` forbids that,
    NotARepository, StoreError.
    """
    from companion.client.remote import RemoteCompanion
    from companion.client.starting import start_daemon
    from companion.config import DaemonUse, data_home
    from companion.errors import UsageError

    home = data_home()
    if daemon_use(home) is DaemonUse.NEVER:
        raise UsageError(
            "The page is served by the background service, and the setting `daemon` says never.",
            "Set it to auto, in config.toml or as COMPANION_DAEMON=auto.",
        )
    with closing(RemoteCompanion(start_daemon(home), path)) as companion:
        return companion.page()


def daemon_use(home: Path) -> DaemonUse:
    """What the setting `daemon` says. Raises UsageError for what it may not say."""
    from companion.config import DaemonUse, chosen, load_settings

    return chosen(DaemonUse, "daemon", os.environ.get("COMPANION_DAEMON") or load_settings(home).daemon)


def examine(path: Path, *, repair: bool) -> tuple[Finding, ...]:
    """Check store, indexes, models and repository, even where the store cannot be opened.

    A daemon checks what it has open; mending is done without one, so it is asked to end before, and another
    is started afterwards.
    """
    from companion.app import doctor
    from companion.config import DaemonUse, data_home

    home = data_home()
    if repair and daemon_use(home) is not DaemonUse.NEVER:
        from companion.client.starting import stop_daemon

        had_daemon = stop_daemon(home, why="the store is to be repaired") is not None
        found = doctor.examine(path, repair=True)
        return (*found, *_daemon_again(home)) if had_daemon else found
    if (address := _daemon(home, start=False)) is not None:
        with closing(_remote(home, path, address)) as companion:
            return companion.doctor()
    return doctor.examine(path, repair=repair)


def _daemon_again(home: Path) -> tuple[Finding, ...]:
    """Start a daemon in place of the one that ended; what is to be said if none could be."""
    from companion.api import Finding
    from companion.client.starting import start_daemon
    from companion.errors import CompanionError

    try:
        start_daemon(home)
    except CompanionError as wrong:
        return (Finding("daemon", "warning", f"It was ended and none could be started: {wrong.what}", wrong.next_step),)
    return ()


def settings_table() -> tuple[tuple[str, str, str, str], ...]:
    """Every setting: name, value in force, default, reason."""
    from companion.app import doctor

    return doctor.settings_table()


def _daemon(home: Path, *, start: bool) -> Address | None:
    """The daemon that there is, or the one that is coming up; `start` has one started."""
    if not start and not lock_is_held(home):
        return None
    from companion.client.starting import awaited_daemon, start_daemon
    from companion.config import load_settings

    return start_daemon(home) if start else awaited_daemon(home, load_settings(home).store_wait_s)


def _remote(home: Path, path: Path, address: Address) -> Companion:
    """A companion that asks a daemon; where that ends another is found, or started."""
    from companion.client.remote import companion_of

    def again() -> Address:
        from companion.client.starting import start_daemon

        return start_daemon(home)

    return companion_of(address, path, again)
