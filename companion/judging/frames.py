"""Who does what where: a sentence as a relation with its two ends, and what stands before its nouns.

"Results are sorted by date" is the relation *sorted by*, of results, with date. Where a thing has one such end
(an owner, a place, an order, a source), two different ends are two values of one slot, whatever they are called.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from companion.judging.lexicon import lexicon, stem

MAX_END = 6
"""Words read of an end; what follows is another thought."""

_RELATIONS = {
    "owner": "owned own owns belong belongs maintained maintains responsible",
    "place": "live lives lie lies stored kept located found sit sits placed put saved held hosted resides committed",
    "making": "written built made implemented generated rendered developed coded",
    "order": "ordered sorted listed ranked arranged grouped",
    "key": "keyed identified indexed partitioned sharded named called",
    "source": "read loaded taken come comes derived copied fetched obtained branch branched start starts started cut",
    "destination": "sent go goes written shipped published deployed reported pushed forwarded uploaded routed",
    "running": "run runs running executed scheduled",
    "care": "managed handled processed served approved reviewed signed triggered deployed",
    "bond": "measured billed charged counted versioned released",
}
_CLASS = {stem(word): name for name, words in _RELATIONS.items() for word in words.split()}
_SIDES = {
    "by": "by", "in": "in", "under": "in", "inside": "in", "at": "in", "from": "from", "off": "from", "to": "to",
    "into": "to", "with": "with", "using": "with", "via": "with", "through": "with", "on": "on",
}  # fmt: skip
_OWNING = frozenset(stem(word) for word in ["own", "owns", "maintains"])
_STOPS = frozenset((*_SIDES, "and", "or", "but", "for", "after", "before", "when", "if", "as", "of", "per", "every"))


@dataclass(frozen=True, slots=True)
class Frame:
    """A relation ("order by"), the stems of what it is said of, and those at its other end."""

    relation: str
    of: frozenset[str]
    end: frozenset[str]


def frames(words: Sequence[str], silent: frozenset[str]) -> Iterator[Frame]:
    """The relations in the stems of one clause; `silent` words are left out of both ends."""
    for place, word in enumerate(words):
        kind = _CLASS.get(word)
        if kind is None:
            continue
        before = frozenset(words[:place]) - silent
        if word in _OWNING and place:
            yield Frame("owner", frozenset(words[place + 1 :]) - silent, before)
        elif place + 1 < len(words) and words[place + 1] in _SIDES:
            end = frozenset(_until(words[place + 2 : place + 2 + MAX_END])) - silent
            side = "" if kind == "owner" else f" {_SIDES[words[place + 1]]}"
            if before and end:
                yield Frame(kind + side, before, end)


def clash(a: Sequence[Frame], b: Sequence[Frame]) -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """Other ends of one relation of one thing that have nothing in common."""
    return tuple(
        (one.end, two.end)
        for one in a
        for two in b
        if one.relation == two.relation
        and one.of & two.of
        and not one.end & (two.end | two.of)
        and not two.end & one.of
    )


def modifiers(words: Sequence[str], silent: frozenset[str]) -> dict[str, frozenset[str]]:
    """For each stem the ones that stand right before it: "access" before "token". Numbers are none."""
    found: dict[str, set[str]] = {}
    for first, second in pairwise(words):
        if (
            not first[0].isdigit()
            and first not in silent
            and second not in silent
            and not lexicon().poles.at((first,), 0)
        ):
            found.setdefault(second, set()).add(first)
    return {word: frozenset(before) for word, before in found.items()}


def _until(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        if word in _STOPS:
            return
        if not re.fullmatch(r"\d[\d.]*", word):
            yield word
