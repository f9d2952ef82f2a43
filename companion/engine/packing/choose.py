"""Candidates and a budget: fill each tier's share, then lend out what is left."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence, Set
from datetime import datetime
from functools import lru_cache, partial

from msgspec import Struct
from msgspec.structs import replace

from companion.engine.packing.pack import Offer, Packing, Pick, Ready, cut_at_gap, ordered, pack
from companion.engine.recalling.candidates import of_pointers
from companion.engine.telling.styles import Style
from companion.ports import TokenCounter
from companion.records import Candidate, ContextItem, Dropped, Form, Span, Tier

TOPIC_TOKENS = 40
"""Tokens of the index's room for each topic in it: one costs about five, so that topics never take more than an eighth
of what pointers to memories can use."""
OVERFLOW_URGENCY = 2.0
"""What is critical and found no room there goes before what is merely relevant, unless it is twice as long."""
JOINT_TOKENS = 4
"""Kept free for what joining blocks may add to their sum; measured at most 2 with o200k."""

BESIDE_SHARE = 0.2
"""Of a context with places at most, for the past, the rules and the memories that stand beside them: 800 of 4,000
tokens hold all of what is usual, 400 of 2,000 the best of it."""
CODE = ("file:", "chunk:")
"""How the ids of candidates begin that show something of their first file."""
LISTED = frozenset({"outline", "name"})
"""Levels at which a file is shown without a reason."""
LISTED_KEPT = 8_000
"""Blocks of those that are kept: two for each file of a large project, half a kB each."""
NO_MOMENT = datetime(2000, 1, 1)
"""A file is shown without its age."""


class Chosen(Struct, frozen=True):
    """Items with their blocks, the most valuable per token first, and what was left out."""

    blocks: tuple[tuple[ContextItem, str], ...]
    dropped: tuple[Dropped, ...]


_Key = tuple[str, bool, str, tuple[Span, ...]]
"""A candidate's id, whether it is a pointer of the index, and the level and the lines of a form: a file has several of
the same level."""
_Written = tuple[str, int]
"""A block and its tokens."""


class PackingContext:
    """Writes candidates out as blocks and counts them, each once."""

    def __init__(self, style: Style, counter: TokenCounter, now: datetime) -> None:
        self._style = style
        self.counter = counter
        self._now = now
        self._blocks: dict[_Key, _Written] = {}
        self._openings: dict[tuple[Tier, str, bool], int] = {}
        self._listed = partial(_listed, style, counter)

    def offer(self, candidate: Candidate, urgency: float) -> Offer:
        """A candidate with what each of its forms costs."""
        return Offer(candidate, self._costs(candidate), urgency)

    def _costs(self, candidate: Candidate) -> tuple[int, ...]:
        """What each form costs; for pieces of a file, which come in many numbers, from what the fewest of them cost."""
        fewest = min((form for form in candidate.forms if form.spans), key=lambda form: form.tokens, default=None)
        if fewest is None:
            return tuple(self.written(candidate, form)[1] for form in candidate.forms)
        frame = self._anew(candidate, replace(fewest, text=""))[1]
        each = (self.written(candidate, fewest)[1] - frame) / max(fewest.tokens, 1)
        return tuple(
            math.ceil(frame + each * form.tokens) if form.spans else self.written(candidate, form)[1]
            for form in candidate.forms
        )

    def written(self, candidate: Candidate, form: Form) -> _Written:
        """The block of one form and its tokens."""
        key = _key(candidate, form)
        known = self._blocks.get(key)
        if known is None:
            known = self._blocks[key] = self._anew(candidate, form)
        return known

    def _anew(self, candidate: Candidate, form: Form) -> _Written:
        if form.level in LISTED and candidate.id == f"file:{candidate.title}":
            return self._listed(candidate.title, form.level, form.text)
        block = self._style.block(item_of(candidate, form, 0), self._now)
        return block, self.counter.count(block + "\n")

    def opening(self, tier: Tier) -> Callable[[str, bool], int]:
        """A function of a section and whether it is the tier's first: what its heading costs in tokens.

        The first section pays for the heading of the tier too.
        """

        def cost(section: str, first: bool) -> int:
            key = (tier, section, first)
            if key not in self._openings:
                whole = self.counter.count(self._style.tier(tier, ((section, ("",)),)))
                bare = 0 if first else self.counter.count(self._style.tier(tier, ()))
                self._openings[key] = max(whole - bare, 1)
            return self._openings[key]

        return cost


def _key(candidate: Candidate, form: Form) -> _Key:
    return candidate.id, candidate.tier is Tier.INDEX, form.level, form.spans


@lru_cache(maxsize=LISTED_KEPT)
def _listed(style: Style, counter: TokenCounter, path: str, level: str, text: str) -> tuple[str, int]:
    """The block of a file as its name or the names in it, and its tokens: the same whatever the file is shown for."""
    item = ContextItem(f"file:{path}", path, Tier.RELEVANT, "", level, 0, 0.0, text, files=(path,), path=path)
    block = style.block(item, NO_MOMENT)
    return block, counter.count(block + "\n")


def item_of(candidate: Candidate, form: Form, tokens: int) -> ContextItem:
    """A candidate as it is shown in one form."""
    return ContextItem(
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
        kind=candidate.kind,
        path=candidate.files[0] if candidate.id.startswith(CODE) else None,
        spans=form.spans,
    )


def choose(
    pool: Sequence[Candidate], budget: int, split: Mapping[Tier, int], packing: PackingContext, empty: str
) -> Chosen:
    """The items of a context of `budget` tokens; `empty` is its text without any.

    Critical candidates below the gap, or for which the critical share has no room, compete on in the
    relevant tier, and so do files of which it has room for names alone; memories that find no room at
    all are pointed to from the index. The header is paid from the index's share: of all there is, a
    pointer is missed least.
    """
    free = max(budget - packing.counter.count(empty) - JOINT_TOKENS, 0)
    pool, over = _places_first(pool, free, packing)
    tiers, gap = _filled(pool, over, free, split, packing)
    blocks = _blocks(tiers, packing)
    excess = sum(item.tokens for item, _ in blocks) - free + _headings(tiers)
    if excess > 0:  # pieces of files were reckoned shorter than they are
        tiers, gap = _filled(pool, over, free - excess, split, packing)
        blocks = _blocks(tiers, packing)
    without = (Dropped(one.id, one.title, one.tier, one.score, "budget") for one in over)
    return Chosen(blocks, (*_dropped(tiers, gap), *without))


def _places_first(
    pool: Sequence[Candidate], free: int, packing: PackingContext
) -> tuple[Sequence[Candidate], tuple[Candidate, ...]]:
    """The candidates, those beside places as far as they take BESIDE_SHARE of the room, the best first; and the others.

    They are so short that each goes before any piece of code: all together they left a small budget without code.
    """
    if not any(form.spans for candidate in pool for form in candidate.forms):
        return pool, ()
    beside = [one for one in pool if one.tier is Tier.RELEVANT and not one.id.startswith(CODE)]
    left, over = free * BESIDE_SHARE, {}
    for one in sorted(beside, key=lambda one: (-one.score, one.id)):
        cost = min(packing.offer(one, 1.0).costs, default=0)
        if cost > left:
            over[one.id] = one
        else:
            left -= cost
    return [one for one in pool if one.id not in over], tuple(over.values())


def _filled(
    pool: Sequence[Candidate], over: Sequence[Candidate], free: int, split: Mapping[Tier, int], packing: PackingContext
) -> tuple[tuple[Packing, ...], Set[str]]:
    """The tiers, filled with at most `free` tokens, and the ids of what a gap parts from the critical one.

    To what is `over` the index may point.
    """
    by_tier = {tier: [c for c in pool if c.tier is tier] for tier in Tier}
    top, below = cut_at_gap(by_tier[Tier.CRITICAL])
    room = min(split[Tier.CRITICAL], free)
    critical, over = _within_share(top, room, packing)
    used = critical.tokens
    urgent = frozenset(candidate.id for candidate in over)
    moved = [replace(c, tier=Tier.RELEVANT) for c in (*over, *below)]

    room += split[Tier.RELEVANT]
    wanted = Ready.of(_offered([*by_tier[Tier.RELEVANT], *moved], packing, urgent))
    relevant = _packed(Tier.RELEVANT, wanted, min(room, free) - used, packing, (critical,))
    used += relevant.tokens

    room += split[Tier.BACKGROUND]
    rest = _offered(by_tier[Tier.BACKGROUND], packing)
    background = _packed(Tier.BACKGROUND, rest, min(room, free) - used, packing, (critical, relevant))
    used += background.tokens

    topics = ordered(by_tier[Tier.INDEX])[: (free - used) // TOPIC_TOKENS]
    index = _index(topics, over, (relevant, background), free - used, packing)
    last = free - critical.tokens - background.tokens - index.tokens
    if last > relevant.tokens and relevant.wants_more:
        relevant = _packed(Tier.RELEVANT, wanted, last, packing, (critical, background))
        index = _index(topics, over, (relevant, background), index.tokens, packing)
    return (critical, relevant, background, index), frozenset(candidate.id for candidate in below)


def _headings(packed: Sequence[Packing]) -> int:
    """The tokens that headings take."""
    return sum(one.tokens - sum(pick.cost for pick in one.picks) for one in packed)


def _within_share(top: Sequence[Candidate], room: int, packing: PackingContext) -> tuple[Packing, list[Candidate]]:
    """The critical tier, and what goes on to the next: what found no room, and files that it could only have listed.

    A file's text is what makes it worth its place: the least likely that would be listed leaves, until none is.
    """
    stays, packed = list(top), _packed(Tier.CRITICAL, _offered(top, packing), room, packing)
    while listed := [pick.candidate for pick in packed.picks if _is_cut_to_names(pick)]:
        stays.remove(min(listed, key=lambda c: (c.score, c.id)))
        packed = _packed(Tier.CRITICAL, _offered(stays, packing), room, packing)
    without = {candidate.id for candidate, why in packed.left_out if why == "budget"}
    kept = {candidate.id for candidate in stays} - without
    return packed, [candidate for candidate in top if candidate.id not in kept]


def _is_cut_to_names(pick: Pick) -> bool:
    return pick.form.level in LISTED and any(form.level not in LISTED for form in pick.candidate.forms)


def _offered(wanted: Sequence[Candidate], packing: PackingContext, urgent: Set[str] = frozenset()) -> list[Offer]:
    return [packing.offer(c, OVERFLOW_URGENCY if c.id in urgent else 1.0) for c in wanted]


def _packed(
    tier: Tier, offers: Sequence[Offer] | Ready, limit: int, packing: PackingContext, elsewhere: Sequence[Packing] = ()
) -> Packing:
    """One tier filled, saying nothing that the tiers `elsewhere` say."""
    said = frozenset(key for packed in elsewhere for pick in packed.picks for key in pick.keys)
    return pack(offers, max(limit, 0), packing.opening(tier), said)


def _index(
    topics: Sequence[Candidate],
    over: Sequence[Candidate],
    above: Sequence[Packing],
    limit: int,
    packing: PackingContext,
) -> Packing:
    """Topics, and pointers to what the tiers above had no room for."""
    left = [*over, *(candidate for packed in above for candidate, why in packed.left_out if why == "budget")]
    return _packed(Tier.INDEX, _offered([*topics, *of_pointers(left, packing.counter)], packing), limit, packing)


def _blocks(packed: Sequence[Packing], packing: PackingContext) -> tuple[tuple[ContextItem, str], ...]:
    picks = sorted(
        (pick for one in packed for pick in one.picks),
        key=lambda pick: (-pick.density, pick.candidate.id, pick.candidate.tier),
    )
    written = [packing.written(pick.candidate, pick.form) for pick in picks]
    return tuple(
        (item_of(pick.candidate, pick.form, tokens), block)
        for pick, (block, tokens) in zip(picks, written, strict=True)
    )


def _dropped(packed: Sequence[Packing], gap: Set[str]) -> tuple[Dropped, ...]:
    """What is shown nowhere, once each; a pointer in the index does not count as shown.

    The gap is named where it was the cause: in its own tier there would have been room.
    """
    shown = {pick.candidate.id for one in packed for pick in one.picks if pick.candidate.tier is not Tier.INDEX}
    found: dict[str, Dropped] = {}
    for candidate, reason in (left for one in packed for left in one.left_out):
        why = "gap" if reason == "budget" and candidate.id in gap else reason
        found.setdefault(candidate.id, Dropped(candidate.id, candidate.title, candidate.tier, candidate.score, why))
    return tuple(dropped for id_, dropped in found.items() if id_ not in shown)
