"""A language model as a judge: it answers a few questions at a time, twice, and is believed where it says the same.

The second time each pair of notes stands the other way round. Among the questions stand some whose answers are known:
a model that gets one of those wrong answers by habit, so nothing of that batch counts. What a judge reads is data
between lines that it cannot contain. No answer, late or in another form, decides nothing and is asked for again in
the next run; after SILENT_MOST failures in a row a model is left alone for this one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from companion import wire
from companion.errors import ModelSpent, ModelTalkedNonsense, ModelUnavailable
from companion.escape import fence_for
from companion.judge.comparing.scopes import place_of
from companion.judge.questions import FORMS, speaks_to_a_model, verdict_of
from companion.language.word_lists import at
from companion.ports import LanguageModel
from companion.records import Ruling, Statement
from companion.records.judgements import (
    Inquiry,
    JudgeAnswer,
    JudgedText,
    Judgement,
    JudgeQuestion,
    JudgeVerdict,
)
from companion.records.wording import unbroken
from companion.wire import Between

BATCH = 8
"""Questions put at once: a page of text, and small models lose count of more."""
REPLY_S = 120.0
"""How long the answers to a batch may take; the setting `model_timeout_s` may say less."""
SILENT_MOST = 3
"""Batches that may fail, one after the other, before the model is left alone for this run."""
SURE = 0.9
"""Confidence of an answer that was given twice alike."""
REASON_CHARACTERS = 300
"""Characters of a reason that are kept: a sentence."""


class NumberedAnswer(Struct, frozen=True):
    """One answer. The reason comes first: a model that has to give one before its answer gives a better answer."""

    number: int
    reason: Annotated[str, Between(0, REASON_CHARACTERS)]
    answer: JudgeVerdict


class AnswersForm(Struct, frozen=True):
    """How a model is asked for the answers to a batch."""

    answers: tuple[NumberedAnswer, ...]


_MIRRORED = {
    JudgeVerdict.FIRST_CONTAINS_SECOND: JudgeVerdict.SECOND_CONTAINS_FIRST,
    JudgeVerdict.SECOND_CONTAINS_FIRST: JudgeVerdict.FIRST_CONTAINS_SECOND,
}
"""What an answer means once the two texts have changed places."""


@dataclass
class ModelBatches:
    """Asks one model, at most as often as the model allows. Make one a run."""

    model: LanguageModel
    _silent: int = field(default=0, init=False, repr=False)
    _spent: bool = field(default=False, init=False, repr=False)
    wrong: str = field(default="", init=False)
    """Why the last batch brought nothing, in a sentence; empty while all is well."""

    @property
    def name(self) -> str:
        """How the model is named as a judge."""
        return f"model {self.model.name}"

    def answers(self, asked: Sequence[Judgement]) -> Iterator[JudgeAnswer]:
        """What the model says of each question that it was asked and answered alike both times. Never raises.

        Where it contradicts itself it is unsure. Questions with a text that speaks to a model are not put.
        """
        for question in JudgeQuestion:
            fit = [one for one in asked if one.inquiry.question is question and not speaks_to_a_model(one)]
            known = _known(question)
            for start in range(0, len(fit), BATCH):
                if self._spent or self._silent >= SILENT_MOST:
                    return
                yield from self._both_ways(fit[start : start + BATCH], known)

    def _both_ways(self, batch: Sequence[Judgement], known: Sequence[Judgement]) -> Iterator[JudgeAnswer]:
        first = self._asked([*batch, *known])
        second = self._asked([_mirrored(one) for one in [*known, *batch]]) if first else {}
        if not first or not second:
            return
        agreed = {id_: (verdict, reason) for id_, (verdict, reason) in first.items() if _same(id_, verdict, second)}
        if any(one.answer is not agreed.get(one.id, (None, ""))[0] for one in known):
            self._silent += 1
            self.wrong = f"{self.model.name} answers questions wrongly whose answers are known"
            return
        self._silent, self.wrong = 0, ""
        for one in batch:
            if one.id in first and one.id in second:
                verdict, reason = agreed.get(one.id, (JudgeVerdict.UNSURE, "it said otherwise when asked again"))
                yield JudgeAnswer(one.id, verdict.value, reason)

    def _asked(self, batch: Sequence[Judgement]) -> dict[str, tuple[JudgeVerdict, str]]:
        """Verdict and reason by the question's id; nothing where there was no answer in the form asked for."""
        try:
            reply = self.model.complete(prompt(batch), wire.form_of(AnswersForm), REPLY_S)
        except ModelSpent as wrong:
            self._spent, self.wrong = True, wrong.what
            return {}
        except (ModelTalkedNonsense, ModelUnavailable) as wrong:
            self._silent += 1
            self.wrong = wrong.what
            return {}
        except OSError as wrong:
            self._silent += 1
            self.wrong = type(wrong).__name__
            return {}
        found = understood(reply, batch)
        if not found:
            self._silent += 1
            self.wrong = f"{self.model.name} does not answer in the form that was asked for"
        return found


@dataclass
class ModelJudge:
    """One model asked about one pair at a time; see `companion.ports.Judge`."""

    model: LanguageModel

    @property
    def name(self) -> str:
        """How the model is named as a judge."""
        return ModelBatches(self.model).name

    def rule(self, a: Statement, b: Statement) -> Ruling:
        """What the model makes of two statements; None with the reason where it cannot say or did not answer."""
        epoch = datetime(1970, 1, 1)
        texts = tuple(JudgedText("", one.text, one.said_by, one.valid_from or epoch, place_of(one)) for one in (a, b))
        asked = Judgement("pair", Inquiry(JudgeQuestion.PAIR, (), "", 0.0), texts, epoch)
        batches = ModelBatches(self.model)
        for said in batches.answers([asked]):
            if said.answer != JudgeVerdict.UNSURE:
                return Ruling(said.answer == JudgeVerdict.CONTRADICT, SURE, said.reason, self.name)
            return Ruling(None, 0.0, said.reason, self.name)
        return Ruling(None, 0.0, batches.wrong or "a statement speaks to the model, which was not asked", self.name)


def prompt(batch: Sequence[Judgement]) -> str:
    """Questions of one sort, numbered from 1, with their texts between lines that these cannot contain."""
    told = "".join(text.text for one in batch for text in one.texts)
    questions = "\n\n".join(_question(number, one) for number, one in enumerate(batch, start=1))
    return str(at("questions.prompt")).format(
        fence=fence_for(told), form=_form(batch[0].inquiry.question), questions=questions
    )


def understood(reply: str, batch: Sequence[Judgement]) -> dict[str, tuple[JudgeVerdict, str]]:
    """Verdict and reason by the question's id. What has not just the form that was asked for is left out.

    A number that comes twice with different answers counts as none.
    """
    try:
        told = json.loads(reply)
    except (ValueError, RecursionError):
        return {}
    listed = told.get("answers") if isinstance(told, dict) else told
    found: dict[str, tuple[JudgeVerdict, str]] = {}
    twice: set[str] = set()
    for row in listed if isinstance(listed, list) else ():
        read = _row(row, batch)
        if read is None:
            continue
        id_, verdict, reason = read
        if id_ in found and found[id_][0] is not verdict:
            twice.add(id_)
        found[id_] = (verdict, reason)
    return {id_: said for id_, said in found.items() if id_ not in twice}


def _row(row: object, batch: Sequence[Judgement]) -> tuple[str, JudgeVerdict, str] | None:
    if not isinstance(row, dict):
        return None
    number, answer, reason = row.get("number"), row.get("answer"), row.get("reason", "")
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= len(batch):
        return None
    if not isinstance(answer, str) or not isinstance(reason, str):
        return None
    one = batch[number - 1]
    verdict = verdict_of(one.inquiry.question, answer)
    return None if verdict is None else (one.id, verdict, unbroken(reason)[:REASON_CHARACTERS])


def _form(question: JudgeQuestion) -> str:
    form = FORMS[question]
    answers = "".join(f'- "{verdict.value}": {meaning}\n' for verdict, meaning in form.answers.items())
    return f"{form.asks} Say\n{answers}"


def _question(number: int, one: Judgement) -> str:
    texts = "\n".join(
        f"{name}{f' ({text.holds_in})' if text.holds_in else ''}, {text.since:%Y-%m-%d}: {unbroken(text.text)}"
        for name, text in zip(FORMS[one.inquiry.question].names, one.texts, strict=False)
    )
    return f"Number {number}\n{texts}"


def _mirrored(one: Judgement) -> Judgement:
    """A question with its texts the other way round; which of two is the rule stays as it is."""
    return one if one.inquiry.question is JudgeQuestion.ACTION else replace(one, texts=one.texts[::-1])


def _same(id_: str, verdict: JudgeVerdict, second: Mapping[str, tuple[JudgeVerdict, str]]) -> bool:
    again = second.get(id_)
    return again is not None and _MIRRORED.get(again[0], again[0]) is verdict


def _known(question: JudgeQuestion) -> list[Judgement]:
    """Questions whose answers nobody doubts, as if from the queue: who always says the same gets one of them wrong."""
    inquiry, then = Inquiry(question, (), "", 0.0), datetime(2026, 1, 1)
    return [
        Judgement(
            f"known {texts[0]}",
            inquiry,
            tuple(JudgedText("", text, "", then) for text in texts),
            then,
            answer=JudgeVerdict(answer),
        )
        for answer, *texts in at(f"questions.{question.value}.known")
    ]
