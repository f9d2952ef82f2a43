"""Who is at the other end of a Unix socket, as the system says."""

from __future__ import annotations

import os
import socket
import struct
import sys

_LINUX = struct.Struct("3i")
"""`struct ucred`: process, user, group."""
_BSD = struct.Struct("=II")
"""The beginning of `struct xucred`: its version, the user."""
LOOPBACK_HEX = "0100007F" if sys.byteorder == "little" else "7F000001"
_OWN_END, _USER = 1, 7
"""Columns of Linux's table of TCP connections: the end it is told for, and whose it is."""
_SOL_LOCAL, _LOCAL_PEERCRED = 0, 1
_XUCRED_BYTES = 76


def peer_user(plug: socket.socket) -> int | None:
    """The user id of the process at the other end; None where the system does not tell."""
    if sys.platform == "linux":
        _, user, _ = _LINUX.unpack(plug.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _LINUX.size))
        return int(user)
    if sys.platform == "darwin" or "bsd" in sys.platform:
        _, user = _BSD.unpack_from(plug.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES))
        return int(user)
    return None


def is_anothers(port: int) -> bool:
    """Whether the loopback connection from a port is another user's, as Linux tells; elsewhere nobody can say so.

    One of root counts as ours: it may do everything anyhow, and forwards ports for browsers outside, as in WSL.
    """
    try:
        with open("/proc/net/tcp", encoding="ascii") as opened:
            rows = [line.split() for line in opened]
    except OSError:
        return False
    ours = f"{LOOPBACK_HEX}:{port:04X}"
    users = {int(row[_USER]) for row in rows if len(row) > _USER and row[_OWN_END] == ours and row[_USER].isdigit()}
    return bool(users) and not users & {0, os.geteuid()}


def is_ours(plug: socket.socket) -> bool:
    """Whether the other end is the same user's; where the system does not tell, the socket's mode keeps others out."""
    try:
        user = peer_user(plug)
    except OSError:
        return False
    return user is None or user == os.geteuid()
