"""Requests read, taken apart and checked with what is known; what comes of the answers is learned at once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from companion.app.checkout import Service
from companion.app.given import line_of, page
from companion.app.reasoning import judging
from companion.app.reasoning.advice import Adviser
from companion.app.reasoning.bearing import Bearing, unique
from companion.app.reasoning.outcomes import fair, reading_of, steps_of, taught, verdict_of
from companion.errors import ModelMissing, StoreUnwritable, UsageError
from companion.language.requests import asked, read_request
from companion.reason import consult
from companion.reason.classify import ReadingEvidence, classify
from companion.reason.decompose import DECISIONS, OPEN, SIMILAR, decompose
from companion.reason.hints import Memo
from companion.reason.lessons import LEARNED_MOST, Lessons, learn, short
from companion.reason.verify import Weighed, verify
from companion.records.reasoning import (
    Answered,
    AnswerKind,
    Classified,
    Decomposed,
    Influence,
    Influences,
    Outcome,
    Reading,
    Recorded,
    Verified,
)
from companion.store import actions
from companion.store.memories import usage
from companion.store.reason import answers
from companion.store.talk import conversations

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

REQUEST_MAX = 200_000
"""Characters of a request: a long log pasted behind a question. More is a file."""
KEPT_CHARS = 2_000
"""Characters of a request that are kept: a page, with all that is read of it."""
NOTE_MAX = 2_000
"""Characters of what is said about an answer."""
UNREADABLE = 0.1
"""Share of signs that no text has, from which a request is no text."""
WEIGHED_MOST = 8
"""Memories that an action is checked against, beside decisions and conventions."""
CHAIN_DEEP = 3
"""How far a chain of influence is followed: what an answer taught moves others, and those again."""
Found = TypeVar("Found", Classified, Decomposed)
_NO_SIGN = re.compile("[\x00-\x08\x0e-\x1f\ufffd]")


class Requests(Service):
    """The verbs of reasoning. See `companion.api.Companion`."""

    def classify(self, request: str, persona: str = "") -> Classified:
        text, by = self._asked(request), line_of(persona)
        memos = Bearing(self.here, text, by).memories()
        evidence = ReadingEvidence(memos, self._lessons(AnswerKind.CLASSIFY), self._vector(text))
        advice = self.runtime.one(Adviser).ask(self.runtime, AnswerKind.CLASSIFY, {"request": text}, memos)
        opinion = consult.opinion(advice.reply, consult.shown(memos)) if advice.reply else None
        made_by = advice.made_by(understood=opinion is not None)
        found = classify(text, replace(evidence, opinion=opinion))
        said = f"{found.reading}{f' - {found.question}' if found.question else ''}"
        new = self._new(AnswerKind.CLASSIFY, text, said, str(found.reading), found.confidence, made_by, by)
        return self._answered(found, new, advice.noted(understood=opinion is not None))

    def decompose(self, request: str, persona: str = "") -> Decomposed:
        text, by = self._asked(request), line_of(persona)
        bearing = Bearing(self.here, text, by)
        tasks = sorted([*self._past_plans(text), *bearing.past_tasks(SIMILAR)], key=lambda memo: -memo.score)[:SIMILAR]
        decisions, ends = bearing.decisions(DECISIONS), bearing.open_ends()[:OPEN]
        lessons = self._lessons(AnswerKind.CLASSIFY)

        def read_clause(clause: str) -> Reading:
            return classify(clause, ReadingEvidence(lessons=lessons)).reading

        advice = self.runtime.one(Adviser).ask(
            self.runtime, AnswerKind.DECOMPOSE, {"request": text}, [*tasks, *decisions, *ends]
        )
        steps = consult.steps(advice.reply) if advice.reply else ()
        made_by = advice.made_by(understood=bool(steps))
        plan = decompose(text, tasks, decisions, ends, read_clause, steps)
        said = "\n".join(step.text for step in plan.steps)
        new = self._new(AnswerKind.DECOMPOSE, text, said, "", 1.0, made_by, by)
        return self._answered(plan, new, (*self._refused(text), *advice.noted(understood=bool(steps))))

    def verify(self, action: str, request: str = "", persona: str = "") -> Verified:
        doing, by = self._asked(action), line_of(persona)
        wanted = self._asked(request) if request.strip() else ""
        bearing = Bearing(self.here, doing, by)
        memos = unique(
            [*bearing.decisions(DECISIONS), *bearing.memories(WEIGHED_MOST), *bearing.conventions(WEIGHED_MOST)]
        )
        advice = self.runtime.one(Adviser).ask(
            self.runtime, AnswerKind.VERIFY, {"action": doing, "request": wanted}, memos
        )
        opinion = consult.says(advice.reply, consult.shown(memos)) if advice.reply else None
        made_by, notes = advice.made_by(understood=opinion is not None), advice.noted(understood=opinion is not None)
        votes = self._lessons(AnswerKind.VERIFY).near(read_request(asked(doing)), self._vector(doing))
        lessons = self._lessons(AnswerKind.CLASSIFY)
        questions = actions.questions(self.store.database, doing, [memo.id for memo in memos])
        by_judges = judging.said(self.runtime, questions)
        found = verify(doing, wanted, Weighed(memos, votes, bearing.disputed(), lessons, opinion, by_judges))
        said, by_what = f"{found.verdict}: {found.why}", (*found.supporting, *found.against)
        new = self._new(AnswerKind.VERIFY, wanted, said, found.verdict.value, found.confidence, made_by, by)
        id_ = self._keep(replace(new, action=doing[:KEPT_CHARS]), by_what)
        return replace(
            found,
            id=id_,
            action=doing[:KEPT_CHARS],
            request=wanted[:KEPT_CHARS],
            supporting=_of_answer(id_, found.supporting),
            against=_of_answer(id_, found.against),
            related=_of_answer(id_, found.related),
            to_judge=judging.to_judge(self.runtime, self.here.project, found.to_judge, questions, id_, self.here.now()),
            made_by=made_by,
            notes=(*found.notes, *notes),
        )

    def record_outcome(self, id_: str, outcome: Outcome, note: str = "", right: str = "") -> Recorded:
        database = self.store.database
        before = answers.get(database, self._spaces(), self.here.fit(id_))
        said = " ".join(note.split())
        if len(said) > NOTE_MAX:
            raise UsageError(f"A note has at most {NOTE_MAX:,} characters.", "Shorten it.")
        corrected = self._right(before, Outcome(outcome), self.here.fit(right))
        outcome = self._plain_outcome(before, Outcome(outcome), corrected)
        same = (before.outcome, before.right, before.note) == (outcome, corrected, said)
        if not same:
            vector = self._vector(before.action or before.request)
            found_by = (self._model(), vector.tolist()) if vector is not None else ("", ())
            answers.end(database, before.id, outcome, corrected, said, self.here.now(), *found_by)
            self.runtime.one(Adviser).taught += 1
            self._credit_memories(before, outcome)
            self._lessons(before.kind)  # learned now, so that no request waits for it
        kept = answers.get(database, self._spaces(), before.id)
        return Recorded(kept, taught(kept), before.outcome if not same else None, not same)

    def influences(self, id_: str, limit: int = 100) -> Influences:
        database, spaces, limit = self.store.database, self._spaces(), page(limit)
        named = self.here.fit(id_)
        if named.startswith("q1"):
            answer = answers.get(database, spaces, named)
            by = answers.influences_of(database, [answer.id])
            later = answers.influenced_by(database, spaces, [answer.id], limit)
            ids = [answer.id, *(one.answer for one in later)]
            return Influences(answer.id, (*by, *later), answers.by_ids(database, spaces, ids))
        source = named if named.startswith("i1") else self.here.resolved(named)
        return self._chain(source, limit)

    def _chain(self, source: str, limit: int) -> Influences:
        """The answers that rest on something, and those that learned from what came of them."""
        database, spaces = self.store.database, self._spaces()
        found: dict[tuple[str, str], Influence] = {}
        sources = [source]
        for _ in range(CHAIN_DEEP):
            new = answers.influenced_by(database, spaces, sources, limit) if sources else ()
            new = tuple(one for one in new if (one.source, one.answer) not in found)
            found.update({(one.source, one.answer): one for one in new})
            sources = sorted({one.answer for one in new})
        chain = tuple(found.values())[:limit]
        return Influences(source, chain, answers.by_ids(database, spaces, sorted({one.answer for one in chain})))

    def _past_plans(self, text: str) -> list[Memo]:
        """Requests like this that were taken apart before, with the steps that were right."""
        lessons = self._lessons(AnswerKind.DECOMPOSE)
        votes = lessons.near(read_request(asked(text)), self._vector(text))
        found = []
        for vote in votes:
            one = vote.example
            steps = tuple(line.strip() for line in (one.right or one.said).splitlines() if line.strip())
            if one.outcome is not Outcome.REJECTED and steps:
                found.append(Memo(one.answer, one.text, one.text, "plan", vote.likeness, steps))
        return found

    def _refused(self, text: str) -> tuple[str, ...]:
        """That steps for such a request were rejected before, and why."""
        votes = self._lessons(AnswerKind.DECOMPOSE).near(read_request(asked(text)), self._vector(text))
        ends = [vote.example for vote in votes if vote.example.outcome is Outcome.REJECTED]
        return tuple(
            f"Steps for “{short(one.text)}” were rejected: {short(one.note) or 'no reason given'}" for one in ends
        )

    def _lessons(self, kind: AnswerKind) -> Lessons:
        """What outcomes of such answers have taught; made anew when there is another."""
        runtime, spaces = self.runtime, self._spaces()
        model = self._model()
        there = runtime.store.readings.kept(
            ("outcomes", kind, spaces),
            (runtime.store.database.revision, runtime.one(Adviser).taught),
            lambda: answers.version(runtime.store.database, spaces, kind),
        )
        version = (model, *there)

        def read_all() -> Lessons:
            ended = answers.ended(runtime.store.database, spaces, kind, model, LEARNED_MOST)
            return learn(fair(ended) if kind is AnswerKind.VERIFY else ended)

        return runtime.store.readings.kept(("lessons", kind, spaces), version, read_all)

    def _vector(self, text: str) -> npt.NDArray[np.float32] | None:
        """The vector of what is asked in a text; None where there is no model, or it cannot be loaded."""
        runtime = self.runtime
        if runtime.adapters.embedder is None:
            return None
        try:
            return runtime.store.readings.questions.vector(runtime.adapters.embedder, asked(text))
        except ModelMissing as wrong:
            self.here.say(f"Words alone decided. {wrong}")
            return None

    def _model(self) -> str:
        """The model that makes vectors; empty for none."""
        return self.runtime.adapters.embedder.model if self.runtime.adapters.embedder is not None else ""

    def _new(
        self, kind: AnswerKind, request: str, said: str, reading: str, confidence: float, made_by: str, persona: str
    ) -> answers.NewAnswer:
        """An answer on its way into the store; it belongs to the conversation that is going on."""
        database, user = self.store.database, self.store.user
        holder = self.store.readings.kept(
            ("place", user), database.revision, lambda: conversations.holder(database, user)
        )
        return answers.NewAnswer(
            project=self.here.project,
            kind=kind,
            request=request[:KEPT_CHARS],
            said=said[:KEPT_CHARS],
            reading=reading,
            confidence=confidence,
            made_by=made_by,
            at=self.here.now(),
            persona=persona,
            conversation=holder.id if holder is not None else "",
        )

    def _answered(self, found: Found, new: answers.NewAnswer, notes: Sequence[str]) -> Found:
        """What was found, kept as an answer, with its id, what it rests on, and what is to be noted."""
        id_ = self._keep(new, found.influences)
        return replace(
            found,
            id=id_,
            request=new.request,
            influences=_of_answer(id_, found.influences),
            made_by=new.made_by,
            notes=(*found.notes, *notes),
        )

    def _keep(self, new: answers.NewAnswer, influences: Sequence[Influence]) -> str:
        """Keep an answer with what it rests on; its id, even where the store cannot take it."""
        try:
            return answers.add(self.store.database, new, influences)
        except StoreUnwritable as wrong:
            self.here.say(f"The answer could not be stored, so nothing can be learned from it. {wrong}")
            return answers.unkept_id(new)

    def _right(self, answer: Answered, outcome: Outcome, right: str) -> str:
        """What was right, as it is kept. Raises UsageError where a correction does not say."""
        if outcome is not Outcome.CORRECTED:
            if right.strip():
                raise UsageError("`--right` is only used with a correction.", "Say `corrected`, or leave --right out.")
            return ""
        if answer.kind is AnswerKind.DECOMPOSE:
            return steps_of(right)
        said = answers.reading(self.store.database, answer.id)
        if answer.kind is AnswerKind.VERIFY:
            return verdict_of(right, said).value
        given = answers.reading_in(said)
        assert given is not None
        return str(reading_of(right, given))

    def _plain_outcome(self, answer: Answered, outcome: Outcome, corrected: str) -> Outcome:
        """A correction that says what was answered is an approval."""
        given = answers.reading(self.store.database, answer.id)
        same = outcome is Outcome.CORRECTED and answer.kind is AnswerKind.CLASSIFY and corrected == given
        return Outcome.ACCEPTED if same else outcome

    def _credit_memories(self, answer: Answered, outcome: Outcome) -> None:
        """Memories that moved an accepted answer were of use, those that moved a rejected one were not."""
        what = {Outcome.ACCEPTED: "cited", Outcome.REJECTED: "ignored"}.get(outcome)
        by = answers.influences_of(self.store.database, [answer.id])
        ids = [one.source for one in by if one.weight > 0 and one.source.startswith("m1")]
        if what and ids:
            usage.record(self.store.database, ids, what, f"{answer.kind.value} {outcome.value}", self.here.now())

    def _asked(self, text: str) -> str:
        """A request as it may be kept. Raises UsageError for one that says nothing, is no text or too long."""
        if len(text) > REQUEST_MAX:
            raise UsageError(
                f"{len(text):,} characters are too long for a request.", f"At most {REQUEST_MAX:,}: name the file."
            )
        if len(_NO_SIGN.findall(text)) > UNREADABLE * len(text):
            raise UsageError("That is not text.", 'Describe what you want: `companion call classify request="…"`.')
        fit = _NO_SIGN.sub(" ", text).strip()
        if not re.search(r"\w", fit):
            raise UsageError("It contains no request.", '`companion call classify request="run the tests"`.')
        return fit

    def _spaces(self) -> tuple[str, ...]:
        """The project's answers, and those given outside of any: they are the same user's."""
        return tuple(dict.fromkeys((self.here.project, self.store.user)))


def _of_answer(id_: str, influences: Sequence[Influence]) -> tuple[Influence, ...]:
    """Influences on the answer of an id."""
    return tuple(replace(one, answer=id_) for one in influences)
