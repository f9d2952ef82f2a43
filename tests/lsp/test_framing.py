"""Heads of messages as no editor should send them: what follows is read, and nothing is kept that need not be."""

from __future__ import annotations

import asyncio

import pytest
from companion_lsp import framing
from companion_lsp.framing import LINE_MOST_BYTES, PASSED_OVER_MOST_BYTES, Messages, Unreadable
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

WHOLE = b"Content-Length: 4\r\n\r\nlast"


class Sent:
    """Bytes that a client sent, lines cut where ours are."""

    def __init__(self, sent: bytes) -> None:
        self.left = sent

    async def readline(self) -> bytes:
        end = self.left.find(b"\n") + 1 or len(self.left)
        return await self.readexactly(min(end, LINE_MOST_BYTES))

    async def readexactly(self, n: int) -> bytes:
        taken, self.left = self.left[:n], self.left[n:]
        return taken


def read(sent: bytes) -> tuple[list[bytes], list[str]]:
    """The bodies that are understood, as pygls reads them, and what was said of those that are not."""
    said: list[str] = []
    messages = Messages(Sent(sent), said.append)

    async def bodies() -> list[bytes]:
        found = []
        while head := await messages.readline():
            assert await messages.readline() == b"\r\n"
            found.append(await messages.readexactly(int(head.split(b":")[1])))
        return found

    return asyncio.run(bodies()), said


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: many\r\n\r\n",
        b"Content-Length: -5\r\n\r\n",
        b"Content-Length: 0\r\n\r\n",
        b"Content-Length:\r\n\r\n",
        b"X: y\r\n\r\n",
        b"\r\n\r\n",
        b'{"jsonrpc": "2.0"}',
        b"\x00\xff" * 3 * LINE_MOST_BYTES,
        b"Content-Length: 4\r\nContent-Type: x\r\n\r\nmore",
        b"content-length:4\n\nmore",
    ],
)
def test_after_any_head_the_next_message_is_read(head: bytes):
    bodies, said = read(head + WHOLE)
    assert bodies[-1] == b"last"
    assert bodies in ([b"last"], [b"more", b"last"])
    assert said == []


@pytest.fixture
def large() -> int:
    """One byte more than a message may have."""
    return framing.MESSAGE_MOST_BYTES + 1


@pytest.fixture(autouse=True)
def _small_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages may have 10,000 bytes, so that larger ones are soon made."""
    monkeypatch.setattr(framing, "MESSAGE_MOST_BYTES", 10_000)
    monkeypatch.setattr(framing, "PIECE_BYTES", 1_000)


def test_a_message_above_the_limit_is_dropped_and_told(large: int):
    bodies, said = read(b"Content-Length: %d\r\n\r\n" % large + bytes(large) + WHOLE)
    assert bodies == [b"last"]
    assert len(said) == 1
    assert "skipped" in said[0]


def test_a_message_above_the_limit_that_never_ends_is_the_end(large: int):
    assert read(b"Content-Length: %d\r\n\r\nshort" % large)[0] == []


@pytest.mark.parametrize("length", [b"%d" % (PASSED_OVER_MOST_BYTES + 1), b"9" * 30, b"9" * 4_000])
def test_a_length_beyond_reason_is_refused_in_words(length: bytes):
    with pytest.raises(Unreadable, match="the session ends"):
        read(b"Content-Length: %s\r\n\r\n" % length)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.lists(st.binary(min_size=1, max_size=50), max_size=5))
def test_sound_messages_are_read_as_they_are(bodies: list[bytes]):
    sent = b"".join(b"Content-Length: %d\r\n\r\n" % len(body) + body for body in bodies)
    assert read(sent) == (bodies, [])
