"""The verbs: what every way in may ask of Companion, whoever answers.

The command line speaks this protocol and nothing else; a server in front of it would speak the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from companion.ports import Progress, Readiness
from companion.records import (
    Change,
    Context,
    Contradiction,
    Forecast,
    Format,
    Hint,
    Hit,
    Interest,
    Item,
    Kind,
    Linked,
    Mark,
    Memory,
    Observation,
    Resolution,
    Ruling,
    Scope,
    SearchQuery,
    Signals,
    Skipped,
    Superseded,
    Visibility,
    Why,
)
from companion.records.nights import ChangeState, NightRun, Purgeable, RunState, Undone
from companion.records.talk import (
    Act,
    Conversation,
    ItemType,
    Message,
    Part,
    Preview,
    TalkState,
    Theme,
    TodoSort,
    Turn,
    TurnHit,
)
from companion.records.talk import Item as TalkItem

NOT_USEFUL = "not useful"
"""The action by which `pass_over` records that a person wants no hint of a memory any more."""
SHOWN_AND_LEFT = "shown and left"
"""The rule by which a memory counts as passed over without anybody saying so."""


BY_HAND = "by-hand"
"""The source of a conversation that a person types."""
TALKS_TOLD = 100
"""Conversations or open items listed unless more are asked for: several screens full."""
CHANGES_TOLD = 500
"""Changes of a night told at once: more than anybody reads in one go, and an answer of some 300 kB."""


class AskedBy(StrEnum):
    """Who asked for a night."""

    COMMAND = "command"
    SCHEDULE = "schedule"
    IDLE = "idle"
    HTTP = "http"


class Order(StrEnum):
    """For whom a context is ordered: by importance for people, most stable first for assistants."""

    PEOPLE = "people"
    ASSISTANTS = "assistants"


@dataclass(frozen=True, slots=True)
class Learned:
    """How many memories of a kind and type a scan added, changed, retired and left as they were."""

    kind: str
    type: str
    active: int


@dataclass(frozen=True, slots=True)
class ScanReport:
    """What a scan did. Times are in seconds."""

    project: str
    root: str
    branch: str
    commits_new: int
    commits_total: int
    files_new: int
    files_total: int
    files_gone: int
    added: int
    changed: int
    retired: int
    contradictions: int
    learned: tuple[Learned, ...]
    skipped: tuple[Skipped, ...]
    first_context_s: float
    total_s: float
    readiness: Readiness
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Expansion:
    """Everything behind an id: a memory with its versions, or a file with its symbols."""

    id: str
    title: str
    text: str
    memory: Memory | None = None
    versions: tuple[Memory, ...] = ()
    linked: tuple[Linked, ...] = ()
    """What it has to do with, as nights have found it."""


@dataclass(frozen=True, slots=True)
class Explained:
    """One item of a context: why it is there, and what would be there without it."""

    item: Item
    instead: tuple[Item, ...] = ()
    freed_tokens: int = 0
    linked: tuple[Linked, ...] = ()
    """What it has to do with, as nights have found it."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a context is as it is."""

    context: Context
    items: tuple[Explained, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was checked: `state` is ok, warning or broken, with the next command."""

    name: str
    state: str
    what: str
    next_step: str = ""


@dataclass(frozen=True, slots=True)
class Stats:
    """What the store holds of one project, in counts and bytes."""

    project: str
    remote: str
    root: str
    commits: int
    files: int
    symbols: int
    languages: tuple[tuple[str, int], ...]
    memories: tuple[Learned, ...]
    archived: int
    open_contradictions: int
    readiness: Readiness
    store_bytes: int
    store_path: str
    retrieved: int = 0
    cited: int = 0
    ignored: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """Something to remember, as a person says it."""

    text: str
    kind: Kind = Kind.FACT
    scope: Scope = field(default_factory=Scope)
    visibility: Visibility = Visibility.USER_PRIVATE
    pinned: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class AtWork:
    """What is at the centre of work now, as inferred from what was observed; most interesting first."""

    activity: str
    why_activity: str
    branch: str
    current_file: str
    interests: tuple[Interest, ...] = ()
    events: int = 0
    prefetched: int = 0
    """Contexts made before they were asked for."""
    prefetch_served: int = 0
    """Those of them that were then asked for."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a person settles a contradiction; `scope_a` and `scope_b` say where each holds if both are valid.

    `merged` is the text that replaces both, where the resolution is to merge.
    """

    resolution: Resolution
    note: str = ""
    scope_a: Scope | None = None
    scope_b: Scope | None = None
    merged: str = ""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a look at changed files or commits did, in counts and seconds."""

    files_changed: int
    files_gone: int
    commits_new: int
    added: int
    changed: int
    retired: int
    seconds: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Involved:
    """A memory that a change is about, as it stands now: its title, what it says, and where that was read."""

    id: str
    kind: str
    title: str
    says: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NightChange:
    """One change of a night: the pass that proposed it, why, and what became of it.

    `why_not` says why it was refused or could not be undone.
    `contradiction` is the id of the contradiction that an Oppose opened, empty where there is none (yet).
    """

    number: int
    step: str
    change: Change
    reason: str
    state: ChangeState
    why_not: str = ""
    involved: tuple[Involved, ...] = ()
    contradiction: str = ""


@dataclass(frozen=True, slots=True)
class Detail:
    """How many changes of a sort come to the same: `detail` is a relation, a level or a warmth."""

    what: str
    detail: str
    changes: int


@dataclass(frozen=True, slots=True)
class PassReport:
    """What one pass of a night came to. `wrong` says why it did not run or broke off; the others went on."""

    name: str
    changes: int
    seconds: float
    dropped: int = 0
    """Proposals that were left out: an earlier pass of the same night had dealt with their memories."""
    counted: tuple[tuple[str, int], ...] = ()
    """What else the pass counted, such as wordings that its checker refused."""
    wrong: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NightReport:
    """What a night did, or a dry run would do, in counts of memories and then change by change.

    `changes` are the first of them, those first that a person wants to see; `night` tells the rest.
    """

    run: str
    project: str
    """The project's name, as people know it."""
    dry_run: bool
    state: RunState
    asked_by: str
    planned_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    since: datetime | None = None
    deduped: int = 0
    """Memories that were folded into another that says the same."""
    superseded: int = 0
    compressed: int = 0
    """Memories that are offered at a shorter level."""
    reworded: int = 0
    tokens_saved: int = 0
    """Tokens that a context needs less for what was shortened or reworded."""
    forgotten: int = 0
    revived: int = 0
    contradictions_found: int = 0
    contradictions_open: int = 0
    """Those that wait to be settled now, whoever found them."""
    linked: int = 0
    moved: int = 0
    """Memories that moved between hot, warm and cold, or in rank."""
    united: int = 0
    """Entities that turned out to be another's spelling."""
    refused: int = 0
    """Changes that were not made, because what they are about has changed since it was planned."""
    undone: int = 0
    details: tuple[Detail, ...] = ()
    passes: tuple[PassReport, ...] = ()
    changes_total: int = 0
    changes: tuple[NightChange, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PurgeReport:
    """What a purge emptied for good, or would: `shown` are the first of the memories."""

    dry_run: bool
    grace_days: int
    memories: int
    size_bytes: int
    shown: tuple[Purgeable, ...] = ()


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the user is, as Your Story tells: what recurs in it, its latest memories, and what was said for good."""

    themes: tuple[Theme, ...] = ()
    memories: tuple[Memory, ...] = ()
    anchors: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """What else is known of somebody or something that is named: up to three facts, the most important first."""

    entity: str
    name: str
    facts: tuple[Memory, ...]


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
class Greeting:
    """What a day begins with: the conversation that waits, or what is open, waited for, decided, stale and due."""

    waiting_talk: Conversation | None = None
    threads: tuple[TalkItem, ...] = ()
    waiting_on: tuple[TalkItem, ...] = ()
    decisions: tuple[TalkItem, ...] = ()
    stale: tuple[TalkItem, ...] = ()
    due: tuple[TalkItem, ...] = ()


@dataclass(frozen=True, slots=True)
class Erased:
    """How much was deleted for good of what a conversation (or a person's hand) left behind."""

    conversation: str
    turns: int
    items: int
    memories: int


@dataclass(frozen=True, slots=True)
class Watched:
    """One repository that an owner keeps an eye on. `watching` is events, polling or off, with a word why."""

    root: str
    project: str
    branch: str
    watching: str
    folders: int
    waiting: int
    refreshed_at: datetime | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OwnerState:
    """The process that owns the store: who it is, where it listens, what it does. Times are naive UTC, sizes bytes."""

    pid: int
    version: str
    home: str
    address: str
    started_at: datetime
    requests: int
    attached: int
    """Clients that hold a connection open (editors, pages); while there is one, the owner stays."""
    leaves_after_s: float
    memory_bytes: int
    repositories: tuple[Watched, ...] = ()


@dataclass(frozen=True, slots=True)
class News:
    """Something that changed in one repository, told to those who are attached to it.

    `what` is `refreshed`, `contradictions`, `prefetched` or `leaving` (the owner ends); `paths` are the files it
    is about, relative to the root; `says` is a sentence for people.
    """

    what: str
    root: str
    says: str = ""
    paths: tuple[str, ...] = ()
    count: int = 0


class Companion(Protocol):
    """One user's companion for one project. Every verb raises CompanionError with a next step."""

    def scan(self, progress: Progress, *, full: bool = False, embed: bool = True) -> ScanReport:
        """Read what is new in history and code, and learn from it; `full` reads all again."""
        ...

    def assemble(
        self, budget_tokens: int, signals: Signals, shown: Format, order: Order, *, count_use: bool = True
    ) -> Context:
        """The four-tier context, never above the budget."""
        ...

    def explain(self, budget_tokens: int, signals: Signals, item_id: str | None, *, leave_one_out: bool) -> Explanation:
        """Why each item (or one) is in the context, and what would be there without it."""
        ...

    def explain_last(self, item_id: str | None, budget_tokens: int | None) -> Explanation:
        """Why the context that was asked for last is as it is."""
        ...

    def predict(self, signals: Signals) -> Forecast:
        """The files and memories that are likely needed."""
        ...

    def search(self, query: SearchQuery) -> tuple[Hit, ...]:
        """Memories that match."""
        ...

    def cards(self, ids: Sequence[str], persona: str = "") -> tuple[Card, ...]:
        """For whom and what these memories name, up to three more facts each; the most named first."""
        ...

    def expand(self, id_: str) -> Expansion:
        """Everything behind an id (a prefix is enough) or `file:PATH`."""
        ...

    def remember(self, note: Note) -> Memory:
        """Keep what a person says."""
        ...

    def forget(self, id_: str) -> Memory:
        """Archive a memory; explicit search still finds it."""
        ...

    def revive(self, id_: str) -> Memory:
        """Bring an archived memory back, which is citing it too. Refused while another stands in its place."""
        ...

    def pin(self, id_: str, *, on: bool) -> Memory:
        """Pin a memory, so that it is in every context and stays, or take the pin out."""
        ...

    def cite(self, ids: Sequence[str], action: str) -> None:
        """Record that memories influenced an action."""
        ...

    def pass_over(self, ids: Sequence[str], action: str) -> None:
        """Record that memories were shown and of no use."""
        ...

    def observe(self, seen: Sequence[Observation]) -> None:
        """Take note of what happened in an editor or shell; written down before it is acted on."""
        ...

    def at_work(self) -> AtWork:
        """What is at the centre of work now, and how that is known."""
        ...

    def why(self, path: str, line: int) -> Why:
        """Why the definition around a line (from 1) is as it is, in ten lines at most, each with its source."""
        ...

    def marks(self, path: str) -> tuple[Mark, ...]:
        """The definitions of a file that something is remembered about, by line."""
        ...

    def hints(self, path: str) -> tuple[Hint, ...]:
        """Open contradictions and departures from conventions in a file, by line."""
        ...

    def contradictions(self, *, settled: bool = False) -> tuple[Contradiction, ...]:
        """Open contradictions, newest first; `settled` adds those that were settled."""
        ...

    def judge_again(self, id_: str) -> Ruling:
        """What the judges say of a contradiction now, by all that is known of both sides; nothing is changed."""
        ...

    def superseded(self, limit: int = 50) -> tuple[Superseded, ...]:
        """What newer statements of the same source took the place of, newest first."""
        ...

    def settle(self, id_: str, verdict: Verdict) -> Contradiction:
        """Settle a contradiction as a person says; the loser is superseded, never deleted."""
        ...

    def consolidate(
        self,
        progress: Progress,
        *,
        dry_run: bool,
        passes: Sequence[str] = (),
        since: datetime | None = None,
        run: str = "",
        asked_by: AskedBy = AskedBy.COMMAND,
    ) -> NightReport:
        """Tidy the store by changes that are journalled, each with its reason, and can be undone.

        A dry run keeps its plan; `run` names one whose changes are made, exactly those. `passes` limits the
        night to some of its passes, `since` to memories learned since then.
        """
        ...

    def nights(self) -> tuple[NightRun, ...]:
        """The nights of this project, newest first."""
        ...

    def night(self, run: str, *, after: int | None = None, limit: int = CHANGES_TOLD) -> NightReport:
        """What one night did (the newest, if `run` is empty), with `limit` of its changes.

        Those first that a person wants to see, or in their order from the one numbered above `after`.
        """
        ...

    def undo(self, run: str, change: int | None = None) -> Undone:
        """Take back a night, or one change of it: the store is as it was, but for what has changed since."""
        ...

    def purge(self, *, dry_run: bool) -> PurgeReport:
        """Remove for good what was archived long ago; only memories that were derived, and nothing still cited."""
        ...

    def refresh(self, paths: Sequence[str] | None) -> Refreshed:
        """Take in what changed in these files (None: wherever anything did) and in the history."""
        ...

    def stats(self) -> Stats:
        """What the store holds of this project."""
        ...

    def doctor(self) -> tuple[Finding, ...]:
        """Check the store, the indexes, the models and the repository."""
        ...

    def rebuild(self, progress: Progress) -> tuple[Finding, ...]:
        """Make every derived index anew from what is canonical."""
        ...

    def export(self, folder: Path) -> tuple[Path, ...]:
        """Write everything of this project as JSON Lines and Markdown."""
        ...

    def import_file(self, path: Path) -> int:
        """Read an export back; returns the number of memories that were new."""
        ...

    def backup(self, target: Path | None) -> Path:
        """A consistent copy of the whole store."""
        ...

    def start_conversation(self, title: str = "", persona: str = "", source: str = BY_HAND) -> Conversation:
        """Begin a conversation, which takes the user's one place. PlaceTaken names who holds it.

        `source` is the way it is held: by hand, `mcp`, `http`; reviews can be switched off for some of them.
        """
        ...

    def active_conversation(self) -> Conversation | None:
        """The conversation that holds the place: going on, paused, or waiting for review."""
        ...

    def add_turn(self, messages: Sequence[Message], conversation: str = "", channel: str = "") -> Turn:
        """Write down what was said, redacted and without what we put into it ourselves.

        Messages that pile up before they are answered are one turn. No `conversation` is the one going on.
        """
        ...

    def pause_conversation(self, conversation: str = "", *, on: bool = True) -> Conversation:
        """Silence nudges about a conversation, or no more."""
        ...

    def close_conversation(self, conversation: str = "") -> Preview:
        """End a conversation and read what it leaves behind; nothing is remembered before it is confirmed."""
        ...

    def resume_conversation(self, conversation: str = "") -> Conversation:
        """Go on with a conversation that is paused, under review, or could not be put into memory."""
        ...

    def archive_conversation(self, conversation: str = "") -> Conversation:
        """Put a conversation away without remembering anything of it; its transcript stays."""
        ...

    def review(self, conversation: str = "") -> Preview:
        """What will be remembered of a conversation, and where."""
        ...

    def edit_review(self, edit: Edit, conversation: str = "") -> Preview:
        """Change what will be remembered; the first words are kept beside."""
        ...

    def redirect_review(self, act: str, conversation: str = "") -> Preview:
        """Send all that will be remembered to one act, given by name or id."""
        ...

    def split_review(self, parts: Sequence[Part], conversation: str = "") -> Preview:
        """Send some items to other acts, each act with words of its own; the rest stays where it was."""
        ...

    def confirm_review(self, conversation: str = "") -> Remembered:
        """Remember it as the preview says, exactly once; what was begun and cut off is finished by asking again."""
        ...

    def conversations(
        self, state: TalkState | None = None, persona: str = "", limit: int = TALKS_TOLD
    ) -> tuple[Conversation, ...]:
        """The user's conversations, the one spoken in last first."""
        ...

    def transcript(self, conversation: str = "", first: int = 1, last: int | None = None) -> Transcript:
        """What was said in a conversation, from one turn to another."""
        ...

    def find_turns(self, text: str, limit: int = 10, conversation: str = "") -> tuple[TurnHit, ...]:
        """What was said about something, in all conversations or in one, best first."""
        ...

    def forget_conversation(self, conversation: str) -> Erased:
        """Delete a conversation for good: turns, items, memories, and what indexes and journals have of them."""
        ...

    def threads(
        self, types: Sequence[ItemType] = (), act: str = "", persona: str = "", limit: int = TALKS_TOLD
    ) -> tuple[TalkItem, ...]:
        """What conversations left open, by type and act; the one spoken of last first."""
        ...

    def settle_thread(self, id_: str) -> TalkItem:
        """Settle an open item by hand."""
        ...

    def add_todo(self, todo: Todo) -> TalkItem:
        """Keep a commitment, habit, thread or friction by hand; it is open until it is settled."""
        ...

    def acts(self) -> tuple[Act, ...]:
        """The containers of memories: Your Story first, one of each project, other lines of work."""
        ...

    def make_act(self, name: str) -> Act:
        """Make an act for a line of work; the one of that name if it is there."""
        ...

    def delete_act(self, act: str) -> Act:
        """Delete an act; what it holds goes to Your Story."""
        ...

    def story(self, act: str = "", persona: str = "", limit: int = 20, offset: int = 0) -> tuple[Memory, ...]:
        """Memories of Your Story, or of an act, newest first."""
        ...

    def identity(self, persona: str = "") -> Identity:
        """Who the user is, beyond what they are doing: recurring themes, latest memories, what was said for good."""
        ...

    def revise(self, id_: str, text: str) -> Memory:
        """Say a memory that was told in other words; the old ones stay as its earlier version."""
        ...

    def route(self, id_: str, act: str) -> Memory:
        """Send a memory that was told to another act, with what it left open."""
        ...

    def erase(self, id_: str) -> Erased:
        """Delete a memory that was told, for good; the conversation it comes from stays."""
        ...

    def greeting(self, persona: str = "") -> Greeting:
        """What a day begins with: the conversation to go on with, or what is open."""
        ...

    def notices(self) -> tuple[str, ...]:
        """What the user should know beside the answers, in sentences: what was set aside or not read."""
        ...

    def now(self) -> datetime:
        """The companion's clock, naive UTC."""
        ...

    def close(self) -> None:
        """Let go of the store."""
        ...


class Host(Protocol):
    """Who owns the store and answers for every repository of one user."""

    def companion(self, path: Path, *, anywhere: bool = False) -> Companion:
        """The companion for the repository that `path` lies in; closing it lets go of nothing.

        With `anywhere` there need not be one: what then belongs to no project is still the user's.
        """
        ...

    def state(self) -> OwnerState:
        """Who the owner is and what it does."""
        ...

    def attached(self) -> AbstractContextManager[None]:
        """While the block lasts a client is attached, and the owner stays."""
        ...

    def asked(self) -> AbstractContextManager[None]:
        """While the block lasts a request is answered; its end starts the time until the owner leaves."""
        ...

    def news(self, path: Path, tell: Callable[[News], None]) -> AbstractContextManager[None]:
        """While the block lasts, `tell` hears what changes in the repository that `path` lies in, from any thread."""
        ...

    def stop(self, why: str) -> None:
        """End in good order: what is being written is finished first. Returns at once."""
        ...

    def when_stopped(self, tell: Callable[[], None]) -> None:
        """`tell` is called once, from any thread, when the owner is to end (at once if it is already)."""
        ...
