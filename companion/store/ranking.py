"""Named ways to order what a search found. Each is a few features between 0 and 1 with fixed weights.

`memory`, `recall` and `cold-turns` are the profiles the specification names, figure by figure.
`learned` adds up words and meaning, each against the best of the query, and lets importance, use and
recency break near ties: on conversations with known answers that finds more than either alone, than the
larger of the two, and than fusing their ranks.
Adding a profile is a function and a line in PROFILES.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from companion.records import Importance, Profile, Reason

ENTITY_CANDIDATES = 50
"""Candidates among which an entity's frequency is counted."""

MEMORY_HALF_LIFE_DAYS = 14.0
COLD_LEAST_SCORE = 0.3
RELEVANCE_WEIGHT = 0.85
"""What words and meaning together decide; importance, use and recency only break near ties."""

_CITATIONS_FULL = 3
"""Citations after which use counts in full."""


@dataclass(frozen=True, slots=True)
class Found:
    """A memory by its document number, with what the search knows of it.

    `share` is how much of the query's words it says, `cosine` how near it is in meaning, both 0 to
    1; `by` is the way it was found best. `age_days` is counted to the moment asked for.
    """

    number: int
    share: float
    cosine: float
    by: str
    words: tuple[str, ...]
    age_days: float
    importance: int
    pinned: bool
    cited: int

    @property
    def similarity(self) -> float:
        """Both together, as chances of two independent witnesses are joined."""
        return 1 - (1 - self.share) * (1 - self.cosine)


Explain = Callable[[Found], tuple[Reason, ...]]
Entities = Callable[[Sequence[int]], Mapping[int, Sequence[str]]]
"""Document numbers to what each memory names; asked only where a profile needs it."""


def ranked(
    profile: Profile, found: Sequence[Found], entities: Entities
) -> list[tuple[Found, float, tuple[Reason, ...]]]:
    """What was found with score and reasons, best first; the newest first among equals."""
    explain = PROFILES[profile](found, entities)
    scored = []
    for one in found:
        reasons = explain(one)
        score = sum(reason.value * reason.weight for reason in reasons)
        scored.append((one, min(1.0, max(0.0, round(score, 9))), reasons))
    if profile is Profile.COLD_TURNS:
        scored = [one for one in scored if one[1] >= COLD_LEAST_SCORE]
    scored.sort(key=lambda one: (-one[1], one[0].age_days, -one[0].number))
    return scored


def _memory(found: Sequence[Found], entities: Entities) -> Explain:
    frequency = _entity_frequency(found, entities)

    def explain(one: Found) -> tuple[Reason, ...]:
        entity, share = frequency(one)
        recency = 0.5 ** (one.age_days / MEMORY_HALF_LIFE_DAYS)
        named = f"{entity} is named by {share:.0%} of what was found" if entity else "names nothing others name"
        return (
            _similarity(one, 0.4),
            Reason("recency", recency, 0.3, _aged(one)),
            Reason("entity frequency", share, 0.3, named),
        )

    return explain


def _recall(_: Sequence[Found], __: Entities) -> Explain:
    def explain(one: Found) -> tuple[Reason, ...]:
        recency = 1 / (1 + 0.1 * one.age_days)
        return (_similarity(one, 0.7), Reason("recency", recency, 0.3, _aged(one)))

    return explain


def _cold_turns(_: Sequence[Found], __: Entities) -> Explain:
    def explain(one: Found) -> tuple[Reason, ...]:
        anchor = 1.0 if one.pinned else 0.5 if one.importance >= Importance.SIGNIFICANT else 0.0
        held = {1.0: "pinned", 0.5: "important"}.get(anchor, "no anchor")
        return (
            Reason("recency", math.exp(-0.1 * one.age_days), 0.5, _aged(one)),
            _similarity(one, 0.3),
            Reason("anchor", anchor, 0.2, held),
        )

    return explain


def _learned(found: Sequence[Found], _: Entities) -> Explain:
    most_said = max((one.share for one in found), default=0.0) or 1.0
    nearest = max((one.cosine for one in found), default=0.0) or 1.0
    by_words = any(one.share for one in found)
    by_meaning = any(one.cosine for one in found)
    each = RELEVANCE_WEIGHT / max(1, by_words + by_meaning)

    def explain(one: Found) -> tuple[Reason, ...]:
        matter = 1.0 if one.pinned else one.importance / int(Importance.CRITICAL)
        said = f"says {', '.join(one.words)}" if one.words else "says none of the words"
        reasons = [
            Reason("words", one.share / most_said, each, said) if by_words else None,
            Reason("meaning", one.cosine / nearest, each, f"near in meaning ({one.cosine:.2f})")
            if by_meaning
            else None,
            Reason("importance", matter, 0.06, "pinned" if one.pinned else f"importance {one.importance}"),
            Reason("use", min(1.0, one.cited / _CITATIONS_FULL), 0.04, f"cited {one.cited} times"),
            Reason("recency", 1 / (1 + 0.1 * one.age_days), 0.05, _aged(one)),
        ]
        return tuple(reason for reason in reasons if reason is not None)

    return explain


PROFILES: dict[Profile, Callable[[Sequence[Found], Entities], Explain]] = {
    Profile.MEMORY: _memory,
    Profile.RECALL: _recall,
    Profile.COLD_TURNS: _cold_turns,
    Profile.LEARNED: _learned,
}


def _entity_frequency(found: Sequence[Found], entities: Entities) -> Callable[[Found], tuple[str, float]]:
    """For a memory, the entity of its own that most of the nearest candidates name, and their share.

    Beyond the ENTITY_CANDIDATES nearest none is looked at.
    """
    near = sorted(found, key=lambda one: (-one.similarity, one.age_days, -one.number))[:ENTITY_CANDIDATES]
    named = entities([one.number for one in near])
    counts = Counter(name for names in named.values() for name in set(names))

    def frequency(one: Found) -> tuple[str, float]:
        names = sorted(named.get(one.number, ()), key=lambda name: (-counts[name], name))
        return (names[0], counts[names[0]] / len(near)) if names else ("", 0.0)

    return frequency


def _similarity(one: Found, weight: float) -> Reason:
    if one.by == "meaning":
        says = f"near in meaning ({one.similarity:.2f})"
    elif one.words:
        says = f"says {', '.join(one.words)}"
    else:
        says = "names what was asked for" if one.by == "entity" else "fits the filters"
    return Reason("similarity", one.similarity, weight, says)


def _aged(one: Found) -> str:
    days = round(one.age_days)
    return "of today" if days == 0 else f"{days} day{'s' if days != 1 else ''} old"
