"""Named ways to order what a search found. Each is a few features between 0 and 1 with fixed weights.

`memory`, `recall` and `cold-turns` are the profiles the specification names, figure by figure.
`learned` adds up words and meaning, each against the best of the query (less where nothing fits it), and lets
importance, use and recency break near ties: on conversations with known answers that finds more than either
alone, than the larger of the two, and than fusing their ranks.
Adding a profile is a function and a line in PROFILES.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from companion.records import Importance, Profile, Reason
from companion.records.wording import counted

ENTITY_CANDIDATES = 50
"""Candidates among which an entity's frequency is counted."""

MEMORY_HALF_LIFE_DAYS = 14.0
COLD_LEAST_SCORE = 0.3
RELEVANCE_WEIGHT = 0.85
"""What words and meaning together decide; importance, use and recency only break near ties."""

FITS = 0.4
"""Similarity from which a memory fits what was asked. Of questions about other talks nine in ten are further from
all that was said in one, of questions about that talk none was (LoCoMo)."""
FAR = 0.3
"""A cosine below it is told as not near: what has nothing to do with a project stays under it."""
_CITATIONS_FULL = 3
"""Citations after which use counts in full."""


class Ranking(NamedTuple):
    """A memory by its document number, with what the search knows of it.

    `share` is how much of the query's words it says, `cosine` how near it is in meaning, both 0 to
    1; `by` is the way it was found best. `age_days` is counted to the moment asked for. What is
    `meant` by a filter or by its name fits, however near it is, and so does what no vector was compared with.
    `covers` is how much of the query's words it says at all, the rare ones counting most.
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
    meant: bool = True
    covers: float = 0.0

    @property
    def similarity(self) -> float:
        """Both together, as chances of two independent witnesses are joined."""
        return 1 - (1 - self.share) * (1 - self.cosine)

    @property
    def fits(self) -> bool:
        """Whether it says something of what was asked, and is not merely the nearest there is."""
        return self.meant or self.similarity >= FITS

    @property
    def sure(self) -> float:
        """The better of two witnesses, its words and its meaning; where nothing was said, filters leave no doubt."""
        return 1.0 if self.by == "filters" else max(self.covers, self.cosine, FITS if self.meant else 0.0)


Column = tuple[str, float, Sequence[float]]
"""A feature's name, its weight, and its value for each memory found."""
Says = Callable[[Ranking, str], str]
"""The sentence for a feature of what was found; written only for what is shown."""
Ordering = tuple[tuple[Column, ...], Says]
Entities = Callable[[Sequence[int]], Mapping[int, Sequence[str]]]
"""Document numbers to what each memory names; asked only where a profile needs it."""


def ranked(
    profile: Profile, found: Sequence[Ranking], entities: Entities, limit: int
) -> list[tuple[Ranking, float, tuple[Reason, ...]]]:
    """The best `limit` of what was found with score and reasons, the newest first among equals."""
    columns, says = PROFILES[profile](found, entities)
    least = COLD_LEAST_SCORE if profile is Profile.COLD_TURNS else 0.0
    scored = (
        (-score, one.age_days, -one.number, place)
        for place, (score, one) in enumerate(zip(_scores(columns, len(found)), found, strict=True))
        if score >= least
    )
    return [
        (
            found[place],
            -score,
            tuple(Reason(name, values[place], weight, says(found[place], name)) for name, weight, values in columns),
        )
        for score, _, _, place in heapq.nsmallest(max(0, limit), scored)
    ]


def _scores(columns: Sequence[Column], size: int) -> list[float]:
    """The weighted sum of each, 0 to 1."""
    total = np.zeros(size)
    for _, weight, values in columns:
        total += np.asarray(values) * weight
    return [min(1.0, max(0.0, round(score, 9))) for score in total.tolist()]


def _memory(found: Sequence[Ranking], entities: Entities) -> Ordering:
    similar = _similar(found)
    frequency = _entity_frequency(found, similar, entities)
    recency = [0.5 ** (one.age_days / MEMORY_HALF_LIFE_DAYS) for one in found]
    shared = [frequency(one)[1] for one in found]

    def says(one: Ranking, feature: str) -> str:
        if feature != "entity frequency":
            return _says(one, feature)
        entity, share = frequency(one)
        return (
            f"{entity} is mentioned by {share:.0%} of what was found"
            if entity
            else "mentions nothing the others mention"
        )

    return (("similarity", 0.4, similar), ("recency", 0.3, recency), ("entity frequency", 0.3, shared)), says


def _recall(found: Sequence[Ranking], _: Entities) -> Ordering:
    return (("similarity", 0.7, _similar(found)), ("recency", 0.3, _recency(found))), _says


def _cold_turns(found: Sequence[Ranking], _: Entities) -> Ordering:
    recency = [math.exp(-0.1 * one.age_days) for one in found]
    anchor = [1.0 if one.pinned else 0.5 if one.importance >= Importance.SIGNIFICANT else 0.0 for one in found]
    return (("recency", 0.5, recency), ("similarity", 0.3, _similar(found)), ("anchor", 0.2, anchor)), _says


def _learned(found: Sequence[Ranking], _: Entities) -> Ordering:
    most_said = max((one.share for one in found), default=0.0) or 1.0
    nearest = max((one.cosine for one in found), default=0.0) or 1.0
    by_words = any(one.share for one in found)
    by_meaning = any(one.cosine for one in found)
    each = RELEVANCE_WEIGHT / max(1, by_words + by_meaning)
    matter = [1.0 if one.pinned else one.importance / int(Importance.CRITICAL) for one in found]
    used = [min(1.0, one.cited / _CITATIONS_FULL) for one in found]
    words: tuple[Column, ...] = (("words", each, [one.share / most_said for one in found]),) if by_words else ()
    meaning: tuple[Column, ...] = (("meaning", each, [one.cosine / nearest for one in found]),) if by_meaning else ()
    usual = (("importance", 0.06, matter), ("use", 0.04, used), ("recency", 0.05, _recency(found)))
    columns = (*words, *meaning, *usual)
    scores = _scores(columns, len(found))
    first = min(
        zip(scores, found, strict=True), key=lambda one: (-one[0], one[1].age_days, -one[1].number), default=None
    )
    # The best is no better for being the best: all scores shrink alike, so that the order stays.
    sure = first[1].sure if first else 1.0
    return tuple((name, weight * sure, values) for name, weight, values in columns), _says


def _similar(found: Sequence[Ranking]) -> list[float]:
    return [one.similarity for one in found]


def _recency(found: Sequence[Ranking]) -> list[float]:
    return [1 / (1 + 0.1 * one.age_days) for one in found]


PROFILES: dict[Profile, Callable[[Sequence[Ranking], Entities], Ordering]] = {
    Profile.MEMORY: _memory,
    Profile.RECALL: _recall,
    Profile.COLD_TURNS: _cold_turns,
    Profile.LEARNED: _learned,
}


def _entity_frequency(
    found: Sequence[Ranking], similar: Sequence[float], entities: Entities
) -> Callable[[Ranking], tuple[str, float]]:
    """For a memory, the entity of its own that most of the nearest candidates name, and their share.

    Beyond the ENTITY_CANDIDATES nearest none is looked at.
    """
    ordered = ((-alike, one.age_days, -one.number) for alike, one in zip(similar, found, strict=True))
    near = heapq.nsmallest(ENTITY_CANDIDATES, ordered)
    named = entities([-number for _, _, number in near])
    counts = Counter(name for names in named.values() for name in set(names))

    def most(names: Sequence[str]) -> tuple[str, float]:
        name = min(names, key=lambda name: (-counts[name], name))
        return name, counts[name] / len(near)

    shares = {number: most(names) for number, names in named.items() if names}
    return lambda one: shares.get(one.number, ("", 0.0))


def _says(one: Ranking, feature: str) -> str:
    """The sentence of each feature that several profiles share."""
    match feature:
        case "similarity":
            return _says_similarity(one)
        case "words":
            return f"matches {', '.join(one.words)}" if one.words else "matches none of the words"
        case "meaning":
            return "near in meaning" if one.cosine >= FAR else "not near in meaning"
        case "importance":
            return "pinned" if one.pinned else f"importance {one.importance}"
        case "anchor":
            important = one.importance >= Importance.SIGNIFICANT
            return "pinned" if one.pinned else "important" if important else "no anchor"
        case "use":
            return "cited once" if one.cited == 1 else f"cited {one.cited} times" if one.cited else "never cited"
        case _:
            days = round(one.age_days)
            return "of today" if days == 0 else f"{counted(days, 'day')} old"


def _says_similarity(one: Ranking) -> str:
    if one.by == "meaning":
        return "near in meaning"
    if one.words:
        return f"matches {', '.join(one.words)}"
    return "mentions what was asked for" if one.by == "entity" else "fits the filters"
