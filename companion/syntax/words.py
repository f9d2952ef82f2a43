"""Word lists, written as they are read, and the stems of English words."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from snowballstemmer.english_stemmer import EnglishStemmer

STEMS_KEPT = 100_000
"""Distinct words kept with their stems: those of a large project, about 15 MB."""


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


@lru_cache(maxsize=STEMS_KEPT)
def stem_of(word: str) -> str:
    """What a lower-case English word shares with its other forms: `adds`, `added` and `adding` all give `add`."""
    return str(_stemmer().stemWord(word))


@cache
def _stemmer() -> EnglishStemmer:
    from snowballstemmer.english_stemmer import EnglishStemmer

    return EnglishStemmer()
