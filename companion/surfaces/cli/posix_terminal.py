"""The command in a terminal or behind pipes of ours, on POSIX; see `terminal` for what is promised.

With a terminal there are three processes: we, who carry bytes between the real terminal and the pty; a
keeper, which leads the session that the pty belongs to; and the command, in the foreground of it. The keeper
is why Ctrl-Z works: a group whose parent is of the same session may be stopped. It tells us by a pipe when
the command stops and when it ends, and stays until we close the other end, for a terminal dies with its leader.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import select
import signal
import stat
import struct
import subprocess
import sys
import termios
import time
import tty
from collections.abc import Callable, Iterator, Sequence

from companion.surfaces.cli.terminal import CHUNK_BYTES, FORWARDED, Ended, Tail, handling, write_all

STDIN, STDOUT, STDERR = 0, 1, 2
LINGER_S = 0.05
"""What a command has written is there when it has ended; so long is waited for other writers to close the pipe."""
_NOTE = struct.Struct("=ci")
"""What the keeper says: `x` with how the command ended, `s` with the signal that stopped it, `e` with an error."""


def run_through(arguments: Sequence[str]) -> Ended:
    """Run a command to its end. Raises OSError if it cannot be started."""
    if all(os.isatty(number) for number in (STDIN, STDOUT, STDERR)) and _in_front():
        return _in_terminal(arguments)
    return _behind_pipes(arguments)


def _in_front() -> bool:
    """Whether the terminal is ours to change: one in the background would be stopped for trying."""
    try:
        return os.tcgetpgrp(STDIN) == os.getpgrp()
    except OSError:
        return False


# ---------------------------------------------------------------- pipes


def _behind_pipes(arguments: Sequence[str]) -> Ended:
    """Outputs that are pipes are read on their way; all others are handed over."""
    targets = [number for number in (STDOUT, STDERR) if _is_pipe(number)]
    same = len(targets) == 2 and os.path.sameopenfile(STDOUT, STDERR)
    pipes = {number: os.pipe() for number in (targets[:1] if same else targets)}
    given = {number: pipes[STDOUT if same else number][1] for number in targets}
    tail, started = Tail(), time.monotonic()
    child: subprocess.Popen[bytes] | None = None

    def forward(number: int, _frame: object) -> None:
        if child is not None:
            with contextlib.suppress(ProcessLookupError):
                child.send_signal(number)

    wanted = {getattr(signal, name): forward for name in FORWARDED}
    wanted |= {signal.SIGINT: forward if _has_no_terminal() else lambda *_: None, signal.SIGCHLD: lambda *_: None}
    with handling(wanted), _waking() as woken:
        try:
            child = subprocess.Popen(arguments, stdout=given.get(STDOUT), stderr=given.get(STDERR), close_fds=False)
        finally:
            for _, writer in pipes.values():
                os.close(writer)
        _carry_pipes(child, woken, {reader: number for number, (reader, _) in pipes.items()}, tail)
        code = child.wait()
    return Ended(code, time.monotonic() - started, tail.text())


def _has_no_terminal() -> bool:
    """Whether nobody can press Ctrl-C, which the command would get by itself: SIGINT is then sent to us, for it."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return True
    return False


@contextlib.contextmanager
def _waking() -> Iterator[int]:
    """A descriptor that can be read whenever a signal came."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    try:
        yield reader
    finally:
        signal.set_wakeup_fd(before)
        os.close(reader)
        os.close(writer)


def _is_pipe(number: int) -> bool:
    try:
        mode = os.fstat(number).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _carry_pipes(child: subprocess.Popen[bytes], woken: int, readers: dict[int, int], tail: Tail) -> None:
    """Carry output on until the command has ended and its pipes are empty; a process goes on if others hold them.

    `woken` is readable whenever a signal came, that of the command's end among them.
    """
    ended_at = 0.0
    while readers:
        ready, _, _ = select.select([*readers, woken], [], [], LINGER_S if ended_at else None)
        if woken in ready:
            ready.remove(woken)
            os.read(woken, CHUNK_BYTES)
        for reader in ready:
            piece = os.read(reader, CHUNK_BYTES)
            tail.add(piece)
            if not piece or not write_all(readers[reader], piece):
                os.close(reader)  # who closed our output closes the command's
                del readers[reader]
        if not ended_at and child.poll() is not None:
            ended_at = time.monotonic()
        if ended_at and not ready and time.monotonic() - ended_at > LINGER_S:
            _go_on(readers)
            return


def _go_on(readers: dict[int, int]) -> None:
    """Somebody else still writes: a process of its own carries that on, and we need not wait for it."""
    sys.stdout.flush()
    sys.stderr.flush()
    if os.fork() != 0:
        for reader in readers:
            os.close(reader)
        return
    with contextlib.suppress(BaseException):
        while readers:
            for reader in select.select(list(readers), [], [])[0]:
                piece = os.read(reader, CHUNK_BYTES)
                if not piece or not write_all(readers[reader], piece):
                    os.close(reader)
                    del readers[reader]
    os._exit(0)


# ---------------------------------------------------------------- a terminal


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
        _keep(arguments, slave, said_write, hold_read)
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

    def __init__(self, master: int, said: int, keeper: int, settings: list[object]) -> None:
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
            termios.tcsetattr(STDIN, termios.TCSADRAIN, self._settings)  # type: ignore[arg-type]

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
        note = os.read(self._said, _NOTE.size)
        if len(note) < _NOTE.size:
            return -signal.SIGKILL  # the keeper was killed, and the terminal's programs with it
        what, number = _NOTE.unpack(note)
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


def _keep(arguments: Sequence[str], slave: int, said: int, hold: int) -> None:
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
        os.write(said, _NOTE.pack(b"e", wrong.errno or errno.ENOENT))
    except BaseException:  # nothing of ours may go on in this process
        os.write(said, _NOTE.pack(b"e", errno.EINVAL))
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
            os.write(said, _NOTE.pack(b"s", os.WSTOPSIG(status)))
            continue
        code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
        os.write(said, _NOTE.pack(b"x", code))
        return
