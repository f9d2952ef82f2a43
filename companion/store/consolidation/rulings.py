"""What judges say of pairs of statements, kept by what the pairs say: no pair is judged twice.

A ruling is kept under the pair's content and the judge's name and version, so new words or a better judge bring the
pair up again.

Two that give different values to one slot (a database, a package manager) and have nothing else in common may speak of
one thing, which neither rules nor reader can see: a few of them are for a judge that understands them, and for nobody
else. They are a share of what waits, so that notes which all hold bring few questions.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from msgspec.structs import replace

from companion.ports import Likeness, Redactor
from companion.records import Judged, JudgeQuestion, Ruling
from companion.store import judgements
from companion.store.bulk import batches
from companion.store.by_columns import delete_where
from companion.store.consolidation.pairs import CandidatePair, Side, candidates, sides
from companion.store.consolidation.view import View
from companion.store.database import Database
from companion.store.memories.conflicts import Pair, named, standing
from companion.store.memories.contradictions import CLOSED_BY_ITSELF
from companion.store.rows import Table
from companion.store.texts import clean

JUDGING_S = 15.0
"""Seconds in which pairs are judged in one run: a quarter of the minute that a run over 100,000 memories may take. What
is not judged by then is judged in the next one."""
PAIRS_AT_ONCE = 500
"""Pairs judged between two visits to the store; what a kill can cost."""
REASON_CHARACTERS = 400
"""Characters of a reason that are kept: a sentence or two."""

SLOTS, SLOT_WEIGHT = "slots", 0.25
"""Who proposes pairs of one slot, and how soon a judge is asked: after all that rules or reader doubt."""
SLOT_SHARE, SLOT_LEAST = 4, 3
"""One in so many questions about pairs that wait is of that sort; where hardly any wait, so many may nonetheless."""
SLOT_WHY = "each gives another value to one thing that is chosen, if both are about the same place"

_RULINGS = Table(Ruling, "rulings")


def judged(view: View) -> Iterator[Judged]:
    """The pairs of which the judge says that they cannot both hold or that it cannot tell, likeliest first.

    What it says is kept for next time. Each pair bears the name of its conflict, told by likeness and by the values
    that are given; one that was settled as both valid is left out with all that says the same.
    """
    judge, redactor, database, project = view.judge, view.redactor, view.database, view.project
    until_s = time.monotonic() + JUDGING_S if view.until_s is None else view.until_s
    if judge is None or redactor is None:
        return
    opposed: list[Judged] = []
    of_a_slot: list[tuple[float, Judged]] = []
    found = candidates(view, judge.name)
    for some in batches(found, PAIRS_AT_ONCE):
        known = sides(database, [id_ for one in some for id_ in (one.a, one.b)])
        ruled: list[tuple[CandidatePair, Ruling]] = []
        for one in some:
            if time.monotonic() > until_s:
                break
            if one.a in known and one.b in known:
                ruling = one.known or judge.rule(known[one.a].statement, known[one.b].statement)
                ruled.append((one, ruling))
                view.breathe()
        _keep(database, judge.name, ruled, view.now, redactor)
        opposed += [_judged(one, known, ruling) for one, ruling in ruled if ruling.contradict is not False]
        of_a_slot += [
            (one.slot, _judged(one, known, Ruling(None, SLOT_WEIGHT, SLOT_WHY, SLOTS)))
            for one, ruling in ruled
            if one.slot and ruling.contradict is False
        ]
        if len(ruled) < len(some) and time.monotonic() > until_s:
            view.put_off()
            break
    yield from _in_conflicts(database, project, opposed, view.likeness)
    if view.by_meaning:  # in a run, where all that the reader doubts is known
        yield from _of_a_slot(database, project, of_a_slot, len(opposed))


def _of_a_slot(
    database: Database, project: str, found: Sequence[tuple[float, Judged]], beside: int
) -> Iterator[Judged]:
    """Those of one slot that no judge was asked about, rarest slots first, as many as their share leaves room for."""
    asked = judgements.asked(database, project) if found else frozenset()
    fresh = [told for told in found if frozenset((told[1].a, told[1].b)) not in asked]
    if not fresh:
        return
    waiting = [one.inquiry for one in judgements.waiting(database, project)]
    waiting = [one for one in waiting if one.question is JudgeQuestion.PAIR]
    mine = sum(one.proposed_by == SLOTS for one in waiting)
    room = slot_room(len(waiting) - mine + beside) - mine
    for _, one in sorted(fresh, key=lambda told: -told[0])[: max(0, room)]:
        yield one


def slot_room(others: int) -> int:
    """How many pairs of one slot may wait beside so many other pairs."""
    return max(SLOT_LEAST, others // (SLOT_SHARE - 1))


def _in_conflicts(
    database: Database, project: str, found: Sequence[Judged], likeness: Likeness | None
) -> Iterator[Judged]:
    """The pairs, each with the conflict that it belongs to, the surest of a new one giving the name."""
    if not found:
        return
    ids = {id_ for one in found for id_ in (one.a, one.b)}
    with database.read() as connection:
        known = standing(connection, project, ids, CLOSED_BY_ITSELF)
    opened = {one.conflict for one in known if one.state}
    over = {one.conflict for one in known} - opened
    known += [one for one in _asked(database, project) if not ids.isdisjoint((one.a, one.b))]
    surest = sorted(range(len(found)), key=lambda at: -found[at].ruling.confidence)
    pairs = [Pair(found[at].a, found[at].b, found[at].ruling.reason) for at in surest]
    names = dict(zip(surest, named(pairs, known, _alike(database, found, known, likeness)), strict=True))
    for at, one in enumerate(found):
        if names[at] not in over:
            yield replace(one, conflict=names[at], opened=names[at] in opened)


def _asked(database: Database, project: str) -> Iterator[Pair]:
    """The pairs that judges were asked about."""
    for question in judgements.questions(database, project):
        for one in judgements.each_pair(question) if question.inquiry.conflict else ():
            a, b = one.inquiry.memories
            yield Pair(a, b, one.inquiry.why, one.inquiry.conflict)


def _alike(
    database: Database, found: Sequence[Judged], known: Sequence[Pair], likeness: Likeness | None
) -> Callable[[str, str, bool], bool]:
    """Whether two memories say the same of one place: they give the same value, or no term keeps their texts apart."""
    ids = [id_ for judged in found for id_ in (judged.a, judged.b)] + [
        id_ for pair in known for id_ in (pair.a, pair.b)
    ]
    told = sides(database, ids)

    def alike(one: str, other: str, same_value: bool) -> bool:
        if one not in told or other not in told:
            return False
        a, b = told[one].statement, told[other].statement
        return a.scope == b.scope and (same_value or (likeness is not None and not likeness.difference(a.text, b.text)))

    return alike


def _judged(one: CandidatePair, known: dict[str, Side], ruling: Ruling) -> Judged:
    """The pair with the earlier statement first: what was true earlier, not what was read earlier."""
    a, b = one.a, one.b
    if known[b].said_at < known[a].said_at:
        a, b = b, a
    return Judged(a, b, known[a].statement, known[b].statement, ruling, fixed=known[a].fixed)


def _keep(
    database: Database,
    judge: str,
    ruled: Sequence[tuple[CandidatePair, Ruling]],
    now: datetime,
    redactor: Redactor,
) -> None:
    said = {
        one.pair_hash: (
            [one.a, one.b],
            replace(
                ruling,
                judge=judge,
                confidence=min(1.0, max(0.0, ruling.confidence)),
                reason=redactor.redact(clean(ruling.reason))[:REASON_CHARACTERS],
            ),
        )
        for one, ruling in ruled
        if ruling is not one.known
    }
    if not said:
        return
    memories, rulings = zip(*said.values(), strict=True)
    with database.write(quiet=True) as connection:
        delete_where(connection, "rulings", judge=judge, pair_hash=said)
        _RULINGS.insert(connection, rulings, pair_hash=list(said), memories=list(memories), ruled_at=now)
