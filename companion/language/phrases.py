"""What only opens a sentence, taken off: fillers, and phrases such as "we decided to", by what they open."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from companion.language.word_lists import listed

_WORD = re.compile(r"[^\W_][\w'/-]*")
_GAP_CHARS = 3
"""Characters between two words of a phrase: a comma or a dash with its spaces."""

Phrases = dict[str, tuple[tuple[str, ...], ...]]
"""Phrases as words by their first word, the longest first."""


def unopened(text: str, *kinds: str) -> str:
    """The text from where it says something: without fillers, and without openings of these kinds."""
    start, _ = _opened(text, kinds)
    return text[start:]


def opening(text: str, *kinds: str) -> str:
    """Which of these kinds of opening a text begins with, fillers aside; empty for none."""
    return _opened(text, kinds)[1]


def sets_against(text: str) -> bool:
    """Whether a text opens with a "no", "wait" or "actually": what follows stands against what was said before it."""
    words = [(m.group().lower(), m.start(), m.end()) for m in _WORD.finditer(text.replace("’", "'"))]
    at = 0
    while at < len(words):
        if _longest(words, at, _contrast(), soft=False):
            return True
        if not (taken := _filler(text, words, at)):
            return False
        at += taken
    return False


def _opened(text: str, kinds: Iterable[str]) -> tuple[int, str]:
    """Where a text goes on after fillers and openings, and the kind of the first opening."""
    words = [(m.group().lower(), m.start(), m.end()) for m in _WORD.finditer(text.replace("’", "'"))]
    at, found = 0, ""
    while at < len(words):
        taken = _filler(text, words, at)
        if not taken and at + 1 < len(words):
            for kind in kinds:
                if taken := _longest(words, at, _openings(kind), soft=True):
                    found = found or kind
                    break
        if not taken:
            break
        at += taken
    return (words[at][1] if 0 < at < len(words) else 0), found


def _filler(text: str, words: list[tuple[str, int, int]], at: int) -> int:
    """How many words of a filler begin at a place; some are fillers before a mark alone."""
    free = _longest(words, at, _fillers(), soft=False)
    marked = _longest(words, at, _before_a_mark(), soft=False)
    if marked > free and at + marked < len(words):
        between = text[words[at + marked - 1][2] : words[at + marked][1]]
        return marked if between.strip() else free
    return free


def _longest(words: list[tuple[str, int, int]], at: int, phrases: Phrases, *, soft: bool) -> int:
    """How many words from `at` on the longest of the phrases takes; 0 for none."""
    return max((_taken(words, at, phrase, soft=soft) for phrase in phrases.get(words[at][0], ())), default=0)


def _taken(words: list[tuple[str, int, int]], at: int, phrase: tuple[str, ...], *, soft: bool) -> int:
    to = at
    for word in phrase:
        while soft and to > at and to < len(words) and words[to][0] != word and words[to][0] in _soft():
            to += 1
        if to >= len(words) or words[to][0] != word or (to > at and words[to][1] - words[to - 1][2] > _GAP_CHARS):
            return 0
        to += 1
    while soft and to + 1 < len(words) and words[to][0] in _soft():
        to += 1
    return to - at


@cache
def _fillers() -> Phrases:
    return _by_first(listed("openings")["fillers"])


@cache
def _before_a_mark() -> Phrases:
    return _by_first(listed("openings")["before_a_mark"])


@cache
def _contrast() -> Phrases:
    return _by_first(listed("openings")["contrast"])


@cache
def _openings(kind: str) -> Phrases:
    return _by_first(listed("openings")["openings"][kind])


@cache
def _soft() -> frozenset[str]:
    return frozenset(listed("openings")["soft"].split())


def _by_first(phrases: Iterable[str]) -> Phrases:
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in phrases:
        words = tuple(_WORD.findall(phrase))
        found.setdefault(words[0], []).append(words)
    return {first: tuple(sorted(some, key=len, reverse=True)) for first, some in found.items()}
