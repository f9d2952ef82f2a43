"""Pieces of a few files told apart: what tells the piece that a task means from the others there.

The index weighs a word by how rare it is in the whole project, and each field of a passage by itself. Within files
that are likely anyway a word that stands in each of them tells nothing, and it is one whether it stands in the name
of a piece, in its path or in its text (BM25 with its usual constants, Robertson and Zaragoza 2009).
How near the pieces are in meaning, where they have vectors, tells them apart among one another too; and that a task
says a name of several words in words (`help option names`, get_help_option_names), which no count of each word shows.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Sequence
from functools import lru_cache
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


NAMED = 1.0
"""What a piece gains whose whole name a task says in words, beside its score."""
NAMED_WORDS, NAMED_FROM = 2, 0.6
"""How many words of its name, and which share of them, a task has to say for that."""
NAMES_KEPT = 20_000
"""Names kept with their words: those of a large project's definitions."""


def told_apart(hits: Sequence[PassageHit], text: str) -> tuple[PassageHit, ...]:
    """The hits for a text with scores that tell them apart, best first; equal ones stay in their order."""
    asked = dict.fromkeys(analysis.spoken(text))
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
        score *= meant * _named(hit.passage.symbol, asked)
        found.append(PassageHit(hit.passage, score, hit.covers, hit.words, hit.near))
    return tuple(sorted(found, key=lambda hit: -hit.score))


def _named(symbol: str, asked: Container[str]) -> float:
    """What it multiplies the score of a definition by that a text says its name in words; 1 where it does not."""
    words = _words_of(symbol.rpartition(".")[2])
    said = sum(word in asked for word in words)
    return 1 + NAMED * said / len(words) if said >= max(NAMED_WORDS, NAMED_FROM * len(words)) else 1.0


@lru_cache(maxsize=NAMES_KEPT)
def _words_of(name: str) -> tuple[str, ...]:
    """The words of a name that has several; none of one word."""
    return tuple(dict.fromkeys(analysis.terms(name)[1:]))


def _meant(hits: Sequence[PassageHit]) -> list[float]:
    """What the meaning of each hit multiplies its score by; 1 for one without a vector."""
    near = [hit.near for hit in hits if hit.near is not None]
    usual, spread = (mean(near), pstdev(near)) if near else (0.0, 0.0)
    if not spread:
        return [1.0] * len(hits)
    return [1.0 if hit.near is None else math.exp(MEANING * (hit.near - usual) / spread) for hit in hits]
