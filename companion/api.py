"""The verbs: what every way in may ask of Companion, whoever answers.

The command line speaks this protocol and nothing else; a server in front of it would speak the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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

NOT_USEFUL = "not useful"
"""The action by which `pass_over` records that a person wants no hint of a memory any more."""
SHOWN_AND_LEFT = "shown and left"
"""The rule by which a memory counts as passed over without anybody saying so."""


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

    def expand(self, id_: str) -> Expansion:
        """Everything behind an id (a prefix is enough) or `file:PATH`."""
        ...

    def remember(self, note: Note) -> Memory:
        """Keep what a person says."""
        ...

    def forget(self, id_: str) -> Memory:
        """Archive a memory; explicit search still finds it."""
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

    def companion(self, path: Path) -> Companion:
        """The companion for the repository that `path` lies in; closing it lets go of nothing."""
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
