"""Run a command with its terminal untouched, and keep the end of what it says.

The command must behave as without us. So its output is looked at only where that changes nothing:

- everything is a terminal and we are in front: the command gets a terminal of its own (a pty) of the same
  size and settings, and every byte goes to and fro as it is; Ctrl-C, Ctrl-Z, colours, full-screen programs
  and `/dev/tty` work, since the keys reach it as keys;
- an output is a pipe: a pipe of ours stands before it (one for both outputs where both are the same, so that
  their order holds), and who closes the far end closes ours;
- all else - a file, a terminal beside a redirected input, another system - is handed over as it is, unread.

The command is a child of a process that stays in its session as long as any program holds the terminal, so
what it leaves running in the background goes on writing. Nothing here waits for those: a process of its own
carries their output on. The module imports little: it stands between a person and every command.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence

from companion.surfaces.cli.streams import Ended

NOT_FOUND, NOT_EXECUTABLE = 127, 126
"""What shells answer for a program that is missing, and for one that may not be run."""


def run_through(arguments: Sequence[str]) -> Ended:
    """Run a command to its end with our input and outputs. Raises OSError if it cannot be started."""
    if os.name != "posix":
        return _handed_over(arguments)
    from companion.surfaces.cli import posix_terminal

    return posix_terminal.run_through(arguments)


def leave_as(code: int) -> int:
    """End this process as the command ended: by the same signal if one ended it, else return the exit code."""
    if code >= 0 or os.name != "posix":
        return code & 0xFFFFFFFF if os.name == "nt" else code
    with contextlib.suppress(OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
        signal.signal(-code, signal.SIG_DFL)
    with contextlib.suppress(OSError):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {-code})
        os.kill(os.getpid(), -code)
    return 128 - code


def _handed_over(arguments: Sequence[str]) -> Ended:
    """The command with our own input and outputs; Ctrl-C is left to it."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    started = time.monotonic()
    try:
        with subprocess.Popen(arguments, close_fds=False) as child:
            code = child.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    return Ended(code, time.monotonic() - started, "")


def say(text: str) -> None:
    """One line to the person, on standard error."""
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"companion: {text}\n")
        sys.stderr.flush()
