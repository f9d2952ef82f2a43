"""Places: the pieces of a file that a task's words speak of, as forms in which the file may be shown.

The best piece of a file is its shortest form, the best two the next, and so on, so that the packer weighs one more
piece of a likely file against the first of a less likely one (spec C10). How likely the file is, is the candidate's
score; a form says what its pieces add.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from companion.ports import TokenCounter
from companion.records import Form, Link, LinkKind, PassageHit, Prediction, Reason

MOST_PIECES = 5
"""Pieces of one file: the cap that leaves room for others (spec C10)."""
FILES_WITH_PLACES = 16
"""Files whose pieces are offered, likeliest first: twice what 4,000 tokens hold."""
PIECE_TOKENS_MAX = 700
"""A longer piece (a table, a minified line) says too little for its length."""
LEVEL = "places"
"""The level of these forms."""
NAMES_WORTH = 0.3
"""Worth of the names in a file beside its places: what is shown of it tells more than these."""
_UNIT_TOKENS = 150
"""The length of a usual piece."""
_FIXED_TOKENS = 30
"""What a reader pays for any piece, however short: finding out where it stands."""
_PIECES_WORTH = 0.6
"""Worth of the best piece of all, at the usual length, beside that of a whole file, 1."""
_PRIOR = 0.15
"""Added to each piece's share of the best score: that its file is likely says something of pieces with few words."""
TESTED_FILES = 5
"""Likeliest files whose tests are looked for."""
TEST_CHANCE = 0.35
"""How often a test named like a file changes along with it: in .16 of the commits of flask, .34 of scrapy and gin."""
_SHARPNESS = 1.5
"""Power of a piece's value: a file with one fitting piece is not filled up with those that fit half as well."""
COUNTED_KEPT = 4_000
"""Texts of pieces whose tokens are remembered: those of some hundred contexts, 1 kB each."""


def with_tests(predictions: Sequence[Prediction], links: Iterable[Link]) -> tuple[Prediction, ...]:
    """Predictions with the tests of the likeliest files as likely as such tests are changed along; likeliest first.

    Of several tests of a file the one that uses most of it counts whole, the others by their part of that.
    """
    sources = {one.path: one.probability for one in predictions[:TESTED_FILES]}
    tests = [link for link in links if link.kind is LinkKind.TEST and link.target in sources]
    most: dict[str, float] = {}
    for link in tests:
        most[link.target] = max(most.get(link.target, 0.0), link.weight)
    found = {one.path: one for one in predictions}
    for link in tests:
        chance = TEST_CHANCE * sources[link.target] * link.weight / most[link.target]
        known = found.get(link.source, Prediction(link.source, 0.0, 0.0))
        if chance > known.probability:
            said = Reason("link", chance, 1.0, f"tests {link.target.rpartition('/')[2]}")
            found[link.source] = replace(known, probability=round(chance, 4), reasons=(said, *known.reasons))
    return tuple(sorted(found.values(), key=lambda one: (-one.probability, -one.score, one.path)))


def by_file(hits: Iterable[PassageHit]) -> dict[str, list[PassageHit]]:
    """Hits that stand in a file, by its path, best first."""
    found: dict[str, list[PassageHit]] = {}
    for hit in hits:
        if hit.passage.span is not None:
            found.setdefault(hit.passage.path, []).append(hit)
    return found


def place_forms(hits: Sequence[PassageHit], best_score: float, counter: TokenCounter) -> tuple[Form, ...]:
    """The pieces of one file that were found, as forms from the most pieces to the best one alone.

    `best_score` is that of the best hit in any file. A piece that another one overlaps is left out.
    """
    pieces: list[tuple[float, PassageHit]] = []
    for hit in hits:
        tokens = _counted(counter, _told(hit))  # type: ignore[arg-type]  # a counter is known by identity
        if tokens <= PIECE_TOKENS_MAX and not any(_overlap(hit, other) for _, other in pieces):
            share = (hit.score / best_score + _PRIOR) / (1 + _PRIOR)
            pieces.append((share**_SHARPNESS * ((_FIXED_TOKENS + tokens) / (_FIXED_TOKENS + _UNIT_TOKENS)) ** 0.5, hit))
    forms: list[Form] = []
    worth = NAMES_WORTH
    for number, (value, _) in enumerate(pieces[:MOST_PIECES], start=1):
        worth += (1.0 - worth) * min(value, 1.0) * _PIECES_WORTH
        shown = sorted((hit for _, hit in pieces[:number]), key=lambda hit: hit.passage.span or (0, 0))
        text = "\n".join(map(_told, shown))
        tokens = sum(_counted(counter, _told(hit)) for hit in shown)  # type: ignore[arg-type,misc]  # likewise
        spans = tuple(hit.passage.span for hit in shown if hit.passage.span is not None)
        forms.append(Form(LEVEL, text, tokens, round(worth, 4), spans))
    return tuple(reversed(forms))


def _overlap(one: PassageHit, other: PassageHit) -> bool:
    a, b = one.passage.span, other.passage.span
    return a is not None and b is not None and a[0] <= b[1] and b[0] <= a[1]


def _told(hit: PassageHit) -> str:
    """A piece under its lines and the definition it belongs to, as a patch names its hunks."""
    passage = hit.passage
    first, last = passage.span or (0, 0)
    name = passage.symbol or " > ".join((*passage.headings, passage.title)) or ""
    lines = f"{first}-{last}" if last > first else str(first)
    return f"@@ {lines} {name}".rstrip() + "\n" + passage.text.strip("\n")


@lru_cache(maxsize=COUNTED_KEPT)
def _counted(counter: TokenCounter, text: str) -> int:
    return counter.count(text)
