"""Is there a daemon, and where: asked before every command, so this imports next to nothing.

The file `owner.json` in the data folder says where a daemon listens; whether it still lives is told by
the lock that it holds, never by the file. A file that a dead daemon left behind counts as none.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from typing import NamedTuple

from companion.client.peers import is_ours

API = 2
"""Number of the protocol between a client and a daemon: raised when either would no longer understand the other."""
CALL_AGAIN_S = 0.01
"""Before a socket on which too many wait is tried again."""
LOCK_NAME = "owner.lock"
"""Files keep the names of the first version: a daemon of then is found, and replaced, by those of today."""
CARD_NAME = "owner.json"
CARD_MAX_BYTES = 10_000
"""A daemon writes some 300 bytes; what is longer was not written by one."""
KNOCK_S = 2.0
"""How long a connection to a local socket may take; a living daemon accepts within milliseconds."""


class Address(NamedTuple):
    """Where a daemon listens, and who it is.

    `socket` is the path of a Unix socket, empty where there is none; then `port` is one of 127.0.0.1
    and the file `token` holds what must be said there. A port beside a socket was asked for, by `--http`.
    """

    pid: int
    version: str
    api: int
    socket: str
    port: int
    token: str

    @property
    def says(self) -> str:
        """The address as people read it."""
        return f"unix:{self.socket}" if self.socket else f"http://127.0.0.1:{self.port}"


def home_folder() -> str:
    """The data folder: `COMPANION_HOME`, else the platform's, as in `companion.config.data_home`."""
    override = os.environ.get("COMPANION_HOME")
    if override:
        return os.path.abspath(os.path.expanduser(override))
    import platformdirs

    return platformdirs.user_data_dir("companion", appauthor=False)


def find_daemon(home: str | os.PathLike[str]) -> Address | None:
    """The background service of the store in `home`; None if nobody lives there."""
    address = read_card(home)
    if address is None or not lock_is_held(home):
        return None
    return address if answers(address) else None


def read_card(home: str | os.PathLike[str]) -> Address | None:
    """What `owner.json` says, whether or not it is still true; None if it cannot be read as one."""
    try:
        with open(os.path.join(os.fspath(home), CARD_NAME), "rb") as opened:
            said = json.loads(opened.read(CARD_MAX_BYTES))
        return Address(
            pid=int(said["pid"]),
            version=str(said["version"]),
            api=int(said["api"]),
            socket=str(said["socket"]),
            port=int(said["port"]),
            token=str(said["token"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def lock_is_held(home: str | os.PathLike[str]) -> bool:
    """Whether a living process holds the daemon's lock; the system lets go of it when that process dies."""
    try:
        handle = os.open(os.path.join(os.fspath(home), LOCK_NAME), os.O_RDONLY)
    except OSError:
        return False
    try:
        return not try_lock(handle, shared=True)
    finally:
        os.close(handle)


def sign_lock(handle: int) -> None:
    """Write this process's id into the daemon's lock, behind its first byte, which Windows lets nobody read."""
    os.ftruncate(handle, 0)
    os.write(handle, b"\n%d\n" % os.getpid())
    os.lseek(handle, 0, os.SEEK_SET)


def lock_holder(home: str | os.PathLike[str]) -> int:
    """The process that the daemon's lock names; 0 if it names none. True for as long as the lock is held."""
    try:
        with open(os.path.join(os.fspath(home), LOCK_NAME), "rb") as opened:
            opened.seek(1)
            return int(opened.read(CARD_MAX_BYTES))
    except (OSError, ValueError):
        return 0


def try_lock(handle: int, *, shared: bool = False) -> bool:
    """Lock an open file for this process without waiting; whether that worked. Closing the file unlocks it.

    A `shared` lock is one that only a daemon's keeps out: two who merely look do not see each other.
    """
    try:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        else:
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    except OSError:
        return False
    return True


def answers(address: Address) -> bool:
    """Whether somebody accepts connections at an address."""
    try:
        connected(address, KNOCK_S).close()
    except OSError:
        return False
    return True


def _call(plug: socket.socket, path: str, until_s: float) -> None:
    """Connect to a socket, and wait where as many as may are waiting already. Raises OSError."""
    while True:
        try:
            return plug.connect(path)
        except BlockingIOError:
            if time.monotonic() > until_s:
                raise
            time.sleep(CALL_AGAIN_S)


def connected(address: Address, timeout_s: float) -> socket.socket:
    """A connection to a daemon. Raises OSError, and StoreError where another user serves its socket."""
    if not address.socket:
        plug = socket.create_connection(("127.0.0.1", address.port), timeout_s)
        plug.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else an end waits for word of its beginning
        return plug
    plug = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        plug.settimeout(timeout_s)
        _call(plug, address.socket, time.monotonic() + timeout_s)
        if not is_ours(plug):
            from companion.errors import StoreError

            raise StoreError(
                f"The socket {address.socket} belongs to another user's process, so it is not used.",
                "Remove it, then run `companion stop`, which ends the real background service.",
            )
    except BaseException:
        plug.close()
        raise
    return plug
