"""A request to a reading: rules, what memories lend, what outcomes have taught, and what a model thinks.

How much each thing that is known moved the reading is found by leaving it out and reading again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from companion.language.orders import steers_a_model, unsteered
from companion.language.requests import Request, read_request, subjects
from companion.reason import doubt, hints
from companion.reason.cues import AXES, Points, points
from companion.reason.hints import Memo
from companion.reason.lessons import Lessons, Vote, rules_say, rules_take, short
from companion.records.reasoning import (
    Axis,
    Classified,
    Consumer,
    Destination,
    Example,
    How,
    Influence,
    Outcome,
    Reading,
    Semantics,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MEMORIES = 5
"""Memories that a classification uses; spec R1."""
MODEL_POINTS = 2.0
"""Points of a model that is quite sure: as many as a clear word, and fewer than a person's correction."""
UNRESOLVED, RESOLVED = 0.5, 0.95
"""How much of its confidence a reading keeps that points at something: unknown what, and known from memory."""
LEAST = 0.005
"""A move of less than half a hundredth is none."""
LATEST = 50
"""Outcomes looked through for one that rules take alike, the newest."""
LEFT_OUT = "Text addressed to the program itself was left out."


class Opinion(Struct, frozen=True):
    """What a language model made of a request, checked."""

    reading: Reading
    confidence: float


class ReadingEvidence(Struct, frozen=True):
    """All that a reading rests on beside the request."""

    memos: Sequence[Memo] = ()
    lessons: Lessons = field(default_factory=lambda: Lessons(()))
    vector: npt.NDArray[np.float32] | None = None
    opinion: Opinion | None = None


def classify(text: str, evidence: ReadingEvidence) -> Classified:
    """Read a request by all that is known; see the module. What was read has no id yet."""
    request = read_request(unsteered(text))
    memos = tuple(evidence.memos[:MEMORIES])
    votes = evidence.lessons.near(request, evidence.vector)
    found = _points(request, memos, votes, evidence)
    reading = reading_of(found)
    vague = hints.is_vague(request)
    candidates = hints.meant(request, memos) if vague else ()
    resolved = bool(vague) and hints.clear(request, candidates)
    sure = min(found.shares(axis)[0][1] for axis in AXES)
    sure *= 1.0 if not vague else RESOLVED if resolved else UNRESOLVED
    question = ""
    if vague and not resolved:
        question = doubt.of_referent(vague, candidates)
    elif sure < doubt.ASK_BELOW:
        question = doubt.of_axes(request, found)
    by = _influences(request, memos, votes, evidence, found)
    if resolved:
        by = _as_meant(by, candidates[0], vague)
    return Classified(
        id="",
        request=text,
        reading=reading,
        confidence=round(sure, 4),
        destination=_axis(found, "destination"),
        consumer=_axis(found, "consumer"),
        semantics=_axis(found, "semantics"),
        influences=by,
        question=question,
        notes=(LEFT_OUT,) if steers_a_model(text) else (),
    )


def reading_of(found: Points) -> Reading:
    """The likeliest label of each axis."""
    return Reading(
        Destination(found.best("destination")), Consumer(found.best("consumer")), Semantics(found.best("semantics"))
    )


def _points(request: Request, memos: Sequence[Memo], votes: Sequence[Vote], evidence: ReadingEvidence) -> Points:
    found = points(request)
    rules, lead = rules_say(found), max(found.lead(axis) for axis in AXES)
    for memo in memos:
        hints.lend(found, request, memo, lead)
    if evidence.opinion is not None:
        said = evidence.opinion
        for axis in AXES:
            label = str(getattr(said.reading, axis))
            found.add(label, MODEL_POINTS * said.confidence, f"the model reads it as {label}")
    evidence.lessons.apply(found, request, votes, rules)
    return found


def _axis(found: Points, axis: str) -> Axis:
    return Axis(found.best(axis), found.shares(axis), found.reasons(axis))


def _influences(
    request: Request, memos: Sequence[Memo], votes: Sequence[Vote], evidence: ReadingEvidence, found: Points
) -> tuple[Influence, ...]:
    """What moved the reading and how much, the most first; memories that were read and moved nothing come last."""
    told: list[Influence] = []
    base = points(request)
    telling = [memo for memo in memos if hints.lend(base, request, memo, 0.0)]
    for memo in memos:
        others = [one for one in telling if one is not memo]
        moved = _moved(found, _points(request, others, votes, evidence)) if memo in telling else 0.0
        words = hints.named(request, memo)
        if moved:
            why = f"it says what “{' '.join(words) or short(request.text)}” means"
            told.append(Influence(memo.id, memo.told, How.DISAMBIGUATION, moved, why))
        elif words:
            told.append(Influence(memo.id, memo.told, How.ENTITY, 0.0, f"it mentions {', '.join(words[:4])}"))
        else:
            told.append(Influence(memo.id, memo.told, How.PATTERN, 0.0, "it is near in meaning"))
    for vote in votes:
        others_voted = [one for one in votes if one is not vote]
        moved = _moved(found, _points(request, telling, others_voted, evidence))
        told.append(Influence(vote.example.answer, short(vote.example.text), How.PATTERN, moved, _why(vote)))
    told = _with_learned_words(
        told, request, votes, evidence, _moved(found, _unlearned(request, telling, votes, evidence))
    )
    return tuple(sorted(told, key=lambda one: -abs(one.weight)))


def _unlearned(request: Request, memos: Sequence[Memo], votes: Sequence[Vote], evidence: ReadingEvidence) -> Points:
    """The points had no word been learned."""
    lessons = Lessons(evidence.lessons.examples, evidence.lessons.settled)
    return _points(request, memos, votes, replace(evidence, lessons=lessons))


def _with_learned_words(
    told: list[Influence], request: Request, votes: Sequence[Vote], evidence: ReadingEvidence, moved: float
) -> list[Influence]:
    """What the learned words moved is shared by the near requests that have them, else it is the newest one's."""
    if not moved:
        return told
    teachers = [vote.example.answer for vote in votes if _shares(vote.example, request)]
    if teachers:
        share = moved / len(teachers)
        return [replace(one, weight=round(one.weight + share, 4)) if one.source in teachers else one for one in told]
    latest = evidence.lessons.examples[::-1]
    newest = next((one for one in latest if _shares(one, request)), None)
    if newest is not None:
        why = f"outcomes such as this taught “{', '.join(sorted(_shares(newest, request)))}”"
    else:
        taken = rules_say(points(request))
        newest = next((one for one in latest[:LATEST] if rules_take(one.text) == taken), None)
        why = "similar requests turned out so"
    if newest is None:
        return told
    return [*told, Influence(newest.answer, short(newest.text), How.PATTERN, moved, why)]


def _shares(example: Example, request: Request) -> frozenset[str]:
    return frozenset(subjects(read_request(example.text))) & frozenset(subjects(request))


def _moved(found: Points, without: Points) -> float:
    """How much less (or more) sure the labels that were chosen would be: of the axis where it is the most."""
    moves = [dict(found.shares(axis))[found.best(axis)] - dict(without.shares(axis))[found.best(axis)] for axis in AXES]
    most = max(moves, key=abs)
    return round(most, 4) if abs(most) >= LEAST else 0.0


def _why(vote: Vote) -> str:
    done = {
        Outcome.ACCEPTED: "accepted",
        Outcome.CORRECTED: f"corrected to {vote.example.reading}",
        Outcome.REJECTED: "rejected" + (f": {short(vote.example.note)}" if vote.example.note else ""),
    }[vote.example.outcome]
    return ("the same words" if vote.same else f"{vote.likeness:.0%} alike") + f", {done} on {vote.example.at:%Y-%m-%d}"


def _as_meant(by: tuple[Influence, ...], memo: Memo, vague: str) -> tuple[Influence, ...]:
    """The memory that a pointing word means is a disambiguation, whatever else it is."""
    weight = round(RESOLVED - UNRESOLVED, 4)
    told = Influence(memo.id, memo.told, How.DISAMBIGUATION, weight, f"“{vague}” most likely means this")
    return (told, *(one for one in by if one.source != memo.id))
