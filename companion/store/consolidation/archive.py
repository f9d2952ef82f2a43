"""What the passes of a run may ask of one project: candidates in sets, read-only, in a stable order."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from companion.api import SHOWN_AND_LEFT
from companion.records import Contradiction, Draft, Inquiry, Judgement, JudgeVerdict
from companion.records.findings import CheckResult, Judged, Nearness, Spelling, Tie, Twins, Wording
from companion.store import judgements
from companion.store.consolidation import by_hand, promoted, wording
from companion.store.consolidation.about import names_in
from companion.store.consolidation.duplicates import doubtful, twins
from companion.store.consolidation.entities import spellings
from companion.store.consolidation.named import Record, records
from companion.store.consolidation.neighbours import Neighbours
from companion.store.consolidation.relations import CAUTIOUS, ties
from companion.store.consolidation.rulings import judged
from companion.store.memories.contradictions import noted, open_ones
from companion.store.memories.reconcile import FADED

if TYPE_CHECKING:
    from companion.ports import BatchJudge, Checker, Judge, LanguageModel, Likeness, Redactor, TokenCounter
    from companion.store.database import Database

WORDS = {"faded": FADED, "shown_and_left": SHOWN_AND_LEFT}
"""Why something was archived or counted, as queries name it."""
JUDGING_S = 15.0
"""Seconds in which pairs are judged in one run: a quarter of the minute that a run over 100,000 memories may take. What
is not judged by then is judged in the next one."""


@dataclass(frozen=True)
class Archive:
    """One project's memories, for the passes of a run. See `companion.ports.Archive`."""

    database: Database
    project: str
    now: datetime
    model: str = ""
    """The model whose vectors say what is near; empty: the one that most texts have a vector of."""
    nearness: Nearness = CAUTIOUS
    """From when on two texts are near for that model."""
    judge: Judge | None = None
    """Who says whether two statements can both hold; None: nobody is asked, and nothing new is found."""
    redactor: Redactor | None = None
    """For the reasons a judge gives; needed with a judge."""
    likeness: Likeness | None = None
    """Tells whether two texts say the same in other words; None: only the same words count."""
    language_model: LanguageModel | None = None
    """Words things better where one is configured."""
    checker: Checker | None = None
    """What a model's words are checked by; without one none are used."""
    batches: BatchJudge | None = None
    """Puts questions to a language model; None: none is configured, and they wait for another judge."""
    judged_a_day: int = 40
    """Questions that the language model answers a day at most."""
    check: Callable[[Draft], str | None] | None = None
    """Why a memory of history holds no longer: empty where it does, None where that cannot be told. None: not asked."""
    counter: TokenCounter | None = None
    """Counts what better words save."""
    counted: dict[str, Counter[str]] = field(default_factory=dict)
    """What passes counted beside their changes, by pass."""
    since: datetime | None = None
    """Twins and contradictions are looked for among what was learned at that moment or later and all the rest."""
    gone: Collection[str] = ()
    """What this run has done with already: compared with nothing any more."""
    breathe: Callable[[], object] = lambda: None
    """Called every few milliseconds while something is looked for; may wait while others are answered."""

    @cached_property
    def near(self) -> Neighbours:
        """What is near in meaning: found once for all passes."""
        floor = min(self.nearness.related, self.nearness.merge)
        return Neighbours(self.database, self.project, self.model, floor, self.breathe)

    def rows(self, kind: type[Record], query: str, **given: object) -> Iterator[Record]:
        """What a query finds, as records. It may name $project, $now and what is `given`, and WORDS."""
        told = {**WORDS, "project": self.project, "now": self.now, **given}
        with self.database.read() as connection:
            found = records(connection, kind, query, {name: told[name] for name in names_in(query)})
        yield from found

    def twins(self) -> Iterator[Twins]:
        """Groups of active memories of one subject, scope and source that say the same, by the one to stay."""
        floor = self.nearness.merge
        return twins(
            self.database,
            self.project,
            self.likeness,
            near=self.near,
            floor=floor,
            since=self.since,
            breathe=self.breathe,
        )

    def near_twins(self) -> Iterator[Inquiry | Twins]:
        """Pairs that people told, near in meaning: of which the reader is sure, and a question for each other."""
        known = judgements.asked(self.database, self.project)
        yield from doubtful(
            self.database,
            self.project,
            self.likeness,
            near=self.near,
            floor=self.nearness.asked,
            now=self.now,
            known=known,
        )

    def spellings(self) -> Iterator[Spelling]:
        """Entities that are another spelling of one and were not known as such: people and topics."""
        return spellings(self.database, self.project)

    def to_reword(self, limit: int) -> Iterator[Wording]:
        """Memories that the language model was not asked about yet, or in vain some runs ago; dearest first."""
        if self.language_model is not None:
            yield from wording.to_reword(self.database, self.project, self.language_model.name, self.now, limit)

    def reworded(self, asked: Wording, why_not: str) -> None:
        """Note what a model's words came to; empty: they were accepted."""
        if self.language_model is not None:
            wording.note(self.database, self.language_model.name, asked, why_not, self.now)

    def tokens(self, text: str) -> int:
        """Tokens of a text, as contexts count them; without a counter as if each had four characters."""
        return self.counter.count(text) if self.counter is not None else (len(text) + 3) // 4

    def count(self, step: str, what: str, many: int = 1) -> None:
        """Add to what a pass counts beside its changes."""
        self.counted.setdefault(step, Counter())[what] += many

    def checked(self) -> Iterator[CheckResult]:
        """What people told that is over by its own words, and of history what holds no longer, or does again."""
        yield from by_hand.past(self.database, self.project, self.now)
        if self.check is not None:
            yield from promoted.checked(self.database, self.project, self.check, self.breathe)

    def contradictions(self) -> tuple[Contradiction, ...]:
        """The open ones, newest first."""
        return open_ones(self.database, self.project)

    def ties(self) -> Iterator[Tie]:
        """What memories have to do with one another where it is new or has changed, strongest first by relation."""
        return ties(self.database, self.project, self.near, self.nearness, self.breathe)

    def judged(self) -> Iterator[Judged]:
        """Pairs of statements that could contradict one another and were not noted yet, with what a judge says."""
        if self.judge is not None and self.redactor is not None:
            yield from judged(
                self.database,
                self.project,
                self.judge,
                self.now,
                self.redactor,
                since=self.since,
                near=self.near,
                without=self.gone,
                likeness=self.likeness,
                until_s=time.monotonic() + JUDGING_S,
                breathe=self.breathe,
            )

    def ask(self, inquiries: Iterable[Inquiry]) -> None:
        """Put questions into the queue of the judges; one that was put before is not put again."""
        if self.redactor is not None:
            judgements.ask(self.database, self.project, inquiries, self.now, self.redactor)

    def to_weigh(self, limit: int) -> Sequence[str]:
        """Memories of history that no judge was asked about yet, so many that at most `limit` wait."""
        return judgements.to_weigh(self.database, self.project, limit)

    def verdicts(self) -> Iterator[Judgement]:
        """Questions with an answer that was not carried out, and those without one that open a contradiction anyway.

        The language model is asked first, about what it was not asked before.
        """
        if self.batches is not None and self.redactor is not None:
            judge = self.batches.name
            since = self.now - timedelta(days=1)
            left = self.judged_a_day - judgements.answered_since(self.database, self.project, judge, since)
            asked = judgements.waiting(self.database, self.project, judge)[: max(0, left)]
            waiting = {one.id: one for one in asked}
            for said in self.batches.answers(asked):
                judgements.answer(
                    self.database,
                    waiting[said.id],
                    JudgeVerdict(said.answer),
                    reason=said.reason,
                    judge=judge,
                    now=self.now,
                    redactor=self.redactor,
                )
            if self.batches.wrong:
                self.count("judge", f"not answered ({self.batches.wrong.rstrip('.')})")
        known = noted(self.database, self.project)
        for one in judgements.not_carried_out(self.database, self.project, "judge"):
            if frozenset(one.inquiry.memories) not in known:
                yield one
        for question in judgements.waiting(self.database, self.project):
            for one in judgements.each_pair(question) if question.inquiry.opens else ():
                if frozenset(one.inquiry.memories) not in known:
                    yield one
