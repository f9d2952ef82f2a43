"""Who does what where: a sentence as a relation with its two ends, and what stands before its nouns.

"Results are sorted by date" is the relation *sorted by*, of results, with date. Where a thing has one such end
(an owner, a place, an order, a source), two different ends are two values of one slot, whatever they are called.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TypeVar

from msgspec import Struct

from companion.language.lexicon import lexicon, stem, stems_of
from companion.language.word_lists import meanings, word_set

K = TypeVar("K")
V = TypeVar("V")
MAX_END = 6
"""Words read of an end; what follows is another thought."""
CHOSEN_FOR = "chosen for "
"""How the relation is called of a choice and the one purpose that it is made for."""
CHOICE_WORDS = 3
"""Words of a choice, and of what it is for: more say something of either."""
MAX_WORDS = 40
"""Words of a clause that are read: each may be a relation of all before it, so room grows with their square."""

_NUMBER = re.compile(r"\d[\d.]*")
_NAME = re.compile(r"[a-z]+\d\w*")
"""Who has a figure in it is a name: "s3", "auth0"."""
_SIDES = meanings("frames", "sides")
_BEING = word_set("frames", "being")
_DOING = stems_of("frames", "doing")
"""Verbs that say no more than that something is done."""
_SHARED = stems_of("frames", "shared")
"""What several may do, or what may be done in several places, at once."""
_GROUPS = stems_of("frames", "groups")
_STOPS = word_set("frames", "stops") | _SIDES.keys()
_CHOOSING = stems_of("frames", "choosing")
_THINGS = stems_of("names", "things")


@cache
def _classes() -> dict[str, str]:
    """The relation that each verb tells of, by its stem as clauses have it."""
    found = {}
    for word, name in meanings("frames", "relations").items():
        like = lexicon().same.at((stem(word),), 0)
        found[like[1] if like else stem(word)] = name
    return found


class RelationFrame(Struct, frozen=True):
    """A relation ("order by"), the stems of what it is said of, and those at its other end."""

    relation: str
    of: frozenset[str]
    end: frozenset[str]
    active: bool = False


def frames(words: Sequence[str], silent: frozenset[str]) -> Iterator[RelationFrame]:
    """The relations in the stems of one clause; `silent` words are left out of both ends."""
    if choice := _choice(words, silent):
        yield choice
    for place, word in enumerate(words[:MAX_WORDS]):
        before, after = frozenset(words[:place]) - silent, words[place + 1 :]
        if (
            word in stems_of("frames", "owning")
            and place
            and words[place - 1] not in word_set("frames", "possessive")
            and after[:1] != ["by"]
        ):
            yield RelationFrame("owner", frozenset(after) - silent, before)
            continue
        if word in _BEING and before and (told := _told(words, place, silent)):
            yield told
            continue
        if not before:
            continue
        side = _SIDES.get(after[0], "") if after else ""
        kind = _kind(words, place) if side else None
        if kind is not None and (end := frozenset(_until(after[1 : 1 + MAX_END])) - silent):
            yield RelationFrame(kind if kind == "owner" else f"{kind} {_side(kind, side)}", before, end)
            if side == "by" and kind != word and word not in _SHARED:
                yield RelationFrame(f"{word} by", before, end)
        elif after and word not in silent and word not in _SHARED:
            yield RelationFrame(f"{word} by", frozenset(_until(after[:MAX_END])) - silent | {word}, before, active=True)


def _told(words: Sequence[str], place: int, silent: frozenset[str]) -> RelationFrame | None:
    """Who "is the release manager", what "the default locale is": one at a time each."""
    before, after = frozenset(words[:place]) - silent, words[place + 1 :]
    rest = frozenset(_until(after[:MAX_END])) - silent
    if after[:1] == ["the"] and rest:
        return RelationFrame("being " + " ".join(sorted(rest)), rest, before)
    if "default" in before and len(before) > 1 and rest:
        return RelationFrame("default", before - {"default"}, rest)
    return None


def _choice(words: Sequence[str], silent: frozenset[str]) -> RelationFrame | None:
    """What a clause that says nothing else chooses for what: "use Redis for the cache", "for caching we use it"."""
    at = words.index("for") if "for" in words else len(words)
    chosen, purpose = words[:at], words[at + 1 :]
    if not chosen and (verb := next((n for n, word in enumerate(purpose) if word in _CHOOSING), 0)):
        chosen, purpose = purpose[verb:], purpose[:verb]
    of, end = frozenset(purpose) - silent, frozenset(chosen) - silent - _CHOOSING
    if not (0 < len(of) <= CHOICE_WORDS and 0 < len(end) <= CHOICE_WORDS) or not _STOPS.isdisjoint((*purpose, *chosen)):
        return None
    filled = {word for at, length, _ in lexicon().fillers.found(chosen) for word in chosen[at : at + length]}
    known = all(word in filled or word in _THINGS or _NAME.fullmatch(word) for word in end)
    return RelationFrame(CHOSEN_FOR + " ".join(sorted(of)), of, end) if known else None


def _kind(words: Sequence[str], place: int) -> str | None:
    """What the verb at a place tells of: a relation with a name, or being done itself; None for no such verb."""
    word = words[place]
    if word in _DOING and place:
        # "Validation is done in" the same place as "inputs are validated in".
        return next((one for one in reversed(words[:place]) if one not in lexicon().silent and one not in _BEING), None)
    kind = _classes().get(word)
    if kind is None and word in _BEING and words[place + 1] in stems_of("frames", "within"):
        return "place"
    passive = place > 0 and words[place - 1] in _BEING and word not in _SHARED
    return word if kind is None and passive and word not in lexicon().silent else kind


def _side(kind: str, side: str) -> str:
    return "on" if kind == "running" and side in word_set("frames", "seats") else side


def clash(a: Sequence[RelationFrame], b: Sequence[RelationFrame]) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Other ends of one relation of one thing that have nothing in common."""
    return tuple(
        (one.end, two.end)
        for one in a
        for two in b
        if one.relation == two.relation
        and not (one.active and two.active)
        and one.of & two.of
        and not (one.end - _GROUPS) & (two.end | two.of)
        and not (two.end - _GROUPS) & one.of
    )


def gathered(pairs: Iterable[tuple[K, V]]) -> dict[K, frozenset[V]]:
    """Each first of some pairs with all that it is paired with."""
    found: dict[K, set[V]] = {}
    for key, value in pairs:
        found.setdefault(key, set()).add(value)
    return {key: frozenset(values) for key, values in found.items()}


def _until(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        if word in _STOPS:
            return
        if not (word[0].isdigit() and _NUMBER.fullmatch(word)):
            yield word
