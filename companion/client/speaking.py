"""One request to a daemon and its answer, with nothing imported that a cold shell would wait for."""

from __future__ import annotations

import json
import socket
from typing import Any

from companion.client.finding import Address, connected

ANSWER_MAX_BYTES = 64_000_000
"""The longest answer taken: many times the largest context."""
PIECE_BYTES = 65_536
TOKEN_MAX_CHARACTERS = 1_000
"""A token file has one short line."""


def ask(address: Address, method: str, path: str, body: object, *, timeout_s: float) -> tuple[int, Any]:
    """Put one request to a daemon: the status, and the answer read as JSON, whatever its shape.

    Raises OSError if nobody answers in time, ValueError for an answer that is none.
    """
    content = b"" if body is None else json.dumps(body).encode()
    heads = [
        f"{method} {path} HTTP/1.1",
        "Host: companion" if address.socket else f"Host: 127.0.0.1:{address.port}",
        "Connection: close",
        "Content-Type: application/json",
        f"Content-Length: {len(content)}",
    ]
    if not address.socket:
        heads.append(f"Authorization: Bearer {token_of(address)}")
    plug = connected(address, timeout_s)
    try:
        plug.sendall("\r\n".join([*heads, "", ""]).encode("ascii") + content)
        return _read(plug)
    finally:
        plug.close()


def token_of(address: Address) -> str:
    """What must be said on a loopback port. Raises OSError, or ValueError for what is no token."""
    with open(address.token, encoding="ascii") as opened:
        return opened.read(TOKEN_MAX_CHARACTERS).strip()


def _read(plug: socket.socket) -> tuple[int, object]:
    """The answer up to where the other side hangs up."""
    came = bytearray()
    while piece := plug.recv(PIECE_BYTES):
        came += piece
        if len(came) > ANSWER_MAX_BYTES:
            raise ValueError("the answer is too long")
    head, found, content = bytes(came).partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    parts = first.split(" ")
    length = next((line.partition(":")[2].strip() for line in lines if line.lower().startswith("content-length:")), "")
    if not found or len(parts) < 2 or not parts[1].isdigit() or not length.isdigit() or len(content) != int(length):
        raise ValueError("the answer is cut off")
    return int(parts[1]), json.loads(content)
