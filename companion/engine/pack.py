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
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

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
"""Texts whose words are remembered, those of some ten contexts: 2 kB each, at most 12 MB."""
SAME_WORDS_MIN = 5
"""Texts with fewer distinct words are compared for equality alone: one word changes their meaning."""
_NEGATIONS = frozenset({"no", "not", "never", "without", "none", "dont", "avoid", "instead"})
_WORD = re.compile(r"[^\W_]+")


_Upgrade = tuple[float, int, int, int]
"""A step from the form before (or nothing): value per token (negative, so that steps sort as they are),
the step's number, the form, and the tokens it costs more."""


@dataclass(frozen=True)
class Offer:
    """A candidate and what each of its forms costs when written out, in tokens, in the order of its forms.

    `urgency` multiplies its value in this tier, without being part of its score.
    """

    candidate: Candidate
    costs: tuple[int, ...]
    urgency: float = 1.0

    @cached_property
    def upgrades(self) -> Sequence[_Upgrade]:
        """The steps along the upper convex hull of its forms, cheapest first; a tier may be packed twice."""
        return _upgrades(self)

    @cached_property
    def keys(self) -> frozenset[str]:
        """What its candidate says."""
        return keys_of(self.candidate)


@dataclass(frozen=True, slots=True)
class Pick:
    """A candidate that is shown, the form it is shown in, and the tokens of that."""

    candidate: Candidate
    form: Form
    cost: int

    @property
    def density(self) -> float:
        """Value per token: what is given up first when something has to go."""
        return self.candidate.score * self.form.worth / max(self.cost, 1)


@dataclass(frozen=True, slots=True)
class Packed:
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
    offers: Sequence[Offer],
    limit: int,
    opening: Callable[[str, bool], int],
    said: frozenset[str] = frozenset(),
) -> Packed:
    """Fill `limit` tokens with the best forms of `offers`.

    `opening(section, first)` is what the heading of a section costs, with the tier's own heading if
    it is the first; `said` holds the keys that are shown elsewhere already.
    """
    ranked = sorted(offers, key=lambda o: (-o.candidate.score, o.candidate.id))
    fresh, repeats = _without_repeats(ranked, said)
    chosen, used = _take_steps(fresh, limit, opening)
    picks = tuple(
        Pick(offer.candidate, offer.candidate.forms[form], offer.costs[form])
        for rank, offer in enumerate(fresh)
        if (form := chosen.get(rank)) is not None
    )
    shown = said | {key for pick in picks for key in keys_of(pick.candidate)}
    shown_ids = {pick.candidate.id for pick in picks}
    left = [(offer.candidate, "budget") for rank, offer in enumerate(fresh) if rank not in chosen]
    left += [
        (
            offer.candidate,
            "said already" if twin in shown_ids or offer.keys & shown else "budget",
        )
        for offer, twin in repeats
    ]
    return Packed(picks, tuple(left), used)


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


def _without_repeats(ranked: Sequence[Offer], said: frozenset[str]) -> tuple[list[Offer], list[tuple[Offer, str]]]:
    """Those that say something new, and the others with the id of what says it better (or nothing)."""
    fresh: list[Offer] = []
    repeats: list[tuple[Offer, str]] = []
    speaker: dict[str, str] = {}
    twins = near_twins([offer.candidate for offer in ranked])
    dropped: set[str] = set()
    for offer in ranked:
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
    found by prefix filtering (Chaudhuri and others, 2006): two sets that overlap by SAME_WORDS share
    at least one of their rarest words.
    """
    texts = [(c.id, *_words(_compared(c))) for c in candidates if _is_prose(c)]
    seen_in = Counter(word for _, _, distinct in texts for word in distinct)
    holders: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    twins: dict[str, str] = {}
    for id_, words, distinct in texts:
        # `distinct` is in order and the sort is stable: equally rare words stay in order.
        rare = sorted(distinct, key=seen_in.__getitem__)
        prefix = rare[: len(rare) - math.ceil(SAME_WORDS * len(rare)) + 1]
        nearby = {other: their for word in prefix for other, their in holders.get(word, ())}
        match = next((other for other, their in sorted(nearby.items()) if _same(words, their)), None)
        if match is not None:
            twins[id_] = match
            continue
        for word in prefix:
            holders.setdefault(word, []).append((id_, words))
    return twins


def _is_prose(candidate: Candidate) -> bool:
    return bool(candidate.forms) and bool(candidate.says)


def _compared(candidate: Candidate) -> str:
    return candidate.forms[0].text[:COMPARED_CHARS]


@lru_cache(maxsize=WORDS_KEPT)
def _words(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Its words as they come, and each once in order."""
    words = tuple(_WORD.findall(text.lower()))
    return words, tuple(sorted(set(words)))


def _same(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    if words == others:
        return True
    bag, other = frozenset(words), frozenset(others)
    common = bag & other
    if min(len(bag), len(other)) < SAME_WORDS_MIN or len(common) < SAME_WORDS * len(bag | other):
        return False
    if any(word in _NEGATIONS or any(c.isdigit() for c in word) for word in bag ^ other):
        return False
    return [w for w in words if w in common] == [w for w in others if w in common]
