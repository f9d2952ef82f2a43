"""What a statement is about: its telling words by their stems, and how much of one statement another covers."""

from __future__ import annotations

import re
from functools import lru_cache

from companion.language.marks import is_identifier
from companion.language.word_lists import GLUE, meanings, word_set

CACHE_TEXTS = 4_096
"""Statements whose words are kept: those of a long conversation beside the open ones of a year."""
_ENDINGS = ("ations", "ation", "ions", "ings", "ion", "ing", "ers", "ies", "ied", "ed", "es", "er", "s", "e", "y")
_TOKEN = re.compile(r"#?[^\W_][\w./:-]*[\w#+]|\d+")
_COMMON = GLUE | word_set("talk", "common")
_FORMS = meanings("talk", "forms")
"""Forms and short names that no ending tells of."""
_SEVERAL = re.compile(r"\w(?:,| and| &) \w")


@lru_cache(maxsize=CACHE_TEXTS)
def subject(text: str) -> frozenset[str]:
    """The stems of a text's telling words; identifiers and numbers as they stand."""
    found = set()
    for token in _TOKEN.findall(text.lower().replace("’", "'")):
        plain = token.removesuffix("'s").strip(".:-/")
        if plain and plain not in _COMMON:
            found.add(plain if is_identifier(plain) else subject_stem(plain))
    return frozenset(found)


def subject_stem(word: str) -> str:
    """What the forms of a word share, roughly: `caching`, `cached` and `cache` are one."""
    if word in _FORMS:
        return _FORMS[word]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            cut = word.removesuffix(ending)
            return cut[:-1] if len(cut) > 3 and cut[-1] == cut[-2] and cut[-1] not in "ls" else cut
    return word


def covered(of: str, by: str) -> float:
    """Share of the telling words of one statement that stand in another; 0 where it has none."""
    words = subject(of)
    return len(words & subject(by)) / len(words) if words else 0.0


def is_all_of(of: str, by: str) -> float:
    """`covered`, but 0 where several things were named and not all of them stand in the other."""
    share = covered(of, by)
    return 0.0 if share < 1 and _SEVERAL.search(of) else share


def likeness(one: str, other: str) -> float:
    """How far two statements share their telling words: common ones over those of the shorter."""
    left, right = subject(one), subject(other)
    shorter = min(len(left), len(right))
    return len(left & right) / shorter if shorter else 0.0
