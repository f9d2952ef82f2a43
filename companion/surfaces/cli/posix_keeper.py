"""The keeper: the process that leads the session of a command's pty, starts the command and tells how it fares.

It tells by a pipe when the command stops and when it ends, and stays until the other end of another is
closed, for a terminal dies with its leader.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import struct
import termios
from collections.abc import Sequence

from companion.surfaces.cli.streams import FORWARDED, STDERR, STDIN, STDOUT

NOTE = struct.Struct("=ci")
"""What the keeper says: `x` with how the command ended, `s` with the signal that stopped it, `e` with an error."""


def keep(arguments: Sequence[str], slave: int, said: int, hold: int) -> None:
    """Lead the pty's session, run the command in its foreground, tell how it fares. Never returns."""
    code = 0
    with contextlib.suppress(BaseException):
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        command = _start(arguments, slave, said, hold)
        for name in ("SIGTTOU", "SIGTTIN", "SIGTSTP"):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
        for name in (*FORWARDED, "SIGINT"):
            number = getattr(signal, name)
            signal.signal(number, lambda got, _frame: _send(command, got))
        signal.signal(signal.SIGCONT, lambda *_: _send(command, signal.SIGCONT))
        with contextlib.suppress(OSError):
            os.setpgid(command, command)
        with contextlib.suppress(OSError):
            os.tcsetpgrp(slave, command)
        for number in (STDIN, STDOUT, STDERR, slave):
            with contextlib.suppress(OSError):
                os.close(number)
        _tell(command, said)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        os.read(hold, 1)  # comes back when nobody needs the terminal any more
    os._exit(code)


def _start(arguments: Sequence[str], slave: int, said: int, hold: int) -> int:
    """Start the command in a group of its own, in front; an error is told by the pipe."""
    command = os.fork()
    if command != 0:
        return command
    try:
        os.setpgid(0, 0)
        signal.signal(signal.SIGTTOU, signal.SIG_IGN)
        os.tcsetpgrp(slave, os.getpid())
        for name in ("SIGTTOU", "SIGPIPE", "SIGXFSZ", "SIGINT", *FORWARDED):
            number = getattr(signal, name)
            if name in {"SIGTTOU", "SIGPIPE", "SIGXFSZ"} or signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
        for number in (STDIN, STDOUT, STDERR):
            os.dup2(slave, number)
        os.set_inheritable(said, False)
        os.close(hold)
        if slave > STDERR:
            os.close(slave)
        os.execvp(arguments[0], list(arguments))  # noqa: S606 - running what the person asked for is the point
    except OSError as wrong:
        os.write(said, NOTE.pack(b"e", wrong.errno or errno.ENOENT))
    except BaseException:  # nothing of ours may go on in this process
        os.write(said, NOTE.pack(b"e", errno.EINVAL))
    os._exit(127)


def _send(command: int, number: int) -> None:
    """A signal for the command; going on is meant for its whole group, as a shell does it."""
    with contextlib.suppress(OSError):
        if number == signal.SIGCONT:
            os.killpg(command, number)
        else:
            os.kill(command, number)


def _tell(command: int, said: int) -> None:
    """Tell of stops and of the end."""
    while True:
        try:
            _, status = os.waitpid(command, os.WUNTRACED)
        except InterruptedError:
            continue
        if os.WIFSTOPPED(status):
            os.write(said, NOTE.pack(b"s", os.WSTOPSIG(status)))
            continue
        code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        os.write(said, NOTE.pack(b"x", code))
        return
