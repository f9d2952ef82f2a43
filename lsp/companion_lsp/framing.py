"""A client's bytes, message by message, whatever their heads say.

A head is believed within bounds. A line without end is dropped piece by piece; a head that announces no length is
passed over, and so is a message that is too large, as long as its end can be waited for. Where one announces more than
any editor sends, nobody can say where the next one begins: the session ends, in a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Protocol

MESSAGE_MOST_BYTES = 64 * 1024 * 1024
"""Larger messages are passed over: an opened file of 5 MB fits many times."""
PASSED_OVER_MOST_BYTES = 1024 * 1024 * 1024
"""Announced lengths beyond it are mistakes: waiting for so much to go by would look like a server that hangs."""
PIECE_BYTES = 1024 * 1024
"""What is passed over is read in pieces of this size, so that it takes no memory."""
LINE_MOST_BYTES = 4_096
"""Of a head's line, read at a time; a real one has some forty."""
LENGTH_MOST_DIGITS = 18
"""Longer numbers need not be read to be too large."""

_LENGTH = re.compile(rb"content-length:[ \t]*(\d+)[ \t]*\r?\n?$", re.IGNORECASE)
"""At the end of a line: what stands before it is left of a message that was longer than it said."""


class ByteReader(Protocol):
    """Bytes as they come; nothing at their end."""

    def readline(self) -> Awaitable[bytes]:
        """A line with its end, or a piece of one that is too long."""

    def readexactly(self, n: int, /) -> Awaitable[bytes]:
        """So many bytes, fewer at the end."""


class Unreadable(Exception):
    """A head after which nothing can be understood any more."""


class Messages:
    """A reader of pygls's sort whose heads are always sound; `passed_over` is told of messages that were too large."""

    def __init__(self, reader: ByteReader, passed_over: Callable[[str], None]) -> None:
        self._reader = reader
        self._passed_over = passed_over
        self._ends_head = False

    async def readline(self) -> bytes:
        """The next line of a head: its length, then the empty one; nothing at the end. Raises Unreadable."""
        if self._ends_head:
            self._ends_head = False
            return b"\r\n"
        while (length := await self._announced()) is not None:
            if length <= MESSAGE_MOST_BYTES:
                self._ends_head = True
                return b"Content-Length: %d\r\n" % length
            if not await self._pass_over(length):
                break
        return b""

    async def readexactly(self, n: int, /) -> bytes:
        """The body of a message."""
        return await self._reader.readexactly(n)

    async def _announced(self) -> int | None:
        """The length in the next head that has one, above zero; None at the end. Raises Unreadable."""
        length = 0
        while line := await self._line():
            if found := _LENGTH.search(line):
                if len(found[1]) > LENGTH_MOST_DIGITS or int(found[1]) > PASSED_OVER_MOST_BYTES:
                    raise Unreadable(
                        f"the editor announced a message of {_shown(found[1])} bytes, more than "
                        f"{PASSED_OVER_MOST_BYTES:,}; where the next one begins cannot be known, so the session ends"
                    )
                length = int(found[1])
            elif length and not line.strip():
                return length
        return None

    async def _line(self) -> bytes:
        try:
            return await self._reader.readline()
        except ValueError:  # a stream of the network refuses a line that is too long, and has dropped it
            return b"?"

    async def _pass_over(self, length: int) -> bool:
        """Read a message and keep nothing of it; False where the bytes end in it."""
        self._passed_over(f"A message of {length:,} bytes was skipped; at most {MESSAGE_MOST_BYTES:,} are read.")
        while length:
            piece = await self._reader.readexactly(min(length, PIECE_BYTES))
            if not piece:
                return False
            length -= len(piece)
        return True


def _shown(digits: bytes) -> str:
    return f"{int(digits):,}" if len(digits) <= LENGTH_MOST_DIGITS else f"10^{len(digits) - 1}"
