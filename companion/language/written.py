"""A statement's own words, found again by what they were read as: for whoever quotes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from companion.language.claims import HUMPS, WORD, meanings
from companion.language.lexicon import TURN, lexicon, stem

WHOLE = 15
"""Words of a sentence up to which it is quoted whole; of a longer one so many around the word that matters."""

Span = tuple[int, int]

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_RUN = re.compile(r"\S+")
_STOP = re.compile(r"[.;!?](?=\s|$)|\n")


@dataclass(frozen=True, slots=True)
class Written:
    """A text, and where in it words stand by their stem or meaning, sides of named pairs, and values of slots."""

    text: str
    words: Mapping[str, Span]
    sides: Mapping[str, Span]
    values: Mapping[str, Span]

    def quoted(self, spans: Iterable[Span]) -> tuple[str, ...]:
        """What stands there, each once, in the order of the text."""
        return tuple(dict.fromkeys(self.text[first:last] for first, last in sorted(spans)))

    def around(self, spans: Iterable[Span]) -> str:
        """The words that the first of these stands among; the beginning of the text where there is none."""
        first, last = min(spans, default=(0, 0))
        start = max((stop.end() for stop in _STOP.finditer(self.text, 0, first)), default=0)
        stop = _STOP.search(self.text, last)
        said = [one.span() for one in _RUN.finditer(self.text, start, stop.start() if stop else len(self.text))]
        at = sum(end <= first for _, end in said)
        shown = said if len(said) <= WHOLE else said[max(0, at - WHOLE // 2) : at + WHOLE // 2 + 1]
        return self.text[shown[0][0] : shown[-1][1]].strip(",:") if shown else ""


def written(text: str) -> Written:
    """Find the words of a text; `text` is that of `Claim.said`."""
    tokens = list(_tokens(text))
    stems = [word for word, _ in tokens]

    def span(place: int, length: int) -> Span:
        return tokens[place][1][0], tokens[place + length - 1][1][1]

    words: dict[str, Span] = {}
    values: dict[str, Span] = {}
    for place, length, meaning in meanings(stems):
        words.setdefault(meaning.removeprefix(TURN), span(place, length))
    for place, length, fillers in lexicon().fillers.found(stems):
        for one in fillers:
            values.setdefault(one.value, span(place, length))
            for kind in one.kinds:
                words.setdefault(kind, span(place, length))
    sides = {pole.meaning: span(place, length) for place, length, pole in lexicon().poles.found(stems) if pole.meaning}
    return Written(text, words, sides, values)


def _tokens(text: str) -> Iterator[tuple[str, Span]]:
    """The stems of a text with where their words stand; all parts of `camelCase` stand where it does."""
    for found in WORD.finditer(text.replace("_", " ").replace("-", " ")):
        for part in _HUMP.split(found[0]) if HUMPS.match(found[0]) else (found[0],):
            yield stem(part.lower()), found.span()
