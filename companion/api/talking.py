"""Conversations: how they go on, end, are reviewed, and are found again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from companion.records import Memory
from companion.records.talk import Conversation, Message, NamedItem, Part, Preview, TalkState, Turn, TurnHit
from companion.records.talk import Item as TalkItem

BY_HAND = "by-hand"
"""The source of a conversation that a person types."""


TALKS_TOLD = 100
"""Conversations or open items listed unless more are asked for: several screens full."""


@dataclass(frozen=True, slots=True)
class Edit:
    """How a person changes what will be remembered of a conversation, before it is.

    `narrative` takes the place of the words of part number `part` (from 1), the items in `drop` go, and those in
    `change` say something else; items are named by their ids.
    """

    narrative: str = ""
    part: int = 1
    drop: tuple[str, ...] = ()
    change: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a conversation that was confirmed: its memories, and the items it left behind."""

    conversation: Conversation
    memories: tuple[Memory, ...] = ()
    items: tuple[TalkItem, ...] = ()
    settled: tuple[TalkItem, ...] = ()
    """Items of earlier conversations that it settled."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """What was said in a conversation, and what was taken from it; candidates are seen here alone."""

    conversation: Conversation
    turns: tuple[Turn, ...]
    items: tuple[TalkItem, ...] = ()
    memories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Erased:
    """How much was deleted for good of what a conversation (or a person's hand) left behind."""

    conversation: str
    turns: int
    items: int
    memories: int


class Talking(Protocol):
    """What is said, and what is remembered of it. Every verb raises CompanionError with a next step."""

    def start_conversation(self, title: str = "", persona: str = "", source: str = BY_HAND) -> Conversation:
        """Begin a conversation, which takes the user's one place. PlaceTaken names who holds it.

        `source` is the way it is held: by hand, `mcp`, `http`; reviews can be switched off for some of them.
        """

    def active_conversation(self) -> Conversation | None:
        """The conversation that holds the place: going on, paused, or waiting for review."""

    def add_turn(self, messages: Sequence[Message], conversation: str = "", channel: str = "") -> Turn:
        """Write down what was said, redacted and without what we put into it ourselves.

        Messages that pile up before they are answered are one turn. No `conversation` is the one going on.
        """

    def pause_conversation(self, conversation: str = "", *, on: bool = True) -> Conversation:
        """Silence nudges about a conversation, or no more."""

    def close_conversation(
        self, conversation: str = "", named: Sequence[NamedItem] = (), named_by: str = ""
    ) -> Preview:
        """End a conversation and read what it leaves behind; nothing is remembered before it is confirmed.

        What is `named` counts where its quotation stands in the talk and its statement adds nothing to it.
        """

    def resume_conversation(self, conversation: str = "") -> Conversation:
        """Go on with a conversation that is paused, under review, or could not be put into memory."""

    def archive_conversation(self, conversation: str = "") -> Conversation:
        """Put a conversation away without remembering anything of it; its transcript stays."""

    def review(self, conversation: str = "") -> Preview:
        """What will be remembered of a conversation, and where."""

    def edit_review(self, edit: Edit, conversation: str = "") -> Preview:
        """Change what will be remembered; the first words are kept beside."""

    def redirect_review(self, act: str, conversation: str = "") -> Preview:
        """Send all that will be remembered to one act, given by name or id."""

    def split_review(self, parts: Sequence[Part], conversation: str = "") -> Preview:
        """Send some items to other acts, each act with words of its own; the rest stays where it was."""

    def confirm_review(self, conversation: str = "") -> Remembered:
        """Remember it as the preview says, exactly once; what was begun and cut off is finished by asking again."""

    def conversations(
        self, state: TalkState | None = None, persona: str = "", limit: int = TALKS_TOLD
    ) -> tuple[Conversation, ...]:
        """The user's conversations, the one spoken in last first."""

    def transcript(self, conversation: str = "", first: int = 1, last: int | None = None) -> Transcript:
        """What was said in a conversation, from one turn to another."""

    def find_turns(self, text: str, limit: int = 10, conversation: str = "") -> tuple[TurnHit, ...]:
        """What was said about something, in all conversations or in one, best first."""

    def forget_conversation(self, conversation: str) -> Erased:
        """Delete a conversation for good: turns, items, memories, and what indexes and journals have of them."""
