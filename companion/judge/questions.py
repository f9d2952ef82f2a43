"""The questions that a judge is asked, in words: what each means, which answers it allows, and what each of these says.

One table for all who judge: a connected assistant reads it in the batch it takes, a language model in its prompt, a
person on the command line. A judge chooses among words that are given here and can do nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from companion.language.orders import steers_a_model
from companion.language.word_lists import listed
from companion.records.judgements import Judgement, JudgeQuestion, JudgeVerdict


class _Form(Struct, frozen=True):
    """A question in words, what each of its answers means, and what its texts are called."""

    asks: str
    answers: Mapping[JudgeVerdict, str]
    names: tuple[str, ...]

    @classmethod
    def of(cls, question: JudgeQuestion) -> _Form:
        """The form of a question, as `data/questions.toml` has it."""
        told = listed("questions")[question.value]
        answers = {JudgeVerdict(word): meaning for word, meaning in told["answers"].items()}
        return cls(told["asks"], answers, tuple(told["names"]))


FORMS: Mapping[JudgeQuestion, _Form] = {question: _Form.of(question) for question in JudgeQuestion}


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
