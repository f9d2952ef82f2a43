"""What a log of an assistant is made of: who said what, in which session, in which folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from companion.records.talk import Message, Role

EPOCH_MS_MOST = 253_402_300_799_000
"""The last millisecond of the year 9999: a larger number is no time."""


class NotOfThisForm(ValueError):
    """A line or a document is not what the assistant writes."""


@dataclass(frozen=True, slots=True)
class HeardMessage:
    """One message, or a piece of one that goes on; `at` is naive UTC, `id` what the log calls it, if it does."""

    role: Role
    text: str
    at: datetime | None = None
    id: str = ""
    goes_on: bool = False


@dataclass(slots=True)
class Facts:
    """What a log has said of itself so far; reading goes on from them where it stopped.

    `folder` is where the work was done, or `sha256:…` of it; `apart` marks what an assistant said to its own helpers;
    `before` is the id of the turn before, by which one without id and time is told from another of the same words;
    `began` is when the session began, for messages without a time.
    """

    session: str = ""
    folder: str = ""
    title: str = ""
    apart: bool = False
    before: str = ""
    began: datetime | None = None


@dataclass(frozen=True, slots=True)
class HeardTurn:
    """A turn as the log has it, from `at` to `until`. `start` is its first byte, `facts` what was known there."""

    session: str
    folder: str
    title: str
    id: str
    at: datetime | None
    until: datetime | None
    messages: tuple[Message, ...]
    start: int
    facts: Facts


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where logs may lie: the user's folder, the environment, and the checkouts that are known."""

    home: Path
    environ: Mapping[str, str]
    roots: tuple[Path, ...] = ()


Rows = Callable[[str, Mapping[str, object]], Iterator[tuple[Any, ...]]]
"""Asks another program's database, which is only read: a statement and its parameters, rows."""


class LogForm(StrEnum):
    """How an assistant keeps its talk."""

    LINES = "lines"
    """A line a record, added at the end: read from where reading stopped."""
    DOCUMENT = "document"
    """One file that is written anew each time."""
    TABLES = "tables"
    """A database of its own."""


@dataclass(frozen=True, slots=True)
class AssistantLogs:
    """An assistant whose logs can be read: where they lie, how they are known again, and how they are read.

    `read` takes a line, a whole document or a way to ask its tables, and yields what was said; it keeps `Facts` up to
    date on the way, and raises NotOfThisForm. `beside` reads what lies beside a log and says of it.
    """

    name: str
    title: str
    form: LogForm
    places: Callable[[Surroundings], Sequence[Path]]
    patterns: tuple[str, ...]
    read: Callable[[Any, Facts], Iterable[HeardMessage]]
    beside: Callable[[Path], Facts] = lambda path: Facts()
    name_of: Callable[[Path], str] = lambda path: path.name


def record_of(line: bytes) -> Mapping[str, Any]:
    """The object in a line of JSON. Raises NotOfThisForm."""
    return as_object(json_of(line))


def json_of(content: object) -> Any:
    """What stands in JSON, bytes or text. Raises NotOfThisForm, for what nests too deep as well."""
    text = content.decode("utf-8-sig", "replace") if isinstance(content, bytes) else content
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError) as wrong:
        raise NotOfThisForm("it is not JSON") from wrong


def as_object(given: object) -> Mapping[str, Any]:
    """An object of JSON. Raises NotOfThisForm for anything else."""
    if not isinstance(given, dict):
        raise NotOfThisForm("it is not an object")
    return given


def objects(given: object) -> Iterator[Mapping[str, Any]]:
    """The objects in a list; nothing for what is none."""
    if isinstance(given, list):
        yield from (one for one in given if isinstance(one, dict))


def text_of(given: object) -> str:
    """A text, or nothing."""
    return given if isinstance(given, str) else ""


def within(given: object, *names: str) -> Any:
    """What stands inside objects under these names; None where one of them is missing."""
    for name in names:
        given = given.get(name) if isinstance(given, dict) else None
    return given


def moment_of(given: object) -> datetime | None:
    """A time as logs write it, in ISO 8601 or as milliseconds, naive UTC; None for what is none."""
    try:
        if isinstance(given, str):
            at = datetime.fromisoformat(given)
            return at if at.tzinfo is None else at.astimezone(UTC).replace(tzinfo=None)
        if isinstance(given, (int, float)) and not isinstance(given, bool) and 0 < given <= EPOCH_MS_MOST:
            return datetime.fromtimestamp(given / 1000, UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        pass
    return None


def folder_of_uri(given: str) -> str:
    """The folder that a `file:` address names; nothing for any other address."""
    parts = urlsplit(given)
    return url2pathname(unquote(parts.path)) if parts.scheme == "file" else ""
