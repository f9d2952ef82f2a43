"""Questions that rules cannot answer, and what a judge says of them: a person, or the assistant that is connected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.records import JudgeAnswer, JudgedBatch, Judgement


class Judging(Protocol):
    """The queue of the judges. Every verb raises CompanionError with a next step."""

    def pending_judgements(self, limit: int = 5, judge: str = "person") -> tuple[Judgement, ...]:
        """Questions that wait, the likeliest first, each with its texts and the answers allowed.

        `judge` is `person` or `assistant NAME`; it is not shown what it could not say before, and an assistant not
        what reads like an order to a model. Nothing is shown once an assistant has answered enough for a day.
        """

    def judge(self, answers: Sequence[JudgeAnswer], judge: str = "person") -> JudgedBatch:
        """Take answers, and carry out what follows from them in a consolidation run that can be undone."""
