"""What conversations left: open ends, acts, Your Story, who the user is, how a day begins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from companion.api.talking import TALKS_TOLD, Erased
from companion.records import Memory
from companion.records.talk import Act, Conversation, ItemType, Theme, TodoSort, Turn
from companion.records.talk import Item as TalkItem

LONG_OVERDUE_DAYS = 14
"""Days after which what is overdue is only counted: who has not done it in a fortnight need not read it each day."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the user is, as Your Story tells: what recurs in it, its latest memories, and what was said for good.

    `patterns` are habits and preferences that were noticed or told, `priorities` what was said to come first.
    """

    themes: tuple[Theme, ...] = ()
    memories: tuple[Memory, ...] = ()
    anchors: tuple[Turn, ...] = ()
    patterns: tuple[Memory, ...] = ()
    priorities: tuple[TalkItem, ...] = ()


@dataclass(frozen=True, slots=True)
class Todo:
    """Something to do, as a person says it: `due` is a day (2026-01-31), `who` whom it waits for."""

    text: str
    sort: TodoSort = TodoSort.COMMITMENT
    due: str = ""
    who: str = ""
    act: str = ""
    persona: str = ""


@dataclass(frozen=True, slots=True)
class Greeting:
    """What a day begins with: the conversation that waits, or what is open, waited for, decided, stale and due.

    Nothing is told twice. All of it belongs to the present project, which stands first, or to none; `elsewhere` is what
    is soon due or overdue in other projects, and `open_elsewhere` how much is open in each of them, by name.
    """

    waiting_talk: Conversation | None = None
    talk_project: str = ""
    """The name of the project that the conversation is held in; empty for none."""
    threads: tuple[TalkItem, ...] = ()
    waiting_on: tuple[TalkItem, ...] = ()
    decisions: tuple[TalkItem, ...] = ()
    stale: tuple[TalkItem, ...] = ()
    due: tuple[TalkItem, ...] = ()
    overdue: tuple[TalkItem, ...] = ()
    """Each with `overdue_since` among its details."""
    long_overdue: int = 0
    """How much more has been overdue for more than `LONG_OVERDUE_DAYS`."""
    ended: tuple[Memory, ...] = ()
    """Notes written by hand that came to their end lately by what they say, each with why and since when."""
    elsewhere: tuple[TalkItem, ...] = ()
    open_elsewhere: Mapping[str, int] = field(default_factory=dict)
    contradictions: int = 0
    """Open contradictions of the present project."""
    questions: int = 0
    """Questions of the present project that wait for a judge."""


class Storied(Protocol):
    """What conversations have left behind. Every verb raises CompanionError with a next step."""

    def threads(
        self, types: Sequence[ItemType] = (), act: str = "", persona: str = "", limit: int = TALKS_TOLD
    ) -> tuple[TalkItem, ...]:
        """What conversations left open, by type and act; the one spoken of last first."""

    def settle_thread(self, id_: str) -> TalkItem:
        """Settle an open item by hand."""

    def add_todo(self, todo: Todo) -> TalkItem:
        """Keep a commitment, habit, thread or friction by hand; it is open until it is settled."""

    def acts(self) -> tuple[Act, ...]:
        """The containers of memories: Your Story first, one of each project, other lines of work."""

    def make_act(self, name: str) -> Act:
        """Make an act for a line of work; the one of that name if it is there."""

    def delete_act(self, act: str) -> Act:
        """Delete an act; what it holds goes to Your Story."""

    def story(self, act: str = "", persona: str = "", limit: int = 20, offset: int = 0) -> tuple[Memory, ...]:
        """Memories of Your Story, or of an act, newest first."""

    def identity(self, persona: str = "") -> Identity:
        """Who the user is, beyond what they are doing: recurring themes, latest memories, what was said for good."""

    def revise(self, id_: str, text: str) -> Memory:
        """Put a memory that a person told into other words; returns its new version, the old one stays beside it."""

    def route(self, id_: str, act: str) -> Memory:
        """Send a memory that was told to another act, with what it left open."""

    def erase(self, id_: str) -> Erased:
        """Delete a memory that was told, for good; the conversation it comes from stays."""

    def greeting(self, persona: str = "", *, everywhere: bool = False) -> Greeting:
        """What a day begins with: the conversation to go on with, or what is open here; or in all projects alike."""
