"""What a log of an assistant is made of: who said what, in which session, in which folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.records.talk import Message, Role
from companion.signals.transcripts.injected import typed


class NotOfThisForm(ValueError):
    """A line or a document is not what the assistant writes."""


class HeardMessage(Struct, frozen=True):
    """One message, or a piece of one that goes on; `at` is naive UTC, `id` what the log calls it, if it does."""

    role: Role
    text: str
    at: datetime | None = None
    id: str = ""
    goes_on: bool = False


class Facts(Struct):
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

    def learn(self, session: str = "", folder: str = "", title: str = "") -> None:
        """Take what a record says of the session; what it does not say stays."""
        self.session = session or self.session
        self.folder = folder or self.folder
        self.title = title or self.title

    def begin(self, session: str, folder: str = "", title: str = "") -> None:
        """Another session begins, of which nothing else is known."""
        self.session, self.folder, self.title, self.before = session, folder, title, ""


class HeardTurn(Struct, frozen=True):
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


class Surroundings(Struct, frozen=True):
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


class AssistantLogs(Struct, frozen=True):
    """An assistant whose logs can be read: where they lie, how they are known again, and how they are read.

    `places` are folders as `finding` reads them: below `~`, `$VARIABLE`, an editor's (`@Cursor`, or `@` for any) or a
    checkout's (`.`); of `A | B` the second where there is no such variable.
    `read` takes a line, a whole document or a way to ask its tables, and yields what was said; it keeps `Facts` up to
    date on the way, and raises NotOfThisForm. `beside` reads what lies beside a log and says of it.
    """

    name: str
    title: str
    form: LogForm
    places: tuple[str, ...]
    patterns: tuple[str, ...]
    read: Callable[[Any, Facts], Iterable[HeardMessage]]
    beside: Callable[[Path], Facts] = lambda path: Facts()
    name_of: Callable[[Path], str] = lambda path: path.name


def said_by(
    role: Role | None, texts: Sequence[str], at: datetime | None = None, id_: str = "", *, goes_on: bool = False
) -> Iterator[HeardMessage]:
    """A message of these texts, if somebody said it: of the user's, what a program put there is taken out."""
    text = "\n".join(filter(None, map(typed, texts) if role is Role.USER else texts))
    if role is not None and text.strip():
        yield HeardMessage(role, text, at, id_, goes_on)
