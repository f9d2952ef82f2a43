"""Places: the pieces of a file that a task's words speak of, as forms in which the file may be shown.

A part of the best piece of a file is its shortest form, that piece the next, the best two the one after, and so on, so
that the packer weighs one more piece of a likely file against the first of a less likely one (spec C10). How likely
the file is, is the candidate's score; a form says what its pieces add.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from msgspec import Struct

from companion.ports import TokenCounter
from companion.records import Form, PassageHit, PassageKind, Span

MOST_PIECES = 24
"""Pieces of one file: some 3,500 tokens, the cap that leaves room for others (spec C10)."""
FILES_WITH_PLACES = 16
"""Files whose pieces are offered, likeliest first: twice what 4,000 tokens hold."""
PIECE_TOKENS_MAX = 700
"""Of a longer piece (a table, a minified line) only a part is shown."""
PART_TOKENS = 120
"""A longer piece may be shown in part, so that the best one is never too long for a small budget."""
PART_LINES = 12
"""Lines of such a part: those that most of the task's words stand on, and what is around them."""
NAMES_MOST = 4
"""Names of definitions over pieces that follow one another: of more, how many there are."""
_IN = " > "
"""Between what a piece lies in and its own name."""
LEVEL = "places"
"""The level of these forms."""
NAMES_WORTH = 0.3
"""Worth of the names in a file beside its places: what is shown of it tells more than these."""
_UNIT_TOKENS = 150
"""The length of a usual piece: what is worth showing is worth it a line, so that a longer one counts more."""
_FIXED_TOKENS = 30
"""What a reader pays for any piece, however short: finding out where it stands."""
_PIECES_WORTH = 0.6
"""Worth of the best piece of all, at the usual length, beside that of a whole file, 1."""
_PART_WORTH = 0.8
"""Of a token of a part beside one of the whole piece: the part is for where the whole finds no room."""
_DECAY = 0.95
"""Of what each further piece of a file adds: of equals the next file's is shown."""
_DOCUMENT_WORTH = 0.4
"""Worth of a piece of a document beside one of code: it tells how things are meant, and seldom is where work is."""
_TELLING_CHARS = 20
"""A shorter line (`examples:`, a bracket) is alike everywhere."""
_COPIED = 0.8
"""Share of a piece's lines that stand in likelier files, from which it is a copy."""
_PRIOR = 0.15
"""Added to each piece's share of the best score: that its file is likely says something of pieces with few words."""


def by_file(hits: Iterable[PassageHit]) -> dict[str, list[PassageHit]]:
    """Hits that stand in a file, by its path, best first."""
    found: dict[str, list[PassageHit]] = {}
    for hit in hits:
        if hit.passage.span is not None:
            found.setdefault(hit.passage.path, []).append(hit)
    return found


def without_copies(hits: Iterable[PassageHit], said: set[str]) -> list[PassageHit]:
    """The pieces of prose or data that say what is not in `said` yet, the lines that tell; theirs are added to it.

    A manual is often kept for each version: the same paragraph of four of them took half a context.
    """
    kept, new = [], set[str]()
    for hit in hits:
        lines = {line for one in hit.passage.text.split("\n") if len(line := one.strip()) >= _TELLING_CHARS}
        if not lines or len(lines & said) < _COPIED * len(lines):
            kept.append(hit)
            new |= lines
    said |= new
    return kept


class _Piece(Struct, frozen=True):
    """Some lines of a file, the definition they belong to, how that is told, and its tokens."""

    span: Span
    name: str
    text: str
    told: str
    tokens: int

    @classmethod
    def of(cls, span: Span, name: str, text: str, counter: TokenCounter) -> _Piece:
        told = _told(span, name, text)
        return cls(span, name, text, told, counter.count(told))


def place_forms(hits: Sequence[PassageHit], best_score: float, counter: TokenCounter) -> tuple[Form, ...]:
    """The pieces of one file that were found, as forms from the most pieces to a part of the best one alone.

    `best_score` is that of the best hit in any file. A piece that another one overlaps is left out.
    """
    forms: list[Form] = []
    pieces: list[_Piece] = []
    worth = NAMES_WORTH
    for hit in hits:
        if len(pieces) == MOST_PIECES:
            break
        piece = _piece(hit, counter)
        if piece is None or any(_overlap(piece.span, other.span) for other in pieces):
            continue
        share = (hit.score / best_score + _PRIOR) / (1 + _PRIOR) * _DECAY ** len(pieces)
        share *= _DOCUMENT_WORTH if hit.passage.kind is PassageKind.DOCUMENT else 1.0
        part = _part(piece, hit, counter) if not pieces and piece.tokens > PART_TOKENS else None
        if part is not None:
            forms.append(_form([part], worth + _PART_WORTH * share * _length_worth(part)))
        pieces.append(piece)
        worth += share * _length_worth(piece)
        forms.append(_form(pieces, worth))
    return tuple(reversed(forms))


def _piece(hit: PassageHit, counter: TokenCounter) -> _Piece | None:
    """What is shown of a hit: all of it, or a part where it is too long."""
    passage = hit.passage
    if passage.span is None:
        return None
    below = passage.kind is PassageKind.COMMENT or passage.text.lstrip().startswith(passage.title)  # how it begins
    own = () if below else (passage.title,)
    above = (*passage.headings, *own)
    name = passage.symbol or _IN.join(above if passage.kind is PassageKind.DOCUMENT else map(_few, above))
    whole = _Piece.of(passage.span, name, passage.text, counter)
    return whole if whole.tokens <= PIECE_TOKENS_MAX else _part(whole, hit, counter)


def _few(names: str) -> str:
    """Of several keys that stand together (`image, ports, volumes`) the first."""
    told = names.split(", ")
    return names if len(told) <= NAMES_MOST else f"{', '.join(told[:NAMES_MOST])}, …"


def _part(whole: _Piece, hit: PassageHit, counter: TokenCounter) -> _Piece | None:
    """The lines of a piece that most words of the task stand on, under its signature; None if they are too long."""
    lines = whole.text.split("\n")
    words = [word.lower() for word in hit.words]
    said = [sum(word in line.lower() for word in words) for line in lines]
    starts = range(max(1, len(lines) - PART_LINES + 1))
    start = max(starts, key=lambda at: (sum(said[at : at + PART_LINES]), -at))
    first = whole.span[0] + start
    text = "\n".join(lines[start : start + PART_LINES])
    name = hit.passage.title if start else whole.name
    part = _Piece.of((first, min(first + PART_LINES - 1, whole.span[1])), name, text, counter)
    return part if part.tokens < min(whole.tokens, PIECE_TOKENS_MAX) else None


def _length_worth(piece: _Piece) -> float:
    return _PIECES_WORTH * (_FIXED_TOKENS + piece.tokens) / (_FIXED_TOKENS + _UNIT_TOKENS)


def _form(pieces: Iterable[_Piece], worth: float) -> Form:
    """Pieces in the order of their lines; those that follow one another as one."""
    runs: list[list[_Piece]] = []
    for piece in sorted(pieces, key=lambda one: one.span):
        if runs and runs[-1][-1].span[1] + 1 == piece.span[0]:
            runs[-1].append(piece)
        else:
            runs.append([piece])
    told = "\n".join(run[0].told if len(run) == 1 else _told_as_one(run) for run in runs)
    tokens = sum(piece.tokens for run in runs for piece in run)
    return Form(LEVEL, told, tokens, round(worth, 4), tuple((run[0].span[0], run[-1].span[1]) for run in runs))


def _told_as_one(run: Sequence[_Piece]) -> str:
    """Pieces that follow one another, under the names of the first of them; what they all lie in is named once."""
    names = list(dict.fromkeys(piece.name for piece in run if piece.name))
    more = f", … {len(names) - NAMES_MOST} more" if len(names) > NAMES_MOST else ""
    ways = [name.split(_IN) for name in names[:NAMES_MOST]]
    levels = zip(*(way[:-1] for way in ways), strict=False)
    above = [level[0] for level in takewhile(lambda level: len(set(level)) == 1, levels)]
    named = _IN.join([*above, ", ".join(_IN.join(way[len(above) :]) for way in ways)])
    span = (run[0].span[0], run[-1].span[1])
    return _told(span, named + more, "\n".join(piece.text for piece in run))


def _overlap(one: Span, other: Span) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def _told(span: Span, name: str, text: str) -> str:
    """A piece under its lines and the definition it belongs to, as a patch names its hunks."""
    first, last = span
    lines = f"{first}-{last}" if last > first else str(first)
    return f"@@ {lines} {name}".rstrip() + "\n" + text.strip("\n")
