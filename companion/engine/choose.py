"""Candidates and a budget: fill each tier's share, then lend out what is left."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from companion.engine.candidates import of_pointers
from companion.engine.pack import Offer, Packed, cut_at_gap, keys_of, pack
from companion.engine.styles import Style
from companion.ports import TokenCounter
from companion.records import Candidate, Dropped, Form, Item, Tier

OVERFLOW_URGENCY = 2.0
"""What is critical and found no room there goes before what is merely relevant, unless it is twice as long."""
JOINT_TOKENS = 4
"""Kept free for what joining blocks may add to their sum; measured at most 2 with o200k."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Items with their blocks, the most valuable per token first, and what was left out."""

    blocks: tuple[tuple[Item, str], ...]
    dropped: tuple[Dropped, ...]


class Bench:
    """Writes candidates out as blocks and counts them, each once."""

    def __init__(self, style: Style, counter: TokenCounter, now: datetime) -> None:
        self._style = style
        self.counter = counter
        self._now = now
        self._blocks: dict[tuple[str, bool, str], tuple[str, int]] = {}
        self._openings: dict[tuple[Tier, str, bool], int] = {}

    def offer(self, candidate: Candidate) -> Offer:
        """A candidate with what each of its forms costs."""
        return Offer(candidate, tuple(self.written(candidate, form)[1] for form in candidate.forms))

    def written(self, candidate: Candidate, form: Form) -> tuple[str, int]:
        """The block of one form and its tokens."""
        key = (candidate.id, candidate.tier is Tier.INDEX, form.level)
        if key not in self._blocks:
            block = self._style.block(item_of(candidate, form, 0), self._now)
            self._blocks[key] = (block, self.counter.count(block + "\n"))
        return self._blocks[key]

    def opening(self, tier: Tier) -> Callable[[str, bool], int]:
        """What the heading of a section costs in a tier, with the tier's own if it is the first."""

        def cost(section: str, first: bool) -> int:
            key = (tier, section, first)
            if key not in self._openings:
                whole = self.counter.count(self._style.tier(tier, ((section, ("",)),)))
                bare = 0 if first else self.counter.count(self._style.tier(tier, ()))
                self._openings[key] = max(whole - bare, 1)
            return self._openings[key]

        return cost


def item_of(candidate: Candidate, form: Form, tokens: int) -> Item:
    """A candidate as it is shown in one form."""
    return Item(
        id=candidate.id,
        title=candidate.title,
        tier=candidate.tier,
        section=candidate.section,
        level=form.level,
        tokens=tokens,
        score=candidate.score,
        text=form.text,
        reasons=candidate.reasons,
        evidence=candidate.evidence,
        files=candidate.files,
        at=candidate.at,
    )


def choose(pool: Sequence[Candidate], budget: int, split: Mapping[Tier, int], bench: Bench, empty: str) -> Chosen:
    """The items of a context of `budget` tokens; `empty` is its text without any.

    Critical candidates below the gap, or for which the critical share has no room, compete on in the
    relevant tier; memories that find no room at all are pointed to from the index.
    """
    by_tier = {tier: [c for c in pool if c.tier is tier] for tier in Tier}
    free = budget - bench.counter.count(empty) - JOINT_TOKENS
    top, below = cut_at_gap(by_tier[Tier.CRITICAL])
    lent = free - budget
    critical = _packed(Tier.CRITICAL, top, split[Tier.CRITICAL] + lent, bench, frozenset())
    said = _said(critical)
    why = {candidate.id: "gap" for candidate in below}
    urgent = {candidate.id for candidate, cause in critical.left_out if cause == "budget"}
    again = [replace(c, tier=Tier.RELEVANT) for c in (*below, *top) if c.id in urgent or c in below]
    lent += split[Tier.CRITICAL] - critical.tokens
    wanted = [*by_tier[Tier.RELEVANT], *again]
    relevant = _packed(Tier.RELEVANT, wanted, split[Tier.RELEVANT] + lent, bench, said)
    lent += split[Tier.RELEVANT] - relevant.tokens
    background = _packed(
        Tier.BACKGROUND,
        by_tier[Tier.BACKGROUND],
        split[Tier.BACKGROUND] + lent,
        bench,
        said | _said(relevant),
    )
    lent += split[Tier.BACKGROUND] - background.tokens
    index = _index(by_tier[Tier.INDEX], (relevant, background), split[Tier.INDEX] + lent, bench)
    rest = free - critical.tokens - background.tokens - index.tokens
    if rest > relevant.tokens and relevant.wants_more:
        relevant = _packed(Tier.RELEVANT, wanted, rest, bench, said | _said(background))
        index = _index(by_tier[Tier.INDEX], (relevant, background), index.tokens, bench)
    packed = (critical, relevant, background, index)
    return Chosen(_blocks(packed, bench), _dropped(packed, why))


def _packed(tier: Tier, wanted: Sequence[Candidate], limit: int, bench: Bench, said: Set[str]) -> Packed:
    return pack([bench.offer(candidate) for candidate in wanted], max(limit, 0), bench.opening(tier), said)


def _index(topics: Sequence[Candidate], above: Sequence[Packed], limit: int, bench: Bench) -> Packed:
    """Topics, and pointers to what the tiers above had no room for."""
    left = [candidate for packed in above for candidate, why in packed.left_out if why == "budget"]
    return _packed(Tier.INDEX, [*topics, *of_pointers(left, bench.counter)], limit, bench, frozenset())


def _said(packed: Packed) -> frozenset[str]:
    return frozenset(key for pick in packed.picks for key in keys_of(pick.candidate))


def _blocks(packed: Sequence[Packed], bench: Bench) -> tuple[tuple[Item, str], ...]:
    picks = sorted(
        (pick for one in packed for pick in one.picks),
        key=lambda pick: (-pick.density, pick.candidate.id, pick.candidate.tier),
    )
    return tuple(
        (item_of(pick.candidate, pick.form, pick.cost), bench.written(pick.candidate, pick.form)[0]) for pick in picks
    )


def _dropped(packed: Sequence[Packed], why: Mapping[str, str]) -> tuple[Dropped, ...]:
    """What is shown nowhere, once each; the gap is named where it was the cause."""
    shown = {pick.candidate.id for one in packed for pick in one.picks}
    found: dict[str, Dropped] = {}
    for one in packed:
        for candidate, reason in one.left_out:
            cause = why.get(candidate.id, reason) if reason == "budget" else reason
            found[candidate.id] = Dropped(candidate.id, candidate.title, candidate.tier, candidate.score, cause)
    return tuple(dropped for id_, dropped in found.items() if id_ not in shown)
