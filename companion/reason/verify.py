"""Whether an intended action fits what is known, conflicts with it, or nobody can say: the last, unless it is sure.

Sure are four things: a rule whose clause orders or forbids just this (`orders`), what a person said of the very same
action before, what a judge said of just this rule and action, and what a language model says that names the notes it
goes by. Everything else that speaks of the same matter is `related`: to be read by whoever asked, and no support,
however many words it shares. Where nothing decides, the few rules nearest to the action are named to be judged by.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from companion.escape import one_line
from companion.language.orders import steers_a_model, unsteered
from companion.language.requests import read_request
from companion.reason.classify import LEFT_OUT, ReadingEvidence, classify
from companion.reason.hints import Memo, named
from companion.reason.lessons import Lessons, Vote, short
from companion.records.reasoning import Conformance, How, Influence, Outcome, RuleToJudge, Semantics, Verified

SURE = 0.9
"""Confidence of a verdict by rules: of 109 rules and actions written before these rules were, none came out wrong."""
MODEL_SURE = 0.7
"""Confidence from which a model's verdict counts; spec R1."""
SURELY = 0.6
"""Certainty from which a request is taken to ask for no change."""
BINDS_FROM = 0.5
"""Authority from which a memory orders anything: what was merely proposed, or happened once, does not."""
ORDERING = frozenset({"fact", "preference", "habit", "decision", "pattern"})
"""Sorts of memories that may order something; an open item or an error that was seen does not."""
RELATED, RELATED_MOST = 0.3, 5
"""How well a memory must be found to be related where it shares no word of its own with the action; how many are."""
TO_JUDGE_MOST = 3
"""Rules that somebody is asked to judge by: a page of text beside what they are at."""
SHOWN_CHARS = 200
"""Signs of a memory in another reading: a sentence or two."""
NOBODY_KNOWS = "Nothing that is known decides it."
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")


class ModelSays(Struct, frozen=True):
    """What a language model says of an action, checked; `notes` are the memories that it went by."""

    verdict: Conformance
    confidence: float
    notes: tuple[str, ...]


class Ruled(Struct, frozen=True):
    """What a judge said of one rule and the very action: unknown where the rule is silent on it."""

    verdict: Conformance
    judge: str
    reason: str = ""


class Weighed(Struct, frozen=True):
    """What an action was checked against: memories, earlier answers, and which memories are disputed."""

    memos: Sequence[Memo]
    votes: Sequence[Vote] = ()
    disputed: frozenset[str] = frozenset()
    lessons: Lessons = field(default_factory=lambda: Lessons(()))
    """What outcomes have taught of how requests are meant."""
    model: ModelSays | None = None
    judged: Mapping[str, Ruled] = field(default_factory=dict)
    """What judges said of a rule and this very action, by the memory's id."""


def verify(action: str, asked_for: str, known: Weighed) -> Verified:
    """Check an action, and the request it is for if there is one, against what is known.

    What was found has no id yet. `to_judge` are rules by which nobody has judged, with no question yet.
    """
    doing = unsteered(action)
    told = (*_by_a_person_and_rules(doing, known),) or (*_by_model(known),)
    supporting = tuple(one for one in told if one.weight > 0)
    against = tuple(one for one in told if one.weight < 0)
    verdict = Conformance.UNKNOWN
    if bool(supporting) != bool(against):
        verdict = Conformance.FITS if supporting else Conformance.CONFLICTS
    return Verified(
        id="",
        action=action,
        request=asked_for,
        verdict=verdict,
        confidence=0.0 if verdict is Conformance.UNKNOWN else max(abs(one.weight) for one in told),
        supporting=supporting,
        against=against,
        related=tuple(_related(doing, known, {one.source for one in told}))[:RELATED_MOST],
        why="; ".join(f"{one.title}: {one.why}" for one in (*against, *supporting)) or NOBODY_KNOWS,
        other_reading=""
        if verdict is Conformance.FITS
        else _other_reading(doing, unsteered(asked_for), against, known),
        to_judge=() if told or steers_a_model(action) else _near(doing, known),
        notes=(LEFT_OUT,) if steers_a_model(action) or steers_a_model(asked_for) else (),
    )


def _by_a_person_and_rules(doing: str, known: Weighed) -> Iterator[Influence]:
    """What was said of the very same action before, and what rules say of it that are newer than that."""
    said = next((vote for vote in known.votes if vote.same), None)
    if said is not None:
        sign = -1 if said.example.outcome is Outcome.REJECTED else 1
        yield _of_vote(said, sign * SURE)
    for memo in known.memos:
        older = said is not None and memo.at is not None and memo.at <= said.example.at
        if older or not _orders(memo, known):
            continue
        found = _ruled(doing, memo) or _judged(doing, memo, known)
        if found is not None:
            yield found


def _ruled(doing: str, memo: Memo) -> Influence | None:
    """The verdict of a memory's rules on an action, with the clause and what of the action it speaks of."""
    from companion.reason.orders import (  # their words are loaded when something is checked
        conformance,
        intended,
        orders,
    )

    order = intended(doing)
    if order is None:
        return None
    for rule in orders(memo.text, decided=memo.sort in {"decision", "preference"}):
        match conformance(rule, order):
            case Conformance.CONFLICTS:
                return _influence(memo, -SURE, f"“{rule.clause}” forbids “{order.clause}”")
            case Conformance.FITS:
                return _influence(memo, SURE, f"“{rule.clause}” asks for “{order.clause}”")
            case Conformance.UNKNOWN:
                pass
    return None


def _judged(doing: str, memo: Memo, known: Weighed) -> Influence | None:
    """What a judge said of this memory and this very action."""
    said = known.judged.get(memo.id)
    if said is None or said.verdict is Conformance.UNKNOWN:
        return None
    because = f": {one_line(said.reason, SHOWN_CHARS)}" if said.reason and not steers_a_model(said.reason) else ""
    why = f"{said.judge} says that by “{_nearest_clause(memo.text, doing)}” it {said.verdict}{because}"
    return _influence(memo, SURE if said.verdict is Conformance.FITS else -SURE, why)


def _near(doing: str, known: Weighed) -> tuple[RuleToJudge, ...]:
    """The few memories that may order or forbid an action, those that share most words with it first."""
    request = read_request(doing)
    found = [
        (len(named(request, memo)), memo)
        for memo in known.memos
        if _orders(memo, known) and memo.id not in known.judged
    ]
    found = [(words, memo) for words, memo in found if words or memo.score >= RELATED]
    nearest = sorted(found, key=lambda one: (-one[0], -one[1].score))[:TO_JUDGE_MOST]
    return tuple(
        RuleToJudge("", memo.id, memo.told, _nearest_clause(memo.text, doing), memo.text) for _, memo in nearest
    )


def _nearest_clause(text: str, doing: str) -> str:
    """The sentence of a rule that shares most of its telling words with an action; the first of several."""
    from companion.language.subjects import subject

    wanted = subject(doing)
    sentences = [one.strip() for one in _SENTENCE.split(text) if one.strip()]
    return one_line(max(sentences, key=lambda one: len(subject(one) & wanted), default=""), SHOWN_CHARS)


def _orders(memo: Memo, known: Weighed) -> bool:
    """Whether a memory may order something: it binds everywhere, is not disputed, and does not speak to the program."""
    binds = memo.authority >= BINDS_FROM and memo.sort in ORDERING and not memo.scope
    return binds and memo.id not in known.disputed and not steers_a_model(memo.text)


def _by_model(known: Weighed) -> Iterator[Influence]:
    """A model's verdict, by each note it names; one that names none, or is not sure, says nothing."""
    model = known.model
    if model is None or model.verdict is Conformance.UNKNOWN or model.confidence < MODEL_SURE:
        return
    sign = 1 if model.verdict is Conformance.FITS else -1
    for memo in (memo for memo in known.memos if memo.id in model.notes):
        yield _influence(memo, sign * model.confidence, f"the model says that it {model.verdict}")


def _related(doing: str, known: Weighed, told: set[str]) -> Iterator[Influence]:
    """What speaks of the same matter and decides nothing: earlier answers about the like, then memories."""
    for vote in known.votes:
        if not vote.same:
            yield _of_vote(vote, 0.0)
    request = read_request(doing)
    for memo in known.memos:
        if memo.id in told or steers_a_model(memo.text):
            continue
        words = named(request, memo)
        if words or memo.score >= RELATED:
            open_ = "; its opposite is known too, and open" if memo.id in known.disputed else ""
            about = f"it mentions {', '.join(words[:4])}" if words else "it was found by its meaning"
            yield _influence(memo, 0.0, f"{about}{open_}")


def _of_vote(vote: Vote, weight: float) -> Influence:
    one = vote.example
    what = "rejected" if one.outcome is Outcome.REJECTED else "accepted"
    note = f": {short(one.note)}" if one.note else ""
    like = "this" if vote.same else "the like"
    return Influence(one.answer, short(one.text), How.PATTERN, weight, f"{like} was {what} on {one.at:%Y-%m-%d}{note}")


def _influence(memo: Memo, weight: float, why: str) -> Influence:
    return Influence(memo.id, memo.told, How.INTENT, round(weight, 4), why)


def _other_reading(doing: str, asked_for: str, against: Sequence[Influence], known: Weighed) -> str:
    """What else may be meant: what is known to be done instead, or only what the request asks for."""
    for one in against[:1]:
        texts: Mapping[str, str] = {memo.id: memo.text for memo in known.memos}
        notes: Mapping[str, str] = {vote.example.answer: vote.example.note for vote in known.votes}
        if said := texts.get(one.source, notes.get(one.source, "")):
            return f"Perhaps as it is known: {one_line(said, SHOWN_CHARS)}"
    if not asked_for.strip():
        return ""
    wants, does = (classify(text, ReadingEvidence(lessons=known.lessons)) for text in (asked_for, doing))
    changes = does.reading.semantics is Semantics.EXECUTE and wants.reading.semantics is not Semantics.EXECUTE
    if changes and wants.semantics.confidence >= SURELY:
        return f"Perhaps only what was asked, which is to {wants.reading.semantics}: {one_line(asked_for, SHOWN_CHARS)}"
    return ""
