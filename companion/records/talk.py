"""A conversation with an assistant: its states, its turns, what it leaves behind, and where that goes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from msgspec import Struct, field

from companion.records.sorts import Warmth

FIRST_WORDS = "…"
"""How the title of a conversation ends that is only how it begins: nobody gave it one."""
UNTITLED = "talk of "
"""How a conversation is named by its day."""
DECIDED, COMPLETED = "decided", "completed"
"""The states of a task; that it is to be done goes without saying."""


class TalkState(StrEnum):
    """How far a conversation has come. Active and ready to close hold the one place that a user has."""

    ACTIVE = "active"
    READY_TO_CLOSE = "ready_to_close"
    COMPRESSING = "compressing"
    ARCHIVED = "archived"


class Role(StrEnum):
    """Who speaks in a message."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"


class ItemType(StrEnum):
    """What a conversation can leave behind; `Item.details` says which details each sort has."""

    PERSON = "person"
    TASK = "task"
    DECISION = "decision"
    WAITING_ON = "waiting-on"
    QUESTION = "question"
    BLOCKER = "blocker"
    PRIORITY = "priority-change"
    ACT = "act-reference"
    INSIGHT = "insight"


class TodoSort(StrEnum):
    """What sort of to-do something open is."""

    COMMITMENT = "commitment"
    HABIT = "habit"
    THREAD = "thread"
    FRICTION = "friction"


class ItemState(StrEnum):
    """A candidate is seen inside its own conversation alone; after review it is open, later perhaps settled."""

    CANDIDATE = "candidate"
    OPEN = "open"
    SETTLED = "settled"
    DROPPED = "dropped"


class Message(Struct, frozen=True):
    """One raw message of a turn, redacted."""

    role: Role
    text: str


class Turn(Struct, frozen=True):
    """One user turn with the reply; messages that piled up are one. Times are naive UTC.

    `number` counts the turns of its conversation from 1. `outside` is the id that an imported
    transcript gives it, empty otherwise: the same turn is never taken in twice.
    """

    id: str
    conversation: str
    number: int
    at: datetime
    messages: tuple[Message, ...]
    channel: str = ""
    tokens: int = 0
    warmth: Warmth = Warmth.HOT
    anchor: float = 0.0
    """How firmly it says who the user is or what was decided for good: 0, 0.5 or 1."""
    outside: str = ""

    def said(self, role: Role) -> str:
        """All that one side says in it."""
        return "\n\n".join(message.text for message in self.messages if message.role is role)


class Conversation(Struct, frozen=True):
    """One deliberate exchange. `project` is empty where it belongs to none; `paused` silences nudges, nothing else."""

    id: str
    user: str
    state: TalkState
    started_at: datetime
    project: str = ""
    persona: str = ""
    source: str = "by-hand"
    title: str = ""
    paused: bool = False
    turns: int = 0
    last_turn_at: datetime | None = None
    closed_at: datetime | None = None
    archived_at: datetime | None = None
    outside: str = ""
    unseen: bool = False
    """Whether it was brought in from elsewhere, and nobody has reviewed it yet."""


class TurnHit(Struct, frozen=True):
    """A turn that fits a question, in its conversation; `score`, and what words and meaning say of it, 0 to 1."""

    turn: Turn
    conversation: Conversation
    score: float
    words: float
    meaning: float


class Item(Struct, frozen=True):
    """Something a conversation leaves behind, in its user's own words as far as they go.

    `text` is the statement, `turn` the number of the turn it comes from, `quote` the words it rests on.
    `details` by type: task `status` (decided, completed), `priority`, `due`, and `sort` where it is a habit or a
    friction; decision `why`, `replaces`; waiting-on `who`, `since`, `due`; person `relation`; act-reference `act`.
    `agreed` is the turn in which the user agreed to what the assistant had proposed in `turn`. Where what is due is
    past, lists tell `overdue_since` in place of `due`.
    """

    id: str
    type: ItemType
    text: str
    turn: int
    quote: str = ""
    details: Mapping[str, str] = field(default_factory=dict)
    entities: tuple[str, ...] = ()
    confidence: float = 1.0
    state: ItemState = ItemState.CANDIDATE
    conversation: str = ""
    memory: str = ""
    act: str = ""
    touched_at: datetime | None = None
    settled_by: str = ""
    settled_at: datetime | None = None
    project: str = ""
    """Id of the project it belongs to: that of its act, else the one that it was said in; empty for none."""
    project_name: str = ""
    said_in: str = ""
    """The title of its conversation; of one that has none but its first words, its day and whom it was with."""

    @property
    def is_done(self) -> bool:
        """Whether it was said to be done where it was said."""
        return self.details.get("status") == COMPLETED


_SHOWN = {
    "who": "",
    "due": "due ",
    "overdue_since": "overdue since ",
    "why": "because ",
    "priority": "",
    "status": "",
    "sort": "a ",
}
"""Details that are shown beside an item, and how they are said."""


def details_in_words(one: Item) -> list[str]:
    """What is known of an item beside what it says."""
    told = [(said, one.details.get(name, "")) for name, said in _SHOWN.items()]
    return [f"{said}{value}" for said, value in told if value not in {"", DECIDED} and value not in one.text]


def item_in_words(one: Item) -> str:
    """An item in a line: what it says, and what is known beside it."""
    beside = "; ".join(details_in_words(one))
    return f"{one.text}{f' ({beside})' if beside else ''}"


def where_said(one: Item, *, project: bool = False) -> str:
    """Where an item was said, and when it was spoken of last, where that does not tell the day itself."""
    said_in = one.said_in or "by hand"
    when = f", {one.touched_at:%Y-%m-%d}" if one.touched_at is not None and not said_in.startswith(UNTITLED) else ""
    return f"{one.project_name}: {said_in}{when}" if project and one.project_name else f"{said_in}{when}"


THREADS = (ItemType.QUESTION, ItemType.BLOCKER)
"""Sorts of items that are open threads."""


class Settles(Struct, frozen=True):
    """An item of this conversation that settles an open one of before, how surely (0 to 1), and by what words."""

    item: str
    by: str
    confidence: float
    reason: str


class Suggestion(Struct, frozen=True):
    """Where a memory might belong: the act, how surely, why, and how many items point there."""

    act: str
    confidence: float
    reason: str
    pointing: int


class Extraction(Struct, frozen=True):
    """What a conversation meant: two to four sentences, items, what they settle, and where it belongs.

    `made_by` names the rules and the model, if one was asked, `passes` how often the text was gone through, `seconds`
    how long that took; `notes` say what became of a model that was asked in vain, in whole or in part.
    """

    narrative: str
    items: tuple[Item, ...]
    settles: tuple[Settles, ...] = ()
    suggestion: Suggestion | None = None
    confidence: float = 1.0
    made_by: str = "rules"
    passes: int = 1
    seconds: float = 0.0
    notes: tuple[str, ...] = ()


class Part(Struct, frozen=True):
    """A part of a conversation's memory that goes to one act: its words and the ids of its items."""

    act: str
    narrative: str
    items: tuple[str, ...]


class NamedItem(Struct, frozen=True):
    """What whoever closes a conversation says that it leaves behind, with the words of the talk that it rests on."""

    type: ItemType
    quote: str
    text: str


class Preview(Struct, frozen=True):
    """What will be remembered of a conversation once it is confirmed; `original` are the words before any edit."""

    conversation: Conversation
    extraction: Extraction
    parts: tuple[Part, ...]
    original: str = ""


class Act(Struct, frozen=True):
    """A container of memories. Every project has one; `permanent` is Your Story alone."""

    id: str
    name: str
    project: str = ""
    permanent: bool = False
    created_at: datetime | None = None


class Theme(Struct, frozen=True):
    """Something that recurs, and a memory of each conversation in which it does."""

    name: str
    memories: tuple[str, ...]


class Erased(Struct, frozen=True):
    """How much was deleted for good of what a conversation (or a person's hand) left behind."""

    conversation: str
    turns: int
    items: int
    memories: int
