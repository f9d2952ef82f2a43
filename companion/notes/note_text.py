"""What a file of notes says: its text within a limit, or in a sentence why it cannot be shown. Never raises."""

from __future__ import annotations

import codecs
import os
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from msgspec.structs import replace

from companion.notes.locations import NoteLocation
from companion.records.notes import NotePage

READ_MAX_BYTES = 200_000
"""Bytes of one note that are read: ten times the longest journal that a preamble can show."""
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


Stamp: TypeAlias = tuple[str | int, ...]
"""What tells without reading that a file is another than before: its path and what the system keeps of it."""


def stamp(place: NoteLocation) -> Stamp:
    """The stamp of a note, of the file itself where it is a link."""
    path = str(place.path)
    try:
        there = place.path.stat()
    except OSError:
        return (path,)
    return path, there.st_ino, there.st_size, there.st_mtime_ns, there.st_ctime_ns, there.st_mode


def read_note(place: NoteLocation) -> NotePage:
    """A note as its file has it; `problem` says why there is no text."""
    page = NotePage(place.name, place.sort, str(place.path))
    try:
        if problem := leads_out(place):
            return replace(page, problem=problem)
        there = place.path.stat()
        page = replace(page, changed_at=_moment(there.st_mtime))
        if not stat.S_ISREG(there.st_mode):
            return replace(page, problem="It is not a file.")
        with place.path.open("rb") as opened:
            content = opened.read(READ_MAX_BYTES + 1)
    except FileNotFoundError:
        return replace(page, changed_at=None, problem="It is gone.")
    except (OSError, ValueError) as wrong:
        problem = f"It cannot be read: {getattr(wrong, 'strerror', None) or wrong}."
        return replace(page, changed_at=None, problem=problem)
    page = replace(page, size_bytes=max(there.st_size, len(content)))
    kept, cut = _beginning(content, page.size_bytes)
    if (text := _decoded(kept)) is None:
        return replace(page, problem="It is not text.")
    return replace(page, text=text, cut_bytes=cut)


def leads_out(place: NoteLocation) -> str:
    """A sentence where a note is a link to something outside of its folder; empty if it is not."""
    real, folder = Path(os.path.realpath(place.path)), Path(os.path.realpath(place.within))
    return "" if real.is_relative_to(folder) else "It is a link that leads out of the folder of notes."


def _beginning(content: bytes, size: int) -> tuple[bytes, int]:
    """What is kept of a file, whole lines if it is cut, and how many bytes are left out."""
    if len(content) <= READ_MAX_BYTES:
        return content, 0
    kept = content[:READ_MAX_BYTES]
    if b"\n" in kept and not kept.startswith(_WIDE):
        kept = kept[: kept.rindex(b"\n") + 1]
    return kept, size - len(kept)


def _decoded(content: bytes) -> str | None:
    """The text of a file; None for bytes that are none. A byte that is not UTF-8 shows as a mark."""
    if content.startswith(_WIDE):
        return content.decode("utf-16", "replace")
    return None if b"\0" in content else content.decode("utf-8-sig", "replace")


def _moment(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(int(seconds), UTC).replace(tzinfo=None)
    except (OverflowError, ValueError, OSError):
        return None
