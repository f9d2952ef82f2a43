"""Do two statements say the same? Only what must be so: a wrong merge loses a memory.

They do if they have the same words in the same order, whichever way these are written: amounts in any unit, names by
their short forms ("Postgres"), capitals as a sentence begins with. Phrases of time or place may change places: "before
tagging, run the tests". What else is said in other words is for a judge to tell.

Only single sentences are compared so; what is longer must be the same word for word.

A small reader sees more: that a longer text says all of a shorter one, and a reason or a detail beside it. It is
believed only where the longer has every mark of the shorter (see `faithfulness`): it takes a sentence of other roles
or times for the same.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from companion.judge.faithfulness import compare, left_out
from companion.language.amounts import OFTEN, amount
from companion.language.frames import gathered
from companion.language.sentences import written_stops
from companion.language.word_lists import GLUE, listed, word_set
from companion.records.findings import Alike

if TYPE_CHECKING:
    from companion.ports import Reader

SENTENCE_CHARS = 300
"""Up to here a text is a sentence that is compared by its words; longer ones, and several, must be the same."""
CONTAINS_FROM = 0.7
"""Share from which the reader is believed that one text contains the other (BENCHMARKS-HISTORY)."""
SHOWN_WORDS = 4
"""Words named as what only one of two texts says."""
NAME_WORDS = 4
"""Words of the longest name that has a shorter form, and of an amount."""

_INSIDE = re.compile(r"(?<=[\w,)] )[\"'`“‘]?([^\W\d_]\w*)")
"""A word inside a sentence: before it stands another word."""
_CLAUSES = re.compile(r"[;:]\s")
_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)
_BEFORE, _BEHIND = "(\"'“‘", ".,;:!?)\"'”’"
"""Marks that may stand around a word and are no part of it."""

_Said = tuple[str, str]
"""What a word means, and how it is written."""


class ReadLikeness:
    """Tells what keeps two texts apart. See `companion.ports.Likeness`."""

    def __init__(self, reader: Reader | None = None) -> None:
        """Without a `reader` only what rules know is known."""
        self._reader = reader

    def difference(self, a: str, b: str) -> str:
        """In a few words what the one text says and the other does not; empty where they say the same."""
        a, b = (" ".join(unicodedata.normalize("NFKC", text).split()).strip(" .!;") for text in (a, b))
        if a == b:
            return ""
        if not (is_sentence(a) and is_sentence(b)):
            return "more than a sentence, and not word for word the same"
        one, other = list(_words(a)), list(_words(b))
        mine, theirs = ([meaning for meaning, _ in words] for words in (one, other))
        if alone := (Counter(mine) - Counter(theirs)) + (Counter(theirs) - Counter(mine)):
            told = sorted((word for word in (*one, *other) if word[0] in alone), key=lambda word: word[0] in GLUE)
            return "only one says " + ", ".join(list(dict.fromkeys(f"“{word}”" for _, word in told))[:SHOWN_WORDS])
        return _cased(a, b) if mine == theirs or _moved(mine, theirs) else "not in the same order"

    def read(self, longer: str, shorter: str) -> Alike | None:
        """How it is known that the longer says all of the shorter, read beside it; None where that is not sure."""
        if self._reader is None or left_out(shorter, longer) or not compare(longer, shorter).holds:
            return None
        if _cased(longer, shorter):
            return None
        return Alike.CONTAINED if self._reader.pair(longer, shorter).contains >= CONTAINS_FROM else None


def is_sentence(text: str) -> bool:
    """Whether a text is a single sentence of common length: one line, and no stop or colon within."""
    text = text.strip()
    within = "\n" in text or _CLAUSES.search(text) is not None or bool(written_stops(text))
    return len(text) <= SENTENCE_CHARS and not within


def _words(text: str) -> Iterator[_Said]:
    """The words of a sentence but for those that say nothing, amounts and names of several words as one."""
    words = [bare for word in _NOT.sub(" not", text).split() if (bare := word.lstrip(_BEFORE).rstrip(_BEHIND))]
    place = 0
    while place < len(words):
        counted = amount(words[place : place + NAME_WORDS])
        length, meaning = counted or _named(words[place : place + NAME_WORDS])
        written = " ".join(words[place : place + length])
        place += length
        if meaning in OFTEN:
            yield from (("every", written), (OFTEN[meaning], written))
        elif meaning not in word_set("likeness", "empty"):
            yield meaning, written


def _named(words: Sequence[str]) -> tuple[int, str]:
    """How many words the name that some words begin with takes, and the form of it that stands for all; else a word."""
    for length in range(len(words), 0, -1):
        if known := _names().get(" ".join(words[:length]).lower()):
            return length, known
    first = words[0]
    return 1, first if any(letter.isupper() for letter in first[1:]) else first.lower()


@cache
def _names() -> dict[str, str]:
    return {name: group[0] for group in listed("likeness")["same"] for name in group}


def _moved(a: Sequence[str], b: Sequence[str]) -> bool:
    """Whether nothing but phrases of time or place stand elsewhere: one of them in front, or in another order."""
    leads = word_set("likeness", "leads")
    if any({a[0], a[at]} & leads and [*a[at:], *a[:at]] == b for at in range(1, len(a))):
        return True
    (one, *mine), (other, *theirs) = _phrases(a, leads), _phrases(b, leads)
    return one == other and sorted(mine) == sorted(theirs)


def _phrases(words: Sequence[str], leads: frozenset[str]) -> list[list[str]]:
    """The words up to the first phrase of time or place, then each of these."""
    starts = [0, *(at for at, word in enumerate(words) if at and word in leads), len(words)]
    return [list(words[start:end]) for start, end in pairwise(starts)]


def _cased(a: str, b: str) -> str:
    """Which word the two write differently in capitals, other than where a sentence begins; empty for none."""
    one, other = _spelt(a), _spelt(b)
    for word in sorted(one.keys() & other.keys()):
        if one[word].isdisjoint(other[word]):
            return f"not the same capitals: {min(one[word])}, {min(other[word])}"
    return ""


def _spelt(text: str) -> dict[str, frozenset[str]]:
    """The words of a text as they are written, by their small letters; not those that a sentence begins with."""
    return gathered((word.casefold(), word) for word in _INSIDE.findall(text))
