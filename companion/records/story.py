"""The story of some lines: what each commit did to them, and the steps of it that people are told."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from companion.records.events import Commit
from companion.records.passages import Span


class LineChange(Struct, frozen=True):
    """What a commit did to lines that are followed: those it took out, and those it put; it made them if `first`.

    `path` is what their file was called after it, `span` where they stood in it. `came_from` is the file that they
    were moved out of, where it is another.
    """

    commit: Commit
    path: str
    span: Span
    taken: tuple[str, ...]
    put: tuple[str, ...]
    first: bool = False
    came_from: str = ""


class HistoryEnd(StrEnum):
    """Why a history goes no further back."""

    BEGUN = "begun"
    SHALLOW = "shallow"
    TIME = "time"


class LineHistory(Struct, frozen=True):
    """What commits did to some lines, newest first, as far back as that is known."""

    changes: tuple[LineChange, ...] = ()
    end: HistoryEnd = HistoryEnd.BEGUN


class StoryLink(Struct, frozen=True):
    """Something behind a step: `sort` is `commit`, `pull request`, `issue` or `release`; no `url` without a forge."""

    sort: str
    name: str
    url: str = ""


class StoryStep(Struct, frozen=True):
    """A commit in a story, in one sentence; no `sha`: not committed yet.

    `did` is what it did to the lines: `made`, `moved`, `fixed`, `changed`, `renamed`, `reverted`, `formatted`. `detail`
    is what its message gives as the reason. `spans` are the lines at hand that it wrote.
    """

    text: str
    sha: str = ""
    at: datetime | None = None
    author: str = ""
    did: str = ""
    detail: str = ""
    links: tuple[StoryLink, ...] = ()
    spans: tuple[Span, ...] = ()
