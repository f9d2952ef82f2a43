"""Where a daemon listens: a socket in the user's own run-time folder, or a loopback port and a token."""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
import stat
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import platformdirs

from companion.config import write_private
from companion.errors import StoreUnwritable, UsageError

SOCKET_PATH_MAX_BYTES = 100
"""Systems take 103 (macOS) to 107 bytes as the path of a socket."""
BACKLOG = 128
"""Connections that wait to be accepted, such as those of twenty shells and a few editors at once."""
TOKEN_BYTES = 32
TOKEN_NAME = "owner.token"  # noqa: S105 - the name of a file
"""File in the data folder with what a client must say on a loopback port."""


def unix_listener(home: Path) -> socket.socket:
    """A socket that only this user can reach, bound and listening; those of dead daemons of the home are removed.

    To be called by whoever holds the daemon's lock.
    """
    mark = hashlib.sha256(os.fsencode(os.path.realpath(home))).hexdigest()[:12]
    name = f"{mark}-{os.getpid()}.sock"
    wrong: OSError | None = None
    for folder in _folders(home):
        if len(os.fsencode(folder / name)) <= SOCKET_PATH_MAX_BYTES and _is_private(folder):
            for old in folder.glob(f"{mark}-*.sock"):
                old.unlink(missing_ok=True)
            try:
                return _bound(folder / name)
            except OSError as hindrance:  # a file system that knows no sockets, or is full
                wrong = hindrance
    raise StoreUnwritable(
        f"There is no folder of yours alone where a socket can be made{f': {wrong.strerror}' if wrong else ''}.",
        "Set XDG_RUNTIME_DIR to a short path of a folder of yours.",
    )


def _bound(path: Path) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        listener.bind(str(path))
    except OSError:
        listener.close()
        raise
    finally:
        os.umask(before)
    path.chmod(0o600)
    listener.listen(BACKLOG)
    return listener


def loopback_listener(port: int) -> socket.socket:
    """A loopback port, bound and listening; 0 takes any that is free. Raises UsageError if another has it."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    if sys.platform != "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    else:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError as wrong:
        listener.close()
        raise UsageError(
            f"Port {port} of 127.0.0.1 cannot be used: {wrong.strerror}.", "Choose another: `companion serve --http 0`."
        ) from wrong
    listener.listen(BACKLOG)
    return listener


def keep_token(home: Path) -> tuple[Path, str]:
    """A fresh token, in a file that only this user can read."""
    path, token = home / TOKEN_NAME, secrets.token_urlsafe(TOKEN_BYTES)
    write_private(path, token)
    return path, token


def _folders(home: Path) -> Iterator[Path]:
    """Where a socket may lie: the user's run-time folder, the data folder, a fresh folder among temporary files.

    Nobody else can have made the last two first; a client finds the socket by the daemon's card alone.
    """
    yield from _run_time_folder()
    yield home / "run"
    for place in dict.fromkeys((tempfile.gettempdir(), "/tmp")):  # noqa: S108 - what is made there is private
        with suppress(OSError):
            yield Path(tempfile.mkdtemp(prefix="companion-", dir=place))


def _run_time_folder() -> list[Path]:
    """The user's run-time folder; none where another user has made it, or it is a link."""
    with suppress(OSError), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the system names none: another private one is found
        return [Path(platformdirs.user_runtime_dir("companion", appauthor=False))]
    return []


def _is_private(folder: Path) -> bool:
    """Whether a folder is there, or could be made, that only this user can enter."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
            return False
        if found.st_mode & 0o077:
            folder.chmod(0o700)
    except OSError:
        return False
    return os.access(folder, os.W_OK | os.X_OK)
