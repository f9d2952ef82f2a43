"""Plain BM25 to stand beside the product: words of its own, nothing learned, nothing of the store."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)

K1, B = 1.2, 0.75
"""The usual constants of BM25 (Robertson and Zaragoza 2009)."""

_RUN = re.compile(r"\w+")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_ENDING = re.compile(r"(?:ing|ed|es|s)$")
_STOP = frozenset(
    re.findall(
        r"\w+",
        "an and are as at be by can for from if in into is it no not now of on or that the this to was when with",
    )
)


def plain_words(text: str) -> Iterator[str]:
    """Words of prose and identifiers, lower case, without plural and the commonest endings."""
    for run in _RUN.findall(text):
        for part in _PART.findall(run):
            if len(part) > 1 and (word := part.lower()) not in _STOP:
                yield _ENDING.sub("", word) if len(word) > 4 else word


def bm25_scores(documents: Mapping[Key, Counter[str]], words: Sequence[str]) -> dict[Key, float]:
    """The score of each document that holds one of `words`; documents are given as counted words."""
    lengths = {key: document.total() for key, document in documents.items()}
    usual = sum(lengths.values()) / max(len(lengths), 1) or 1.0
    found: defaultdict[Key, float] = defaultdict(float)
    for word in dict.fromkeys(words):
        having = [key for key, document in documents.items() if word in document]
        rarity = math.log(1 + (len(documents) - len(having) + 0.5) / (len(having) + 0.5))
        for key in having:
            count = documents[key][word]
            found[key] += rarity * count * (K1 + 1) / (count + K1 * (1 - B + B * lengths[key] / usual))
    return dict(found)
