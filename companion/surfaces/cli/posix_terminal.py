"""The command in a terminal or behind pipes of ours, on POSIX; see `terminal` for what is promised.

With a terminal there are three processes: we, who carry bytes between the real terminal and the pty; a
keeper (`posix_keeper`), which leads the session that the pty belongs to; and the command, in the foreground
of it. The keeper is why Ctrl-Z works: a group whose parent is of the same session may be stopped.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import signal
import termios
import time
import tty
from collections.abc import Callable, Sequence

from companion.surfaces.cli.posix_keeper import NOTE, keep
from companion.surfaces.cli.posix_pipes import run_behind_pipes
from companion.surfaces.cli.streams import (
    CHUNK_BYTES,
    FORWARDED,
    STDERR,
    STDIN,
    STDOUT,
    Ended,
    Tail,
    handling,
    write_all,
)


def run_through(arguments: Sequence[str]) -> Ended:
    """Run a command to its end. Raises OSError if it cannot be started."""
    if all(os.isatty(number) for number in (STDIN, STDOUT, STDERR)) and _in_front():
        return _in_terminal(arguments)
    return run_behind_pipes(arguments)


def _in_front() -> bool:
    """Whether the terminal is ours to change: one in the background would be stopped for trying."""
    try:
        return os.tcgetpgrp(STDIN) == os.getpgrp()
    except OSError:
        return False


def _in_terminal(arguments: Sequence[str]) -> Ended:
    """The command in a pty of its own, which is told apart from the real one by nothing but its name."""
    settings = termios.tcgetattr(STDIN)
    master, slave = os.openpty()
    name = os.ttyname(slave)
    termios.tcsetattr(slave, termios.TCSANOW, settings)
    _same_size(master)
    said_read, said_write = os.pipe()
    hold_read, hold_write = os.pipe()
    started = time.monotonic()
    keeper = os.fork()
    if keeper == 0:
        for number in (master, said_read, hold_write):
            os.close(number)
        keep(arguments, slave, said_write, hold_read)
    for number in (slave, said_write, hold_read):
        os.close(number)
    carrier = _Carrier(master, said_read, keeper, settings)
    try:
        code = carrier.run()
    finally:
        carrier.restore()
    duration_s = time.monotonic() - started
    _give_back(name)
    if carrier.is_held() and os.fork() == 0:
        with contextlib.suppress(BaseException):
            carrier.carry_on()
        os._exit(0)
    os.close(master)
    os.close(hold_write)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(keeper, os.WNOHANG)
    return Ended(code, duration_s, carrier.tail.text())


def _same_size(master: int) -> bool:
    """Give the pty the size of the real terminal; whether that changed anything."""
    with contextlib.suppress(OSError):
        size = fcntl.ioctl(STDIN, termios.TIOCGWINSZ, b"\0" * 8)
        if fcntl.ioctl(master, termios.TIOCGWINSZ, b"\0" * 8) != size:
            fcntl.ioctl(master, termios.TIOCSWINSZ, size)
            return True
    return False


def _give_back(name: str) -> None:
    """Keys that were typed ahead, and that the command did not read, are for whoever reads the terminal next.

    Where the system does not let a program put them back, they are lost.
    """
    with contextlib.suppress(OSError, termios.error):
        pty = os.open(name, os.O_RDWR | os.O_NOCTTY)
        try:
            settings = termios.tcgetattr(pty)
            settings[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG)
            settings[6][termios.VMIN] = settings[6][termios.VTIME] = 0
            termios.tcsetattr(pty, termios.TCSANOW, settings)
            typed = os.read(pty, CHUNK_BYTES)
        finally:
            os.close(pty)
        for key in typed:
            fcntl.ioctl(STDIN, termios.TIOCSTI, bytes([key]))


class _Carrier:
    """Carries bytes between the real terminal and the pty until the command has ended."""

    def __init__(self, master: int, said: int, keeper: int, settings: list[int | list[bytes | int]]) -> None:
        self.tail = Tail()
        self._master, self._said, self._keeper = master, said, keeper
        self._settings = settings
        self._open = True
        self._keys = True

    def run(self) -> int:
        """The command's exit code, or minus the signal that ended it. Raises OSError if it did not start."""
        wanted: dict[int, Callable[..., object]] = {
            signal.SIGWINCH: lambda *_: _same_size(self._master),
            signal.SIGINT: self._forward,
            **{getattr(signal, name): self._forward for name in FORWARDED},
        }
        with handling(wanted):
            tty.setraw(STDIN, termios.TCSANOW)
            while True:
                watched = [self._said, *([self._master] if self._open else []), *([STDIN] if self._keys else [])]
                ready, _, _ = select.select(watched, [], [])
                if self._master in ready:
                    self._show()
                if STDIN in ready:
                    self._type()
                if self._said in ready and (ended := self._heard()) is not None:
                    return ended

    def restore(self) -> None:
        """The real terminal as it was."""
        with contextlib.suppress(termios.error, OSError):
            termios.tcsetattr(STDIN, termios.TCSADRAIN, self._settings)

    def is_held(self) -> bool:
        """Show what is left to show; whether another program still has the terminal open."""
        while self._open and select.select([self._master], [], [], 0)[0]:
            self._show()
        return self._open

    def carry_on(self) -> None:
        """Show what programs in the background write, until none holds the terminal.

        The real terminal ends lines by itself again, so the pty need not.
        """
        with contextlib.suppress(termios.error):
            settings = termios.tcgetattr(self._master)
            settings[1] &= ~termios.OPOST
            termios.tcsetattr(self._master, termios.TCSANOW, settings)
        while self._open:
            self._show()

    def _show(self) -> None:
        try:
            piece = os.read(self._master, CHUNK_BYTES)
        except OSError as wrong:
            if wrong.errno != errno.EIO:
                raise
            piece = b""  # Linux says so when the last program has let go of the terminal
        self.tail.add(piece)
        self._open = bool(piece) and write_all(STDOUT, piece)

    def _type(self) -> None:
        try:
            keys = os.read(STDIN, CHUNK_BYTES)
        except OSError:
            keys = b""
        self._keys = bool(keys) and write_all(self._master, keys)

    def _forward(self, number: int, _frame: object) -> None:
        with contextlib.suppress(OSError):
            os.kill(self._keeper, number)

    def _heard(self) -> int | None:
        """What the keeper says: how the command ended, or None if it was stopped and has gone on."""
        note = os.read(self._said, NOTE.size)
        if len(note) < NOTE.size:
            return -signal.SIGKILL  # the keeper was killed, and the terminal's programs with it
        what, number = NOTE.unpack(note)
        if what == b"e":
            raise OSError(number, os.strerror(number))
        if what == b"x":
            self.is_held()
            return int(number)
        self.is_held()
        self.restore()
        os.kill(0, signal.SIGTSTP)  # as Ctrl-Z would: the shell shows its prompt, and `fg` wakes us here
        tty.setraw(STDIN, termios.TCSANOW)
        _same_size(self._master)
        os.kill(self._keeper, signal.SIGCONT)
        return None
