"""What becomes of an error at the very end: a sentence with the next command, and the exit code."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.errors import CompanionError, SourceError, StoreUnwritable
from companion.surfaces.cli.output import print_error, print_stopped, silence_output

INTERRUPTED_EXIT = 130
"""What shells expect of a program that was interrupted."""
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
FORBIDDEN = {errno.EROFS, errno.EACCES, errno.EPERM}
MISNAMED = {errno.ENAMETOOLONG, errno.ELOOP, errno.ENOTDIR, errno.EISDIR}
"""Errors of the system that a person can act on; any other is a fault of the program and shows as one."""


@contextmanager
def told_in_words(*, as_json: bool) -> Iterator[None]:
    """Have an error that a person can act on told with the next command; the program leaves with its exit code."""
    try:
        yield
    except CompanionError as wrong:
        raise SystemExit(told(wrong, as_json=as_json)) from wrong
    except KeyboardInterrupt as stop:
        print_stopped(as_json=as_json)
        raise SystemExit(INTERRUPTED_EXIT) from stop
    except OSError as wrong:
        raise SystemExit(told(_in_words(wrong), as_json=as_json)) from wrong


def told(wrong: CompanionError, *, as_json: bool) -> int:
    """Tell of an error; the exit code that goes with it."""
    print_error(wrong, as_json=as_json)
    return wrong.exit_code


def not_printed(wrong: OSError) -> int:
    """The exit code where an answer could not be printed, after saying so; who stopped reading hears nothing."""
    silence_output()
    if wrong.errno == errno.EPIPE:
        return 1
    print_error(_in_words(wrong), as_json=False)
    return CompanionError.exit_code


def _in_words(wrong: OSError) -> CompanionError:
    """An error of the system in a sentence. Raises it as it is if nobody could act on it."""
    if wrong.errno == errno.ENOENT and not wrong.filename and _here_is_gone():
        return SourceError("The folder that you are in is no longer there.", "Go to another one: `cd`.")
    what = f"{wrong.filename or 'A file'} cannot be used: {wrong.strerror}."
    if wrong.errno in FULL and not wrong.filename:
        what = f"What was to be printed or kept could not be written: {wrong.strerror}."
        return StoreUnwritable(
            what, "Make room where the output goes and in the data folder; `companion doctor` names it."
        )
    if wrong.errno in FULL:
        return StoreUnwritable(what, "Free some space, or set COMPANION_HOME to another folder.")
    if wrong.errno in FORBIDDEN:
        return StoreUnwritable(what, "Make it accessible, or set COMPANION_HOME to another folder.")
    if wrong.errno in MISNAMED:
        return SourceError(what, "Name another path.")
    raise wrong


def _here_is_gone() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return True
    return False
