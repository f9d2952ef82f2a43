"""What is said: conversations and their reviews, history for a host, open ends, nudges, other assistants' logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field

from companion.ports import Progress
from companion.records import Memory
from companion.records.talk import Conversation, Item, TodoSort, Turn

if TYPE_CHECKING:  # `Route.declared` loads what the verb that is asked needs
    from companion.records import (
        Compaction,
        Erased,
        History,
        ItemType,
        Message,
        NamedItem,
        Nudge,
        NudgeAnswer,
        Part,
        Preview,
        RunningArray,
        TalkProgress,
        TalkSession,
        TalkState,
        TurnHit,
        TurnMove,
        Whole,
    )

BY_HAND = "by-hand"
"""The source of a conversation that a person types."""
TALKS_TOLD = 100
"""Conversations or open items listed unless more are asked for: several screens full."""
SESSIONS_TOLD = 20
"""Sessions listed unless more are asked for: a screen full."""
MOVES_TOLD = 100
"""Moves of turns listed unless more are asked for."""
NUDGES_TOLD = 50
"""Nudges listed unless more are asked for: a screen full."""
LOGS_TOLD = 200
"""Logs that a report names; the rest is counted."""
LONG_OVERDUE_DAYS = 14
"""Days after which what is overdue is only counted: who has not done it in a fortnight need not read it each day."""


class Edit(Struct, frozen=True):
    """How a person changes what will be remembered of a conversation, before it is.

    `narrative` takes the place of the words of part number `part` (from 1), the items in `drop` go, and those in
    `change` say something else; items are named by their ids.
    """

    narrative: str = ""
    part: int = 1
    drop: tuple[str, ...] = ()
    change: Mapping[str, str] = field(default_factory=dict)


class Remembered(Struct, frozen=True):
    """What became of a conversation that was confirmed: its memories, and the items it left behind."""

    conversation: Conversation
    memories: tuple[Memory, ...] = ()
    items: tuple[Item, ...] = ()
    settled: tuple[Item, ...] = ()
    """Items of earlier conversations that it settled."""


class Transcript(Struct, frozen=True):
    """What was said in a conversation, and what was taken from it; candidates are seen here alone."""

    conversation: Conversation
    turns: tuple[Turn, ...]
    items: tuple[Item, ...] = ()
    memories: tuple[str, ...] = ()


class Todo(Struct, frozen=True):
    """Something to do, as a person says it: `due` is a day (2026-01-31), `who` whom it waits for."""

    text: str
    sort: TodoSort = TodoSort.COMMITMENT
    due: str = ""
    who: str = ""
    act: str = ""
    persona: str = ""


class TraceSort(StrEnum):
    """What sort of trace work left on a project, the most open first."""

    FAILING = "failing"
    UNCOMMITTED = "uncommitted"
    PROPOSED = "proposed"
    REJECTED = "rejected"
    DECIDED = "decided"
    COMMITTED = "committed"
    BINDING = "binding"


class Trace(Struct, frozen=True):
    """Something that work on a project left: what fails, is in no commit, waits for an answer, was decided or given up.

    `source` is where it can be checked; `spans` are the lines of `path` that it is about, first and last from 1.
    """

    sort: TraceSort
    says: str
    at: datetime | None = None
    source: str = ""
    id: str = ""
    path: str = ""
    spans: tuple[tuple[int, int], ...] = ()


class Greeting(Struct, frozen=True):
    """What a day begins with: the conversation that waits, or what is open, waited for, decided, stale and due.

    Nothing is told twice. All of it belongs to the present project, which stands first, or to none; `elsewhere` is what
    is soon due or overdue in other projects, and `open_elsewhere` how much is open in each of them, by name. `traces`
    say where work on the code stopped. `text` is all of it in words, in some 600 tokens; empty where there is nothing.
    """

    waiting_talk: Conversation | None = None
    talk_project: str = ""
    """The name of the project that the conversation is held in; empty for none."""
    threads: tuple[Item, ...] = ()
    waiting_on: tuple[Item, ...] = ()
    todos: tuple[Item, ...] = ()
    """What is to be done with no day set, and spoken of lately."""
    decisions: tuple[Item, ...] = ()
    stale: tuple[Item, ...] = ()
    due: tuple[Item, ...] = ()
    overdue: tuple[Item, ...] = ()
    """Each with `overdue_since` among its details."""
    long_overdue: int = 0
    """How much more has been overdue for more than `LONG_OVERDUE_DAYS`."""
    ended: tuple[Memory, ...] = ()
    """Notes written by hand that came to their end lately by what they say, each with why and since when."""
    elsewhere: tuple[Item, ...] = ()
    open_elsewhere: Mapping[str, int] = field(default_factory=dict)
    contradictions: int = 0
    """Open contradictions of the present project."""
    questions: int = 0
    """Questions of the present project that wait for a judge."""
    project: str = ""
    """The name of the present project, if it was read; empty outside of one."""
    traces: tuple[Trace, ...] = ()
    text: str = ""


class TalkSource(Struct, frozen=True):
    """An assistant whose logs can be read. `places` are its folders here, `allowed_at` since when they may be read."""

    name: str
    title: str
    places: tuple[str, ...] = ()
    allowed_at: datetime | None = None
    conversations: int = 0
    unseen: int = 0
    """Conversations that came from it, and those of them that wait for review."""


class LogRead(Struct, frozen=True):
    """What came of one log: turns that are new or have grown, and why nothing, or not all, was taken."""

    source: str
    path: str
    conversations: int = 0
    new: int = 0
    grown: int = 0
    deleted: int = 0
    faults: int = 0
    why: str = ""


class TalkImport(Struct, frozen=True):
    """What was brought in. `logs` names those with something to tell; `unallowed` the sources that were not read."""

    dry_run: bool
    logs: tuple[LogRead, ...] = ()
    logs_read: int = 0
    logs_same: int = 0
    conversations: int = 0
    new: int = 0
    grown: int = 0
    unseen: int = 0
    remembered: int = 0
    """Conversations that were put into memory at once, since reviews are switched off for their source."""
    unallowed: tuple[TalkSource, ...] = ()


class BulkReview(Struct, frozen=True):
    """What became of conversations that were reviewed together; `left` could not be, each with the reason."""

    reviewed: int = 0
    memories: int = 0
    items: int = 0
    left: tuple[tuple[str, str], ...] = ()


class ConversationVerbs(Protocol):
    """What is said, and what is left of it. Every verb raises CompanionError with a next step."""

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

    def find_turns(self, text: str, limit: int = 10, conversation: str = "", act: str = "") -> tuple[TurnHit, ...]:
        """What was said about something, in all conversations, in one or in those of an act, best first."""

    def forget_conversation(self, conversation: str) -> Erased:
        """Delete a conversation for good: turns, items, memories, and what indexes and journals have of them."""

    def history(
        self, message: str = "", conversation: str = "", budget_tokens: int | None = None, *, back: bool | None = None
    ) -> History:
        """What was said before, for the answer to `message`: never more than the budget.

        The last turns always; earlier ones of this conversation and of others where the message points backwards
        (`back` says so or not instead). No `conversation` is the one going on; without one the last session is told.
        """

    def recall_turn(self, id_: str) -> Turn:
        """A turn in full, by its id or the beginning of it; a cold one stays in histories until the session ends."""

    def running(self, persona: str = "") -> RunningArray:
        """The one array of messages with a persona that a host may replay, across all conversations."""

    def compact(self, persona: str = "", *, now_at_once: bool = False) -> Compaction:
        """Make a block of the older turns of the array, where it is past its threshold or that is asked for."""

    def sessions(self, persona: str = "*", limit: int = SESSIONS_TOLD) -> tuple[TalkSession, ...]:
        """Sessions with a persona (`*`: with all), the newest first, with what they came to."""

    def talk_progress(self, persona: str = "") -> TalkProgress:
        """How it stands with a persona: counts, the last turn, how summing up goes."""

    def whole_summary(self, version: int = 0) -> Whole:
        """The summary of everything, its newest version or another."""

    def turn_moves(self, conversation: str = "", limit: int = MOVES_TOLD) -> tuple[TurnMove, ...]:
        """Which turns became warmer or colder, of a conversation or of all, the latest first."""

    def threads(
        self, types: Sequence[ItemType] = (), act: str = "", persona: str = "", limit: int = TALKS_TOLD
    ) -> tuple[Item, ...]:
        """What conversations left open, by type and act; the one spoken of last first."""

    def settle_thread(self, id_: str) -> Item:
        """Settle an open item by hand."""

    def add_todo(self, todo: Todo) -> Item:
        """Keep a commitment, habit, thread or friction by hand; it is open until it is settled."""

    def greeting(self, persona: str = "", *, everywhere: bool = False) -> Greeting:
        """Where we were: the conversation to go on with, or what is open here or everywhere, and what work left."""

    def offer_nudge(self, path: str = "") -> Nudge | None:
        """Decide whether something is to be offered now, and note that it was: whoever asks shows it, once.

        `path` is the file at hand. A nudge that is given out joins the conversation that is going on.
        """

    def nudges(self, limit: int = NUDGES_TOLD) -> tuple[Nudge, ...]:
        """What was offered, with its answer, and what was kept back and why; decided last first."""

    def answer_nudge(self, id_: str, answer: NudgeAnswer) -> Nudge:
        """Note what somebody made of an offer. `done` settles the task, or ends the conversation for review."""

    def talk_sources(self) -> tuple[TalkSource, ...]:
        """The assistants whose logs can be read, where they lie, and whether they may be; no log is opened."""

    def allow_source(self, source: str, *, on: bool = True) -> TalkSource:
        """Agree to an assistant's logs being read, from now on, or take that back."""

    def import_talk(
        self,
        progress: Progress,
        sources: Sequence[str] = (),
        file: Path | None = None,
        *,
        dry_run: bool = False,
        here: bool = False,
        if_allowed: bool = False,
    ) -> TalkImport:
        """Bring in what is new in the logs of these assistants (none named: all that may be read), or in one file.

        Each turn goes to the project of the folder that the log names, if that is known, and else is left. `here`
        says that what names no folder belongs to this repository. A dry run keeps nothing. Naming a file is consent to
        reading it; with `if_allowed` only consent to its source is, and without that nothing happens.
        """

    def unseen_talk(self, source: str = "", limit: int = 100) -> tuple[Conversation, ...]:
        """Conversations that were brought in and that nobody has reviewed, the oldest first."""

    def review_unseen(
        self, progress: Progress, conversations: Sequence[str] = (), source: str = "", *, keep: bool
    ) -> BulkReview:
        """Remember what these conversations (none named: all that wait) leave behind, or put them away unremembered."""
