"""Scoring by BM25 over whole arrays: pure functions of a space's view and of postings.

The formula is Robertson and Zaragoza's (2009), with the form of idf that is never negative, so that
it also holds in a space of three documents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Postings = Mapping[str, tuple[Ints, Floats]]
"""Document numbers and counts by term."""

K1 = 1.2
B = 0.75
"""The usual constants of BM25 (Robertson and Zaragoza 2009)."""

MAX_TERMS = 32
"""Terms of a query that are scored, the rarest first: 30 words and a few compounds."""

MAX_TOLD_TERMS = 64
"""The same where it is said how much each counts: a report of a page has some 150, the telling ones among them."""

MAX_POSTINGS = 300_000
"""Entries a query adds up: about 3 ms of numpy. The commonest terms go first."""


@dataclass(frozen=True, slots=True)
class View:
    """A space as arrays over document numbers; `facets` is the packed records joined."""

    lengths: Floats
    alive: Flags
    facets: bytes
    living: int
    mean_length: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """Document numbers with their scores, best first, and which terms each has.

    `whole` is about what a document of usual length with every term of the query once would score; `covers` is
    how much of that each document's terms are worth, 0 to 1, however often it says them.
    """

    ords: Ints
    scores: Floats
    matched: tuple[tuple[str, ...], ...]
    whole: float
    covers: tuple[float, ...] = ()


def best_of(
    view: View,
    postings: Postings,
    words: Sequence[str],
    limit: int,
    allowed: Flags | None = None,
    worth: Mapping[str, float] | None = None,
) -> Ranked:
    """The best documents for `words`, whose postings are given, newest first among equals.

    `allowed` restricts by document number; `worth` says how much a word counts, each the same without it. At most
    MAX_TERMS are scored (MAX_TOLD_TERMS where `worth` is given), the rarest first, until MAX_POSTINGS entries are
    added up; the rarest is always scored.
    """
    chosen = _rarest(postings, MAX_TERMS if worth is None else MAX_TOLD_TERMS)
    scores = np.zeros(len(view.alive), dtype=np.float32)
    norms = (K1 * (1 - B + B * view.lengths / max(view.mean_length, 1.0))).astype(np.float32)
    rarities: dict[str, float] = {}
    for term in chosen:
        ords, times = _living(*postings[term], view)
        rarity = _rarity(view.living, len(ords)) * (1.0 if worth is None else worth[term])
        rarities[term] = rarity
        scores[ords] += np.float32(rarity * (K1 + 1)) * times / (times + norms[ords])
    scores[~view.alive if allowed is None else ~(view.alive & allowed)] = 0
    best = _best(scores, limit)
    unknown = sum(word not in postings for word in dict.fromkeys(words))
    matched = _matched(best, chosen, postings, len(scores))
    whole = sum(rarities.values()) + unknown * _rarity(view.living, 0)
    covers = tuple(sum(rarities[term] for term in terms) / whole for terms in matched)
    return Ranked(best, scores[best], matched, whole, covers)


def _living(ords: Ints, counts: Floats, view: View) -> tuple[Ints, Floats]:
    """A posting without the documents that were struck off, so that those count for nothing."""
    if view.living == len(view.alive):
        return ords, counts
    alive = view.alive[ords]
    return ords[alive], counts[alive]


def _rarest(postings: Postings, most: int) -> list[str]:
    chosen: list[str] = []
    total = 0
    for term in sorted(postings, key=lambda term: (len(postings[term][0]), term))[:most]:
        total += len(postings[term][0])
        if chosen and total > MAX_POSTINGS:
            break
        chosen.append(term)
    return chosen


def _best(scores: Floats, limit: int) -> Ints:
    """Numbers of the highest positive scores, the newest document first among equals."""
    positive = np.flatnonzero(scores > 0)
    if limit < 1 or not len(positive):
        return np.empty(0, dtype=np.int32)
    if len(positive) > limit:
        least = np.partition(scores[positive], -limit)[-limit]
        positive = positive[scores[positive] >= least]
    order = np.lexsort((-positive, -scores[positive]))
    return positive[order][:limit].astype(np.int32)


def _matched(best: Ints, chosen: Sequence[str], postings: Postings, size: int) -> tuple[tuple[str, ...], ...]:
    """Which of the terms each document has."""
    found: list[list[str]] = [[] for _ in best]
    has = np.zeros(size, dtype=np.bool_)
    for term in chosen:
        ords, _ = postings[term]
        has[ords] = True
        for place in np.flatnonzero(has[best]).tolist():
            found[place].append(term)
        has[ords] = False
    return tuple(tuple(terms) for terms in found)


def _rarity(living: int, frequency: int) -> float:
    """How much a term tells apart: the form of idf that is never negative."""
    return float(np.log1p(max(0.0, living - frequency + 0.5) / (frequency + 0.5)))
