"""A log read from where reading stopped, with little of it in memory at a time.

A log to which lines are added is read from the turn that was last when reading stopped, since that may have grown. A
digest of what stood before it tells whether the file is still the same; if not, it is read from the start, and
whoever keeps turns knows those it has by their ids. A last line that is not finished waits for the next time.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct, field
from msgspec.structs import replace

from companion.errors import SourceError
from companion.signals.transcripts.message_turns import TranscriptMessage, turns
from companion.signals.transcripts.said import AssistantLogs, Facts, HeardTurn, LogForm, NotOfThisForm, Rows

LINE_BYTES = 16_000_000
"""The longest line read: a picture or a whole file in an answer of a tool; words have a hundredth of that."""
DOCUMENT_BYTES = 64_000_000
"""The longest document read; as objects it takes some five times that in memory."""
CHECKED_BYTES = 4_096
"""Of the end of what was read, and of the start: enough to tell a file that was written anew from one that grew."""
LOOKED_AT = 200
"""Lines in which somebody has to say something for a file to be known as a log: most say it in ten."""
FAULTS_TOLD = 3
"""Faulty lines whose numbers are told."""


class LogPosition(Struct, frozen=True):
    """How far a log was read: the byte where its last turn begins, a digest of what stands before, the facts there.

    `size` and `changed_ns` are those of the file then: while they are the same there is nothing new.
    """

    offset: int = 0
    check: str = ""
    facts: Facts = field(default_factory=Facts)
    size: int = -1
    changed_ns: int = 0


class LogReading(Struct):
    """How one log was read, filled while its turns are taken from `heard`.

    `mark` is where reading goes on the next time once the turns so far are kept; `faults` counts lines that could not
    be read, `records` those that could.
    """

    mark: LogPosition
    records: int = 0
    faults: int = 0
    faulty: list[int] = field(default_factory=list)


def unchanged(assistant: AssistantLogs, path: Path, mark: LogPosition) -> bool:
    """Whether a log is as it was when it was read to the end. Raises SourceError."""
    return (mark.size, mark.changed_ns) == _state(assistant, path)


def heard(
    assistant: AssistantLogs, path: Path, mark: LogPosition, rows: Callable[[Path], Rows]
) -> tuple[LogReading, Iterator[HeardTurn]]:
    """A log's turns from where reading stopped, and how far that is, which fills while they are taken.

    `rows` opens another program's database. Raises SourceError, also while the turns are taken.
    """
    size, changed_ns = _state(assistant, path)
    reading = LogReading(replace(mark, size=size, changed_ns=changed_ns))
    if assistant.form is LogForm.LINES:
        return reading, _marked(reading, _in_lines(assistant, path, reading))
    reading.mark = replace(reading.mark, facts=assistant.beside(path))
    if assistant.form is LogForm.TABLES:
        return reading, turns(_all_of(assistant, rows(path), reading))
    return reading, _in_document(assistant, path, reading)


def begins_as(assistant: AssistantLogs, path: Path, rows: Callable[[Path], Rows]) -> bool:
    """Whether a file begins as this assistant's logs do: something is said in its first lines."""
    looked = LogReading(LogPosition())
    try:
        if assistant.form is not LogForm.LINES:
            _, found = heard(assistant, path, LogPosition(), rows)
            return next(found, None) is not None
        with path.open("rb") as file:
            lines = islice(_lines(file, 0), LOOKED_AT)
            return next(_heard(assistant, lines, Facts(), looked), None) is not None
    except (OSError, SourceError):
        return False


def _state(assistant: AssistantLogs, path: Path) -> tuple[int, int]:
    """Size and time of change; of a database with what waits beside it."""
    with _readable():
        known = os.stat(path)  # noqa: PTH116 - `Path.stat` is the same; this one names no method of ours
        if not stat.S_ISREG(known.st_mode):
            raise SourceError("It is not a file.", "Check what is there.")
        waiting = path.with_name(f"{path.name}-wal")
        more = waiting.stat() if assistant.form is LogForm.TABLES and waiting.exists() else None
    if more is None:
        return known.st_size, known.st_mtime_ns
    return known.st_size + more.st_size, max(known.st_mtime_ns, more.st_mtime_ns)


def _in_lines(assistant: AssistantLogs, path: Path, reading: LogReading) -> Iterator[HeardTurn]:
    with _readable(), path.open("rb") as file:
        if reading.mark.offset and _check(file, reading.mark.offset) != reading.mark.check:
            reading.mark = replace(reading.mark, offset=0, facts=Facts())
        facts = replace(reading.mark.facts) if reading.mark.offset else assistant.beside(path)
        yield from turns(_heard(assistant, _lines(file, reading.mark.offset), facts, reading))


def _marked(reading: LogReading, found: Iterator[HeardTurn]) -> Iterator[HeardTurn]:
    """The turns, with the mark moved to each before it is handed on."""
    for turn in found:
        reading.mark = replace(reading.mark, offset=turn.start, facts=turn.facts)
        yield turn


def sealed(path: Path, mark: LogPosition) -> LogPosition:
    """A mark with the digest of what stands before it. Raises SourceError."""
    with _readable(), path.open("rb") as file:
        return replace(mark, check=_check(file, mark.offset))


def _heard(
    assistant: AssistantLogs, lines: Iterator[tuple[int, int, bytes | None]], facts: Facts, reading: LogReading
) -> Iterator[TranscriptMessage]:
    for number, (start, ends, line) in enumerate(lines, 1):
        known = replace(facts)
        try:
            said = tuple(assistant.read(line, facts)) if line is not None else None
        except NotOfThisForm:
            if not ends:
                return  # it is still being written
            said = None
        if said is None:
            reading.faults += 1
            reading.faulty[:] = [*reading.faulty, number][:FAULTS_TOLD]
            continue
        reading.records += 1
        for one in said:
            yield TranscriptMessage(one, known, replace(facts), start)


def _lines(file: BinaryIO, offset: int) -> Iterator[tuple[int, int, bytes | None]]:
    """Where each line starts, whether it ends, and the line: None for one that is too long, which is passed over."""
    file.seek(offset)
    start = offset
    while line := file.readline(LINE_BYTES):
        length, ends = len(line), line.endswith(b"\n")
        whole: bytes | None = line
        while not ends and (more := file.readline(LINE_BYTES)):
            whole, length, ends = None, length + len(more), more.endswith(b"\n")
        if line.strip():
            yield start, ends, whole
        start += length


def _in_document(assistant: AssistantLogs, path: Path, reading: LogReading) -> Iterator[HeardTurn]:
    with _readable(), path.open("rb") as file:
        content = file.read(DOCUMENT_BYTES + 1)
    if len(content) > DOCUMENT_BYTES:
        raise SourceError(f"It is longer than {DOCUMENT_BYTES:,} bytes.", "Split it, or leave it.")
    yield from turns(_all_of(assistant, content, reading))


def _all_of(assistant: AssistantLogs, given: object, reading: LogReading) -> Iterator[TranscriptMessage]:
    facts = replace(reading.mark.facts)
    known = replace(facts)
    try:
        for said in assistant.read(given, facts):
            reading.records += 1
            yield TranscriptMessage(said, known, replace(facts))
    except NotOfThisForm:
        reading.faults += 1


def _check(file: BinaryIO, offset: int) -> str:
    """A digest of a file's start and of what stands before a byte."""
    file.seek(0)
    told = hashlib.sha256(file.read(min(CHECKED_BYTES, offset)))
    file.seek(max(0, offset - CHECKED_BYTES))
    told.update(file.read(min(CHECKED_BYTES, offset)))
    return told.hexdigest()[:32]


@contextmanager
def _readable() -> Iterator[None]:
    """What is done with a file; SourceError where the system refuses."""
    try:
        yield
    except OSError as wrong:
        raise SourceError(f"It cannot be read: {wrong.strerror or wrong}.", "Make it readable, or leave it.") from wrong
