"""What outcomes have taught: small weights for a project's own words, and the nearest requests of before.

The rules are taken as given and only what they get wrong is learned, so one correction moves little but what it is
about. Two learners share it:

- *weights* of words, learned online (passive-aggressive: an example changes its words just enough to be right by a
  margin). Words that rules know learn slowly, so that several requests have to turn out otherwise, verbs less so, and a
  project's own words fast; a word is learned together with what the rules made of the request: "check the gate" says
  nothing of "explain the gate";
- *nearest requests*, by meaning where there is a model and by words: they vote with how near they are, less where the
  rules take them differently.

The newest outcome of a wording counts alone; a rejection moves away from what was answered and towards nothing.
All of it is made anew from the outcomes, oldest first, so what is deleted is unlearned.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from companion.escape import shortened
from companion.language.requests import STOP, Request, read_request, subjects
from companion.reason.cues import AXES, AXIS_OF, Points, is_verb, points
from companion.records.reasoning import Example, Outcome

if TYPE_CHECKING:
    import numpy.typing as npt

LEARNED_MOST = 500
"""Outcomes that are learned from, the newest: some months of them, gone through in less than 0.1 s."""
ROUNDS = 2
"""How often they are gone through: the second time finds what the first ones had to guess."""
MARGIN = {Outcome.CORRECTED: 2.0, Outcome.ACCEPTED: 1.0}
"""By how many points the right label is to lead: a correction was wrong once, an approval was right already."""
STEP_MOST = 3.0
"""Points that one outcome moves at most: a slip of the hand can be put right again."""
CLEAR = 1.0
"""Lead of the rules from which their label is part of what is learned; below it they do not know."""
OWN_WORD, OWN_WORD_ANYHOW, PAIR, VERB, KNOWN_WORD = 1.0, 0.5, 0.6, 0.6, 0.2
"""How fast is learned: a project's word where the rules said the same, wherever it stands, two words in a row, a verb
and any other word that rules know."""
NEAR = 0.5
"""Likeness from which an earlier request has a vote; unrelated ones of developers come to 0.1 to 0.4."""
VOTE = 3.0
"""Points of the vote of the very same wording."""
TAKEN_OTHERWISE = 0.25
"""How much of its vote an earlier request keeps that the rules took differently."""
VOTERS = 5
"""Nearest requests that vote."""
SHOWN_CHARS = 60
"""Signs of an earlier request in a reason."""


class Vote(Struct, frozen=True):
    """An earlier request that is near: how near it is, 0 to 1, and what the rules alone make of it."""

    example: Example
    likeness: float
    same: bool
    wording: str
    rules: str


@dataclass
class Lessons:
    """Everything learned from the outcomes of one project, oldest first."""

    examples: Sequence[Example]
    settled: Mapping[str, Example] = field(default_factory=dict)
    """By wording, the older of two outcomes that do not agree: the newer holds."""
    weights: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @cached_property
    def vectors(self) -> npt.NDArray[np.float32]:
        """One row an example, zeros where there is none."""
        width = max((len(one.vector) for one in self.examples), default=0)
        rows = np.zeros((len(self.examples), width), dtype=np.float32)
        for row, one in zip(rows, self.examples, strict=True):
            row[: len(one.vector)] = one.vector
        return rows

    @cached_property
    def wordings(self) -> tuple[str, ...]:
        """The words of each example, the same for all ways of writing them."""
        return tuple(read_request(one.text).normal for one in self.examples)

    @cached_property
    def bags(self) -> tuple[Mapping[str, float], ...]:
        """The words of each example with their worth."""
        return tuple(_bag(read_request(one.text)) for one in self.examples)

    def apply(self, found: Points, request: Request, votes: Sequence[Vote], rules: str) -> None:
        """Add what was learned to the points of a request; `rules` is what the rules alone are clear about."""
        for axis in AXES:
            said: dict[str, float] = defaultdict(float)
            most: dict[str, tuple[float, str]] = {}
            for name, worth in _features(request, rules).items():
                for label, weight in self.weights.get(f"{axis}:{name}", {}).items():
                    said[label] += weight * worth
                    if weight * worth > most.get(label, (0.0, ""))[0]:
                        most[label] = (weight * worth, name.partition("|")[0])
            for label, moved in said.items():
                found.add(
                    label, moved, f"“{most[label][1]}” was learned from outcomes" if moved > 0 and label in most else ""
                )
            for vote in votes:
                _cast(found, axis, rules, vote, self.settled.get(vote.wording))

    def near(self, request: Request, vector: npt.NDArray[np.float32] | None) -> tuple[Vote, ...]:
        """The earlier requests that are most like one, nearest first."""
        if not self.examples:
            return ()
        by_meaning = self._meaning(vector)
        bag, normal = _bag(request), request.normal
        near: list[tuple[float, int]] = []
        for place, wording in enumerate(self.wordings):
            words = 1.0 if wording == normal else min(0.99, _overlap(bag, self.bags[place]))
            likeness = max(words, min(0.99, by_meaning[place]))
            if likeness >= NEAR:
                near.append((likeness, place))
        near.sort(key=lambda one: (-one[0], -one[1]))
        return tuple(self._vote(place, likeness) for likeness, place in near[:VOTERS])

    def _vote(self, place: int, likeness: float) -> Vote:
        one = self.examples[place]
        taken = rules_take(one.text)
        return Vote(one, round(likeness, 4), likeness >= 1.0, self.wordings[place], taken)

    def _meaning(self, vector: npt.NDArray[np.float32] | None) -> Sequence[float]:
        if vector is None or self.vectors.shape[1] != len(vector):
            return [0.0] * len(self.examples)
        cosines: list[float] = np.clip(self.vectors @ vector, 0.0, 1.0).tolist()
        return cosines


def learn(examples: Iterable[Example]) -> Lessons:
    """What outcomes teach, given oldest first."""
    newest: dict[str, Example] = {}
    settled: dict[str, Example] = {}
    for one in examples:
        wording = read_request(one.text).normal
        before = newest.pop(wording, None)
        if before is not None and not _agree(before, one):
            settled[wording] = before
        newest[wording] = one
    kept = tuple(newest.values())[-LEARNED_MOST:]
    weights: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    lessons = [_lesson(one) for one in kept if one.reading is not None]
    for _ in range(ROUNDS):
        for one, base, worths in lessons:
            _teach(weights, one, base, worths)
    return Lessons(kept, settled, {name: dict(labels) for name, labels in weights.items()})


def _agree(before: Example, after: Example) -> bool:
    return before.reading == after.reading and (before.outcome is Outcome.REJECTED) == (
        after.outcome is Outcome.REJECTED
    )


def _lesson(one: Example) -> tuple[Example, Points, Mapping[str, float]]:
    """An example, what the rules make of it, and what is learned of."""
    request = read_request(one.text)
    base = points(request)
    return one, base, _features(request, rules_say(base))


def _teach(weights: dict[str, dict[str, float]], one: Example, base: Points, worths: Mapping[str, float]) -> None:
    for axis, labels in AXES.items():
        score = {label: base.of[label] for label in labels}
        for name, worth in worths.items():
            for label, weight in weights.get(f"{axis}:{name}", {}).items():
                score[label] += weight * worth
        told = str(getattr(one.reading, axis))
        other = max((label for label in labels if label != told), key=lambda label: score[label])
        lead = score[told] - score[other]
        if one.outcome is Outcome.REJECTED:
            step = -min(STEP_MOST, max(0.0, lead) / 2)  # all the axes together were wrong, not each of them
        else:
            step = min(STEP_MOST, max(0.0, MARGIN[one.outcome] - lead) / 2)
        if step:
            for name, worth in worths.items():
                weights[f"{axis}:{name}"][told] += step * worth
                if one.outcome is not Outcome.REJECTED:
                    weights[f"{axis}:{name}"][other] -= step * worth


@lru_cache(maxsize=4 * LEARNED_MOST)
def rules_take(text: str) -> str:
    """What rules make of an earlier request; worked out once, as each new request is held against many."""
    return rules_say(points(read_request(text)))


def rules_say(found: Points) -> str:
    """The labels that rules are clear about; asked of their points alone."""
    return "/".join(found.best(axis) if found.lead(axis) >= CLEAR else "" for axis in AXES).strip("/")


def _features(request: Request, rules: str) -> Mapping[str, float]:
    """What is learned of: words, words beside what the rules say, and pairs; of length one together."""
    own = set(subjects(request))
    found: dict[str, float] = {}
    before = ""
    for token in request.tokens:
        if token.sort in {"mark", "number"} or token.plain in STOP:
            continue
        if token.stem in own:
            found[f"{token.stem}|{rules}"] = OWN_WORD
            found[token.stem] = OWN_WORD_ANYHOW
        else:
            found[f"{token.stem}|{rules}"] = VERB if is_verb(token) else KNOWN_WORD
        if before:
            found[f"{before} {token.stem}"] = PAIR
        before = token.stem
    length = math.sqrt(sum(worth * worth for worth in found.values()))
    return {name: worth / length for name, worth in found.items()} if length else {}


def _cast(found: Points, axis: str, rules: str, vote: Vote, settled: Example | None) -> None:
    """One earlier request's vote on one axis."""
    example = vote.example
    strength = VOTE * ((vote.likeness - NEAR) / (1 - NEAR)) if vote.likeness < 1 else VOTE
    if not vote.same and vote.rules != rules:
        strength *= TAKEN_OTHERWISE
    label = str(getattr(example.reading, axis))
    if example.outcome is Outcome.REJECTED:
        found.add(label, -strength / 2, "")
        found.why[AXIS_OF[label]].append((-strength / 2, f"“{short(example.text)}” was rejected as {label}"))
        return
    found.add(label, strength, _vote_reason(vote, label, settled))


def _vote_reason(vote: Vote, label: str, settled: Example | None) -> str:
    example = vote.example
    done = "corrected to" if example.outcome is Outcome.CORRECTED else "accepted as"
    said = f"“{short(example.text)}” was {done} {label} on {example.at:%Y-%m-%d}"
    if settled is not None and vote.same:
        before = "rejected" if settled.outcome is Outcome.REJECTED else str(settled.reading)
        said += f"; the newer holds over {before} of {settled.at:%Y-%m-%d}"
    return said


def short(text: str) -> str:
    """A request as a reason quotes it."""
    return shortened(" ".join(text.split()), SHOWN_CHARS)


def _bag(request: Request) -> Mapping[str, float]:
    """The words of a request, those of the project's own counting most."""
    own = set(subjects(request))
    return {
        token.stem: OWN_WORD if token.stem in own else KNOWN_WORD
        for token in request.tokens
        if token.sort not in {"mark", "number"} and token.plain not in STOP
    }


def _overlap(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    """The worth of the words that both have, as a share of the worth of all."""
    both = sum(a[word] for word in a.keys() & b.keys())
    return both / (sum({**a, **b}.values()) or 1.0)
