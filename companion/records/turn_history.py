"""Turns as history: what is handed to a host, the running array, sessions, and what they are summed up to."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from companion.records.sorts import Warmth
from companion.records.talk import Role


class Anchor(Struct, frozen=True):
    """A sentence that says who the user is or what was decided for good, word for word.

    `confidence` is how firmly, 0 to 1; `conversation` and `number` are its source turn, or `memory` the pinned memory.
    """

    text: str
    confidence: float
    at: datetime
    conversation: str = ""
    number: int = 0
    memory: str = ""


class TurnPart(StrEnum):
    """How much of a turn is handed over."""

    WHOLE = "whole"
    CUT = "cut"
    """The user's words, and as much of the reply as there was room for."""
    GIST = "gist"
    """One sentence and keywords."""


class HandedTurn(Struct, frozen=True):
    """A turn as it stands in a history; `relevance` (0 to 1) is that of what was looked up, 1 for the last turns."""

    turn: str
    conversation: str
    number: int
    at: datetime
    warmth: Warmth
    part: TurnPart
    relevance: float
    tokens: int


class History(Struct, frozen=True):
    """What a host is handed of what was said: `text`, exactly `tokens` of `tokenizer`, never over the budget.

    `before` is the summary of the session before, where this one has just begun. `looked_back` says what made us
    look further back than the last turns, empty if nothing did; `dropped` are turns that found no room, and
    `missing` says in sentences what could not be looked up.
    """

    text: str
    tokens: int
    budget_tokens: int
    tokenizer: str
    turns: tuple[HandedTurn, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    before: str = ""
    looked_back: str = ""
    dropped: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def of(self, warmth: Warmth) -> tuple[HandedTurn, ...]:
        """The turns of one warmth, oldest first."""
        return tuple(one for one in self.turns if one.warmth is warmth)


class TurnMove(Struct, frozen=True):
    """A turn became warmer or colder."""

    turn: str
    at: datetime
    before: Warmth
    after: Warmth
    why: str


class SessionSummary(Struct, frozen=True):
    """What a session came to: one line, what mattered, what is open, what was promised, who was named, its tone."""

    line: str = ""
    mattered: tuple[str, ...] = ()
    open_loops: tuple[str, ...] = ()
    commitments: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    tone: str = ""
    made_by: str = "rules"


class Rolling(Struct, frozen=True):
    """What a session had come to after so many turns."""

    number: int
    made_at: datetime
    turns: int
    text: str


class TalkSession(Struct, frozen=True):
    """A stretch of activity with one persona; `ended_at` is empty while it goes on."""

    id: str
    persona: str
    number: int
    started_at: datetime
    last_turn_at: datetime
    turns: int
    ended_at: datetime | None = None
    rolling: tuple[Rolling, ...] = ()
    summary: SessionSummary | None = None


class Whole(Struct, frozen=True):
    """A version of the summary of everything: who the user is, what is worked on, with whom, what is open."""

    version: int
    made_at: datetime | None = None
    turns: int = 0
    profile: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    open_loops: tuple[str, ...] = ()


class TalkProgress(Struct, frozen=True):
    """How it stands with one persona: counts, the last turn, the last run, and how summing up goes."""

    persona: str
    turns: int = 0
    sessions: int = 0
    last_turn_at: datetime | None = None
    last_said: str = ""
    last_run_at: datetime | None = None
    tried_at: datetime | None = None
    made_at: datetime | None = None
    error: str = ""
    array_tokens: int = 0


class Block(Struct, frozen=True):
    """What older turns of the array became: `turns` of them, `tokens` for `tokens_before`."""

    number: int
    made_at: datetime
    turns: int
    tokens: int
    tokens_before: int
    text: str
    made_by: str = "rules"


class ArrayMessage(Struct, frozen=True):
    """One message of the running array; that of a block has no turn."""

    role: Role
    text: str
    at: datetime
    conversation: str = ""
    turn: str = ""


class RunningArray(Struct, frozen=True):
    """The one array of messages that a host may replay with a persona: a block of what is older, then each message."""

    persona: str
    messages: tuple[ArrayMessage, ...] = ()
    turns: int = 0
    tokens: int = 0
    threshold_tokens: int = 0
    block: Block | None = None


class Compaction(Struct, frozen=True):
    """What compacting came to: `block` is the newest if one was made; `error` why not, and it is tried again."""

    turns: int = 0
    tokens_before: int = 0
    tokens_after: int = 0
    block: Block | None = None
    error: str = ""
