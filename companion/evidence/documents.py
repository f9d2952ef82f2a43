"""Documents to passages: paragraphs and list items under their headings, small neighbours joined."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from companion.evidence.blocks import Markup, Sort, TextBlock, read_blocks
from companion.evidence.lines import parts_at_borders, span_text, word_count
from companion.records import Passage, PassageKind, Span

FEW_WORDS = 40
"""A passage below this is joined with its neighbour: it says too little by itself to be judged."""

ENOUGH_WORDS = 120
"""Neighbours are joined up to this: more than one subject in a passage hides both."""

MOST_WORDS = 240
"""What belongs together (an item with what it holds, a paragraph with its code) stays together up to this."""

_ENDS = (".", "!", "?", ":", "|", "`", '"')
_TOOLS = re.compile(
    r"\s*<!--([^>]{0,200}?)(?<![A-Za-z])(?:(?P<begins>BEGIN|BEGINNING|START)|END|STOP)(?![A-Za-z])([^>]{0,200})-->\s*$"
)
"""Comments between which a tool writes: `<!-- BEGIN_TF_DOCS -->`, `<!-- ALL-CONTRIBUTORS-LIST:START -->`."""


class _Gathering(Struct):
    """The passage that is being gathered."""

    path: tuple[str, ...]
    first: int
    last: int
    words: int
    indent: int
    item: bool
    """Whether it begins with a list item: what is set in deeper then belongs to it."""
    bare: bool
    """Whether nothing but headings is in it so far."""


def cut_document(path: str, lines: Sequence[str], markup: Markup) -> Iterator[Passage]:
    """The passages of a document: every line that says anything is in exactly one of them.

    A heading stands with what follows it; `title` is the nearest heading, `headings` are those above that one. What a
    tool has written into it is no more than a notice.
    """
    made = set(_made_by_tools(lines))
    for titles, (first, last) in _joined(lines, read_blocks(lines, markup)):
        title, above = (titles[-1], titles[:-1]) if titles else ("", ())
        kind = PassageKind.NOTICE if first in made and last in made else PassageKind.DOCUMENT
        yield Passage(kind, span_text(lines, (first, last)), title, above, path, (first, last))


def _made_by_tools(lines: Sequence[str]) -> Iterator[int]:
    """The numbers of the lines from one comment of a tool to the one that ends it, which says the same but for that."""
    begun: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if found := _TOOLS.match(line):
            said = f"{found[1]}{found[3]}".strip("- ")
            if found["begins"]:
                begun[said] = number
            elif said and (opening := next((one for one in begun if one.startswith(said)), None)):
                yield from range(begun.pop(opening), number + 1)


def _joined(lines: Sequence[str], blocks: Iterable[TextBlock]) -> Iterator[tuple[tuple[str, ...], Span]]:
    open_headings: list[tuple[int, str]] = []
    held: _Gathering | None = None
    for block in blocks:
        if block.sort is Sort.HEADING:
            if held and not (held.bare and block.level > open_headings[-1][0]):
                yield from _spans(lines, held)
                held = None
            open_headings = [one for one in open_headings if one[0] < block.level] + [(block.level, block.title)]
            titles = tuple(title for _, title in open_headings)
            held = held or _Gathering(titles, block.first, block.last, 0, block.indent, False, bare=True)
            held.path, held.last = titles, block.last
        elif held is None or not _belongs(lines, held, block):
            if held:
                yield from _spans(lines, held)
            titles = tuple(title for _, title in open_headings)
            item = block.sort is Sort.ITEM
            held = _Gathering(titles, block.first, block.last, block.words, block.indent, item, bare=False)
        else:
            _take(held, block)
    if held:
        yield from _spans(lines, held)


def _take(held: _Gathering, block: TextBlock) -> None:
    if held.bare:
        held.indent, held.item, held.bare = block.indent, block.sort is Sort.ITEM, False
    held.last = block.last
    held.words += block.words


def _belongs(lines: Sequence[str], held: _Gathering, block: TextBlock) -> bool:
    """Whether a block goes into the passage at hand.

    What is set in below a text or an item, code, and what a colon announces belong to it; other neighbours are joined
    while one of the two says little.
    """
    both = held.words + block.words
    if held.bare or block.sort is Sort.RULE:
        return True
    inside = block.indent > held.indent and (held.item or block.sort is not Sort.ITEM)
    announced = lines[held.last - 1].rstrip().endswith(":")
    if inside or announced or block.sort is Sort.CODE:
        return both <= MOST_WORDS
    return both <= ENOUGH_WORDS and (held.words < FEW_WORDS or block.words < FEW_WORDS)


def _spans(lines: Sequence[str], held: _Gathering) -> Iterator[tuple[tuple[str, ...], Span]]:
    """The passage, in parts where it is too long: at ends of sentences or rows, else at borders of lines."""
    for first, last in parts_at_borders(lines, held.first, held.last):
        if held.words <= MOST_WORDS + FEW_WORDS:
            yield held.path, (first, last)
        else:
            yield from ((held.path, span) for span in _at_sentences(lines, first, last))


def _at_sentences(lines: Sequence[str], first: int, last: int) -> Iterator[Span]:
    words, start = 0, first
    for number in range(first, last + 1):
        line = lines[number - 1]
        words += word_count(line)
        ended = not line.strip() or line.rstrip().endswith(_ENDS)
        if number < last and ((words >= ENOUGH_WORDS and ended) or words >= MOST_WORDS):
            yield from parts_at_borders(lines, start, number)
            words, start = 0, number + 1
    yield from parts_at_borders(lines, start, last)
