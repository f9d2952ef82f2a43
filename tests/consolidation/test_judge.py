"""What follows from an answer: one change each, with who said so and why; and nothing where all stays as it is."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

import pytest
from companion_consolidation import judge
from msgspec.structs import replace

from companion.records import (
    Inquiry,
    JudgedText,
    Judgement,
    JudgeQuestion,
    JudgeVerdict,
    Merge,
    Oppose,
    Outdate,
    Supersede,
)

NOW = datetime(2026, 1, 5)


def said(answer: JudgeVerdict | None, *memories: str, reason: str = "it says so", opens: bool = False) -> Judgement:
    question = JudgeQuestion.PAIR if len(memories) > 1 else JudgeQuestion.WORTH
    inquiry = Inquiry(question, memories, "they differ", 0.7, "rules 5", opens)
    return Judgement("j1", inquiry, (), NOW, answer=answer, reason=reason, judge="assistant tiny" if answer else "")


@dataclass
class Queue:
    """An archive with just these answers."""

    told: tuple[Judgement, ...] = ()
    unweighed: tuple[str, ...] = ()
    asked: list[Inquiry] = field(default_factory=list)

    def verdicts(self):
        yield from self.told

    def to_weigh(self, question, limit):
        return self.unweighed[:limit]

    def ask(self, inquiries):
        self.asked += inquiries


def plan(*told: Judgement):
    return list(judge.plan(Queue(told)))


@pytest.mark.parametrize(
    ("answer", "change"),
    [
        (JudgeVerdict.CONTRADICT, Oppose("m1", "m2", judge.SURE, "assistant tiny", "it says so")),
        (JudgeVerdict.SAME, Merge("m1", ("m2",), "assistant tiny says: it says so")),
        (JudgeVerdict.FIRST_CONTAINS_SECOND, Merge("m1", ("m2",), "assistant tiny says: it says so")),
        (JudgeVerdict.SECOND_CONTAINS_FIRST, Merge("m2", ("m1",), "assistant tiny says: it says so")),
    ],
)
def test_what_is_said_of_a_pair_becomes_a_change(answer, change):
    assert plan(said(answer, "m1", "m2")) == [change]


@pytest.mark.parametrize("earlier", ["m1", "m2"])
def test_what_the_later_of_two_says_is_done_gives_way_to_it(earlier):
    later = "m2" if earlier == "m1" else "m1"
    texts = tuple(
        JudgedText(id_, "", "by-hand", NOW if id_ == earlier else NOW + timedelta(days=1)) for id_ in ("m1", "m2")
    )
    one = replace(said(JudgeVerdict.OVER, "m1", "m2"), texts=texts)
    assert plan(one) == [Supersede(earlier, later, "assistant tiny says: it says so")]


@pytest.mark.parametrize("answer", [JudgeVerdict.OVER, JudgeVerdict.JUNK])
def test_what_is_not_worth_keeping_ends_with_the_reason(answer):
    assert plan(said(answer, "m1")) == [Outdate("m1", f"assistant tiny says: it says so ({answer.value})")]
    assert plan(said(answer, "m1", reason="")) == [Outdate("m1", f"assistant tiny says so ({answer.value})")]


@pytest.mark.parametrize("answer", [JudgeVerdict.BESIDE, JudgeVerdict.KEEP, JudgeVerdict.UNSURE, None])
def test_all_else_changes_nothing(answer):
    assert plan(said(answer, "m1", "m2")) == []


def test_a_contradiction_that_rules_are_sure_of_is_opened_though_nobody_answered():
    assert plan(said(None, "m1", "m2", opens=True)) == [Oppose("m1", "m2", 0.7, "rules 5", "they differ")]


def test_memories_of_history_are_weighed_a_few_at_a_time():
    queue = Queue(unweighed=tuple(f"m{number}" for number in range(99)))
    assert list(judge.plan(queue)) == []
    assert [one.memories for one in queue.asked] == 2 * [(f"m{number}",) for number in range(judge.WEIGHED)]
    assert {one.question for one in queue.asked} == {JudgeQuestion.WORTH, JudgeQuestion.DECISION}
