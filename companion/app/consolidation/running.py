"""A run: passes propose changes on one state of the store, the plan is kept, then carried out.

The passes are asked one after the other, all about the same state. What an earlier one has dealt with takes no
later proposal: a memory that is merged away, superseded or retired is gone for the rest of the run, and what was
only to be weighed or shortened of it before is withdrawn; what stands in a contradiction of this very plan is not
forgotten. A pass that fails is reported and the others go on,
but nothing is ever forgotten before contradictions have been looked for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from companion.api import AskedBy, PassReport, RunOrder
from companion.app.consolidation.archives import archive_for
from companion.app.consolidation.claims import Claims, Limit
from companion.errors import CompanionError, StoreError, UsageError
from companion.ports import Pass, Progress
from companion.records import Change
from companion.records.runs import ConsolidationRun, RunState
from companion.store.consolidation import applying, journal, telling
from companion.store.consolidation.archive import Archive

if TYPE_CHECKING:
    from companion.app.rooms import Rooms
    from companion.app.scanning.checking import HistoryCheck
    from companion.config import Settings
    from companion.store.database import Database

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


def carry_out(rooms: Rooms, run: ConsolidationRun, now: datetime, go_on: GoOn, progress: Progress) -> ConsolidationRun:
    """Make the changes of a plan, a batch after the other; what is not done when it is stopped is done next time."""
    stage = "making the changes" if run.state is RunState.PLANNED else "finishing the last run"
    behind = Behind(rooms, run.project, stage, progress, go_on)

    def may_go_on() -> bool:
        if go_on():
            return True
        behind.take_in()
        return False

    try:
        applying.apply(rooms.database, run.id, now, counter=rooms.counter, go_on=may_go_on, step=behind.step)
    except StoreError as wrong:
        raise type(wrong)(
            f"The run {run.id} broke off: {wrong.what}",
            f"{wrong.next_step} What was done is kept; `companion consolidate` goes on with the rest.".strip(),
        ) from wrong
    return journal.run(rooms.database, run.project, run.id)


class Behind:
    """Keeps the text index in step with a run: else the first question after it would wait for all of that.

    It has to be done before the last batch counts, when who asks is still answered from what is cached.
    """

    def __init__(self, rooms: Rooms, project: str, stage: str, progress: Progress, breathe: GoOn) -> None:
        self._breathe = breathe
        self._breathed = time.monotonic()
        self._rooms = rooms
        self._project = project
        self._stage = stage
        self._progress = progress
        self._taken_in = 0

    def step(self, done: int, total: int) -> None:
        """So many of all changes are made."""
        if done == total or done - self._taken_in >= INDEX_EVERY_CHANGES:
            self.take_in()
            self._taken_in = done
        self._progress.step(self._stage, done, total)

    def take_in(self) -> None:
        """Take in what has changed so far."""
        self._rooms.text_index.update_behind(self._project, self._let_by)

    def _let_by(self) -> None:
        """A moment for others, after BREATHE_EVERY_S of work: the index offers one every few documents."""
        if time.monotonic() - self._breathed >= BREATHE_EVERY_S:
            self._breathe()
            self._breathed = time.monotonic()


class Breath:
    """Asks whether to go on, but no more often than every BREATHE_EVERY_S. Raises Interrupted where it is to stop."""

    def __init__(self, go_on: GoOn) -> None:
        self._go_on = go_on
        self._last = time.monotonic()

    def __call__(self) -> None:
        """A moment in which others may be let by."""
        if time.monotonic() - self._last >= BREATHE_EVERY_S:
            _need_to_go_on(self._go_on)
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


class Planner:
    """Asks the passes and keeps what they propose."""

    def __init__(self, rooms: Rooms, project: str, now: datetime, check: HistoryCheck) -> None:
        self._rooms = rooms
        self._check = check
        self._database = rooms.database
        self._redactor = rooms.redactor
        self._project = project
        self._now = now

    def plan(self, order: RunOrder, go_on: GoOn, progress: Progress) -> ConsolidationRun:
        """A plan, kept in the journal and changed nothing yet. Raises Interrupted where it was told to stop."""
        passes = chosen_passes(order.passes)
        database = self._database
        run = journal.open_run(database, self._project, order.asked_by.value, list(passes), order.since, self._now)
        try:
            with_model = order.asked_by is not AskedBy.JUDGE  # who answered waits for what follows, not for a model
            reports = self._asked(run, passes, order.since, Breath(go_on), progress, model=with_model)
            idle = journal.withdraw(database, run)
        except BaseException:
            with suppress(StoreError):  # on a full disk it stays a draft, which the next run discards
                journal.discard(database, run)
            raise
        reports = [_without(one, idle.get(one.name, 0)) for one in reports]
        figures: journal.Figures = {
            one.name: {
                **dict(one.counted),
                SECONDS: one.seconds,
                CHANGES: one.changes,
                DROPPED: one.dropped,
                FAILED: float(bool(one.wrong)),
                **({journal.WRONG: one.wrong} if one.wrong else {}),
            }
            for one in reports
        }
        return journal.seal(database, run, figures)

    def _asked(
        self,
        run: str,
        passes: dict[str, EntryPoint],
        since: datetime | None,
        breathe: Breath,
        progress: Progress,
        *,
        model: bool,
    ) -> list[PassReport]:
        claims = Claims()
        archive = archive_for(self._rooms, self._project, self._now, breathe)
        archive = replace(archive, since=since, gone=claims.gone, check=self._check)
        if not model:
            archive = replace(archive, language_model=None, batches=None)
        limit = None if since is None else Limit(*telling.touched_since(self._database, self._project, since))
        reports: list[PassReport] = []
        for place, (name, point) in enumerate(passes.items()):
            progress.step("planning", place, len(passes))
            breathe()
            if name == FORGET and (why := self._too_early(passes, reports)):
                reports.append(PassReport(name, 0, 0.0, wrong=why))
                continue
            proposed = Proposals(name, _proposed(point, archive, self._now), claims, limit, progress, breathe)
            reports.append(self._one(run, proposed, archive))
        progress.step("planning", len(passes), len(passes))
        return reports

    def _one(self, run: str, proposals: Proposals, archive: Archive) -> PassReport:
        """Ask one pass and keep what it proposes: where it fails, what came before stands, each change for itself."""
        start = time.monotonic()
        made = journal.add(self._database, run, proposals, self._redactor)
        seconds = time.monotonic() - start
        counted = tuple(sorted(archive.counted.get(proposals.name, {}).items()))
        return PassReport(proposals.name, made, seconds, proposals.dropped, counted, _in_words(proposals.failed))

    def _too_early(self, passes: dict[str, EntryPoint], reports: list[PassReport]) -> str:
        """Why nothing may be forgotten yet; empty if it may."""
        for report in reports:
            if report.name == CONTRADICT:
                return "contradictions could not be looked for, so nothing is forgotten" if report.wrong else ""
        newest = telling.newest(self._database, self._project)
        for run in journal.runs(self._database, self._project, limit=RUNS_LOOKED_AT):
            looked = run.state is RunState.APPLIED and CONTRADICT in run.passes and run.since is None
            well = looked and not run.figures.get(CONTRADICT, {}).get(FAILED)
            if well and (newest is None or newest <= run.planned_at):
                return ""
        return "contradictions have not been looked for since the newest memory: add `--pass contradict`"


class Proposals:
    """What one pass proposes and may, as the journal takes it; ends where the pass fails, and keeps why."""

    def __init__(
        self,
        name: str,
        proposed: Iterator[Change],
        claims: Claims,
        limit: Limit | None,
        progress: Progress,
        breathe: Breath,
    ) -> None:
        self.name = name
        self._breathe = breathe
        self.dropped = 0
        self.failed: Exception | None = None
        self._proposed = proposed
        self._claims = claims
        self._limit = limit
        self._progress = progress

    def __iter__(self) -> Iterator[tuple[str, Change]]:
        """The changes that may stand in the plan."""
        number = 0
        while (change := self._next()) is not None:
            number += 1
            if number % CHANGES_A_STEP == 0:
                self._progress.step(f"pass {self.name}", number, None)
            self._breathe()
            if self._limit is not None and not self._limit.lets(change):
                continue
            if self._claims.take(change):
                yield self.name, change
            else:
                self.dropped += 1

    def _next(self) -> Change | None:
        try:
            return next(self._proposed, None)
        except Interrupted:
            raise
        except Exception as wrong:  # whoever wrote the pass, the others go on
            self.failed = wrong
            return None


def _proposed(point: EntryPoint, archive: Archive, now: datetime) -> Iterator[Change]:
    """What a pass proposes; it is loaded when the first change is asked for, so that it may fail at that too."""
    step: Pass = point.load()
    yield from step.plan(archive, now)


def _without(report: PassReport, idle: int) -> PassReport:
    """What a pass came to, without changes of its own that a later pass made idle."""
    return replace(report, changes=report.changes - idle, dropped=report.dropped + idle)


def _need_to_go_on(go_on: GoOn) -> None:
    if not go_on():
        raise Interrupted("The run was stopped before its plan was complete; nothing was changed.")


def _in_words(wrong: Exception | None) -> str:
    if wrong is None:
        return ""
    return str(wrong) if isinstance(wrong, CompanionError) else f"it failed with {type(wrong).__name__}"
