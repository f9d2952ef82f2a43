"""What a judge is asked: a question about one memory or two, the answers it may give, and the answer it gave."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from companion.records.sorts import Source

WAITING_MOST = 500
"""Questions of a project that wait at once; of more, the least likely go, however long they have waited."""


class JudgeQuestion(StrEnum):
    """What is asked. The answers that each allows stand in `companion.judge.questions`."""

    PAIR = "pair"
    """How two memories stand to one another."""
    WORTH = "worth"
    """Whether one memory should stay."""
    DECISION = "decision"
    """Whether what a commit did was decided for good."""
    ACTION = "action"
    """What a rule says of an intended action."""


class JudgeVerdict(StrEnum):
    """What a judge may say; each question allows some of these."""

    CONTRADICT = "contradict"
    SAME = "same"
    FIRST_CONTAINS_SECOND = "first_contains_second"
    SECOND_CONTAINS_FIRST = "second_contains_first"
    BESIDE = "beside"
    KEEP = "keep"
    OVER = "over"
    DECIDED = "decided"
    JUNK = "junk"
    FITS = "fits"
    CONFLICTS = "conflicts"
    SILENT = "silent"
    UNSURE = "unsure"


class Inquiry(Struct, frozen=True):
    """A question that a pass puts: about which memories, why, and how likely it is that something follows (0 to 1).

    Two memories that `opens` says of contradict one another by the end of a run even if nobody answers. `also` are
    pairs whose sides say the same as these two: one `conflict`, one question, one answer for all. Of an action the
    second of the two is the answer (`q1`) that was given when it was verified.
    """

    question: JudgeQuestion
    memories: tuple[str, ...]
    why: str
    weight: float
    proposed_by: str = ""
    opens: bool = False
    also: tuple[tuple[str, str], ...] = ()
    conflict: str = ""


class JudgedText(Struct, frozen=True):
    """One memory as a judge reads it: what it says, where that was read, since when, and where it holds."""

    id: str
    text: str
    source: str
    since: datetime
    holds_in: str = ""


class Judgement(Struct, frozen=True):
    """A question in the queue with its texts, and once there is one, the answer and who gave it.

    `asks` is the question in words, `answers` are those allowed, each as `word: meaning`.
    """

    id: str
    inquiry: Inquiry
    texts: tuple[JudgedText, ...]
    asked_at: datetime
    asks: str = ""
    answers: tuple[str, ...] = ()
    answer: JudgeVerdict | None = None
    reason: str = ""
    judge: str = ""
    answered_at: datetime | None = None


class JudgeAnswer(Struct, frozen=True):
    """What a judge says of one question: its id or the start of one, one of the answers allowed, and why."""

    id: str
    answer: str
    reason: str = ""


class JudgedBatch(Struct, frozen=True):
    """What became of some answers: how many were taken, which were refused and why, and what followed from them.

    `run` is the consolidation run that carried them out, empty where nothing was to be done or one was under way.
    """

    taken: int
    refused: tuple[str, ...] = ()
    run: str = ""
    changes: int = 0
    waiting: int = 0
    """Questions that still wait."""


def questions_wait(number: int) -> str:
    """How many questions wait; of as many as can, that there may be more."""
    more = " or more" if number >= WAITING_MOST else ""
    return f"{number:,}{more} {'question waits' if number == 1 else 'questions wait'}"


def fold(answer: JudgeVerdict | None, texts: Sequence[JudgedText], memories: Sequence[str]) -> tuple[str, str] | None:
    """Which of two memories stays, and which goes into it, by an answer.

    Of two that say the same what a person wrote stays, else the longer.
    """
    a, b = memories[0], memories[-1]
    longer_last = len(texts) > 1 and _precedence(texts[-1]) > _precedence(texts[0])
    match answer:
        case JudgeVerdict.SECOND_CONTAINS_FIRST:
            return b, a
        case JudgeVerdict.SAME:
            return (b, a) if longer_last else (a, b)
        case JudgeVerdict.FIRST_CONTAINS_SECOND:
            return a, b
        case _:
            return None


def _precedence(text: JudgedText) -> tuple[bool, int]:
    return text.source == Source.BY_HAND, len(text.text)
