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

Bytes = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]
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
LARGEST = 127
"""The largest number of a packed vector."""


class PackedVectors(NamedTuple):
    """Vectors in a byte a number, one a row, and what makes each of them one long.

    A quarter of the room, and the cosine of two is the true one within .003.
    """

    numbers: Bytes
    scale: Floats

    @classmethod
    def empty(cls, count: int, dimension: int) -> PackedVectors:
        """So many vectors of nothing, which are near nobody."""
        return cls(np.zeros((count, dimension), dtype=np.int8), np.zeros(count, dtype=np.float32))

    def put(self, rows: Rows, vectors: Floats) -> None:
        """Keep some vectors at their rows."""
        most = np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
        numbers = np.rint(vectors * (LARGEST / np.maximum(most, 1e-9)))
        lengths = np.linalg.norm(numbers, axis=1)
        self.numbers[rows], self.scale[rows] = numbers, np.where(lengths > 0, 1 / np.maximum(lengths, 1.0), 0.0)

    def vectors(self, rows: Rows) -> Floats:
        """Some of them as they were, one long."""
        return self.numbers[rows].astype(np.float32) * self.scale[rows, None]


class Nearest(NamedTuple):
    """For each of some texts the places of the nearest others, best first or not, -1 for none; and how near."""

    who: Places
    cosine: Floats


def nearest(packed: PackedVectors, rows: Rows, k: int, floor: float, breathe: Callable[[], object]) -> Nearest:
    """The `k` nearest of each of `rows` of some vectors among them, if `floor` near: places in `rows`."""
    found = Nearest(np.full((len(rows), k), -1, dtype=np.int32), np.full((len(rows), k), -1.0, dtype=np.float32))
    everything = np.arange(len(rows))
    groups = _groups(packed, rows) if len(rows) > EXACT_TEXTS else [(everything, everything)]
    for asked, others in groups:
        for start in range(0, len(others), OTHERS_AT_ONCE):
            part = others[start : start + OTHERS_AT_ONCE]
            vectors = packed.vectors(rows[part])
            for first in range(0, len(asked), ASKED_AT_ONCE):
                some = asked[first : first + ASKED_AT_ONCE]
                _improve(found, some, part, packed.vectors(rows[some]) @ vectors.T)
                breathe()
    np.minimum(found.cosine, 1.0, out=found.cosine)
    found.who[found.cosine < floor] = -1
    return found


def _groups(packed: PackedVectors, rows: Rows) -> list[tuple[Rows, Rows]]:
    """Which places are asked about together, and among which the nearest are looked for, in order."""
    centres = _centres(packed, rows)
    groups = _around(packed, rows, centres)
    order = np.argsort(groups, kind="stable")
    ends = np.searchsorted(groups[order], np.arange(len(centres) + 1))
    members = [order[ends[at] : ends[at + 1]] for at in range(len(centres))]
    near = np.argsort(-(centres @ centres.T), axis=1, kind="stable")[:, :PROBED]
    return [
        (members[at], np.sort(np.concatenate([members[other] for other in near[at].tolist()])))
        for at in range(len(centres))
    ]


def _centres(packed: PackedVectors, rows: Rows) -> Floats:
    """Middles of groups of like vectors, one a row: as many as the root of their number, from an even sample."""
    count = max(1, round(len(rows) ** 0.5))
    some = np.linspace(0, len(rows) - 1, min(len(rows), SAMPLED_TEXTS)).astype(np.int64)
    sample = packed.vectors(rows[some])
    centres = sample[np.linspace(0, len(sample) - 1, count).astype(np.int64)].copy()
    for _ in range(ROUNDS):
        groups = np.argmax(sample @ centres.T, axis=1)
        sums = np.zeros_like(centres)
        np.add.at(sums, groups, sample)
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        centres = np.where(lengths > 0, sums / np.maximum(lengths, 1e-9), centres).astype(np.float32)
    return centres


def _around(packed: PackedVectors, rows: Rows, centres: Floats) -> Rows:
    """The centre nearest to each vector."""
    found = np.empty(len(rows), dtype=np.int64)
    for start in range(0, len(rows), OTHERS_AT_ONCE):
        some = rows[start : start + OTHERS_AT_ONCE]
        found[start : start + len(some)] = np.argmax(packed.vectors(some) @ centres.T, axis=1)
    return found


def _improve(found: Nearest, some: Rows, part: Rows, scores: Floats) -> None:
    """The nearest that some had so far, or those of `part` (in order) where these are nearer; nobody has itself."""
    own = np.minimum(np.searchsorted(part, some), len(part) - 1)
    itself = np.flatnonzero(part[own] == some)
    scores[itself, own[itself]] = -1.0
    k = found.who.shape[1]
    top = _top(scores, k)
    cosine = np.concatenate([found.cosine[some], np.take_along_axis(scores, top, axis=1)], axis=1)
    who = np.concatenate([found.who[some], part[top]], axis=1)
    top = _top(cosine, k)
    found.cosine[some], found.who[some] = np.take_along_axis(cosine, top, 1), np.take_along_axis(who, top, 1)


def _top(scores: Floats, k: int) -> Rows:
    """Columns of the `k` largest of each row, or of all if there are fewer."""
    wide = scores.shape[1]
    if wide <= k:
        return np.broadcast_to(np.arange(wide), scores.shape)
    return np.argpartition(scores, wide - k, axis=1)[:, wide - k :]
