"""One request to a daemon and its answer, on a connection of its own: nothing that a cold shell would wait for.

What the standard library has for it takes a hundredth of a second to load. A request is one of HTTP/1.0: its answer
ends where the other side hangs up, so one that comes line by line is read as it stands.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterable
from typing import Any, Self

from companion.client.finding import Address, connected

ANSWER_MAX_BYTES = 1_000_000_000
"""The longest answer taken at once: many times the longest transcript."""
HEAD_MAX_BYTES = 65_536
"""Of an answer's head, which has some 200."""
TOKEN_MAX_CHARACTERS = 1_000
"""A token file has one short line."""


class DaemonAnswer:
    """What is answered to one request: the status at once, all else as it comes, to the end of the block."""

    def __init__(self, plug: socket.socket, request: bytes) -> None:
        """Raises OSError if nobody answers, or what comes is no answer."""
        plug.sendall(request)
        self.plug = plug
        self.came = plug.makefile("rb")
        try:
            self.status, self._length = self._head()
        except BaseException:
            self.came.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.came.close()

    def whole(self) -> bytes:
        """All that is said, where the answer tells how much that is. Raises OSError if it is cut off."""
        said = self.came.read(self._length) if 0 <= self._length <= ANSWER_MAX_BYTES else b""
        if len(said) != self._length:
            raise ConnectionError("the answer is cut off")
        return said

    def _head(self) -> tuple[int, int]:
        """The status, and how long the answer is; -1 where that is not said."""
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = self.came.readline(HEAD_MAX_BYTES)
            head += line
            if not line or len(head) > HEAD_MAX_BYTES:
                raise ConnectionError("the answer is cut off")
        first, *lines = head.decode("latin-1").lower().split("\r\n")
        status = first.partition(" ")[2][:3]
        length = next((line.partition(":")[2].strip() for line in lines if line.startswith("content-length:")), "")
        if not first.startswith("http/") or not status.isdigit():
            raise ConnectionError("the answer is none")
        return int(status), int(length) if length.isdigit() else -1


def request_of(address: Address, method: str, path: str, body: object, heads: Iterable[str] = ()) -> bytes:
    """A request as a daemon reads it; `body` is sent as JSON unless it is None.

    Raises OSError or ValueError where the token that must be said on a loopback port cannot be read.
    """
    content = b"" if body is None else json.dumps(body).encode("ascii")
    said = [
        f"{method} {path} HTTP/1.0",
        "Host: companion" if address.socket else f"Host: 127.0.0.1:{address.port}",
        "Content-Type: application/json",
        f"Content-Length: {len(content)}",
        *heads,
    ]
    if address.token and not address.socket:
        with open(address.token, encoding="ascii") as opened:
            said.append(f"Authorization: Bearer {opened.read(TOKEN_MAX_CHARACTERS).strip()}")
    return "\r\n".join([*said, "", ""]).encode("ascii") + content


def ask(address: Address, method: str, path: str, body: object, *, timeout_s: float) -> tuple[int, Any]:
    """Put one request to a daemon: the status, and the answer read as JSON, whatever its shape.

    Raises OSError if nobody answers in time, ValueError for an answer that is none.
    """
    request = request_of(address, method, path, body)
    with connected(address, timeout_s) as plug, DaemonAnswer(plug, request) as answer:
        return answer.status, json.loads(answer.whole())
