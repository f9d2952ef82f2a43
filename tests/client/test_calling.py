"""Requests reach an owner that lives, however the one before it died."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest

from companion.client.calling import PAUSES_S, Caller, OwnerGone
from companion.client.finding import Address

RESET = struct.pack("ii", 1, 0)
"""To close a connection so that the other end sees a reset, as when a process dies."""
ANSWER = b'HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{"result": 1}'


@contextmanager
def dying(resets: int) -> Iterator[Address]:
    """An owner that takes so many connections and dies over each, before another answers at the same place."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        for number in range(resets + 1):
            try:
                plug, _ = listener.accept()
            except OSError:
                return
            with plug:
                plug.recv(65_536)
                if number < resets:
                    plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                else:
                    plug.sendall(ANSWER)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    with closing(listener):
        yield Address(1, "0", 1, "", listener.getsockname()[1], "")


def test_what_changes_nothing_is_asked_again_until_a_killed_owner_takes_no_more_connections():
    with dying(len(PAUSES_S)) as address, closing(Caller(address, lambda: address)) as caller:
        assert caller.ask("/stats", {}, 10, again=True) == {"result": 1}


def test_an_owner_that_goes_on_dying_is_an_error_with_a_next_step():
    with dying(len(PAUSES_S) + 1) as address, closing(Caller(address, lambda: address)) as caller:
        with pytest.raises(OwnerGone) as told:
            caller.ask("/stats", {}, 10, again=True)
        assert told.value.next_step


def test_what_may_have_been_written_is_never_asked_twice():
    with dying(1) as address, closing(Caller(address, lambda: address)) as caller:
        with pytest.raises(OwnerGone):
            caller.ask("/remember", {}, 10, again=False)
        assert caller.ask("/stats", {}, 10, again=False) == {"result": 1}
