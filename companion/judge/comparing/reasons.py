"""Why two statements get on or not, in a sentence that quotes what differs in the words of the two."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from msgspec import Struct

from companion.judge.comparing.compare import Comparison
from companion.judge.comparing.measuring import Difference
from companion.judge.comparing.scopes import Lie
from companion.language.claims import HUMPS, WORD, stem_meanings
from companion.language.lexicon import TURN, lexicon, stem

WHOLE = 15
"""Words of a sentence up to which it is quoted whole; of a longer one so many around the word that matters."""

Span = tuple[int, int]

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_RUN = re.compile(r"\S+")
_STOP = re.compile(r"[.;!?](?=\s|$)|\n")
SHOWN = 3
"""Words quoted of a kind; more make no sentence."""

Found = Callable[["Written"], Mapping[str, Span]]
_words, _sides, _values = attrgetter("words"), attrgetter("sides"), attrgetter("values")
"""Where a statement has what was read: words, sides of pairs, values of slots."""


class Written(Struct, frozen=True):
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


def because(c: Comparison, *, contradict: bool) -> str:
    """A sentence on the strongest thing that differs, or on why nothing does."""
    return _against(c) if contradict else _together(c)


def _against(c: Comparison) -> str:
    if c.numbers.opposed:
        return _quoted("two numbers for one thing", [_in_text(c, one) for one in c.numbers.opposed])
    if c.values_opposed:
        return _quoted("two values where one can hold", _as_written(c, c.values_opposed, ", ", _values))
    if c.poles_opposed:
        return f"the two say opposite things{_side_by_side(c, c.poles_opposed, _sides)}"
    if c.refused:
        values = [min(one.a, one.b, key=len) for one in c.refused]  # the other is "not" and the same
        what = _listed(c, values, _values) or "something"
        return f"one refuses {what}, which the other mentions{_side_by_side(c, values, _values)}"
    if c.opposed:
        stems = c.denied or c.opposed
        of = f" of {said}" if (said := _listed(c, stems, _words)) else ""
        return f"one denies what the other says{of}{_side_by_side(c, stems, _words)}"
    if c.ends_opposed:
        return _quoted("two things where one is said", _as_written(c, c.ends_opposed, " ", _words))
    return "the two say different things of the same property"


def _together(c: Comparison) -> str:
    if c.lie is Lie.APART:
        return "they apply to different places"
    if c.times_apart:
        return "they hold at different times"
    if c.things_apart:
        return f"they are about different things: {'; '.join(c.things_apart)}"
    if c.a.plan != c.b.plan:
        return "one is a plan, which changes nothing yet"
    if c.numbers.agreed:
        return _quoted("the same number", c.numbers.agreed)
    if c.values_agreed and (values := _listed(c, c.values_agreed, _values)):
        return f"both say {values}"
    return "nothing that one says is denied by the other"


def _quoted(what: str, differences: Sequence[Difference]) -> str:
    return f"{what}: " + "; ".join(f"“{one.a}” and “{one.b}”" for one in differences[:SHOWN])


def _spans(one: Written, read: Collection[str], where: Found) -> list[Span]:
    return [where(one)[word] for word in read if word in where(one)]


def _listed(c: Comparison, read: Collection[str], where: Found) -> str:
    """Words as the statements write them; empty for what stands in neither of them."""
    texts = (written(c.b.said), written(c.a.said))
    found = (next((quoted for one in texts for quoted in one.quoted(_spans(one, [word], where))), "") for word in read)
    return ", ".join(f"“{word}”" for word in sorted(filter(None, {*found}))[:SHOWN])


def _side_by_side(c: Comparison, read: Collection[str], where: Found) -> str:
    """What each statement says around some words."""
    a, b = (one.around(_spans(one, read, where)) for one in (written(c.a.said), written(c.b.said)))
    return f": “{a}” against “{b}”"


def _in_text(c: Comparison, one: Difference) -> Difference:
    """Two numbers as they are quoted; of one that was read out of other words ("never deleted") those words."""

    def said(text: str, quote: str) -> str:
        stands = quote.removeprefix("not ").casefold() in text.casefold()
        return quote if stands else written(text).around(())

    return Difference(said(c.a.said, one.a), said(c.b.said, one.b))


def _as_written(c: Comparison, differences: Iterable[Difference], parted: str, where: Found) -> list[Difference]:
    """Differences in the words of the two; what stands for words of theirs is quoted with what stands around it."""
    a, b = written(c.a.said), written(c.b.said)

    def said(one: Written, read: str) -> str:
        spans = _spans(one, read.split(parted), where)
        return parted.join(one.quoted(spans)) or one.around(())

    return [Difference(said(a, one.a), said(b, one.b)) for one in differences]


def written(text: str) -> Written:
    """Find the words of a text; `text` is that of `Claim.said`."""
    tokens = list(_tokens(text))
    stems = [word for word, _ in tokens]

    def span(place: int, length: int) -> Span:
        return tokens[place][1][0], tokens[place + length - 1][1][1]

    words: dict[str, Span] = {}
    values: dict[str, Span] = {}
    for place, length, meaning in stem_meanings(stems):
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
