"""Commands are told to the companion here, by `companion run` and by the hooks of shells, without the rest loaded.

It stands behind every command somebody types: it imports little, asks the daemon if one lives, and else writes
itself. Whatever goes wrong costs a line on standard error at most, and never the command.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from companion.surfaces.cli.streams import Ended
from companion.surfaces.cli.terminal import NOT_EXECUTABLE, NOT_FOUND, leave_as, run_through, say

STORE_WAIT_S, HOOK_WAIT_S = "1", "30"
"""Seconds that a store held by another process is waited for: after `run` a person waits for the prompt, after a
hook nobody does, and several may have come at once."""
TOLD_MAX_BYTES = 100_000
"""Of what a hook tells; a longer command line is a script that was pasted."""
FIELDS = 3
"""Lines before the command that a hook tells: exit code, start and end in seconds since 1970.

Where a shell's clock is too coarse, the start is empty and the end is how long it took, in seconds.
"""
SIGNALLED = 128
"""What shells add to the number of a signal that ended a command, for its exit code."""
HELP = {"-h", "--help"}


def taken(arguments: Sequence[str]) -> int | None:
    """The exit code of `companion run …` or `companion record`, done here; None for all other commands."""
    if arguments[:1] == ["record"]:
        return record_told()
    if arguments[:1] == ["run"] and len(arguments) > 1 and arguments[1] not in HELP:
        return run(arguments[2:] if arguments[1] == "--" else arguments[1:])
    return None


def run(command: Sequence[str]) -> int:
    """Run a command as if we were not there, then tell of it. The exit code is the command's, always."""
    if not command:
        say("there is no command to run. Example: companion run -- pytest -q")
        return 2
    directory, started_at = _here(), datetime.now(UTC).replace(tzinfo=None)
    try:
        ended = run_through(command)
    except OSError as wrong:
        ended = Ended(_not_started(command[0], wrong), 0.0, "")
    with contextlib.suppress(KeyboardInterrupt):
        tell(_as_typed(command), directory, ended, started_at)
    return leave_as(ended.code)


def record_told() -> int:
    """Tell of the command that a shell's hook writes to standard input; silent whatever happens."""
    with contextlib.suppress(Exception, KeyboardInterrupt):
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the shell may be closed right after the command
        told = sys.stdin.buffer.read(TOLD_MAX_BYTES).decode("utf-8", "replace")
        code, started, now, command = told.split("\n", FIELDS)
        ended_s = float(now.replace(",", "."))
        if not started:
            ended_s, started = time.time(), str(time.time() - ended_s)
        began_s = float(started.replace(",", "."))
        began = datetime.fromtimestamp(began_s, UTC).replace(tzinfo=None)
        ended = Ended(int(code), max(0.0, ended_s - began_s), "")
        tell(command.rstrip("\n"), _here(), ended, began, quiet=True)
    return 0


def tell(command: str, directory: str, ended: Ended, started_at: datetime, *, quiet: bool = False) -> None:
    """Tell the companion of a command that ended, unless the person asked that such ones be left out."""
    if not directory or not _in_repository(directory):
        return
    os.environ.setdefault("COMPANION_STORE_WAIT_S", HOOK_WAIT_S if quiet else STORE_WAIT_S)
    try:
        from companion.config import data_home, load_settings
        from companion.errors import CompanionError
        from companion.records.command_line import COMMAND_MAX_CHARS, is_ignored, without_variables
    except Exception as wrong:  # a broken installation must not fail the person's command
        say(f"this command was not recorded ({type(wrong).__name__}). Run `companion doctor`.")
        return
    try:
        said = without_variables(command[: 4 * COMMAND_MAX_CHARS])
        if not said or is_ignored(command, load_settings(data_home()).run_ignore):
            return
        _observe(said, directory, ended, started_at)
    except CompanionError as wrong:
        if not quiet:
            say(" ".join(f"this command was not recorded. {wrong}".split()))
    except Exception as wrong:  # as above
        if not quiet:
            say(f"this command was not recorded ({type(wrong).__name__}). Run `companion doctor`.")


def _observe(command: str, directory: str, ended: Ended, started_at: datetime) -> None:
    from companion.client import connect
    from companion.records import Ran

    companion = connect(Path(directory))
    try:
        code = ended.code if ended.code >= 0 else SIGNALLED - ended.code
        companion.observe([Ran(command, directory, code, ended.duration_s, started_at, ended.output)])
    finally:
        companion.close()


def _in_repository(directory: str) -> bool:
    """Whether the folder or one above it is a git repository: elsewhere there is nobody to tell."""
    place = Path(directory)
    return any((folder / ".git").exists() for folder in (place, *place.parents)) or "GIT_DIR" in os.environ


def _here() -> str:
    """The current folder; empty where it was deleted."""
    try:
        return str(Path.cwd())
    except OSError:
        return ""


def _as_typed(command: Sequence[str]) -> str:
    """The command line that a person would type for these arguments."""
    import shlex
    import subprocess

    return shlex.join(command) if os.name == "posix" else subprocess.list2cmdline(command)


def _not_started(program: str, wrong: OSError) -> int:
    """Say why a command did not start; the exit code that a shell would give."""
    if isinstance(wrong, FileNotFoundError):
        say(f"{program}: command not found")
        return NOT_FOUND
    say(f"{program}: {wrong.strerror or 'cannot be run'}")
    return NOT_EXECUTABLE
