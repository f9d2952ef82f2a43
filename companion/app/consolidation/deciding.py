"""What a run leaves for a person to decide: open contradictions and questions that nobody else may answer.

The few that are most worth it come first: how sure it is that something is wrong, how much stands behind either
side, and how lately somebody was shown one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from companion.api import CHANGES_TOLD, DecisionNeeded
from companion.app.runtime import Runtime
from companion.config import Switch, chosen
from companion.judge.questions import FORMS, speaks_to_a_model, worded
from companion.records import Judgement, JudgeQuestion, Memory, Oppose, Resolution, places
from companion.records.runs import ChangeState, ConsolidationRun, RunState
from companion.store import judgements
from companion.store.consolidation import journal, telling
from companion.store.memories import conflicts, contradictions

SHOWN = 5
"""Decisions that a report asks for: what somebody does over a coffee. The others are counted."""
ENOUGH_SOURCES = 4
"""Sources of both sides together from which more weigh nothing more."""
USED_HALF_LIFE = timedelta(days=14)
"""Half as pressing a fortnight after somebody was last shown either side."""
DECISIONS, TOTAL, QUESTIONS = "decisions", "total", "questions"
"""Names of what is counted of them, beside the figures of the passes."""
ID_SHOWN = 12
_DECIDED = frozenset(JudgeQuestion) - {JudgeQuestion.ACTION}
"""Questions about memories; what a rule says of an action is nothing to be decided."""


class _Waiting(Struct, frozen=True):
    """Something that waits for a person, with the memories it is about."""

    ref: str
    memories: tuple[Memory, ...]
    confidence: float
    reason: str

    def worth(self, now: datetime) -> float:
        """How much deciding it is worth, 0 to 1."""
        sources = sum(len(places(one.draft.evidence, ENOUGH_SOURCES)) for one in self.memories)
        used = [one.usage.last_access_at for one in self.memories if one.usage.last_access_at]
        lately = 0.5 ** (max(now - max(used), timedelta()) / USED_HALF_LIFE) if used else 0.0
        return self.confidence * (1 + min(1.0, sources / ENOUGH_SOURCES) + lately) / 3


def keep(runtime: Runtime, run: ConsolidationRun, now: datetime) -> ConsolidationRun:
    """Keep with a run what waits for a person now, with a plan also what it would open; return the run as it is now."""
    database = runtime.store.database
    asked = [one for one in judgements.waiting(database, run.project) if one.inquiry.question in _DECIDED]
    for_people = [one for one in asked if _only_people(runtime, one)]
    waiting = {one.ref: one for one in _all(runtime, run, for_people)}
    ranked = sorted(waiting.values(), key=lambda one: (-one.worth(now), one.ref))
    telling.keep_decisions(database, run.id, list(map(_needed, ranked[:SHOWN])))
    counted = {TOTAL: float(len(ranked)), QUESTIONS: float(len(asked) - len(for_people))}
    return journal.note(database, run.id, {DECISIONS: counted})


def kept(runtime: Runtime, run: ConsolidationRun) -> tuple[DecisionNeeded, ...]:
    """What was kept with a run, and whether it is still open."""
    found = telling.decisions(runtime.store.database, run.id)
    if not found:
        return ()
    resolved = {one.id: tuple(Resolution) for one in contradictions.open_ones(runtime.store.database, run.project)}
    asked = {one.id: one.inquiry.question for one in judgements.waiting(runtime.store.database, run.project)}
    answers: dict[str, tuple[str, ...]] = {**resolved, **{id_: tuple(FORMS[of].answers) for id_, of in asked.items()}}
    planned = run.state is RunState.PLANNED
    return tuple(
        replace(
            one,
            command=f"companion {'judge' if one.id in asked else 'resolve'} {one.id[:ID_SHOWN]}"
            if one.id in answers
            else "",
            answers=answers.get(one.id, ()),
            open=planned or one.id in answers,
        )
        for one in found
    )


def _only_people(runtime: Runtime, one: Judgement) -> bool:
    """Whether no assistant and no model is asked this: a text speaks to one, or none may be asked at all."""
    settings = runtime.settings
    nobody = chosen(Switch, "judgements", settings.judgements) is Switch.OFF
    return speaks_to_a_model(one) or (nobody and not (settings.model_endpoint or settings.model_command))


def _all(runtime: Runtime, run: ConsolidationRun, questions: Sequence[Judgement]) -> Iterator[_Waiting]:
    for one in contradictions.open_ones(runtime.store.database, run.project):
        yield _Waiting(one.id, (one.a, one.b), one.confidence, one.reason)
    planned = tuple(_planned(runtime, run))
    ids = {id_ for asked in questions for id_ in asked.inquiry.memories} | {
        id_ for one in planned for id_ in (one.a, one.b)
    }
    found = {one.id: one for one in runtime.store.memories.get(sorted(ids))}
    for change in planned:
        sides = tuple(found[id_] for id_ in (change.a, change.b))
        yield _Waiting(conflicts.pair_id(change.a, change.b), sides, change.confidence, change.reason)
    for asked in questions:
        about = tuple(found[id_] for id_ in asked.inquiry.memories)
        yield _Waiting(asked.id, about, asked.inquiry.weight, f"{worded(asked).asks} {asked.inquiry.why}")


def _planned(runtime: Runtime, run: ConsolidationRun) -> Iterator[Oppose]:
    """What a plan would open."""
    for one in telling.most_telling(runtime.store.database, run.project, run.id, SHOWN, CHANGES_TOLD):
        if isinstance(one.change, Oppose) and one.state is ChangeState.PLANNED:
            yield one.change


def _needed(one: _Waiting) -> DecisionNeeded:
    return DecisionNeeded(one.ref, one.reason, one.confidence, tuple(map(telling.involved, one.memories)))
