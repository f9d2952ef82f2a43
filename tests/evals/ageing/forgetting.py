"""How a store ages: half a year of talk, questions and runs, and what was forgotten that was needed.

The stream is played to the product as it would meet it: statements are remembered, questions are searched for
and what was shown is noted as retrieved, files move and go as commits tell, and after each day a run is planned
by all passes and carried out. The clock is set by the stream. Beside it lives a store whose runs do nothing; it
answers for two simple rules: keep everything, and drop what was not shown for 90 calendar days.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from companion.evals.statistics import percentile, rounded, wilson
from companion.ports import Progress
from evals.ageing.lifetimes import JUNK, RARE, Added, Asked, DayOver, LongRun, Need
from evals.ageing.lives import Life

SERVED = 5
"""Memories that an answer shows: the five best."""
LOOKED_AT = 30
"""Of how many found a simple rule shows the five best that it still has."""
JUNK_AFTER = timedelta(days=30)
"""Talk of the moment that is older than this should be gone."""
CALENDAR = timedelta(days=90)
"""The simple rule's limit."""
OURS, KEEP, DROP = "ours", "keep all", "90 calendar days"
EVENTS_A_STEP = 50
"""Events between two words of progress."""


def forgetting(run: LongRun, progress: Progress, *, embeddings: str = "minilm-int8") -> dict[str, Any]:
    """Figures of a long run, ours and those of two simple rules, as one JSON object.

    `false_forgetting` is the share of the groups that were ever asked for of which, at some question, no
    statement that answers was active; `need_miss` and `rare_miss` the share of such questions, of all and of
    those about what is seldom needed. Of what is active at the end, `stale` is the share that is over; of the
    talk of the moment that is older than 30 days, `junk` the share that is still active, and `left_over` is the
    share of the store that it and the stale make up. `stale_served` is the share of questions at which
    something over stood above the first answer. `kept` is what is active at the end, of all that was told.
    `false_merges` counts statements that were merged with, or superseded by, one of another slot.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as beside:
        simple = beside.submit(_lived_simply, run, embeddings)
        ours = _lived(run, embeddings, progress)
        progress.step("living by simple rules", 0, None)
        baselines = simple.result()
    return {
        "eval": "forgetting",
        "n": len(run.truths),
        "ours": ours.figures(),
        "intervals": ours.intervals(),
        "baselines": {name: counts.figures() for name, counts in baselines.items()},
        "by": {kind: {"need_miss": ours.miss_of(kind)} for kind in sorted(ours.asked_of)},
        "latency_ms": {"p50": percentile(ours.run_ms, 0.5), "p95": percentile(ours.run_ms, 0.95)},
        "settings": {"served": SERVED, "reports": len(ours.run_ms), "questions": len(run.needs)},
    }


@dataclass
class Counts:
    """What came of one store's life."""

    groups: int = 0
    told: int = 0
    missed_groups: set[str] = field(default_factory=set)
    asked_of: Counter[str] = field(default_factory=Counter)
    """Questions by how what they ask for is needed."""
    missed_of: Counter[str] = field(default_factory=Counter)
    stale_served: int = 0
    active: int = 0
    stale: int = 0
    junk: int = 0
    junk_told: int = 0
    false_merges: int = 0
    run_ms: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """The figures by name."""
        asked = self.asked_of.total()
        return rounded(
            {
                "false_forgetting": _share(len(self.missed_groups), self.groups),
                "need_miss": _share(self.missed_of.total(), asked),
                "rare_miss": self.miss_of(RARE),
                "stale": _share(self.stale, self.active),
                "stale_served": _share(self.stale_served, asked),
                "junk": _share(self.junk, self.junk_told),
                "left_over": _share(self.junk + self.stale, self.active),
                "kept": _share(self.active, self.told),
                "false_merges": self.false_merges,
            }
        )

    def miss_of(self, kind: str) -> float:
        """Share of the questions about one kind of need at which no answer was active."""
        return round(_share(self.missed_of[kind], self.asked_of[kind]), 4)

    def intervals(self) -> dict[str, tuple[float, float]]:
        """95 % intervals of the shares that are counted of few."""
        pairs = {
            "false_forgetting": (len(self.missed_groups), self.groups),
            "rare_miss": (self.missed_of[RARE], self.asked_of[RARE]),
            "junk": (self.junk, self.junk_told),
        }
        found = {name: wilson(*pair) for name, pair in pairs.items()}
        return {name: (round(one.low, 4), round(one.high, 4)) for name, one in found.items()}


class Reader:
    """Reads the truth beside a life, and counts."""

    def __init__(self, run: LongRun, life: Life) -> None:
        self._run = run
        self._life = life
        self.counts = Counts(len({need.group for need in run.needs.values()}), len(run.truths))

    def answer(self, need: Need, shown: tuple[str, ...], active: set[str]) -> None:
        """Whether what a question needs could be found at all, and whether something over stood above it."""
        counts, memory_of = self.counts, self._life.memory_of
        kind = self._run.truths[need.accept[0]].kind
        counts.asked_of[kind] += 1
        wanted = {memory_of[id_] for id_ in need.accept}
        if wanted.isdisjoint(active):
            counts.missed_of[kind] += 1
            counts.missed_groups.add(need.group)
        over = {memory_of[id_] for id_ in need.stale} - wanted
        first = next((one for one in shown if one in over or one in wanted), "")
        counts.stale_served += first in over

    def end(self, active: set[str]) -> Counts:
        """What is left at the end."""
        counts, life, now = self.counts, self._life, self._life.clock.now()
        said: dict[str, list[str]] = {}
        for id_, memory in life.memory_of.items():
            said.setdefault(memory, []).append(id_)
            if self._run.truths[id_].kind == JUNK and now - life.added_at[id_] > JUNK_AFTER:
                counts.junk_told += 1
                counts.junk += memory in active
        for memory in active:
            ends = [self._run.truths[id_].over_at for id_ in said.get(memory, ())]
            counts.stale += bool(ends) and all(end is not None and end <= now for end in ends)
        counts.active = len(active)
        counts.run_ms = life.run_ms
        counts.false_merges = self._false_merges(said)
        return counts

    def _false_merges(self, said: Mapping[str, list[str]]) -> int:
        """Statements that went into, or gave way to, one about something else."""
        slots = {memory: {self._run.truths[id_].slot for id_ in ids} for memory, ids in said.items()}
        return sum(slots.get(gone, set()).isdisjoint(slots.get(stays, set())) for gone, stays in self._life.gave_way)


def _lived(run: LongRun, embeddings: str, progress: Progress) -> Counts:
    """A life with the product's runs."""
    with tempfile.TemporaryDirectory(prefix="companion-forgetting-") as folder:
        life = Life(Path(folder), embeddings)
        reader = Reader(run, life)
        try:
            for place, event in enumerate(run.events):
                if place % EVENTS_A_STEP == 0:
                    progress.step("living through it", place, len(run.events))
                if isinstance(event, DayOver):
                    life.sleep(event.at)
                shown = life.meet(event, SERVED)
                if isinstance(event, Asked):
                    life.note_shown(shown, event.file)
                    reader.answer(run.needs[event.id], shown, life.active)
            return reader.end(life.standing())
        finally:
            life.close()


@dataclass
class Simple:
    """A rule that drops what was not shown for some time of the calendar (None: nothing ever)."""

    limit: timedelta | None
    seen_at: dict[str, Any] = field(default_factory=dict)
    pinned: set[str] = field(default_factory=set)
    active: set[str] = field(default_factory=set)

    def drop_due(self, now: Any) -> None:
        """Drop what is due."""
        if self.limit is not None:
            due = {one for one in self.active if now - self.seen_at[one] > self.limit}
            self.active -= due - self.pinned


def _lived_simply(run: LongRun, embeddings: str) -> dict[str, Counts]:
    """One life without runs, in which two rules say what they would still have."""
    with tempfile.TemporaryDirectory(prefix="companion-forgetting-") as folder:
        life = Life(Path(folder), embeddings)
        rules = {KEEP: Simple(None), DROP: Simple(CALENDAR)}
        readers = {name: Reader(run, life) for name in rules}
        try:
            for event in run.events:
                found = life.meet(event, LOOKED_AT)
                for name, rule in rules.items():
                    _by_rule(rule, readers[name], run, event, found)
            return {name: readers[name].end(rule.active) for name, rule in rules.items()}
        finally:
            life.close()


def _by_rule(rule: Simple, reader: Reader, run: LongRun, event: Any, found: tuple[str, ...]) -> None:
    match event:
        case Added(at=at, pinned=pinned):
            rule.active.update(found)
            rule.seen_at |= dict.fromkeys(found, at)
            rule.pinned.update(found if pinned else ())
        case Asked(id=id_, at=at):
            shown = tuple(one for one in found if one in rule.active)[:SERVED]
            reader.answer(run.needs[id_], shown, rule.active)
            rule.seen_at |= dict.fromkeys(shown, at)
        case DayOver(at=at):
            rule.drop_due(at)
        case _:
            pass


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
