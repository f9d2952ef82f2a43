"""Pieces of a few files told apart: what tells the piece that a task means from the others there.

The index weighs a word by how rare it is in the whole project, and each field of a passage by itself. Within files
that are likely anyway a word that stands in each of them tells nothing, and it is one whether it stands in the name
of a piece, in its path or in its text (BM25 with its usual constants, Robertson and Zaragoza 2009).
How near the pieces are in meaning, where they have vectors, tells them apart among one another too.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from statistics import mean, pstdev

from companion.records import PassageHit
from companion.store.passages.documents import terms_of
from companion.store.text import analysis
from companion.store.text.space import rarity

SATURATION, LENGTH = 1.2, 0.75
"""How soon a word that is repeated says no more; how much a long piece has to say more to be as good as a short one:
replayed on eight repositories, with 0.4 for the latter .01 fewer of what a commit changes was shown."""

MEANING = 0.5
"""What a piece that is nearer in meaning than usual by one standard deviation gains, as a power of e: a third more by
half of one. Replayed on five repositories, 0.25 to 1 are alike."""


def told_apart(hits: Sequence[PassageHit], text: str) -> tuple[PassageHit, ...]:
    """The hits for a text with scores that tell them apart, best first; equal ones stay in their order."""
    asked = tuple(analysis.spoken(text))
    documents = [terms_of(hit.passage) for hit in hits]
    lengths = [terms.total() for terms in documents]
    usual = sum(lengths) / max(len(lengths), 1) or 1.0
    counts = [[(term, terms[term]) for term in asked if term in terms] for terms in documents]
    having = Counter(term for said in counts for term, _ in said)
    rare = {term: rarity(having[term], len(documents)) for term in asked}
    found = []
    for hit, said, length, meant in zip(hits, counts, lengths, _meant(hits), strict=True):
        full = SATURATION * (1 - LENGTH + LENGTH * length / usual)
        score = sum(rare[term] * n * (SATURATION + 1) / (n + full) for term, n in said)
        found.append(PassageHit(hit.passage, meant * score, hit.covers, hit.words, hit.near))
    return tuple(sorted(found, key=lambda hit: -hit.score))


def _meant(hits: Sequence[PassageHit]) -> list[float]:
    """What the meaning of each hit multiplies its score by; 1 for one without a vector."""
    near = [hit.near for hit in hits if hit.near is not None]
    usual, spread = (mean(near), pstdev(near)) if near else (0.0, 0.0)
    if not spread:
        return [1.0] * len(hits)
    return [1.0 if hit.near is None else math.exp(MEANING * (hit.near - usual) / spread) for hit in hits]
