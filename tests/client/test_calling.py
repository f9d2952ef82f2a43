"""Requests reach a daemon that lives, however the one before it died."""

from __future__ import annotations

import re
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from companion.client.calling import PAUSES_S, Caller
from companion.client.finding import Address
from companion.client.remote import RemoteCompanion as Keeping
from companion.errors import CompanionError, DaemonGone

RESET = struct.pack("ii", 1, 0)
"""To close a connection so that the other end sees a reset, as when a process dies."""
ANSWER = b'HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{"result": 1}'


ID = re.compile(rb"Idempotency-Key: (\w{32})\r\n")


@contextmanager
def dying(resets: int, heard: list[bytes] | None = None) -> Iterator[Address]:
    """A daemon that takes so many connections and dies over each, before others answer at the same place.

    What each is asked is put on `heard`.
    """
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        for number in range(resets + 2):
            try:
                plug, _ = listener.accept()
            except OSError:
                return
            with plug:
                asked = plug.recv(65_536)
                if heard is not None:
                    heard.append(asked)
                if number < resets:
                    plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                else:
                    plug.sendall(ANSWER)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    with closing(listener):
        yield Address(1, "0", 1, "", listener.getsockname()[1], "")


def test_what_changes_nothing_is_asked_again_until_a_killed_daemon_takes_no_more_connections():
    with dying(len(PAUSES_S)) as address:
        caller = Caller(address, lambda: address)
        assert caller.ask("POST", "/stats", {}, 10, again=True) == {"result": 1}


def test_a_daemon_that_goes_on_dying_is_an_error_with_a_next_step():
    with dying(len(PAUSES_S) + 1) as address:
        caller = Caller(address, lambda: address)
        with pytest.raises(DaemonGone) as told:
            caller.ask("POST", "/stats", {}, 10, again=True)
        assert told.value.next_step


def test_of_a_question_without_an_answer_nobody_is_told_to_look_what_was_written():
    with dying(len(PAUSES_S) + 1) as address, pytest.raises(DaemonGone) as told:
        Caller(address, lambda: address).ask("POST", "/stats", {}, 10, again=True)
    assert told.value.next_step.startswith("Nothing was changed.")


def test_what_has_no_id_and_may_have_been_written_is_never_asked_twice():
    with dying(1) as address:
        caller = Caller(address, lambda: address)
        with pytest.raises(DaemonGone):
            caller.ask("POST", "/stop", {}, 10, again=False)
        assert caller.ask("POST", "/stats", {}, 10, again=False) == {"result": 1}


def test_what_writes_is_asked_again_under_the_same_id_and_another_write_has_another():
    heard: list[bytes] = []
    with dying(2, heard) as address:
        companion = Keeping(address, Path(), lambda: address)
        for _ in range(2):
            with suppress(CompanionError):  # what is answered here is no memory
                companion.forget("m1")
    first, again, later, other = (ids[0] if (ids := ID.findall(head)) else b"" for head in heard)
    assert first
    assert first == again == later != other
