"""Memories: kept by hand, gone through, looked back at, put into acts; what contradicts what, and what holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field

from companion.records import Contradiction, Kind, Memory, Resolution, Scope, Visibility

if TYPE_CHECKING:  # `Route.declared` loads what the verb that is asked needs
    from companion.records import (
        Act,
        Dossier,
        Erased,
        Identity,
        Ruling,
        Superseded,
        TimelinePage,
        TimelineQuery,
    )

NOT_USEFUL = "not useful"
"""The action by which `pass_over` records that a person wants no hint of a memory any more."""


class Note(Struct, frozen=True):
    """Something to remember, as a person says it."""

    text: str
    kind: Kind = Kind.FACT
    scope: Scope = field(default_factory=Scope)
    visibility: Visibility = Visibility.USER_PRIVATE
    pinned: bool = False
    label: str = ""
    assistant: str = ""
    """The name of the assistant that wrote it; empty: a person did."""


class Noted(Memory, frozen=True):
    """A memory as it was just kept by hand, with what it became and the open contradictions that it is a side of.

    `replaces` are memories that the same person said before and that differ from it in a value or a word: the next run
    supersedes them.
    """

    became: str = "note"
    """`decision`, `to-do`, `rule`, `note`; or the kind of memory that was asked for."""
    contradicts: tuple[Contradiction, ...] = ()
    replaces: tuple[Memory, ...] = ()

    @property
    def is_now(self) -> str:
        """What it became and where it holds, in words."""
        return f"a {self.became} for {self.draft.scope.label() or 'the whole project'}"


class Verdict(Struct, frozen=True):
    """How a person settles a contradiction; `scope_a` and `scope_b` say where each holds if both are valid.

    `merged` is the text that replaces both, where the resolution is to merge.
    """

    resolution: Resolution
    note: str = ""
    scope_a: Scope | None = None
    scope_b: Scope | None = None
    merged: str = ""


class Card(Struct, frozen=True):
    """What else is known of somebody or something that is named: up to three facts, the most important first."""

    entity: str
    name: str
    facts: tuple[Memory, ...]


class MemoryVerbs(Protocol):
    """What is remembered. Every verb raises CompanionError with a next step."""

    def remember(self, note: Note) -> Noted:
        """Keep what a person says; the answer names what it became, and what it contradicts."""

    def seed(self, profile: str) -> tuple[Memory, ...]:
        """Make a text the user's starting profile: what each of its paragraphs and list items says goes to Your Story.

        Returns what it says. Given again, what it says no longer is archived.
        """

    def forget(self, id_: str) -> Memory:
        """Archive a memory; explicit search still finds it."""

    def revive(self, id_: str) -> Memory:
        """Bring an archived memory back, which is citing it too. Refused while another stands in its place."""

    def pin(self, id_: str, *, on: bool) -> Memory:
        """Pin a memory, so that it is in every context and stays, or take the pin out."""

    def cite(self, ids: Sequence[str], action: str) -> None:
        """Record that memories influenced an action."""

    def pass_over(self, ids: Sequence[str], action: str) -> None:
        """Record that memories were shown and of no use."""

    def dossier(self, id_: str) -> Dossier:
        """All that is known of one memory (a prefix of its id is enough); an archived one stays archived."""

    def timeline(self, query: TimelineQuery) -> TimelinePage:
        """What happened, newest first, a page at a time, with a count for each month."""

    def contradictions(self, *, settled: bool = False) -> tuple[Contradiction, ...]:
        """Open contradictions, newest first; `settled` adds those that were settled."""

    def judge_again(self, id_: str) -> Ruling:
        """What the judges say of a contradiction now, by all that is known of both sides; nothing is changed."""

    def superseded(self, limit: int = 50) -> tuple[Superseded, ...]:
        """What newer statements of the same source took the place of, newest first."""

    def settle(self, id_: str, verdict: Verdict) -> Contradiction:
        """Settle a contradiction as a person says; the loser is superseded, never deleted."""

    def unsettle(self, id_: str) -> Contradiction:
        """Take back how a contradiction was settled: what lost stands again, what took a side's place is archived.

        One that is open stays as it is; one that was closed because a side no longer holds is refused.
        """

    def cards(self, ids: Sequence[str], persona: str = "") -> tuple[Card, ...]:
        """For whom and what these memories name, up to three more facts each; the most named first."""

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
