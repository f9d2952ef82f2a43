"""Named ways to order what a search found. Each is a few features between 0 and 1 with fixed weights.

`memory`, `recall` and `cold-turns` are the profiles the specification names, figure by figure.
`learned` adds up words and meaning, each against the best of the query, and lets importance, use and
recency break near ties: on conversations with known answers that finds more than either alone, than the
larger of the two, and than fusing their ranks.
Adding a profile is a function and a line in PROFILES.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from companion.records import Importance, Profile, Reason

ENTITY_CANDIDATES = 50
"""Candidates among which an entity's frequency is counted."""

MEMORY_HALF_LIFE_DAYS = 14.0
COLD_LEAST_SCORE = 0.3
RELEVANCE_WEIGHT = 0.85
"""What words and meaning together decide; importance, use and recency only break near ties."""

NEAR_LEAST = 0.005
"""Below it a cosine would be shown as 0.00: that is no reason."""
_CITATIONS_FULL = 3
"""Citations after which use counts in full."""


class Found(NamedTuple):
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


Part = tuple[str, float, float]
"""A feature's name, its value and its weight."""
Parts = Callable[[Found], tuple[Part, ...]]
Says = Callable[[Found, str], str]
"""The sentence for a feature of what was found; written only for what is shown."""
Ordering = tuple[Parts, Says]
Entities = Callable[[Sequence[int]], Mapping[int, Sequence[str]]]
"""Document numbers to what each memory names; asked only where a profile needs it."""


def ranked(
    profile: Profile, found: Sequence[Found], entities: Entities, limit: int
) -> list[tuple[Found, float, tuple[Reason, ...]]]:
    """The best `limit` of what was found with score and reasons, the newest first among equals."""
    parts, says = PROFILES[profile](found, entities)
    scored = []
    for one in found:
        score = min(1.0, max(0.0, round(sum(value * weight for _, value, weight in parts(one)), 9)))
        if profile is not Profile.COLD_TURNS or score >= COLD_LEAST_SCORE:
            scored.append((-score, one.age_days, -one.number, one))
    return [
        (one, -score, tuple(Reason(name, value, weight, says(one, name)) for name, value, weight in parts(one)))
        for score, _, _, one in heapq.nsmallest(max(0, limit), scored)
    ]


def _memory(found: Sequence[Found], entities: Entities) -> Ordering:
    frequency = _entity_frequency(found, entities)

    def parts(one: Found) -> tuple[Part, ...]:
        recency = 0.5 ** (one.age_days / MEMORY_HALF_LIFE_DAYS)
        return (
            ("similarity", one.similarity, 0.4),
            ("recency", recency, 0.3),
            ("entity frequency", frequency(one)[1], 0.3),
        )

    def says(one: Found, feature: str) -> str:
        if feature != "entity frequency":
            return _says(one, feature)
        entity, share = frequency(one)
        return f"{entity} is named by {share:.0%} of what was found" if entity else "names nothing others name"

    return parts, says


def _recall(_: Sequence[Found], __: Entities) -> Ordering:
    def parts(one: Found) -> tuple[Part, ...]:
        return (("similarity", one.similarity, 0.7), ("recency", 1 / (1 + 0.1 * one.age_days), 0.3))

    return parts, _says


def _cold_turns(_: Sequence[Found], __: Entities) -> Ordering:
    def parts(one: Found) -> tuple[Part, ...]:
        anchor = 1.0 if one.pinned else 0.5 if one.importance >= Importance.SIGNIFICANT else 0.0
        return (
            ("recency", math.exp(-0.1 * one.age_days), 0.5),
            ("similarity", one.similarity, 0.3),
            ("anchor", anchor, 0.2),
        )

    return parts, _says


def _learned(found: Sequence[Found], _: Entities) -> Ordering:
    most_said = max((one.share for one in found), default=0.0) or 1.0
    nearest = max((one.cosine for one in found), default=0.0) or 1.0
    by_words = any(one.share for one in found)
    by_meaning = any(one.cosine for one in found)
    each = RELEVANCE_WEIGHT / max(1, by_words + by_meaning)

    def parts(one: Found) -> tuple[Part, ...]:
        matter = 1.0 if one.pinned else one.importance / int(Importance.CRITICAL)
        usual = (
            ("importance", matter, 0.06),
            ("use", min(1.0, one.cited / _CITATIONS_FULL), 0.04),
            ("recency", 1 / (1 + 0.1 * one.age_days), 0.05),
        )
        words = (("words", one.share / most_said, each),) if by_words else ()
        meaning = (("meaning", one.cosine / nearest, each),) if by_meaning else ()
        return (*words, *meaning, *usual)

    return parts, _says


PROFILES: dict[Profile, Callable[[Sequence[Found], Entities], Ordering]] = {
    Profile.MEMORY: _memory,
    Profile.RECALL: _recall,
    Profile.COLD_TURNS: _cold_turns,
    Profile.LEARNED: _learned,
}


def _entity_frequency(found: Sequence[Found], entities: Entities) -> Callable[[Found], tuple[str, float]]:
    """For a memory, the entity of its own that most of the nearest candidates name, and their share.

    Beyond the ENTITY_CANDIDATES nearest none is looked at.
    """
    near = heapq.nsmallest(ENTITY_CANDIDATES, found, key=lambda one: (-one.similarity, one.age_days, -one.number))
    named = entities([one.number for one in near])
    counts = Counter(name for names in named.values() for name in set(names))

    def most(names: Sequence[str]) -> tuple[str, float]:
        name = min(names, key=lambda name: (-counts[name], name))
        return name, counts[name] / len(near)

    shares = {number: most(names) for number, names in named.items() if names}
    return lambda one: shares.get(one.number, ("", 0.0))


def _says(one: Found, feature: str) -> str:
    """The sentence of each feature that several profiles share."""
    match feature:
        case "similarity":
            return _says_similarity(one)
        case "words":
            return f"says {', '.join(one.words)}" if one.words else "says none of the words"
        case "meaning":
            return f"near in meaning ({one.cosine:.2f})" if one.cosine >= NEAR_LEAST else "not near in meaning"
        case "importance":
            return "pinned" if one.pinned else f"importance {one.importance}"
        case "anchor":
            important = one.importance >= Importance.SIGNIFICANT
            return "pinned" if one.pinned else "important" if important else "no anchor"
        case "use":
            return "cited once" if one.cited == 1 else f"cited {one.cited} times" if one.cited else "never cited"
        case _:
            return _aged(one)


def _says_similarity(one: Found) -> str:
    if one.by == "meaning":
        return f"near in meaning ({one.similarity:.2f})"
    if one.words:
        return f"says {', '.join(one.words)}"
    return "names what was asked for" if one.by == "entity" else "fits the filters"


def _aged(one: Found) -> str:
    days = round(one.age_days)
    return "of today" if days == 0 else f"{days} day{'s' if days != 1 else ''} old"
