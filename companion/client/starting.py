"""Starting a daemon where none lives, having an older one replaced, and ending one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from companion.__about__ import __version__
from companion.client.finding import API, Address, find_daemon, lock_holder, lock_is_held, read_card, try_lock
from companion.client.speaking import ask
from companion.errors import StoreError, StoreUnwritable

START_WAIT_S = 30.0
"""How long a daemon may take to come up: it needs half a second, on a busy computer ten, and waits for the store."""
STOP_WAIT_S = 30.0
"""How long a daemon may take to end: it finishes what it writes, and answers that are being made."""
LOOK_EVERY_S = 0.02
"""Pause between two looks while one waits for a process to come or go; a look takes a tenth of a millisecond."""
TRIES = 2
"""Daemons started before giving up: the first may have met a command that was just leaving."""
STARTING_NAME = "owner.starting"
"""File in the data folder that whoever starts a daemon locks meanwhile."""
OUTPUT_NAME = "owner.out"
"""File in the log folder with what the newest daemon says before it has a log, such as why it cannot start."""
SAID_MAX_BYTES = 2_000
"""Of that, as much as an error shows."""

DAEMONS = {"MALLOC_ARENA_MAX": "2", "OPENBLAS_NUM_THREADS": "1"}
"""What a daemon's environment says unless somebody's says otherwise.

Two heaps of the GNU C library: one for each of a dozen threads would keep 100 MB that nobody uses. One thread for
sums: a second spins while it waits, which takes the processor from whoever asks; what is near what was found with
10 s of processor time instead of 24 on two busy cores.
"""

KEPT = frozenset(
    [
        "PATH",
        "HOME",
        "USER",
        "LOGNAME",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TMPDIR",
        "TEMP",
        "TMP",
        "SHELL",
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
        "VIRTUAL_ENV",
        "SYSTEMROOT",
        "SYSTEMDRIVE",
        "WINDIR",
        "COMSPEC",
        "PATHEXT",
        "APPDATA",
        "LOCALAPPDATA",
        "USERPROFILE",
        "PROGRAMDATA",
    ]
)
KEPT_BEGINNINGS = ("COMPANION_", "XDG_", "LC_", "PYTHON", "GIT_CONFIG_", "GIT_CEILING_", "COVERAGE_")
"""What of the environment a daemon needs. It outlives the shell that started it, and keeps no secrets of it."""


def living_daemon(home: Path) -> Address | None:
    """The daemon of a home, if it speaks as we do. An older one is asked to end, and None is the answer.

    Raises StoreError for a newer one that no longer understands this program.
    """
    found = find_daemon(home)
    if found is None:
        return None
    if is_older(found):
        stop_daemon(home, why="a newer version is there")
        return None
    if found.api != API:
        raise StoreError(
            f"The background service of the store in {home} is companion {found.version}; this is {__version__}.",
            "Upgrade with `pip install --upgrade companion-context`, or end the other with its own `companion stop`.",
        )
    return found


def awaited_daemon(home: Path, wait_s: float) -> Address | None:
    """The daemon of a home, waited for where it is only coming up; None if there is none."""
    deadline = time.monotonic() + wait_s
    while (found := living_daemon(home)) is None and lock_is_held(home) and time.monotonic() < deadline:
        time.sleep(LOOK_EVERY_S)
    return found


def is_older(address: Address) -> bool:
    """Whether a daemon is older than this program, and is to make way."""
    return (address.api, _parts(address.version)) < (API, _parts(__version__))


def start_daemon(home: Path) -> Address:
    """A daemon of the home, started if there is none; of many who start at once, all find the same one.

    Only one of them starts a process, the others wait for it. Raises StoreUnwritable where nothing can be kept,
    StoreError if no daemon comes up in time, with what it said.
    """
    from companion.config import make_home, why_unwritable

    deadline = time.monotonic() + START_WAIT_S
    if (found := living_daemon(home)) is not None:
        return found
    try:
        make_home(home)
        why = why_unwritable(home)
        handle = -1 if why else os.open(home / STARTING_NAME, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as wrong:
        why = wrong.strerror or str(wrong)
    if why:
        raise StoreUnwritable(
            f"The background service cannot be started: {home} cannot be written: {why}.",
            "Free some space or make the folder writable, or set COMPANION_HOME to another folder.",
        )
    try:
        while time.monotonic() < deadline:
            if (found := living_daemon(home)) is not None:
                return found
            if try_lock(handle):
                return _started(home, deadline)
            time.sleep(LOOK_EVERY_S)
    finally:
        os.close(handle)
    raise _none_came(home)


def _started(home: Path, deadline: float) -> Address:
    """A fresh daemon, unless one comes up by itself meanwhile; for whoever alone may start one."""
    process: subprocess.Popen[bytes] | None = None
    tries = 0
    while time.monotonic() < deadline:
        if (found := living_daemon(home)) is not None:
            return found
        if (process is None or process.poll() is not None) and not lock_is_held(home):
            if tries == TRIES:
                break
            process, tries = spawn(home), tries + 1
        time.sleep(LOOK_EVERY_S)
    raise _none_came(home)


def _none_came(home: Path) -> StoreError:
    return StoreError(
        f"The background service did not start for the store in {home}. {_last_words(home)}".strip(),
        "See `companion logs`.",
    )


def spawn(home: Path) -> subprocess.Popen[bytes]:
    """Start `companion serve` for a home, of nobody's session, terminal or folder."""
    folder = home / "logs"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    command = [sys.executable, "-P", "-W", "ignore", "-m", "companion.surfaces.cli", "serve"]
    environment = {name: value for name, value in os.environ.items() if is_kept(name)}
    environment["COMPANION_HOME"] = str(home)
    environment = DAEMONS | environment
    detached = getattr(subprocess, "DETACHED_PROCESS", 0) | getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    said = os.open(folder / OUTPUT_NAME, os.O_CREAT | os.O_WRONLY | os.O_TRUNC | os.O_APPEND, 0o600)
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            cwd=home,
            env=environment,
            start_new_session=True,
            creationflags=detached,
        )
    finally:
        os.close(said)
    threading.Thread(target=process.wait, name="companion-reaper", daemon=True).start()  # else it stays as a zombie
    return process


def is_kept(name: str) -> bool:
    """Whether a daemon is given a variable of the environment."""
    return name.upper() in KEPT or name.startswith(KEPT_BEGINNINGS)


def _last_words(home: Path) -> str:
    """What a daemon said that could not start, or ended badly; empty if nothing. It is told to say no warnings."""
    try:
        said = (home / "logs" / OUTPUT_NAME).read_bytes()[-SAID_MAX_BYTES:].decode("utf-8", "replace")
    except OSError:
        return ""
    return " ".join(said.split())


def stop_daemon(home: Path, wait_s: float = STOP_WAIT_S, why: str = "asked to") -> int | None:
    """Have the daemon end in good order and wait until it is gone; its process id, None if there was none.

    Raises StoreError if it does not end in time.
    """
    asked: Address | None = None
    deadline = time.monotonic() + wait_s
    while lock_is_held(home):
        card = read_card(home)
        if card is not None and card != asked:  # the first may be one that a dead daemon left, while another comes up
            asked = card
            _ask_to_end(home, card, why, wait_s)
        if time.monotonic() > deadline:
            raise StoreError(
                f"The background service, process {lock_holder(home) or '?'}, has not ended within {wait_s:g} s.",
                "See `companion logs`; it may be finishing a large scan. End the process if you must: nothing is lost.",
            )
        time.sleep(LOOK_EVERY_S)
    return None if asked is None else asked.pid


def _ask_to_end(home: Path, card: Address, why: str, wait_s: float) -> None:
    """Ask whom a card names. One that is deaf gets a signal, if it is the process that holds the lock."""
    try:
        ask(card, "POST", "/stop", {"why": why}, timeout_s=wait_s)
    except (OSError, ValueError):
        if lock_holder(home) == card.pid:
            with suppress(OSError):
                os.kill(card.pid, signal.SIGTERM)


def _parts(version: str) -> tuple[int, ...]:
    """A version's numbers, for comparing; what is no number counts as none."""
    return tuple(int(part) for part in version.split("+", maxsplit=1)[0].split(".") if part.isdigit())
