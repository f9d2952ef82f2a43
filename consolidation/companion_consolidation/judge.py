"""What rules cannot tell is asked of a judge that understands what it reads, and what it answered is carried out.

Passes before this one have put their questions; this one adds whether memories of commits are worth keeping and, of
those that are, whether they decide something. It has the language model (where one is configured) answer, and proposes
what follows from every answer there is, whoever gave it.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.ports import Archive
from companion.records import (
    Change,
    Decide,
    Inquiry,
    Judgement,
    JudgeQuestion,
    JudgeVerdict,
    Merge,
    Oppose,
    Outdate,
    Supersede,
    fold,
)

WEIGHED = 10
"""Memories that wait to be weighed at most: a judge has some minutes a day."""
WEIGHT = 0.2
"""How soon that is asked beside contradictions and twins: after all that are likely."""
SURE = 0.9
"""Confidence of a contradiction that a judge confirmed."""


def plan(archive: Archive) -> Iterator[Change]:
    """What follows from the answers, a change each."""
    archive.ask(
        Inquiry(question, (id_,), "it was learned from a commit", WEIGHT)
        for question in (JudgeQuestion.WORTH, JudgeQuestion.DECISION)
        for id_ in archive.to_weigh(question, WEIGHED)
    )
    for one in archive.verdicts():
        if (change := _change(one)) is not None:
            yield change


def _change(one: Judgement) -> Change | None:
    """What an answer asks for; None where all stays as it is."""
    a, b = one.inquiry.memories[0], one.inquiry.memories[-1]
    conflict = one.inquiry.conflict
    reason = f"{one.judge} says: {one.reason}" if one.reason else f"{one.judge} says so"
    if (folded := fold(one.answer, one.texts, one.inquiry.memories)) is not None:
        return Merge(folded[0], (folded[1],), reason)
    match one.answer:
        case None if one.inquiry.opens:
            return Oppose(a, b, one.inquiry.weight, one.inquiry.proposed_by, one.inquiry.why, conflict)
        case JudgeVerdict.CONTRADICT:
            return Oppose(a, b, SURE, one.judge, one.reason or one.inquiry.why, conflict)
        case JudgeVerdict.DECIDED:
            choice, _, told = one.texts[0].text.partition("\n")
            return Decide(a, choice, told.partition("\nFiles: ")[0].strip() or reason, reason)
        case JudgeVerdict.OVER if a != b:
            earlier, later = sorted(one.texts, key=lambda text: text.since)
            return Supersede(earlier.id, later.id, reason)
        case JudgeVerdict.OVER | JudgeVerdict.JUNK:
            return Outdate(a, f"{reason} ({one.answer.value})")
        case _:
            return None
