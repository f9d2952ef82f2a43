"""What the passes of a run may ask of one project: candidates in sets, read-only, in a stable order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import timedelta
from itertools import chain
from typing import TypeVar

from msgspec import field

from companion.ports import BatchJudge, Checker, LanguageModel, Redactor, TokenCounter
from companion.records import (
    CheckResult,
    Contradiction,
    Draft,
    Inquiry,
    Judgement,
    JudgeQuestion,
    JudgeVerdict,
    Wording,
)
from companion.store import judgements
from companion.store.consolidation import by_hand, duplicates, entities, promoted, relations, rewording, rulings
from companion.store.consolidation.about import names_in
from companion.store.consolidation.view import View
from companion.store.memories.contradictions import noted, open_ones
from companion.store.memories.reconcile import FADED
from companion.store.memories.usage import SHOWN_AND_LEFT
from companion.store.rows import Query
from companion.store.team import verdicts

Record = TypeVar("Record")

LEFT_TO_TEAM = "shared, not asked from this laptop now"
"""What is counted of questions that another laptop asks, or that wait for the server."""
WORDS = {"faded": FADED, "shown_and_left": SHOWN_AND_LEFT}
"""Why something was archived or counted, as queries name it."""


class StoredArchive(View, frozen=True):
    """One project's memories, for the passes of a run. See `companion.ports.Archive`."""

    language_model: LanguageModel | None = None
    """Words things better where one is configured."""
    checker: Checker | None = None
    """What a model's words are checked by; without one none are used."""
    batches: BatchJudge | None = None
    """Puts questions to a language model; None: none is configured, and they wait for another judge."""
    elected: Callable[[], AbstractContextManager[bool]] = lambda: nullcontext(True)
    """Whether the model may be asked about what a team shares, while the block lasts; asked where there is such."""
    judged_a_day: int = 40
    """Questions that the language model answers a day at most."""
    check: Callable[[Draft], str | None] | None = None
    """Why a memory of history holds no longer: empty where it does, None where that cannot be told. None: not asked."""
    counter: TokenCounter | None = None
    """Counts what better words save."""
    counted: dict[str, Counter[str]] = field(default_factory=dict)
    """What passes counted beside their changes, by pass."""
    twins = duplicates.twins
    near_twins = duplicates.doubtful
    spellings = entities.spellings
    ties = relations.ties
    judged = rulings.judged

    def rows(self, kind: type[Record], query: str, **given: object) -> Iterator[Record]:
        """What a query finds, as records. It may name $project, $now and what is `given`, and WORDS."""
        told = {**WORDS, "project": self.project, "now": self.now, **given}
        yield from Query(kind, query).all(self.database, **{name: told[name] for name in names_in(query)})

    def to_reword(self, limit: int) -> Iterator[Wording]:
        """Memories that the language model was not asked about yet, or in vain some runs ago; dearest first."""
        if self.language_model is not None:
            yield from rewording.to_reword(self.database, self.project, self.language_model.name, self.now, limit)

    def reworded(self, asked: Wording, why_not: str) -> None:
        """Note what a model's words came to; empty: they were accepted."""
        if self.language_model is not None:
            rewording.note(self.database, self.language_model.name, asked, why_not, self.now)

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

    def ask(self, inquiries: Iterable[Inquiry]) -> None:
        """Put questions into the queue of the judges; one that was put before is not put again."""
        if self.redactor is not None:
            judgements.ask(self.database, self.project, inquiries, self.now, self.redactor)

    def to_weigh(self, question: JudgeQuestion, limit: int) -> Sequence[str]:
        """Memories of history that no judge was asked this about yet, so many that at most `limit` wait."""
        return judgements.to_weigh(self.database, self.project, question, limit)

    def verdicts(self) -> Iterator[Judgement]:
        """Questions with an answer that was not carried out, and those without one that open a contradiction anyway.

        Colleagues have answered some; of the rest the language model is asked what it was not asked before.
        """
        if self.redactor is not None and self.batches is not None:
            self._ask_model(self.batches, self.redactor)
        elif self.redactor is not None:
            verdicts.take(self.database, self.project, self.now, self.redactor)
        known = noted(self.database, self.project)
        asked = judgements.questions(self.database, self.project)
        answered = judgements.not_carried_out(self.database, self.project, "judge", asked)
        opening = (one for one in asked if one.answer is None and one.inquiry.opens)
        told = chain(answered, chain.from_iterable(map(judgements.each_pair, opening)))
        yield from (one for one in told if frozenset(one.inquiry.memories) not in known)

    def _ask_model(self, batches: BatchJudge, redactor: Redactor) -> None:
        """Have the language model answer what waits: what a team shares only where this laptop is elected."""
        since = self.now - timedelta(days=1)
        left = self.judged_a_day - judgements.answered_since(self.database, self.project, batches.name, since)
        waiting = self._waiting(batches) if left > 0 else []
        shared = verdicts.shared_among(self.database, self.project, waiting)
        with self.elected() if shared else nullcontext(True) as won:
            verdicts.take(self.database, self.project, self.now, redactor)  # the elected has heard of all by now
            waiting = self._waiting(batches)
            if not won:
                self.count("judge", LEFT_TO_TEAM, sum(one.id in shared for one in waiting))
            asked = {one.id: one for one in [one for one in waiting if won or one.id not in shared][: max(0, left)]}
            for said in batches.answers(list(asked.values())):
                judgements.answer(
                    self.database,
                    asked[said.id],
                    JudgeVerdict(said.answer),
                    reason=said.reason,
                    judge=batches.name,
                    now=self.now,
                    redactor=redactor,
                )
        if batches.wrong:
            self.count("judge", f"not answered ({batches.wrong.rstrip('.')})")

    def _waiting(self, batches: BatchJudge) -> list[Judgement]:
        return judgements.waiting(self.database, self.project, batches.name)
