"""What cannot both hold is shown until somebody settles it; what time has settled is superseded.

Two statements that a judge says contradict one another become an open contradiction, if it is sure enough. Where a
sentence had to be read, whoever understands it is asked as well: a language model before anything is opened.
Where one source said one thing and later, of the same subject, property and scope, another, nothing is open: the
later one took the place of the earlier, which is listed as superseded. A property is named, or the two sentences are
word for word the same but for one value. A pinned memory is never superseded by time: somebody meant it to stay, so
a contradiction is opened. What one run supersedes stands in no contradiction of that run.

Pairs of one conflict are asked about once and opened together; what says the same as a side of one that stands open
already joins it, without being asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import product

from companion.ports import Archive
from companion.records import (
    Change,
    Contradiction,
    Inquiry,
    Judged,
    JudgeQuestion,
    Oppose,
    Source,
    Statement,
    Supersede,
)

OPEN_FROM = 0.6
"""Confidence from which a contradiction is shown: below, about as many are wrong as right."""
OPEN_READ_FROM = 0.95
"""The same where both are sentences that were read from files: a repository holds thousands, and nobody asked for
them to be compared. Rules alone are hardly ever that sure of sentences; a model that agrees with them is."""
SETTLE_FROM = 0.75
"""Confidence from which time settles it: what is superseded is no longer offered, so more is asked for."""
WHOLE_CHARACTERS = 300
"""Up to here a statement is known whole: of longer ones a judge reads the beginning, and the rest may differ."""
VALUE_WORDS = 2
"""Words of a value: a number and its unit, a first and a last name."""
FRAME_WORDS = 2
"""Words around a value, at least, that say what it is a value of."""


def plan(archive: Archive) -> Iterator[Change]:
    """What is superseded by time, each memory once, by the newest; then what is opened."""
    judged = [one for one in archive.judged() if one.a != one.b]
    found = [one for one in judged if _sure(one)]
    heirs: dict[str, Judged] = {}
    for one in filter(_over, found):
        known = heirs.get(one.a)
        if known is None or _from(one) > _from(known):
            heirs[one.a] = one
    for old, one in sorted(heirs.items()):
        yield Supersede(old, one.b, f"the same source says otherwise since: {one.ruling.reason}")
    left = [one for one in judged if not _over(one) and heirs.keys().isdisjoint((one.a, one.b))]
    first_asked = archive.batches is not None
    archive.ask(_inquiries([one for one in left if not (_same_slot(one) or one.opened)], opens=first_asked))
    archive.ask(_of_opened(one) for one in archive.contradictions() if one.judge)
    opened = {_conflict(one) for one in left if one.opened or (_sure(one) and (_same_slot(one) or not first_asked))}
    for one in left:
        if _conflict(one) in opened:
            yield Oppose(one.a, one.b, one.ruling.confidence, one.ruling.judge, one.ruling.reason, one.conflict)


def _conflict(one: Judged) -> str:
    """What names the conflict of a pair: its twins' name is the same."""
    return one.conflict or f"{one.a} {one.b}"


def _inquiries(read: Sequence[Judged], *, opens: bool) -> Iterator[Inquiry]:
    """A question a conflict, about its surest pair; the others have its answer."""
    conflicts: dict[str, list[Judged]] = {}
    for one in read:
        conflicts.setdefault(_conflict(one), []).append(one)
    for some in conflicts.values():
        first, *rest = sorted(some, key=lambda one: -one.ruling.confidence)
        yield Inquiry(
            JudgeQuestion.PAIR,
            (first.a, first.b),
            first.ruling.reason,
            first.ruling.confidence,
            first.ruling.judge,
            opens and any(map(_sure, some)),
            tuple((one.a, one.b) for one in rest),
            first.conflict,
        )


def _of_opened(one: Contradiction) -> Inquiry:
    """Whether what was opened is one: a judge may say that both sides can hold."""
    first, *rest = product((memory.id for memory in one.side_a), (memory.id for memory in one.side_b))
    return Inquiry(JudgeQuestion.PAIR, first, one.reason, one.confidence, one.judge, also=tuple(rest))


def _sure(one: Judged) -> bool:
    least = OPEN_READ_FROM if _read(one.of_a) and _read(one.of_b) and not _same_slot(one) else OPEN_FROM
    return one.ruling.contradict is True and one.ruling.confidence >= least


def _read(statement: Statement) -> bool:
    return statement.said_by.startswith(f"{Source.SCAN.value} ")


def _same_slot(one: Judged) -> bool:
    """Whether both give a value to one property: then values were compared, and no sentence was read."""
    a, b = one.of_a, one.of_b
    return bool(a.attribute) and (a.subject, a.attribute) == (b.subject, b.attribute)


def _over(one: Judged) -> bool:
    """Whether time settles it: one source, one scope, one property, the one clearly before the other."""
    a, b = one.of_a, one.of_b
    if one.fixed or one.ruling.confidence < SETTLE_FROM or not a.said_by or not (_same_slot(one) or _same_frame(one)):
        return False
    return (
        a.said_by == b.said_by
        and a.scope == b.scope
        and a.valid_from is not None
        and b.valid_from is not None
        and a.valid_from < b.valid_from
    )


def _same_frame(one: Judged) -> bool:
    """Whether two sentences on one subject differ in nothing but one value of VALUE_WORDS at most."""
    a, b = one.of_a, one.of_b
    if a.attribute or b.attribute or a.subject != b.subject or max(len(a.text), len(b.text)) >= WHOLE_CHARACTERS:
        return False
    words = [[word.strip(".,;:!").casefold() for word in text.split()] for text in (a.text, b.text)]
    before = _alike(*words)
    after = _alike(*(side[before:][::-1] for side in words))
    return all(0 < len(side) - before - after <= VALUE_WORDS for side in words) and before + after >= FRAME_WORDS


def _alike(one: list[str], other: list[str]) -> int:
    """How many words two rows begin with alike."""
    pairs = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def _from(one: Judged) -> datetime:
    return one.of_b.valid_from or datetime.min
