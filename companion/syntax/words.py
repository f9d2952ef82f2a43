"""Word lists, written as they are read, and the stems of English words."""

from __future__ import annotations

import re
from functools import lru_cache

from Stemmer import Stemmer

STEMS_KEPT = 100_000
"""Distinct words kept with their stems: those of a large project, about 15 MB."""
NAME_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
"""A word of a name, however it is joined to the next one; figures are one by themselves."""
_STEMMER = Stemmer("english")
"""One for all threads: Python's lock is held while it works."""


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


@lru_cache(maxsize=STEMS_KEPT)
def stem_of(word: str) -> str:
    """What a lower-case English word shares with its other forms: `adds`, `added` and `adding` all give `add`."""
    return str(_STEMMER.stemWord(word))
