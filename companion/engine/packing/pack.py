"""A tier's candidates and its tokens: choose what to show, and at which length.

A multiple-choice knapsack: every form of a candidate competes, at most one is shown. Each candidate's
forms are reduced to the upper convex hull of value over cost, which turns it into a chain of upgrade
steps of falling worth per token; the steps of all candidates are taken in that order while they fit.
A last pass spends what is left on the longest forms that still fit. Ties are settled by score, then
by id, so the same candidates always give the same choice. A thing is said once: candidates that share
a `says` key, or nearly the same words, exclude one another, and the better one wins.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct

from companion.records import Candidate, Form

GAP = 0.2
"""A fall in score, from one candidate to the next, that ends the critical tier. Scores run from 0 to 1;
neighbours in an even ranking lie closer than a tenth, so twice that is a change of kind."""
CRITICAL_FLOOR = 0.45
"""A score below which nothing is critical, however even the ranking: it would be wrong more often
than right."""
SAME_WORDS = 0.8
"""Jaccard overlap of words from which two texts say the same thing."""
COMPARED_CHARS = 600
"""How much of a text is compared: what two texts share at length they share at their beginning."""
WORDS_KEPT = 2_000
"""Texts whose words are remembered, those of some ten contexts: 4 kB each, at most 24 MB."""
SAME_WORDS_MIN = 5
"""Texts with fewer distinct words are compared for equality alone: one word changes their meaning."""
_NEGATIONS = frozenset({"no", "not", "never", "without", "none", "dont", "avoid", "instead"})
_WORD = re.compile(r"[^\W_]+")


_Upgrade = tuple[float, int, int, int]
"""A step from the form before (or nothing): value per token (negative, so that steps sort as they are),
the step's number, the form, and the tokens it costs more."""


class Offer:
    """A candidate and what each of its forms costs when written out, in tokens, in the order of its forms.

    `urgency` multiplies its value in this tier, without being part of its score; `keys` are what the candidate says,
    `upgrades` the steps along the upper convex hull of its forms, cheapest first.
    """

    __slots__ = ("candidate", "costs", "keys", "upgrades", "urgency")

    def __init__(self, candidate: Candidate, costs: tuple[int, ...], urgency: float = 1.0) -> None:
        self.candidate = candidate
        self.costs = costs
        self.urgency = urgency
        self.keys = keys_of(candidate)
        self.upgrades: Sequence[_Upgrade] = _upgrades(self)


class Ready(Struct, frozen=True):
    """A tier's offers, the best first, and which of them nearly repeat another: a tier may be packed twice."""

    ranked: tuple[Offer, ...]
    twins: Mapping[str, str]

    @classmethod
    def of(cls, offers: Iterable[Offer]) -> Ready:
        """Offers in whatever order; equal scores are told apart by id."""
        ranked = tuple(sorted(offers, key=lambda offer: (-offer.candidate.score, offer.candidate.id)))
        return cls(ranked, near_twins([offer.candidate for offer in ranked]))


class Pick(Struct, frozen=True):
    """A candidate that is shown, the form it is shown in, the tokens of that, and what it says."""

    candidate: Candidate
    form: Form
    cost: int
    keys: frozenset[str]

    @property
    def density(self) -> float:
        """Value per token: what is given up first when something has to go."""
        return self.candidate.score * self.form.worth / max(self.cost, 1)


class Packing(Struct, frozen=True):
    """What was chosen, best first; what was not, with the reason; and the tokens used, headings included."""

    picks: tuple[Pick, ...]
    left_out: tuple[tuple[Candidate, str], ...]
    tokens: int

    @property
    def wants_more(self) -> bool:
        """Whether more tokens could show more: something found no room, or not in its best form."""
        return any(why == "budget" for _, why in self.left_out) or any(
            pick.form.worth < max(form.worth for form in pick.candidate.forms) for pick in self.picks
        )


def ordered(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Best first; equal scores by id."""
    return sorted(candidates, key=lambda c: (-c.score, c.id))


def cut_at_gap(candidates: Iterable[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Those that belong together at the top, and the rest: cut at the first big fall in score."""
    ranked = ordered(candidates)
    for at, candidate in enumerate(ranked):
        fell = at > 0 and ranked[at - 1].score - candidate.score >= GAP
        if fell or candidate.score < CRITICAL_FLOOR:
            return ranked[:at], ranked[at:]
    return ranked, []


def keys_of(candidate: Candidate) -> frozenset[str]:
    """What a candidate says: its id and the keys of `says`, one a line (a contradiction says two things)."""
    return frozenset((candidate.id, *candidate.says.split())) if candidate.says else frozenset((candidate.id,))


def pack(
    offers: Sequence[Offer] | Ready,
    limit: int,
    opening: Callable[[str, bool], int],
    said: frozenset[str] = frozenset(),
) -> Packing:
    """Fill `limit` tokens with the best forms of `offers`.

    `opening(section, first)` is what the heading of a section costs, with the tier's own heading if
    it is the first; `said` holds the keys that are shown elsewhere already.
    """
    ready = offers if isinstance(offers, Ready) else Ready.of(offers)
    fresh, repeats = _without_repeats(ready, said)
    chosen, used = _take_steps(fresh, limit, opening)
    picks = tuple(
        Pick(offer.candidate, offer.candidate.forms[form], offer.costs[form], offer.keys)
        for rank, offer in enumerate(fresh)
        if (form := chosen.get(rank)) is not None
    )
    shown = said.union(*(pick.keys for pick in picks))
    shown_ids = {pick.candidate.id for pick in picks}
    left = [(offer.candidate, "budget") for rank, offer in enumerate(fresh) if rank not in chosen]
    left += [
        (
            offer.candidate,
            "said already" if twin in shown_ids or offer.keys & shown else "budget",
        )
        for offer, twin in repeats
    ]
    return Packing(picks, tuple(left), used)


def _take_steps(fresh: Sequence[Offer], limit: int, opening: Callable[[str, bool], int]) -> tuple[dict[int, int], int]:
    """The form chosen for each offer, by its place in `fresh` (none if left out), and the tokens used."""
    steps = [
        (efficiency, rank, number, form, extra)
        for rank, offer in enumerate(fresh)
        for efficiency, number, form, extra in offer.upgrades
    ]
    steps.sort()
    chosen: dict[int, int] = {}
    blocked: set[int] = set()
    opened: set[str] = set()
    left = limit
    for _, rank, _, form, extra in steps:
        if rank in blocked:
            continue
        section = fresh[rank].candidate.section
        cost = extra if section in opened else extra + opening(section, not opened)
        if cost > left:
            blocked.add(rank)
            continue
        chosen[rank] = form
        opened.add(section)
        left -= cost
    left = _spend_rest(fresh, chosen, left, opened, opening)
    return chosen, limit - left


def _spend_rest(
    fresh: Sequence[Offer],
    chosen: dict[int, int],
    left: int,
    opened: set[str],
    opening: Callable[[str, bool], int],
) -> int:
    """Give what is left to the best candidates whose next step was too dear, in forms off the hull too.

    Returns what is still left then.
    """
    for rank, offer in enumerate(fresh):
        section = offer.candidate.section
        at = chosen.get(rank)
        have = offer.costs[at] if at is not None else 0
        worth = offer.candidate.forms[at].worth if at is not None else 0.0
        heading = 0 if section in opened else opening(section, not opened)
        fitting = [
            (form.worth, -cost, number)
            for number, (form, cost) in enumerate(zip(offer.candidate.forms, offer.costs, strict=True))
            if form.worth > worth and cost - have + heading <= left
        ]
        if fitting:
            _, minus_cost, number = max(fitting)
            chosen[rank] = number
            opened.add(section)
            left -= heading - minus_cost - have
    return left


def _upgrades(offer: Offer) -> list[_Upgrade]:
    forms = offer.candidate.forms
    if len(forms) == 1:
        slope = forms[0].worth * offer.candidate.score * offer.urgency / max(offer.costs[0], 1)
        return [(-slope, 0, 0, offer.costs[0])] if slope > 0 else []
    points = sorted((cost, -forms[n].worth, n) for n, cost in enumerate(offer.costs))
    hull: list[tuple[int, float, int]] = []
    for cost, minus_worth, number in points:
        value = -minus_worth * offer.candidate.score * offer.urgency
        if value <= (hull[-1][1] if hull else 0.0):
            continue
        while hull and _slope(hull[-2] if len(hull) > 1 else None, hull[-1]) <= _slope(hull[-1], (cost, value, number)):
            hull.pop()
        hull.append((cost, value, number))
    steps = []
    before: tuple[int, float, int] | None = None
    for number, point in enumerate(hull):
        extra = point[0] - (before[0] if before else 0)
        steps.append((-_slope(before, point), number, point[2], extra))
        before = point
    return steps


def _slope(before: tuple[int, float, int] | None, after: tuple[int, float, int]) -> float:
    cost, value = (before[0], before[1]) if before else (0, 0.0)
    return (after[1] - value) / max(after[0] - cost, 1)


def _without_repeats(ready: Ready, said: frozenset[str]) -> tuple[list[Offer], list[tuple[Offer, str]]]:
    """Those that say something new, and the others with the id of what says it better (or nothing)."""
    fresh: list[Offer] = []
    repeats: list[tuple[Offer, str]] = []
    speaker: dict[str, str] = {}
    twins = ready.twins
    dropped: set[str] = set()
    for offer in ready.ranked:
        candidate, keys = offer.candidate, offer.keys
        by = "" if speaker.keys().isdisjoint(keys) else min((key, speaker[key]) for key in keys if key in speaker)[1]
        twin = twins.get(candidate.id, "")
        if by or not said.isdisjoint(keys) or (twin and twin not in dropped):
            repeats.append((offer, by or twin))
            dropped.add(candidate.id)
            continue
        fresh.append(offer)
        speaker.update(dict.fromkeys(keys, candidate.id))
    return fresh, repeats


def near_twins(candidates: Sequence[Candidate]) -> dict[str, str]:
    """Candidates that nearly repeat the words of an earlier one: their id to the earlier one's.

    Texts that differ in a number or a negation, or say the same words in another order, are never
    twins. Only what has a `says` key is compared: files and pointers are each their own. Pairs are
    found by prefix filtering (Chaudhuri and others, 2006): in whatever order of words, two sets that
    overlap by SAME_WORDS share at least one of their first. The longest go first here: they are seldom
    common, and what a text's first words are is known once for every context.
    """
    holders: dict[str, list[tuple[str, _Words]]] = {}
    twins: dict[str, str] = {}
    for candidate in candidates:
        if not _is_prose(candidate):
            continue
        id_, words = candidate.id, _words(_compared(candidate))
        nearby = {other: their for word in words.first for other, their in holders.get(word, ())}
        match = min((other for other, their in nearby.items() if _same(words, their)), default=None)
        if match is not None:
            twins[id_] = match
            continue
        for word in words.first:
            holders.setdefault(word, []).append((id_, words))
    return twins


def _is_prose(candidate: Candidate) -> bool:
    return bool(candidate.forms) and bool(candidate.says)


def _compared(candidate: Candidate) -> str:
    return candidate.forms[0].text[:COMPARED_CHARS]


class _Words(NamedTuple):
    """The words of a text as they come, each once, and so many of the longest that a twin must have one of them."""

    spoken: tuple[str, ...]
    bag: frozenset[str]
    first: tuple[str, ...]


@lru_cache(maxsize=WORDS_KEPT)
def _words(text: str) -> _Words:
    spoken = tuple(_WORD.findall(text.lower()))
    bag = frozenset(spoken)
    longest = sorted(bag, key=lambda word: (-len(word), word))
    return _Words(spoken, bag, tuple(longest[: len(longest) - math.ceil(SAME_WORDS * len(longest)) + 1]))


def _same(words: _Words, others: _Words) -> bool:
    bag, other = words.bag, others.bag
    shared = len(bag & other)
    if min(len(bag), len(other)) < SAME_WORDS_MIN or shared < SAME_WORDS * (len(bag) + len(other) - shared):
        return words.spoken == others.spoken
    common = bag & other
    if any(word in _NEGATIONS or any(c.isdigit() for c in word) for word in bag ^ other):
        return False
    return [w for w in words.spoken if w in common] == [w for w in others.spoken if w in common]
