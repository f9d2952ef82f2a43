"""A terminal of our own, to type into programs as a person does."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import struct
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

DEADLINE_S = 30.0
"""The machine may be busy; what takes longer is stuck."""


@dataclass
class Terminal:
    """A program in a terminal, and all it has said so far."""

    pid: int
    descriptor: int
    said: bytes = b""
    _from: int = field(default=0, repr=False)

    def wait_for(self, mark: str) -> None:
        """Wait until something new is said that holds the mark; what was said before does not count again."""
        end = time.monotonic() + DEADLINE_S
        wanted = mark.encode()
        while (at := self.said.find(wanted, self._from)) < 0:
            ready, _, _ = select.select([self.descriptor], [], [], max(0.0, end - time.monotonic()))
            assert ready and self._read(), f"no {mark!r} in {self.said[self._from :]!r}"
        self._from = at + len(wanted)

    def type(self, text: str) -> None:
        os.write(self.descriptor, text.encode())

    def resize(self, rows: int, columns: int) -> None:
        import fcntl
        import termios

        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def end(self) -> int:
        """Read to the end; the exit code, or minus the number of the signal that ended it."""
        while self._read():
            pass
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def _read(self) -> bool:
        try:
            piece = os.read(self.descriptor, 65_536)
        except OSError:
            return False
        self.said += piece
        return bool(piece)


@contextlib.contextmanager
def terminal(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Iterator[Terminal]:
    """A program in a terminal of 80 columns and 24 rows; it is killed at the end if it still lives."""
    import pty

    pid, descriptor = pty.fork()
    if pid == 0:
        try:
            os.chdir(folder)
            os.execvpe(command[0], list(command), dict(environment))
        finally:
            os._exit(127)
    made = Terminal(pid, descriptor)
    made.resize(24, 80)
    try:
        yield made
    finally:
        if made.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        os.close(descriptor)
