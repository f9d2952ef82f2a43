"""Meanings of words, read once from the data files beside this module; no rule names a word itself.

Everything is kept by word stem. A phrase is a tuple of stems, found by its first one, the longest first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Generic, TypeVar

from msgspec import Struct

from companion.language.amounts import NUMBERS, UNITS
from companion.language.word_lists import DENIALS, GLUE, Table, listed, word_set
from companion.syntax.words import stem_of

STEMS = 20_000
"""Stems remembered: a project's vocabulary, about two megabytes."""
STEMMABLE = 3
"""Letters from which a word is stemmed; shorter ones ("ci", "npm") are names."""

_WORD = re.compile(r"[^\W_]+(?:[._+#/'][^\W_]+)*[+#]*|\"")
_SPELT = re.compile(r"[^\W_]+(?:[.+#][^\W_]+)*[+#]*")
TURN = "un~"
"""Stands before the stem of a word that a prefix turns into its opposite: "unencrypted", "unlimited"."""
_TURNED = re.compile(r"(?:un|non)([a-z]{3,}(?:ed|able|ible|safe|stable|able))")
_WHOLE = word_set("words", "whole")

Phrase = tuple[str, ...]
Meaning = TypeVar("Meaning")


@lru_cache(maxsize=STEMS)
def stem(word: str) -> str:
    """The stem of a lower-case word; names with marks or digits in them stay whole."""
    if len(word) <= STEMMABLE or not word.isalpha():
        return word
    turned = _TURNED.fullmatch(word)
    if turned and word not in _WHOLE:
        return TURN + stem_of(turned[1])
    return stem_of(word)


@cache
def stems_of(file: str, name: str) -> frozenset[str]:
    """The stems of the words of a list."""
    return frozenset(map(stem, word_set(file, name)))


def phrase(text: str) -> Phrase:
    """A phrase of the data files as stems."""
    return tuple(stem(word) for word in _WORD.findall(text.lower()))


class Phrases(Generic[Meaning]):
    """Phrases and what each means, found in a row of stems."""

    def __init__(self, meanings: Iterable[tuple[str, Meaning]]) -> None:
        """Pairs of a phrase as written and its meaning; the first of two like phrases wins."""
        self._by_first: dict[str, list[tuple[Phrase, Meaning]]] = {}
        seen: set[Phrase] = set()
        for text, meaning in meanings:
            stems = phrase(text)
            if stems and stems not in seen:
                seen.add(stems)
                self._by_first.setdefault(stems[0], []).append((stems, meaning))
        for found in self._by_first.values():
            found.sort(key=lambda pair: -len(pair[0]))

    def at(self, stems: Sequence[str], place: int) -> tuple[int, Meaning] | None:
        """How many words from `place` form the longest known phrase, and what it means."""
        for known, meaning in self._by_first.get(stems[place], ()):
            if tuple(stems[place : place + len(known)]) == known:
                return len(known), meaning
        return None

    def found(self, stems: Sequence[str]) -> list[tuple[int, int, Meaning]]:
        """Every phrase in the row, none overlapping: its place, its length, its meaning."""
        result: list[tuple[int, int, Meaning]] = []
        end = 0
        for place, word in enumerate(stems):
            if place >= end and word in self._by_first and (match := self.at(stems, place)):
                result.append((place, match[0], match[1]))
                end = place + match[0]
        return result

    def within(self, stems: Sequence[str]) -> bool:
        """Whether any phrase stands in the row."""
        return any(word in self._by_first and self.at(stems, place) for place, word in enumerate(stems))


class Pole(Struct, frozen=True):
    """A word that takes a stand: 1 as it is, -1 against; `meaning` is the pair it belongs to, if named."""

    sign: int
    meaning: str


ALLOWED = Pole(1, "")
"""What a word says that merely lets something be."""


class Filler(Struct, frozen=True):
    """A value that commonly fills a slot, by the first of its spellings; `kinds` are stems that name its sort."""

    slot: str
    value: str
    kinds: tuple[str, ...] = ()


class Lexicon(Struct, frozen=True):
    """All word knowledge; see the data files for what each part is."""

    poles: Phrases[Pole]
    fillers: Phrases[tuple[Filler, ...]]
    same: Phrases[str]
    apart: Phrases[tuple[int, str]]
    lists: Mapping[str, Phrases[str]]
    silent: frozenset[str]
    denials: frozenset[str]
    leading: frozenset[str]

    def says(self, name: str, stems: Sequence[str]) -> bool:
        """Whether a phrase of a list of `data/words.toml` stands in a row of stems."""
        return self.lists[name].within(stems)

    def knows(self, stem: str) -> bool:
        """Whether a word is in any list of meanings: what is in none is most likely somebody's own name."""
        lists = (self.poles, self.fillers, self.same, self.apart)
        return stem in self.silent or stem in UNITS or any(of.at((stem,), 0) for of in lists)


@cache
def lexicon() -> Lexicon:
    """The word knowledge that ships with the product."""
    words, poles, slots = listed("words"), listed("poles"), listed("alternatives")
    return Lexicon(
        poles=Phrases(_poles(poles["pole"])),
        fillers=Phrases(_fillers(slots["slot"])),
        same=Phrases((text, phrase(group[0])[0]) for group in words["same"] for text in group),
        silent=stems_of("words", "silent") | frozenset(map(stem, (*GLUE, *NUMBERS))),
        denials=stems_of("grammar", "denials"),
        leading=stems_of("words", "leading") | stems_of("grammar", "denials"),
        apart=Phrases(
            (text, (place, group[0]))
            for place, kind in enumerate(words["apart"])
            for group in kind["words"]
            for text in group
        ),
        lists={name: Phrases((text, text) for text in words[name]) for name in _LISTS},
    )


def value_of(text: str) -> str:
    """The name of the value that a text spells ("postgresql" for "Postgres"); the text itself where it spells none."""
    stems = phrase(text)
    found = lexicon().fillers.at(stems, 0) if stems else None
    return found[1][0].value if found and found[0] == len(stems) else text


def spellings() -> list[tuple[list[str], str, str]]:
    """Every way a value of a slot is written, as words in small letters, with the slot and the value."""
    return [
        (words, group["name"], values[0])
        for group in listed("alternatives")["slot"]
        for values in group["values"]
        for text in values
        if (words := _SPELT.findall(text.lower()))
    ]


_LISTS = ("several", "only", "every", "permits", "exempts", "free", "excepts", "past", "plan", "now")


def _poles(groups: Sequence[Table]) -> Iterable[tuple[str, Pole]]:
    # A pair with a name goes first: it says more of a word than "it is against".
    for group in sorted(groups, key=lambda group: "name" not in group):
        name = str(group.get("name", ""))
        against = chain(group["against"], DENIALS if group.get("denials") else ())
        yield from ((text, Pole(-1, name)) for text in against)
        yield from ((text, Pole(1, name)) for text in group["for"])


def _fillers(groups: Sequence[Table]) -> Iterable[tuple[str, tuple[Filler, ...]]]:
    spelled: dict[str, list[Filler]] = {}
    for group in groups:
        kinds = tuple(stem(word) for word in group.get("of", ()))
        for spellings in group["values"]:
            for text in spellings:
                spelled.setdefault(text, []).append(Filler(group["name"], spellings[0], kinds))
    return ((text, tuple(fillers)) for text, fillers in spelled.items())
