"""Figures of rankings, and how sure they are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set

import numpy as np
from msgspec import Struct

from companion.kinds.habits.of_history import interval

FIRSTS = (5, 10, 20)
"""Places at which recall is told."""
RESAMPLES = 1_000
"""Bootstrap samples: the ends of a 95 % interval then stand still to about a tenth of its width."""
SEED = 20_240_101
"""Fixed, so that the same data give the same interval."""

Figures = dict[str, float]


class Interval(Struct, frozen=True):
    """A 95 % interval."""

    low: float
    high: float


def ranking_figures(ranked: Sequence[str], gold: Set[str]) -> Figures:
    """hit@1, recall@5/10/20 and reciprocal rank of one ranking, `gold` not empty."""
    places = [place for place, path in enumerate(ranked) if path in gold]
    found = {f"recall@{k}": sum(place < k for place in places) / len(gold) for k in FIRSTS}
    return {
        "hit@1": float(bool(places) and places[0] == 0),
        **found,
        "mrr": 1.0 / (places[0] + 1) if places else 0.0,
    }


def mean(rows: Sequence[Mapping[str, float]]) -> Figures:
    """Average of each figure over the rows that have it."""
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: _average([row[name] for row in rows if name in row]) for name in names}


def bootstrap(values: Sequence[float]) -> Interval:
    """A 95 % interval of the mean, by resampling; for paired figures give their differences."""
    if not values:
        return Interval(0.0, 0.0)
    array = np.asarray(values, dtype=np.float64)
    places = np.random.default_rng(SEED).integers(0, len(array), size=(RESAMPLES, len(array)))
    low, high = np.percentile(array[places].mean(axis=1), [2.5, 97.5])
    return Interval(round(float(low), 4), round(float(high), 4))


def wilson(times: int, tries: int) -> Interval:
    """A 95 % interval of a share (Wilson's score); the whole range where nothing was tried."""
    low, high = interval(times, tries)
    return Interval(max(0.0, low), min(1.0, high))


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which `part` (0 to 1) of the values lie; 0 without values."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(part * len(ordered)) - 1 if part > 0 else 0)]


def milliseconds(seconds: Sequence[float]) -> Figures:
    """What half of some times stay under, and nineteen of twenty."""
    return {f"p{part}": round(1000 * percentile(seconds, part / 100), 2) for part in (50, 95)}


def rounded(figures: Mapping[str, float]) -> Figures:
    """Four digits, which is more than any sample here supports."""
    return {name: round(value, 4) for name, value in figures.items()}


def _average(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0
