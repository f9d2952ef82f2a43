"""What some files say, in the words that tell most of them: a question to the index.

A word tells the more the oftener they say it and the rarer it is in the project (term frequency times inverse document
frequency, as "more like this" of search engines).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from companion.store.passages.documents import terms_of
from companion.store.passages.index import PassageIndex

WORDS_WEIGHED = 300
"""Words whose rarity is looked up, those said oftenest: what a long file says once is hardly among the best."""
WORDS_ASKED = 100
"""Words that stand for the files."""


def telling_words(index: PassageIndex, space: str, paths: Sequence[str]) -> dict[str, float]:
    """The words that tell most of some files of a space, with how often they say each; none of what is not there."""
    counts: Counter[str] = Counter()
    for cut in (cut for path in paths for cut in index.of_source(space, path)):
        for passage in cut.passages:
            counts.update(terms_of(passage))
    oftenest = sorted(counts, key=lambda term: (-counts[term], term))[:WORDS_WEIGHED]
    worth = index.worth(" ".join(oftenest))
    chosen = sorted(worth, key=lambda term: (-worth[term] * counts[term], term))[:WORDS_ASKED]
    return {term: float(counts[term]) for term in chosen}
