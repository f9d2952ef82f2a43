"""Docstrings and comments of code that explain: more than one sentence, each with the symbol it speaks of."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from companion.evidence.code import CodeNode
from companion.evidence.comments import CommentMarks, comment_runs, reads_as_prose
from companion.evidence.lines import parts_at_borders, says, span_text
from companion.records import Passage, PassageKind, Span, Symbol

EXPLAINING_LINES = 3
"""Lines from which on a comment is taken to explain; below it two sentences are asked for."""

MAX_TITLE_CHARS = 200
_READ_CHARS = 1_000
DOCUMENTATION_LINES = 30
"""Lines of a part of a long one, which is cut where a line of it has nothing but its marks."""

_QUOTES = re.compile(r"\"\"\"|'''|#|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
_OPENS = re.compile(r"\s*[rRuUbBfF]{0,2}(?P<quote>\"\"\"|''')")
_UNFINISHED = re.compile(r".*(?:[(\[{,=+\\%]|\b(?:return|in|and|or|not|assert))\s*(?:#.*)?$")
_SENTENCES = re.compile(r"[.!?][\"')\]`*]*\s+\S")
_SIGNS = " \t#/;*!<>-\"'{}|%"
QUOTED = frozenset({"python", "cython"})
"""Languages that document by a string below the head."""


def cut_documentation(
    path: str, lines: Sequence[str], tree: CodeNode, marks: CommentMarks, *, quoted: bool
) -> Iterator[Passage]:
    """What a file's docstrings and comments explain. `title` is how it begins, `symbol` what it is about."""
    runs = list(comment_runs(lines, marks))
    if quoted:
        strings = list(_docstrings(lines))
        runs = sorted([*(run for run in runs if not _within(run, strings)), *strings])
    bare_lines = [line if any(map(str.isalnum, line[:_READ_CHARS])) else "" for line in lines]
    for run in runs:
        text = span_text(lines, run)
        if not _explains(run, text):
            continue
        symbol = _owner(tree, run[0])
        name = symbol.qualname if symbol else ""
        headings = tuple(part for part in name.split(".") if part)
        said = (
            next((bare for line in text.split("\n") if says(bare := line.strip(_SIGNS))), "")
            .lstrip(":")
            .strip()[:MAX_TITLE_CHARS]
        )
        long = run[1] - run[0] > DOCUMENTATION_LINES
        for span in parts_at_borders(bare_lines if long else lines, *run, DOCUMENTATION_LINES):
            yield Passage(PassageKind.DOCSTRING, span_text(lines, span), said, headings, path, span, name)


def _within(run: Span, strings: Sequence[Span]) -> bool:
    at = bisect_right(strings, (run[0], 1 << 60)) - 1
    return at >= 0 and strings[at][0] <= run[0] <= strings[at][1]


def _explains(run: Span, text: str) -> bool:
    long = run[1] - run[0] + 1 >= EXPLAINING_LINES
    bare = " ".join(line.strip(_SIGNS) for line in text[:_READ_CHARS].split("\n"))
    return (long or bool(_SENTENCES.search(bare))) and reads_as_prose(bare)


def _docstrings(lines: Sequence[str]) -> Iterator[Span]:
    """Strings in three quotes that stand as statements of their own."""
    number, before = 1, ""
    while number <= len(lines):
        line = lines[number - 1][:_READ_CHARS]
        opened, quote = _left_open(line)
        last = _closing(lines, number, quote) if opened else number
        if _OPENS.match(line) and not _UNFINISHED.match(before):
            yield number, last
        if says(line) and not line.lstrip().startswith("#"):
            before = lines[last - 1][:_READ_CHARS]
        number = last + 1


def _left_open(line: str) -> tuple[bool, str]:
    """Whether a line ends within a string in three quotes, and which."""
    inside = ""
    for found in _QUOTES.finditer(line):
        mark = found[0]
        if inside:
            inside = "" if mark == inside else inside
        elif mark == "#":
            break
        elif mark in {'"""', "'''"}:
            inside = mark
    return bool(inside), inside


def _closing(lines: Sequence[str], number: int, quote: str) -> int:
    """The line on which a string ends; the one it begins on where nothing closes it."""
    for at in range(number, len(lines)):
        if quote in lines[at]:
            return at + 1
    return number


def _owner(tree: CodeNode, line: int) -> Symbol | None:
    """The innermost symbol around a line, comments above it counted as its own."""
    while (at := bisect_right(tree.inner, line, key=lambda node: node.first)) and tree.inner[at - 1].last >= line:
        tree = tree.inner[at - 1]
    return tree.symbol
