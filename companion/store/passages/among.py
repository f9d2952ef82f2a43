"""Pieces of a few files told_apart among one another: what tells the piece that a task means from the others there.

The index weighs a word by how rare it is in the whole project, and each field of a passage by itself. Within files
that are likely anyway a word that stands in each of them tells nothing, and it is one whether it stands in the name
of a piece, in its path or in its text (BM25, Robertson and Zaragoza 2009, with less said against long pieces).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from companion.records import Passage, PassageHit
from companion.store.text import analysis

SATURATION, LENGTH = 1.2, 0.4
"""How soon a word that is repeated says no more; how much a long piece has to say more to be as good as a short one."""
PASSAGES_KEPT = 4_000
"""Passages whose terms are kept counted: those of ten contexts, some 8 kB each."""


def told_apart(hits: Sequence[PassageHit], text: str) -> tuple[PassageHit, ...]:
    """The hits for a text with scores that tell them apart, best first; equal ones stay in their order."""
    asked = tuple(analysis.spoken(text))
    documents = [_counted(hit.passage) for hit in hits]
    usual = sum(length for _, length in documents) / max(len(documents), 1) or 1.0
    rare = {term: _rarity(sum(term in counts for counts, _ in documents), len(documents)) for term in asked}
    found = []
    for hit, (counts, length) in zip(hits, documents, strict=True):
        full = SATURATION * (1 - LENGTH + LENGTH * length / usual)
        said = ((rare[term], counts[term]) for term in asked if term in counts)
        found.append(replace(hit, score=sum(rarity * n * (SATURATION + 1) / (n + full) for rarity, n in said)))
    return tuple(sorted(found, key=lambda hit: -hit.score))


def _rarity(having: int, among: int) -> float:
    return math.log(1 + (among - having + 0.5) / (having + 0.5))


@lru_cache(maxsize=PASSAGES_KEPT)
def _counted(passage: Passage) -> tuple[Counter[str], int]:
    """The terms of a passage, and how many they are."""
    texts = (passage.title, passage.symbol, *passage.headings, passage.path, passage.text)
    counts = Counter(term for text in texts for term in analysis.terms(text))
    return counts, counts.total()
