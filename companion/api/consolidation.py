"""Consolidation: what a run is asked, what it reports, how it is undone, and the questions that rules cannot answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from companion.ports import Progress
from companion.records import Change
from companion.records.runs import ChangeState, Purgeable, RunState

if TYPE_CHECKING:  # `Route.declared` loads what the verb that is asked needs
    from companion.records import ConsolidationRun, JudgeAnswer, JudgedBatch, Judgement, RowMoved, Undone

CHANGES_TOLD = 500
"""Changes of a run told at once: more than anybody reads in one go, and an answer of some 300 kB."""


class AskedBy(StrEnum):
    """Who asked for a run."""

    COMMAND = "command"
    SCHEDULE = "schedule"
    IDLE = "idle"
    HTTP = "http"
    JUDGE = "judge"
    """Somebody answered questions, and this run carries that out."""


class RunOrder(Struct, frozen=True):
    """What is asked of a run: to plan it only, which passes (none named: all), and who asks.

    `run` names a plan that a dry run kept: it is carried out as it was made, and takes nothing else.
    """

    dry_run: bool = False
    passes: tuple[str, ...] = ()
    run: str = ""
    asked_by: AskedBy = AskedBy.COMMAND


class Involved(Struct, frozen=True):
    """A memory that a change is about, as it was when the run was planned: its title, what it says, its sources."""

    id: str
    kind: str
    title: str
    says: str
    sources: tuple[str, ...] = ()


class RunChange(Struct, frozen=True):
    """One change of a run: the pass that proposed it, why, and what became of it.

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


class DecisionNeeded(Struct, frozen=True):
    """A contradiction or a question that waited for a person when a run ended: why, and what its memories said.

    `confidence` is how likely it is that something follows, 0 to 1. `command` is what to type before one of the
    `answers`; both are empty where it cannot be decided (yet). `open` is false once it was.
    """

    id: str
    reason: str
    confidence: float
    involved: tuple[Involved, ...]
    command: str = ""
    answers: tuple[str, ...] = ()
    open: bool = True


class Detail(Struct, frozen=True):
    """How many changes of a sort come to the same: `detail` is a relation, a level or a warmth."""

    what: str
    detail: str
    changes: int


class PassReport(Struct, frozen=True):
    """What one pass of a run came to. `wrong` says why it did not run or broke off; the others went on."""

    name: str
    changes: int
    seconds: float
    dropped: int = 0
    """Proposals that were left out: another pass of the same run deals with their memories, or ends them."""
    counted: tuple[tuple[str, int], ...] = ()
    """What else the pass counted, such as wordings that its checker refused."""
    wrong: str = ""


class RunReport(Struct, frozen=True, kw_only=True):
    """What a run did, or a dry run would do, in counts of memories and then change by change.

    Every figure is that of the run: nothing that came later changes it, but `undone` and the states of changes.
    `changes` are the first of them, those first that a person wants to see; `report` tells the rest.
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
    decisions: tuple[DecisionNeeded, ...] = ()
    """What waited for a person when the run ended, whoever found it: the few most worth it."""
    decisions_total: int = 0
    questions_waiting: int = 0
    """Questions that waited then for an assistant, a model or a person."""
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
    changes: tuple[RunChange, ...] = ()
    notes: tuple[str, ...] = ()
    """What is to be said of the whole run, in sentences."""


class PurgeReport(Struct, frozen=True):
    """What a purge emptied for good, or would: `shown` are the first of the memories."""

    dry_run: bool
    grace_days: int
    memories: int
    size_bytes: int
    shown: tuple[Purgeable, ...] = ()


class ConsolidationVerbs(Protocol):
    """Runs, and the queue of the judges. Every verb raises CompanionError with a next step."""

    def consolidate(self, order: RunOrder, progress: Progress) -> RunReport:
        """Tidy the store by changes that are journalled, each with its reason, and can be undone."""

    def reports(self) -> tuple[ConsolidationRun, ...]:
        """The runs of this project, newest first."""

    def report(self, run: str = "", *, after: int | None = None, limit: int = CHANGES_TOLD) -> RunReport:
        """What one run did (the newest, if `run` is empty), with `limit` of its changes.

        Those first that a person wants to see, or in their order from the one numbered above `after`.
        """

    def before_after(self, run: str, change: int) -> tuple[RowMoved, ...]:
        """What one change of a run found and what it left, row by row; nothing before it was carried out."""

    def undo(self, run: str, change: int | None = None) -> Undone:
        """Take back a run, or one change of it: the store is as it was, but for what has changed since."""

    def purge(self, *, dry_run: bool) -> PurgeReport:
        """Remove for good what was archived long ago; only memories that were derived, and nothing still cited."""

    def pending_judgements(self, limit: int = 5, judge: str = "person") -> tuple[Judgement, ...]:
        """Questions that wait, the likeliest first, each with its texts and the answers allowed.

        `judge` is `person` or `assistant NAME`; it is not shown what it could not say before, and an assistant not
        what reads like an order to a model. Nothing is shown once an assistant has answered enough for a day.
        """

    def judge(self, answers: Sequence[JudgeAnswer], judge: str = "person") -> JudgedBatch:
        """Take answers, and carry out what follows from them in a consolidation run that can be undone."""
