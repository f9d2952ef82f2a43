"""Consolidation: runs that tidy the store and can be undone, and the questions that rules cannot answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from datetime import datetime, timedelta
from functools import partial
from itertools import product
from typing import TYPE_CHECKING

from companion.api import CHANGES_TOLD, AskedBy, PurgeReport, RunOrder, RunReport
from companion.app.checkout import Service
from companion.app.consolidation.one_run import OneRun
from companion.config import COUNT_MAX, Switch, chosen
from companion.errors import ModelMissing, RunUnderWay, StoreHeld, UsageError
from companion.judge.questions import FORMS, speaks_to_a_model, verdict_of, worded
from companion.ports import NoProgress, Progress
from companion.records import (
    JudgeAnswer,
    JudgedBatch,
    Judgement,
    JudgeQuestion,
    JudgeVerdict,
    Resolution,
)
from companion.records.runs import ConsolidationRun, RowMoved, RunState, Undone
from companion.store import judgements
from companion.store.judgements import PERSON
from companion.store.memories import contradictions

if TYPE_CHECKING:
    from companion.app.consolidation.report import Reports

RUNS_LISTED = 200
"""Runs listed at once: half a year of them."""
BY_RULES = "What has no vector is compared by rules alone."
"""What is said where something could not be embedded before a run."""
PURGE_SHOWN = 100
"""Memories that a purge names: enough to see what sort they are."""
ASSISTANT = "assistant "
"""How a judge is named that is no person, before the name that it gives itself."""
SHOWN_MOST, ANSWERS_MOST = 50, 50
"""Questions shown and answers taken at once."""
NAME_CHARACTERS = 100
JUDGE = "judge"
"""The pass that carries answers out."""
_ACTS = frozenset(FORMS[JudgeQuestion.PAIR].answers) | frozenset(FORMS[JudgeQuestion.WORTH].answers)
_ACTS = (_ACTS | {JudgeVerdict.DECIDED}) - {JudgeVerdict.BESIDE, JudgeVerdict.KEEP, JudgeVerdict.UNSURE}
"""Answers after which something changes; what is said of an action is only known from then on."""


class ConsolidationService(Service):
    """The verbs of runs and of the queue of questions. See `companion.api.Companion`."""

    def consolidate(self, order: RunOrder, progress: Progress) -> RunReport:
        """Tidy the store by changes that are journalled, each with its reason, and can be undone.

        What lacks a vector is given one, and a run that was broken off is finished first. Raises RunUnderWay
        where another is at work, UsageError for an unknown pass or plan.
        """
        from companion.app.consolidation.running import RUN_MEMORY, RUN_THREADS, Planner, chosen_passes
        from companion.app.scanning.checking import HistoryCheck
        from companion.app.scanning.stage import Stage, stage_of
        from companion.app.scanning.world import ScannedWorld
        from companion.app.team.electing import elected
        from companion.store.memories import usage

        self.here.need_reading()
        run, dry_run = order.run, order.dry_run
        if run and (dry_run or order.passes):
            raise UsageError(
                "A plan is applied as it was made: it takes no passes and no dry run.",
                f"Apply it: `companion consolidate --run {self.here.fit(run)}`.",
            )
        chosen_passes([self.here.fit(name) for name in order.passes])
        held = self.runtime.one(OneRun).held(f"A run asked for by {order.asked_by.value}", self.here.now())
        with held, ExitStack() as spare:
            unread = self._embed_first(progress)
            spare.enter_context(self.store.database.sparing(RUN_MEMORY, RUN_THREADS))
            waiting, notes = self._finish_first(progress, dry_run=dry_run, but=run)
            notes += unread
            if waiting is not None:
                return self._reports().ended(waiting, notes, self.here.now())
            if run:
                return self._carried_out(self._plan_named(run), notes, progress)
            if not dry_run:
                usage.thin(self.store.database, self.here.now())
            world = ScannedWorld.of(stage_of(self.here, Stage, progress), self.here.source())
            check, elect = HistoryCheck(world), partial(elected, self.here)
            planner = Planner(self.runtime, self.here.project, self.here.now(), check, elect)
            planned = planner.plan(order, self.here.go_on, progress)
            self._reports().planned(planned)
            if dry_run:
                return self._reports().ended(planned, notes, self.here.now())
            return self._carried_out(planned, notes, progress)

    def reports(self) -> tuple[ConsolidationRun, ...]:
        from companion.store.consolidation import journal

        return journal.runs(self.store.database, self.here.project, limit=RUNS_LISTED)

    def report(self, run: str = "", *, after: int | None = None, limit: int = CHANGES_TOLD) -> RunReport:
        return self._reports().page(self._run_named(run), after, max(0, min(limit, CHANGES_TOLD)))

    def before_after(self, run: str, change: int) -> tuple[RowMoved, ...]:
        from companion.store.consolidation import telling

        return telling.rows(self.store.database, self._run_named(run).id, _number(change))

    def undo(self, run: str, change: int | None = None) -> Undone:
        from companion.app.consolidation.running import RUN_MEMORY, RUN_THREADS, Behind, Breath
        from companion.store.consolidation import undoing

        if not run.strip():
            raise UsageError("Which run is to be undone?", "Name it; `companion reports` lists them.")
        if change is not None:
            _number(change)
        found = self._run_named(run)
        held = self.runtime.one(OneRun).held(f"Undoing the run {found.id}", self.here.now())
        with held, self.store.database.sparing(RUN_MEMORY, RUN_THREADS):
            behind = Behind(self.runtime, self.here.project, "undoing", NoProgress(), Breath(self.here.go_on))
            return undoing.undo(self.store.database, found.id, change, self.here.now(), step=behind.step)

    def purge(self, *, dry_run: bool) -> PurgeReport:
        from companion.store.consolidation import purging

        database, now = self.store.database, self.here.now()
        with self.runtime.one(OneRun).held("A purge", now):
            do = purging.plan if dry_run else purging.purge
            listed = do(database, self.here.project, now)
        size_bytes = sum(one.size_bytes for one in listed)
        return PurgeReport(dry_run, purging.GRACE_DAYS, len(listed), size_bytes, listed[:PURGE_SHOWN])

    def _embed_first(self, progress: Progress) -> list[str]:
        """Make the vectors that are missing, as a daemon does all the time; what is to be said where none can be."""
        from companion.app.scanning.vectors import fill_vectors

        if self.runtime.adapters.embedder is None and self.runtime.settings.embeddings != "off":
            return [f"{BY_RULES} No embedding model can be loaded."]
        try:
            if not self.runtime.shared:
                fill_vectors(self.runtime, self.here.project, progress)
        except (ModelMissing, StoreHeld) as wrong:
            return [f"{BY_RULES} {wrong}"]
        return []

    def _reports(self) -> Reports:
        from companion.app.consolidation.report import Reports

        return Reports(self.runtime, self.here.name)

    def _finish_first(
        self, progress: Progress, *, dry_run: bool, but: str
    ) -> tuple[ConsolidationRun | None, list[str]]:
        """Finish the run that was broken off: it, if it was stopped once more, and what is to be said of it.

        A dry run changes nothing and only says that it waits.
        """
        from companion.app.consolidation.running import carry_out
        from companion.store.consolidation import journal

        waiting = journal.unfinished(self.store.database, self.here.project)
        if waiting is None or (but and waiting.id.startswith(but)):
            return None, []
        if dry_run:
            left = f"{waiting.planned:,} changes that it left"
            return None, [f"The run {waiting.id} was interrupted: the next run makes the {left} first."]
        done = carry_out(self.runtime, waiting, self.here.now(), self.here.go_on, progress)
        if done.state is RunState.APPLYING:
            return done, []
        self._reports().ended(done, (), self.here.now())
        return None, [f"The run {done.id} had been interrupted and was finished first."]

    def _carried_out(self, run: ConsolidationRun, notes: list[str], progress: Progress) -> RunReport:
        from companion.app.consolidation.running import carry_out

        after = carry_out(self.runtime, run, self.here.now(), self.here.go_on, progress)
        self._dismiss(run.planned_at)
        return self._reports().ended(after, notes, self.here.now())

    def _dismiss(self, since: datetime) -> int:
        """Close open contradictions of which a judge has said since a moment that both sides can hold; return how many.

        `companion resolve ID open` opens one again.
        Only what was judged now is looked at: what a person has opened again stays open.
        """
        database, project = self.store.database, self.here.project
        opened = {
            frozenset((a.id, b.id)): one
            for one in contradictions.open_ones(database, project)
            for a, b in product(one.side_a, one.side_b)
        }
        closed = 0
        for said in judgements.answered(database, project) if opened else ():
            one = opened.get(frozenset(said.inquiry.memories))
            if one is None or said.answer is JudgeVerdict.CONTRADICT or said.answered_at is None:
                continue
            if said.answered_at >= since:
                found = "the earlier one is over" if said.answer is JudgeVerdict.OVER else "both can hold"
                note = f"{said.judge} says that {found}: {said.reason}".removesuffix(": ")
                self.store.memories.settle(one.id, Resolution.BOTH_VALID, note, self.here.now(), instead={})
                closed += 1
        return closed

    def _plan_named(self, prefix: str) -> ConsolidationRun:
        """A plan that may be carried out. Raises UsageError for any other run."""
        found = self._run_named(prefix)
        if found.state not in (RunState.PLANNED, RunState.APPLYING):
            raise UsageError(
                f"The run {found.id} is {found.state.value}: only a dry run can still be carried out.",
                "`companion consolidate --dry-run` makes one.",
            )
        return found

    def _run_named(self, prefix: str) -> ConsolidationRun:
        from companion.store.consolidation import journal

        database, prefix = self.store.database, self.here.fit(prefix).strip()
        if prefix:
            return journal.run(database, self.here.project, prefix)
        for found in journal.runs(database, self.here.project, limit=RUNS_LISTED):
            if found.state in (RunState.APPLIED, RunState.APPLYING, RunState.UNDONE):
                return found
        raise UsageError("There has been no run yet.", "Run `companion consolidate`.")

    def pending_judgements(self, limit: int = 5, judge: str = PERSON) -> tuple[Judgement, ...]:
        if not 1 <= limit <= SHOWN_MOST:
            raise UsageError(f"{limit} questions cannot be shown.", f"Give 1 to {SHOWN_MOST}.")
        name = self._judge_named(judge)
        found = judgements.waiting(self.store.database, self.here.project, name)
        if name != PERSON:
            found = [one for one in found if not speaks_to_a_model(one)]
            limit = min(limit, self._left_today(name))
        return tuple(worded(one) for one in found[:limit])

    def judge(self, answers: Sequence[JudgeAnswer], judge: str = PERSON) -> JudgedBatch:
        if not 1 <= len(answers) <= ANSWERS_MOST:
            raise UsageError(f"{len(answers)} answers cannot be accepted at once.", f"Give 1 to {ANSWERS_MOST}.")
        name = self._judge_named(judge)
        database, begun = self.store.database, self.here.now()
        asked = (judgements.questions if name == PERSON else judgements.waiting)(database, self.here.project)
        left = len(answers) if name == PERSON else self._left_today(name)
        refused: list[str] = []
        taken: list[Judgement] = []
        for said in answers:
            if len(taken) >= left:
                why = f"{name} has answered {self.runtime.settings.judgements_a_day} in a day, as many as it may"
            else:
                why = self._why_not(said, [one for one in asked if one not in taken], name, taken)
            if why:
                refused.append(f"{said.id[:NAME_CHARACTERS]}: {why}")
        closed = self._dismiss(begun)
        run, changes = self._carried()
        rest = len(judgements.waiting(database, self.here.project))
        return JudgedBatch(len(taken), tuple(refused), run, changes + closed, rest)

    def _judge_named(self, judge: str) -> str:
        """The judge's name, fit to be kept. Raises UsageError for one that nobody may speak for."""
        name = self.here.fit(" ".join(judge.split()))[:NAME_CHARACTERS]
        if name == PERSON:
            return name
        if not name.startswith(ASSISTANT):
            raise UsageError(f"There is no judge {name!r}.", f"Name `{PERSON}` or `{ASSISTANT}NAME`.")
        if chosen(Switch, "judgements", self.runtime.settings.judgements) is Switch.OFF:
            raise UsageError("Assistants are not asked: the setting `judgements` is off.", "Set it to `on`.")
        return name

    def _left_today(self, name: str) -> int:
        """How many questions an assistant may still answer within a day."""
        since = self.here.now() - timedelta(days=1)
        answered = judgements.answered_since(self.store.database, self.here.project, name, since)
        return max(0, self.runtime.settings.judgements_a_day - answered)

    def _why_not(self, said: JudgeAnswer, asked: Sequence[Judgement], name: str, taken: list[Judgement]) -> str:
        """Why an answer is not taken; empty once it is written down, and its question added to those `taken`."""
        found = [one for one in asked if said.id and one.id.startswith(said.id)]
        if len(found) != 1:
            return "no question that waits has this id; its memories have changed, or somebody has answered"
        one = worded(found[0])
        verdict = verdict_of(one.inquiry.question, said.answer)
        if verdict is None:
            allowed = ", ".join(text.partition(":")[0] for text in one.answers)
            return f"the answers to it are {allowed}"
        if name != PERSON and speaks_to_a_model(one):
            return "only a person is asked about this"
        judgements.answer(
            self.store.database,
            one,
            verdict,
            reason=said.reason,
            judge=name,
            now=self.here.now(),
            redactor=self.runtime.adapters.redactor,
        )
        taken.append(found[0])
        return ""

    def _carried(self) -> tuple[str, int]:
        """Carry out what was answered: the run, and how many changes it made. One that is under way does it itself."""
        noted = contradictions.noted(self.store.database, self.here.project)
        said = judgements.answered(self.store.database, self.here.project)
        answered = judgements.not_carried_out(self.store.database, self.here.project, JUDGE, said)
        if not any(one.answer in _ACTS and frozenset(one.inquiry.memories) not in noted for one in answered):
            return "", 0

        try:
            report = self.verbs.consolidate(RunOrder(passes=(JUDGE,), asked_by=AskedBy.JUDGE), NoProgress())
        except RunUnderWay:
            return "", 0
        return report.run, report.changes_total


def _number(change: int) -> int:
    """The number of a change. Raises UsageError for one that makes no sense."""
    if not 1 <= change <= COUNT_MAX:
        raise UsageError(f"There is no change {change}.", "Changes count from 1; `companion reports RUN` lists them.")
    return change
