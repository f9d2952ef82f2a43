"""Whether an intended action fits what is known: what speaks for it, what against, and what else may be meant.

Everything known that bears on the action moves one sum. What a judge finds to contradict it weighs most, by how much
that binds (a decision in force more than what was counted); what was rejected before, failed before or is itself
disputed weighs less. What says the same supports. Where nothing is known the action fits as far as its request goes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.escape import one_line
from companion.reason.addressed import addressed, unaddressed
from companion.reason.classify import LEFT_OUT, Evidence, classify
from companion.reason.cues import LEADING
from companion.reason.hints import Memo, named
from companion.reason.lessons import Lessons, Vote, short
from companion.reason.words import Request, is_stop, read, stem
from companion.records import Ruling
from companion.records.reasoning import How, Influence, Outcome, Semantics

FITS_FROM = 0.7
"""Confidence from which an action fits; below it the other reading is offered; spec R1."""
NOTHING_KNOWN = 1.1
"""Where it begins (log odds: 0.75): nothing is known against it."""
CONTRADICTED, PER_CONFIDENCE = 1.2, 2.2
"""What contradicts the action takes so much, and so much more the surer that is; times how much it binds."""
SAYS_SAME, SAME_MOST = 0.9, 1.8
"""What a memory adds that agrees, times how much it binds, and what all of them add at most."""
SURELY = 0.6
"""Certainty from which a request is taken to ask for no change."""
ASKED_FOR, NOT_ASKED_FOR = 0.5, 1.6
"""What it adds that the request asks for such an action, and takes that it asks for something else."""
REJECTED_BEFORE, FAILED_BEFORE, ACCEPTED_BEFORE = 2.2, 0.8, 1.2
"""What earlier ends of the like take and add, times how alike they are."""
NEXT = 0.5
"""Each further thing against it counts so much of the one before: ten readings of one rule are one rule."""
SPEAKS, SPEAKS_OF_END = 0.25, 0.5
"""Share of common words from which a contradiction counts; where the action ends something, which reads like a denial
of all that it names, more."""
HAPPENED = frozenset({"episode", "talk", "pattern"})
"""Sorts of memories that tell what was, not what shall be: that the same words occur in one says nothing for it."""
FOUND_WELL = 0.45
"""How well a memory must be found for the same without a common word: “tabs” and “indent with spaces”."""
DISPUTED = 0.5
"""How much a memory keeps of its say whose opposite is known too, and not settled."""
ALIKE = 0.5
"""Share of the words of a memory that an action has from which the two speak of the same."""
RELATED = 0.3
"""How well a memory must be found to be weighed at all, where it shares no word of its own with the action."""

SHOWN_CHARS = 200
"""Signs of a memory in another reading: a sentence or two."""
MODEL_SAYS = 1.5
"""What a model that is quite sure adds or takes: more than one memory that agrees, less than a decision against it."""

ENDING = frozenset(
    {"drop", "remove", "delete", "disable", "stop", "deprecate", "rid", "retire", "kill", "end", "purge"}
)
"""What an action begins with that takes something away, as stems."""

_CHOSEN = re.compile(
    r"\b(?:use|uses|using|used|chose|choose|chosen|adopt(?:ed)?|picked?|go(?:ing)? with"
    r"|went with|decided on|switch(?:ed)? to|moved? to)\s+"
    r"(?P<what>[\w.+/-]+(?:\s[\w.+/-]+)?)\s+(?:for|as|in)\s+"
    r"(?:the |our |all )?(?P<where>[\w.+/ -]{2,60}?)(?=$|[,.;]| because| since| with)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Weighed:
    """What an action was checked against: memories with their rulings, earlier answers, and who is disputed."""

    memos: Sequence[Memo]
    rulings: Mapping[str, Ruling]
    votes: Sequence[Vote] = ()
    disputed: frozenset[str] = frozenset()
    lessons: Lessons = field(default_factory=lambda: Lessons(()))
    """What outcomes have taught of how requests are meant."""
    model: float = 0.0
    """What a language model says of it, checked: -1 (it surely does not fit) to 1, 0 where none was asked."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check."""

    fits: bool
    confidence: float
    supporting: tuple[Influence, ...]
    against: tuple[Influence, ...]
    why: str
    other_reading: str
    notes: tuple[str, ...]


def verify(action: str, asked_for: str, known: Weighed) -> Checked:
    """Check an action, and the request it is for if there is one, against what is known."""
    doing, request = read(unaddressed(action)), read(unaddressed(asked_for)) if asked_for.strip() else None
    told = [one for memo in known.memos for one in _of_memo(doing, memo, known)]
    told += [_of_vote(vote) for vote in known.votes if vote.example.outcome is not Outcome.CORRECTED]
    asked, why_asked = _asked_for(doing, request, known.lessons)
    support = min(SAME_MOST, sum(one.weight for one in told if one.weight > 0))
    oppose = sum(
        worst * NEXT**place for place, worst in enumerate(sorted(one.weight for one in told if one.weight < 0))
    )
    confidence = 1 / (1 + math.exp(-(NOTHING_KNOWN + asked + support + oppose + MODEL_SAYS * known.model)))
    supporting = tuple(sorted((one for one in told if one.weight > 0), key=lambda one: -one.weight))
    against = tuple(sorted((one for one in told if one.weight < 0), key=lambda one: one.weight))
    fits = confidence >= FITS_FROM
    notes = (LEFT_OUT,) if addressed(action) or addressed(asked_for) else ()
    return Checked(
        fits,
        round(confidence, 4),
        supporting,
        against,
        _why(against, supporting, why_asked),
        "" if fits else _other_reading(doing, request, against, known),
        notes,
    )


def chosen(text: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """What a text says is used, and for what, as stems; None if it says no such thing."""
    found = _CHOSEN.search(text)
    if found is None:
        return None
    return _content(found["what"]), _content(found["where"])


def _of_memo(doing: Request, memo: Memo, known: Weighed) -> list[Influence]:
    """What a memory says of the action: nothing, something for it, or something against it."""
    if addressed(memo.text):
        return []
    words = named(doing, memo)
    if not words and memo.score < RELATED:
        return []
    say = memo.authority * (DISPUTED if memo.id in known.disputed else 1.0)
    beside = " (the opposite is known too, and open)" if memo.id in known.disputed else ""
    ruling = known.rulings.get(memo.id)
    other = _chosen_otherwise(doing.text, memo.text)
    other = other or (_breaks(doing, memo) if memo.sort not in HAPPENED else "")
    if memo.sort == "error":
        weight = -FAILED_BEFORE * max(memo.score, _share(doing, memo))
        return [_influence(memo, weight, f"it failed so before{beside}")]
    if other or (ruling is not None and ruling.contradict and _denies(doing, memo)):
        sure = max(ruling.confidence if ruling is not None and ruling.contradict else 0.0, 0.8 if other else 0.0)
        why = other or (ruling.reason if ruling is not None else "")
        return [_influence(memo, -say * (CONTRADICTED + PER_CONFIDENCE * sure), f"{why}{beside}")]
    if memo.sort not in HAPPENED and _share(doing, memo) >= ALIKE:
        return [_influence(memo, SAYS_SAME * say, f"it says so: {', '.join(sorted(_both(doing, memo))[:4])}{beside}")]
    return []


def _of_vote(vote: Vote) -> Influence:
    example = vote.example
    if example.outcome is Outcome.REJECTED:
        what = f": {short(example.note)}" if example.note else ""
        why, weight = f"the like was rejected on {example.at:%Y-%m-%d}{what}", -REJECTED_BEFORE * vote.likeness
    else:
        why, weight = f"the like was accepted on {example.at:%Y-%m-%d}", ACCEPTED_BEFORE * vote.likeness
    return Influence(example.answer, short(example.text), How.PATTERN, round(weight, 4), why)


def _influence(memo: Memo, weight: float, why: str) -> Influence:
    return Influence(memo.id, memo.title, How.INTENT, round(weight, 4), why)


def _asked_for(doing: Request, request: Request | None, lessons: Lessons) -> tuple[float, str]:
    """What the request says of the action: whether it asks for anything to be changed, and for this."""
    if request is None:
        return 0.0, ""
    wants, does = (classify(one.text, Evidence(lessons=lessons)) for one in (request, doing))
    if does.reading.semantics is Semantics.EXECUTE and wants.reading.semantics is not Semantics.EXECUTE:
        if wants.axes[2].confidence >= SURELY:
            return -NOT_ASKED_FOR, f"the request asks to {wants.reading.semantics}, and the action changes something"
        return 0.0, ""
    shared = _content(doing.text) & _content(request.text)
    return (ASKED_FOR, f"the request asks for it: {', '.join(sorted(shared)[:4])}") if shared else (0.0, "")


def _breaks(doing: Request, memo: Memo) -> str:
    """The limit of a memory that an action breaks, with the words that clash; empty if it breaks none."""
    from companion.reason.breaches import breach  # the words of the judges are loaded when something is checked

    found = breach(doing.text, memo.text)
    return found.why if found is not None else ""


def _denies(doing: Request, memo: Memo) -> bool:
    """Whether a judge's finding counts: the two are about one matter, and no rule that was read here is kept."""
    from companion.reason.breaches import observes

    return _same_matter(doing, memo) and not observes(doing.text, memo.text)


def _same_matter(doing: Request, memo: Memo) -> bool:
    """Whether a judge's finding may be trusted: the two share words, or the search has found the one by the other."""
    share = _share(doing, memo)
    return share >= SPEAKS_OF_END or (not _ends(doing) and (share >= SPEAKS or memo.score >= FOUND_WELL))


def _ends(doing: Request) -> bool:
    """Whether an action takes something away."""
    return any(token.stem in ENDING for token in doing.tokens[:LEADING])


def _chosen_otherwise(action: str, text: str) -> str:
    """Whether something else was chosen for the same purpose, said in words."""
    doing, known = chosen(action), chosen(text)
    if doing is None or known is None or doing[0] & known[0] or not doing[1] & known[1]:
        return ""
    if len(doing[1] & known[1]) < ALIKE * min(len(doing[1]), len(known[1])):
        return ""
    return f"“{' '.join(sorted(known[0]))}” was chosen for {' '.join(sorted(doing[1] & known[1]))}"


def _other_reading(doing: Request, request: Request | None, against: Sequence[Influence], known: Weighed) -> str:
    """What else may be meant: what is known to be done instead, or only what the request asks for."""
    if against:
        first = against[0]
        memo = next((one for one in known.memos if one.id == first.source), None)
        if memo is not None and memo.sort != "error":
            return f"Perhaps as it is known: {one_line(memo.text, SHOWN_CHARS)}"
        vote = next((one for one in known.votes if one.example.answer == first.source), None)
        if vote is not None and vote.example.note:
            return f"Perhaps as was said then: {one_line(vote.example.note, SHOWN_CHARS)}"
    if request is not None:
        return f"Perhaps only what was asked: {one_line(request.text, SHOWN_CHARS)}"
    return f"Is “{one_line(doing.text, SHOWN_CHARS)}” really meant?"


def _why(against: Sequence[Influence], supporting: Sequence[Influence], asked: str) -> str:
    parts = [f"against it: {one.title} ({one.why})" for one in against[:2]]
    parts += [f"for it: {one.title} ({one.why})" for one in supporting[:2]]
    parts += [asked] if asked else []
    return "; ".join(parts) or "nothing that is known speaks of it"


def _share(doing: Request, memo: Memo) -> float:
    """Share of the words of the shorter one that both have."""
    mine, its = _content(doing.text), _content(memo.text)
    return len(mine & its) / max(1, min(len(mine), len(its)))


def _both(doing: Request, memo: Memo) -> frozenset[str]:
    return _content(doing.text) & _content(memo.text)


def _content(text: str) -> frozenset[str]:
    words = re.findall(r"[\w./+-]+", text.lower())
    return frozenset(stem(word.strip("./")) for word in words if not is_stop(word) and len(word) > 1)
