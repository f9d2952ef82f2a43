"""The command behind pipes of ours, on POSIX: outputs that are pipes pass through us on their way.

What goes to a file or a terminal is handed over as it is.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence

from companion.surfaces.cli.streams import CHUNK_BYTES, FORWARDED, STDERR, STDOUT, Ended, Tail, handling, write_all

LINGER_S = 0.05
"""What a command has written is there when it has ended; so long is waited for other writers to close the pipe."""


def run_behind_pipes(arguments: Sequence[str]) -> Ended:
    """Run a command to its end; outputs that are pipes are read on their way. Raises OSError if it cannot start."""
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
