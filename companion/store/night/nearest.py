"""The nearest few of many vectors, found block by block in bounded memory.

Up to EXACT_TEXTS texts each is compared with each. Above that they are gathered around centres, and each is
compared with those around its own centre and the PROBED next ones: of pairs that are really near hardly any is
missed, at a small part of the work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Halves = npt.NDArray[np.float16]
Rows = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]

EXACT_TEXTS = 12_000
"""Up to here each is compared with each: some 55 billion multiplications for 384 numbers a text."""
PROBED = 8
"""Groups looked at for each text, its own among them: of 100,000 generated texts' nearest that finds all above a cosine
of .80 and .95 of those above .62. Twice as many find .98 of these, for nearly twice the work."""
SAMPLED_TEXTS = 12_000
"""Texts that the centres are found with: some thirty for each centre."""
ROUNDS = 4
"""Times the centres are moved to the middle of what is around them; more changes little."""
ASKED_AT_ONCE, OTHERS_AT_ONCE = 256, 8_192
"""Texts compared at a time with so many others: 8 MB of similarities, 12 MB of numbers."""


class Nearest(NamedTuple):
    """For each of some texts the places of the nearest others, best first or not, -1 for none; and how near."""

    who: Places
    cosine: Floats


def nearest(matrix: Halves, rows: Rows, k: int, floor: float, breathe: Callable[[], object]) -> Nearest:
    """The `k` nearest of each of `rows` of a matrix among them, if `floor` near: places in `rows`."""
    found = Nearest(np.full((len(rows), k), -1, dtype=np.int32), np.full((len(rows), k), -1.0, dtype=np.float32))
    everything = np.arange(len(rows))
    if len(rows) <= EXACT_TEXTS:
        groups = [(everything, everything)] if len(rows) > 1 else []
    else:
        groups = _groups(matrix, rows)
    for asked, others in groups:
        for start in range(0, len(asked), ASKED_AT_ONCE):
            some = asked[start : start + ASKED_AT_ONCE]
            best, who = _nearest_of(matrix, rows, some, others, k, floor, breathe)
            found.cosine[some], found.who[some] = np.minimum(best, 1.0), np.where(best >= floor, who, -1)
    return found


def _groups(matrix: Halves, rows: Rows) -> list[tuple[Rows, Rows]]:
    """Which places are asked about together, and among which the nearest are looked for."""
    centres = _centres(matrix, rows)
    groups = _around(matrix, rows, centres)
    order = np.argsort(groups, kind="stable")
    ends = np.searchsorted(groups[order], np.arange(len(centres) + 1))
    members = [order[ends[at] : ends[at + 1]] for at in range(len(centres))]
    near = np.argsort(-(centres @ centres.T), axis=1, kind="stable")[:, :PROBED]
    return [
        (members[at], np.sort(np.concatenate([members[other] for other in near[at].tolist()])))
        for at in range(len(centres))
    ]


def _centres(matrix: Halves, rows: Rows) -> Floats:
    """Middles of groups of like vectors, one a row: as many as the root of their number, from an even sample."""
    count = max(1, round(len(rows) ** 0.5))
    some = np.linspace(0, len(rows) - 1, min(len(rows), SAMPLED_TEXTS)).astype(np.int64)
    sample = matrix[rows[some]].astype(np.float32)
    centres = sample[np.linspace(0, len(sample) - 1, count).astype(np.int64)].copy()
    for _ in range(ROUNDS):
        groups = np.argmax(sample @ centres.T, axis=1)
        sums = np.zeros_like(centres)
        np.add.at(sums, groups, sample)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(lengths > 0, sums / np.maximum(lengths, 1e-9), centres).astype(np.float32)
    return centres


def _around(matrix: Halves, rows: Rows, centres: Floats) -> Rows:
    """The centre nearest to each vector."""
    found = np.empty(len(rows), dtype=np.int64)
    for start in range(0, len(rows), OTHERS_AT_ONCE):
        some = rows[start : start + OTHERS_AT_ONCE]
        found[start : start + len(some)] = np.argmax(matrix[some].astype(np.float32) @ centres.T, axis=1)
    return found


def _nearest_of(
    matrix: Halves, rows: Rows, some: Rows, others: Rows, k: int, floor: float, breathe: Callable[[], object]
) -> tuple[Floats, Rows]:
    asked = matrix[rows[some]].astype(np.float32)
    best = np.full((len(some), k), -1.0, dtype=np.float32)
    who = np.full((len(some), k), -1, dtype=np.int64)
    for start in range(0, len(others), OTHERS_AT_ONCE):
        part = others[start : start + OTHERS_AT_ONCE]
        scores = asked @ matrix[rows[part]].astype(np.float32).T
        scores[some[:, None] == part[None, :]] = -1.0
        good = np.flatnonzero(scores.max(axis=1) >= floor)
        if len(good):
            top = _top(scores[good], k)
            both = np.concatenate([best[good], np.take_along_axis(scores[good], top, axis=1)], axis=1)
            places = np.concatenate([who[good], part[top]], axis=1)
            top = _top(both, k)
            best[good], who[good] = np.take_along_axis(both, top, axis=1), np.take_along_axis(places, top, axis=1)
        breathe()
    return best, who


def _top(scores: Floats, k: int) -> Rows:
    """Columns of the `k` largest of each row, or of all if there are fewer."""
    if scores.shape[1] <= k:
        return np.broadcast_to(np.arange(scores.shape[1]), scores.shape)
    return np.argpartition(-scores, k - 1, axis=1)[:, :k]
