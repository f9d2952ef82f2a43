"""A run: passes propose changes on one state of the store, the plan is kept, then carried out.

The passes are asked one after the other, all about the same state. What an earlier one has dealt with takes no
later proposal: a memory that is merged away, superseded or retired is gone for the rest of the run, and what was
only to be weighed or shortened of it before is withdrawn; what stands in a contradiction of this very plan is not
forgotten. A pass that fails is reported and the others go on,
but nothing is ever forgotten before contradictions have been looked for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from companion.api import AskedBy, RunOrder
from companion.app.consolidation.archives import archive_for
from companion.app.runtime import Runtime
from companion.config import Settings
from companion.errors import CompanionError, StoreError, UsageError
from companion.ports import Pass, Progress
from companion.records import Change, Supersede, ids_in
from companion.records.runs import ConsolidationRun, RunState
from companion.store.consolidation import applying, journal, telling
from companion.store.consolidation.archive import StoredArchive
from companion.store.database import Database

if TYPE_CHECKING:
    from companion.app.scanning.checking import HistoryCheck

PASSES = "companion.passes"
"""Entry points of this group are the passes of a run, in the order of their names (`1-dedupe`, `2-compress`)."""
CONTRADICT, FORGET = "contradict", "forget"
"""The pass that looks for contradictions, and the one that comes only after it."""
RUNS_LOOKED_AT = 200
"""Earlier runs looked through for one that looked for contradictions: half a year of them."""
CHANGES_A_STEP = 500
"""Changes between two words of progress."""
BREATHE_EVERY_S = 0.01
"""Work between two looks at whether somebody asks: what an answer is late by at most, but for a single statement."""
RUN_MEMORY = "200MB"
"""What DuckDB may hold while a run is planned, carried out or taken back; what does not fit lies on disk meanwhile.
A scan that comes in between works with as much, and planning 100,000 memories takes as long as with twice that."""

RUN_THREADS = 1
"""Threads of DuckDB meanwhile. On two processors 100,000 memories are planned as fast as with two (28 s, and 30), which
take a tenth more processor time; contexts asked for during long statements come in two thirds of the time."""

_CARRIED_OUT = (RunState.APPLIED, RunState.UNDONE)
INDEX_EVERY_CHANGES = 50_000
"""Changes between two times that the text index takes them in: most runs have fewer and do it once, at their end.
A memory that is changed three times is then indexed once; whoever writes a note in between waits for what is due."""
FAILED, SECONDS, CHANGES, DROPPED = "failed", "seconds", "changes", "dropped"
OWN = frozenset((FAILED, SECONDS, CHANGES, DROPPED))
"""Names of what is kept of each pass in the journal, beside what it counts itself."""

GoOn = Callable[[], bool]
"""Asked now and then; may wait. False: stop in good order, the rest is done another time."""


class Interrupted(CompanionError):
    """A run was asked to stop before its plan was complete; nothing of it was changed."""


def known_passes() -> dict[str, EntryPoint]:
    """The passes by name, in the order in which they run."""
    found = sorted(entry_points(group=PASSES), key=lambda point: point.name)
    return {point.name.split("-", 1)[-1]: point for point in found}


def chosen_passes(wanted: Sequence[str]) -> dict[str, EntryPoint]:
    """The passes that were asked for, in their order; none named: all. Raises UsageError for an unknown one."""
    known = known_passes()
    for name in wanted:
        if name not in known:
            raise UsageError(f"There is no pass `{name}`.", f"Choose among: {', '.join(known)}.")
    return {name: point for name, point in known.items() if not wanted or name in wanted}


def carry_out(
    runtime: Runtime, run: ConsolidationRun, now: datetime, go_on: GoOn, progress: Progress
) -> ConsolidationRun:
    """Make the changes of a plan, a batch after the other; what is not done when it is stopped is done next time."""
    stage = "making the changes" if run.state is RunState.PLANNED else "finishing the last run"
    behind = Behind(runtime, run.project, stage, progress, Breath(go_on))

    def may_go_on() -> bool:
        if go_on():
            return True
        behind.take_in()
        return False

    try:
        applying.apply(
            runtime.store.database, run.id, now, counter=runtime.adapters.counter, go_on=may_go_on, step=behind.step
        )
    except StoreError as wrong:
        raise type(wrong)(
            f"The run {run.id} was interrupted: {wrong.what}",
            f"{wrong.next_step} What was done is kept; `companion consolidate` goes on with the rest.".strip(),
        ) from wrong
    return journal.run(runtime.store.database, run.project, run.id)


@dataclass
class Behind:
    """Keeps the text index in step with a run: else the first question after it would wait for all of that.

    It has to be done before the last batch counts, when who asks is still answered from what is cached.
    """

    runtime: Runtime
    project: str
    stage: str
    progress: Progress
    breathe: Breath
    _taken_in: int = 0

    def step(self, done: int, total: int) -> None:
        """So many of all changes are made."""
        if done == total or done - self._taken_in >= INDEX_EVERY_CHANGES:
            self.take_in()
            self._taken_in = done
        self.progress.step(self.stage, done, total)

    def take_in(self) -> None:
        """Take in what has changed so far."""
        self.runtime.store.text_index.update_behind(self.project, self.breathe)


@dataclass
class Breath:
    """Lets others by, but no more often than every BREATHE_EVERY_S of work; raises what `pause` does."""

    pause: Callable[[], object]
    _last: float = field(default_factory=time.monotonic)

    def __call__(self) -> None:
        """A moment in which others may be let by."""
        if time.monotonic() - self._last >= BREATHE_EVERY_S:
            self.pause()
            self._last = time.monotonic()


def is_due(database: Database, project: str, now: datetime, settings: Settings) -> bool:
    """Whether a run should come by itself: one was broken off, or the last is long ago and enough is new.

    A run in the future, from before a clock was set back, counts as none.
    """
    if journal.unfinished(database, project) is not None:
        return True
    done = [run for run in journal.runs(database, project, limit=RUNS_LOOKED_AT) if run.state in _CARRIED_OUT]
    last = max((run.planned_at for run in done if run.planned_at <= now), default=None)
    if last is not None and now - last < timedelta(hours=settings.consolidate_every_hours):
        return False
    return telling.learned_since(database, project, last or datetime.min) >= max(1, settings.consolidate_new)


class Planner(Struct, frozen=True):
    """Asks the passes and keeps what they propose."""

    runtime: Runtime
    project: str
    now: datetime
    check: HistoryCheck
    elected: Callable[[], AbstractContextManager[bool]]

    def plan(self, order: RunOrder, go_on: GoOn, progress: Progress) -> ConsolidationRun:
        """A plan, kept in the journal and changed nothing yet. Raises Interrupted where it was told to stop."""
        passes = chosen_passes(order.passes)
        database = self.runtime.store.database
        run = journal.open_run(database, self.project, order.asked_by.value, list(passes), self.now)
        try:
            with_model = order.asked_by is not AskedBy.JUDGE  # who answered waits for what follows, not for a model
            figures = self._asked(run, passes, Breath(partial(_need_to_go_on, go_on)), progress, model=with_model)
            for step, idle in journal.withdraw(database, run).items():
                told = figures[step]
                figures[step] = {**told, CHANGES: int(told[CHANGES]) - idle, DROPPED: int(told[DROPPED]) + idle}
        except BaseException:
            with suppress(StoreError):  # on a full disk it stays a draft, which the next run discards
                journal.discard(database, run)
            raise
        return journal.seal(database, run, figures)

    def _asked(
        self,
        run: str,
        passes: dict[str, EntryPoint],
        breathe: Breath,
        progress: Progress,
        *,
        model: bool,
    ) -> dict[str, Mapping[str, float | str]]:
        """What each pass came to, once its proposals are kept."""
        claims = Claims()
        archive = archive_for(self.runtime, self.project, self.now, breathe)
        archive = replace(archive, gone=claims.gone, check=self.check, elected=self.elected)
        if not model:
            archive = replace(archive, language_model=None, batches=None)
        figures: dict[str, Mapping[str, float | str]] = {}
        for place, (name, point) in enumerate(passes.items()):
            progress.step("planning", place, len(passes))
            breathe()
            if name == FORGET and (why := self._too_early(figures)):
                figures[name] = _figures(wrong=why)
                continue
            proposed = Proposals(name, _proposed(point, archive), claims, progress, breathe)
            figures[name] = self._one(run, proposed, archive)
        progress.step("planning", len(passes), len(passes))
        return figures

    def _one(self, run: str, proposals: Proposals, archive: StoredArchive) -> Mapping[str, float | str]:
        """Ask one pass and keep what it proposes: where it fails, what came before stands, each change for itself."""
        start = time.monotonic()
        made = journal.add(self.runtime.store.database, run, proposals, self.runtime.adapters.redactor)
        seconds = time.monotonic() - start
        told = _figures(seconds, made, proposals.dropped, _in_words(proposals.failed))
        return {**archive.counted.get(proposals.name, {}), **told}

    def _too_early(self, figures: journal.Figures) -> str:
        """Why nothing may be forgotten yet; empty if it may."""
        if (looked_for := figures.get(CONTRADICT)) is not None:
            return "contradictions could not be looked for, so nothing is forgotten" if looked_for[FAILED] else ""
        newest = telling.newest(self.runtime.store.database, self.project)
        for run in journal.runs(self.runtime.store.database, self.project, limit=RUNS_LOOKED_AT):
            looked = run.state is RunState.APPLIED and CONTRADICT in run.passes and run.since is None
            well = looked and not run.figures.get(CONTRADICT, {}).get(FAILED)
            if well and (newest is None or newest <= run.planned_at):
                return ""
        return "contradictions have not been looked for since the newest memory: add `--pass contradict`"


@dataclass
class Proposals:
    """What one pass proposes and may, as the journal takes it; ends where the pass fails, and keeps why."""

    name: str
    proposed: Iterator[Change]
    claims: Claims
    progress: Progress
    breathe: Breath
    dropped: int = 0
    failed: Exception | None = None

    def __iter__(self) -> Iterator[tuple[str, Change]]:
        """The changes that may stand in the plan."""
        number = 0
        while (change := self._next()) is not None:
            number += 1
            if number % CHANGES_A_STEP == 0:
                self.progress.step(f"pass {self.name}", number, None)
            self.breathe()
            if self.claims.take(change):
                yield self.name, change
            else:
                self.dropped += 1

    def _next(self) -> Change | None:
        try:
            return next(self.proposed, None)
        except Interrupted:
            raise
        except Exception as wrong:  # whoever wrote the pass, the others go on
            self.failed = wrong
            return None


def _proposed(point: EntryPoint, archive: StoredArchive) -> Iterator[Change]:
    """What a pass proposes; it is loaded when the first change is asked for, so that it may fail at that too."""
    step: Pass = point.load()
    yield from step.plan(archive)


def _figures(seconds: float = 0.0, changes: int = 0, dropped: int = 0, wrong: str = "") -> dict[str, float | str]:
    """What is kept of each pass in the journal, beside what it counts itself."""
    told: dict[str, float | str] = {SECONDS: seconds, CHANGES: changes, DROPPED: dropped, FAILED: float(bool(wrong))}
    return {**told, journal.WRONG: wrong} if wrong else told


def _need_to_go_on(go_on: GoOn) -> None:
    if not go_on():
        raise Interrupted("The run was stopped before its plan was complete; nothing was changed.")


def _in_words(wrong: Exception | None) -> str:
    if wrong is None:
        return ""
    return str(wrong) if isinstance(wrong, CompanionError) else f"it failed with {type(wrong).__name__}"


class Claims:
    """Which memories of a plan are spoken for: each goes once, and what goes takes no other change."""

    def __init__(self) -> None:
        self.gone: set[str] = set()
        """What is merged away, superseded or archived."""
        self._held: set[str] = set()
        """What others were merged into, and what stands in a contradiction: it stays this run."""
        self._heirs: set[str] = set()
        """What supersedes another: it may be superseded in turn, never forgotten."""

    def take(self, change: Change) -> bool:
        """Whether a change may stand in the plan; if so, what it claims is claimed."""
        about = [*ids_in(change, change.about), *ids_in(change, change.names)]
        if len(set(about)) < len(about) or not self.gone.isdisjoint(about):
            return False
        ends, heirs = ids_in(change, change.ends), (change.new,) if isinstance(change, Supersede) else ()
        if not self._held.isdisjoint(ends) or not (heirs or self._heirs.isdisjoint(ends)):
            return False
        self.gone.update(ends)
        self._held.update(ids_in(change, change.holds))
        self._heirs.update(heirs)
        return True
