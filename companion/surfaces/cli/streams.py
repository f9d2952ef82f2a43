"""What every way of running a command needs: its streams, the signals meant for it, the end of what it said."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

STDIN, STDOUT, STDERR = 0, 1, 2
KEPT_BYTES = 64_000
"""Of a command's output, its end: the last tracebacks and the summary of a test run."""
CHUNK_BYTES = 65_536
"""What is read at once: the size of a pipe on Linux."""
FORWARDED = ("SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM")
"""Signals sent to us by name that are meant for the command. Ctrl-C reaches it by itself."""


class Ended(Struct, frozen=True):
    """How a command ended: its exit code (minus the number of a signal that ended it), its time, what it said last."""

    code: int
    duration_s: float
    output: str


class Tail:
    """The last bytes of a stream."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def add(self, piece: bytes) -> None:
        """Keep a piece; what is too old goes."""
        self._kept += piece
        if len(self._kept) > 2 * KEPT_BYTES:
            del self._kept[:-KEPT_BYTES]

    def text(self) -> str:
        """What is kept, as text."""
        return bytes(self._kept[-KEPT_BYTES:]).decode("utf-8", "replace")


@contextlib.contextmanager
def handling(handlers: Mapping[int, Callable[..., object]]) -> Iterator[None]:
    """Signal handlers for the length of a block; signals that were ignored stay ignored."""
    before = {}
    for number, handler in handlers.items():
        if signal.getsignal(number) is not signal.SIG_IGN:
            before[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, was in before.items():
            signal.signal(number, was if was is not None else signal.SIG_DFL)


def write_all(descriptor: int, piece: bytes) -> bool:
    """Write a piece whole; False if nobody reads any more."""
    while piece:
        try:
            piece = piece[os.write(descriptor, piece) :]
        except InterruptedError:
            continue
        except BlockingIOError:
            time.sleep(0.005)  # somebody made our output non-blocking; there is nothing to wait for it by
        except OSError as wrong:
            if wrong.errno in {errno.EPIPE, errno.EIO, errno.EBADF, errno.ENXIO}:
                return False
            raise
    return True
