"""Notes: pages that stay in sight, and the preamble that shows them. User and assistant write them, no program."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct


class NoteSort(StrEnum):
    """What a note is, in the order in which they are shown."""

    STATUS = "status"
    """One line a field, each with the time it was set."""
    IDENTITY = "identity"
    """Who the user is, and who the assistant is to be."""
    PROJECT = "project"
    """The user's own notebook of this project."""
    DAY = "day"
    """The page of a day: today's and yesterday's are in sight."""
    JOURNAL = "journal"
    """What is worth knowing for long."""
    NOTEBOOK = "notebook"
    """Any other page."""
    COMPACTION = "compaction"
    """What to hold on to when a long conversation is made shorter."""


class StatusField(Struct, frozen=True):
    """One field of the status; `at` is when it was set, naive UTC, None where the line does not say."""

    name: str
    value: str
    at: datetime | None = None


class NotePage(Struct, frozen=True):
    """A note as it is shown: without secrets, and whole unless `cut_bytes` says what is left out of its end.

    `problem` says why a page cannot be shown. `path` is where it lies.
    """

    name: str
    sort: NoteSort
    path: str
    text: str = ""
    changed_at: datetime | None = None
    size_bytes: int = 0
    cut_bytes: int = 0
    problem: str = ""
    fields: tuple[StatusField, ...] = ()


class Preamble(Struct, frozen=True):
    """What an assistant is told before anything else: the same bytes until a note changes.

    `digest` names these bytes. `left_out` says which notes are not whole in it, and why.
    """

    text: str
    tokens: int
    budget_tokens: int
    built_at: datetime
    digest: str
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
