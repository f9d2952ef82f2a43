"""Judging: questions that rules cannot answer are handed out, and what is answered is carried out by a run."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from companion.api import AskedBy, RunOrder
from companion.app.consolidation.dismissing import dismiss
from companion.app.verbs.consolidating import Consolidating
from companion.config import Switch, chosen
from companion.errors import RunUnderWay, UsageError
from companion.judge.questions import FORMS, speaks_to_a_model, verdict_of, worded
from companion.ports import NoProgress
from companion.records import (
    JudgeAnswer,
    JudgedBatch,
    Judgement,
    JudgeQuestion,
    JudgeVerdict,
)
from companion.store import judgements
from companion.store.judgements import PERSON
from companion.store.memories import contradictions

ASSISTANT = "assistant "
"""How a judge is named that is no person, before the name that it gives itself."""
SHOWN_MOST, ANSWERS_MOST = 50, 50
"""Questions shown and answers taken at once."""
NAME_CHARACTERS = 100
JUDGE = "judge"
"""The pass that carries answers out."""
_ACTS = frozenset(FORMS[JudgeQuestion.PAIR].answers) | frozenset(FORMS[JudgeQuestion.WORTH].answers)
_ACTS -= {JudgeVerdict.BESIDE, JudgeVerdict.KEEP, JudgeVerdict.UNSURE}
"""Answers after which something changes; what is said of an action is only known from then on."""


class Judging(Consolidating):
    """The verbs of the queue. See `companion.api.Companion`."""

    def pending_judgements(self, limit: int = 5, judge: str = PERSON) -> tuple[Judgement, ...]:
        """Questions that wait, the likeliest first, each with its texts and the answers allowed."""
        if not 1 <= limit <= SHOWN_MOST:
            raise UsageError(f"{limit} questions cannot be shown.", f"Give 1 to {SHOWN_MOST}.")
        name = self._judge_named(judge)
        found = judgements.waiting(self.rooms.database, self.project, name)
        if name != PERSON:
            found = [one for one in found if not speaks_to_a_model(one)]
            limit = min(limit, self._left_today(name))
        return tuple(worded(one) for one in found[:limit])

    def judge(self, answers: Sequence[JudgeAnswer], judge: str = PERSON) -> JudgedBatch:
        """Take answers, and carry out what follows from them in a consolidation run that can be undone."""
        if not 1 <= len(answers) <= ANSWERS_MOST:
            raise UsageError(f"{len(answers)} answers cannot be taken.", f"Give 1 to {ANSWERS_MOST}.")
        name = self._judge_named(judge)
        database, begun = self.rooms.database, self.now()
        asked = judgements.waiting(database, self.project)
        if name == PERSON:
            asked += judgements.answered(database, self.project)
        left = len(answers) if name == PERSON else self._left_today(name)
        refused: list[str] = []
        taken: list[Judgement] = []
        for said in answers:
            if len(taken) >= left:
                why = f"{name} has answered {self.rooms.settings.judgements_a_day} in a day, as many as it may"
            else:
                why = self._why_not(said, [one for one in asked if one not in taken], name, taken)
            if why:
                refused.append(f"{said.id[:NAME_CHARACTERS]}: {why}")
        closed = dismiss(self.rooms, self.project, begun, self.now())
        run, changes = self._carried()
        rest = len(judgements.waiting(database, self.project))
        return JudgedBatch(len(taken), tuple(refused), run, changes + closed, rest)

    def _judge_named(self, judge: str) -> str:
        """The judge's name, fit to be kept. Raises UsageError for one that nobody may speak for."""
        name = self._fit(" ".join(judge.split()))[:NAME_CHARACTERS]
        if name == PERSON:
            return name
        if not name.startswith(ASSISTANT):
            raise UsageError(f"There is no judge {name!r}.", f"Name `{PERSON}` or `{ASSISTANT}NAME`.")
        if chosen(Switch, "judgements", self.rooms.settings.judgements) is Switch.OFF:
            raise UsageError("Assistants are not asked: the setting `judgements` is off.", "Set it to `on`.")
        return name

    def _left_today(self, name: str) -> int:
        """How many questions an assistant may still answer within a day."""
        since = self.now() - timedelta(days=1)
        answered = judgements.answered_since(self.rooms.database, self.project, name, since)
        return max(0, self.rooms.settings.judgements_a_day - answered)

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
            self.rooms.database,
            one,
            verdict,
            reason=said.reason,
            judge=name,
            now=self.now(),
            redactor=self.rooms.redactor,
        )
        taken.append(found[0])
        return ""

    def _carried(self) -> tuple[str, int]:
        """Carry out what was answered: the run, and how many changes it made. One that is under way does it itself."""
        noted = contradictions.noted(self.rooms.database, self.project)
        answered = judgements.not_carried_out(self.rooms.database, self.project, JUDGE)
        if not any(one.answer in _ACTS and frozenset(one.inquiry.memories) not in noted for one in answered):
            return "", 0

        try:
            report = self.consolidate(RunOrder(passes=(JUDGE,), asked_by=AskedBy.JUDGE), NoProgress())
        except RunUnderWay:
            return "", 0
        return report.run, report.changes_total
