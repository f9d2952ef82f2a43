"""A changed file in the place of the old one: whole or not at all, also while an editor saves the same file.

The change is made on what was read; if the file is another by the time the new one is ready, the change is
made again on that. What is left is the moment between the last look and the exchange, some microseconds.
Whoever calls this holds a lock, so that two of our own writers never meet.
"""

from __future__ import annotations

import contextlib
import glob
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from companion.errors import StoreUnwritable, UsageError
from companion.notes.locations import NoteLocation
from companion.notes.note_text import leads_out

TRIES = 20
"""Attempts at one change: an editor saves a file some times a second at most."""
STILL_S = 0.02
"""A file that was touched this lately may be half written: it is read again until it holds still for so long."""
_MODE = 0o600
"""Notes are nobody else's business."""


def rewrite(place: NoteLocation, edit: Callable[[bytes], bytes]) -> bytes:
    """Put what `edit` makes of a note's bytes (none: empty) in its place; returns what stands there now.

    `edit` may be called several times. What it raises leaves the file as it is. Raises StoreUnwritable where the
    file cannot be written, UsageError where something else lies in its place.
    """
    path = _target(place)
    try:
        for _ in range(TRIES):
            before = _held_still(path)
            after = edit(before or b"")
            if after == (before or b"") or _exchanged(path, before, after):
                return after
    except OSError as wrong:
        raise StoreUnwritable(
            f"{path} cannot be written: {wrong.strerror}.", "Make it writable, then try again."
        ) from wrong
    raise StoreUnwritable(f"{path} keeps being changed.", "Close it in the other program, then try again.")


def make(place: NoteLocation, beginning: str) -> Path:
    """A note's file for somebody to write in, begun with a text if it is not there yet."""
    path = _target(place)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError), _created(path) as opened:
            opened.write(beginning.encode("utf-8"))
    except OSError as wrong:
        raise StoreUnwritable(f"{path} cannot be made: {wrong.strerror}.", "Make its folder writable.") from wrong
    return path


def _target(place: NoteLocation) -> Path:
    """The file itself, behind a link that stays in the folder. Raises UsageError for what is no file of notes."""
    if problem := leads_out(place):
        raise UsageError(f"{place.path}: {problem}", "Put the file itself there.")
    path = Path(os.path.realpath(place.path))
    if path.exists() and not path.is_file():
        raise UsageError(f"{place.path} is not a file.", "Move it away, then try again.")
    return path


def _held_still(path: Path) -> bytes | None:
    """The bytes of a file once nobody seems to be in the middle of writing it; None if there is none."""
    for _ in range(TRIES):
        try:
            fresh = abs(time.time() - path.stat().st_mtime) < STILL_S
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        if not fresh:
            return content
        time.sleep(STILL_S)
    return content


def _exchanged(path: Path, before: bytes | None, after: bytes) -> bool:
    """Whether the new bytes took the place of exactly those that were read."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = path.with_name(f".{path.name}.new-{os.getpid()}")
    for left_behind in path.parent.glob(f".{glob.escape(path.name)}.new-*"):  # by a kill
        left_behind.unlink(missing_ok=True)
    try:
        with _created(new) as opened:
            opened.write(after)
            opened.flush()
            os.fsync(opened.fileno())
        if before is None:
            return _put_new(new, path)
        new.chmod(path.stat().st_mode & 0o777)
        if path.read_bytes() != before:
            return False
        new.replace(path)
        return True
    except (FileNotFoundError, FileExistsError):
        return False  # it was taken away or made meanwhile: the next look finds that
    finally:
        new.unlink(missing_ok=True)


def _put_new(new: Path, path: Path) -> bool:
    """Whether a new file took its place, where none was."""
    try:
        os.link(new, path)
    except FileExistsError:
        return False
    except OSError:  # a system without links: what is half written is found by the next look
        with _created(path) as opened:
            opened.write(new.read_bytes())
    return True


def _created(path: Path) -> BinaryIO:
    """A file that was not there before, for its owner alone. Raises FileExistsError."""
    binary = getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | binary, _MODE), "wb")
