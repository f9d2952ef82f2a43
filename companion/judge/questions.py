"""The questions that a judge is asked, in words: what each means, which answers it allows, and what each of these says.

One table for all who judge: a connected assistant reads it in the batch it takes, a language model in its prompt, a
person on the command line. A judge chooses among words that are given here and can do nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.language.orders import steers_a_model
from companion.records.judgements import Judgement, JudgeQuestion, JudgeVerdict


@dataclass(frozen=True, slots=True)
class _Form:
    """A question in words, and what each of its answers means."""

    asks: str
    answers: Mapping[JudgeVerdict, str]
    names: tuple[str, str] = ("note 1", "note 2")
    """What its texts are called."""


_UNSURE = "that cannot be told from what is here"

FORMS: Mapping[JudgeQuestion, _Form] = {
    JudgeQuestion.PAIR: _Form(
        "How do the two stand to one another?",
        {
            JudgeVerdict.CONTRADICT: "both speak of the same thing in the same place at the same time, and following "
            "one means breaking the other, or one being true means the other is false",
            JudgeVerdict.SAME: "they say the same: no number, scope, condition, negation, name or reason stands in one "
            "alone",
            JudgeVerdict.FIRST_CONTAINS_SECOND: "the first says all that the second says, and more",
            JudgeVerdict.SECOND_CONTAINS_FIRST: "the second says all that the first says, and more",
            JudgeVerdict.OVER: "the later one tells that what the earlier one says is done, has come or is past: a "
            "to-do that is done, a wait that has ended; nothing of the earlier one holds beyond that",
            JudgeVerdict.BESIDE: "both can hold and each says something of its own: of another thing, place, version "
            "or time, or as an exception, a detail or a stricter case",
            JudgeVerdict.UNSURE: _UNSURE,
        },
    ),
    JudgeQuestion.WORTH: _Form(
        "Should this stay in the memory of the project?",
        {
            JudgeVerdict.KEEP: "it still holds, and somebody who works here would want to know it",
            JudgeVerdict.OVER: "it held once and does not any more",
            JudgeVerdict.JUNK: "it tells nobody anything: a fragment, chatter, or what the code says at a glance",
            JudgeVerdict.UNSURE: _UNSURE,
        },
    ),
    JudgeQuestion.ACTION: _Form(
        "What does the rule (the first text) say of the intended action (the second)?",
        {
            JudgeVerdict.CONFLICTS: "who does just this breaks the rule, and no exception that it makes holds here",
            JudgeVerdict.FITS: "the rule asks for this, or allows just this, as an exception if it makes one",
            JudgeVerdict.SILENT: "the rule decides nothing about it: that both speak of the same things does not, and "
            "neither does the reason that the rule gives",
            JudgeVerdict.UNSURE: _UNSURE,
        },
        ("rule", "action"),
    ),
}


def worded(one: Judgement) -> Judgement:
    """The judgement with its question and the answers allowed in words."""
    form = FORMS[one.inquiry.question]
    answers = tuple(f"{verdict.value}: {meaning}" for verdict, meaning in form.answers.items())
    return replace(one, asks=form.asks, answers=answers)


def verdict_of(question: JudgeQuestion, word: str) -> JudgeVerdict | None:
    """The verdict that a judge names; None for a word that the question does not allow."""
    try:
        verdict = JudgeVerdict(word.strip().lower())
    except ValueError:
        return None
    return verdict if verdict in FORMS[question].answers else None


def speaks_to_a_model(one: Judgement) -> bool:
    """Whether one of the texts reads like an order to a model; only a person is asked about those."""
    return any(steers_a_model(text.text) for text in one.texts)
