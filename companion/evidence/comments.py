"""Comments in any language: which lines are one, told by the marks of the language."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct

from companion.evidence.lines import says, span_text
from companion.records import Span
from companion.syntax.languages import row_of

_READ_CHARS = 500
"""Of a line, looked at for marks."""

NOTICE_LINES = 12
"""A notice of copyright begins within so many lines of a file; another comment may stand above it."""
NOTICE_CHARS = 1_000
"""Of a comment, looked at for words of a notice."""
BEFORE_NOTICE = 2
"""Lines of code above a notice: `<?php`, `'use strict'`."""
_NOTICE = re.compile(r"copyright|licen[sc]e|spdx-", re.IGNORECASE)


class CommentMarks(Struct, frozen=True):
    """What begins a comment up to the end of its line, and what encloses one of several lines."""

    line: tuple[str, ...]
    enclosing: tuple[tuple[str, str], ...] = ()


_C = CommentMarks(("//",), (("/*", "*/"),))
_HASH = CommentMarks(("#",))
_XML = CommentMarks((), (("<!--", "-->"),))
_LISP = CommentMarks((";",))
_PERCENT = CommentMarks(("%",))
_KNOWN = {
    "toml yaml make dockerfile cmake ignore r julia nim perl fish jq nix bazel powershell graphql cython": _HASH,
    "ini": CommentMarks(("#", ";")),
    "json gomod protobuf groovy zig scss less objective-c fsharp": _C,
    "terraform hcl": CommentMarks(("#", "//"), (("/*", "*/"),)),
    "css": CommentMarks((), (("/*", "*/"),)),
    "sql": CommentMarks(("--",), (("/*", "*/"),)),
    "haskell": CommentMarks(("--",), (("{-", "-}"),)),
    "ocaml": CommentMarks((), (("(*", "*)"),)),
    "lisp clojure assembly": _LISP,
    "erlang latex": _PERCENT,
    "xml html vue svelte": _XML,
    "vim": CommentMarks(('"',)),
    "batch": CommentMarks(("REM", "::")),
    "php": CommentMarks(("//", "#"), (("/*", "*/"),)),
    "lua": CommentMarks(("--",), (("--[[", "]]"),)),
}
"""Of the languages that are not parsed, and of those with more marks than the table of languages tells of them."""
_BY_LANGUAGE = {language: marks for languages, marks in _KNOWN.items() for language in languages.split()}
_PLAIN = {"#": _HASH, "//": _C}


@cache
def marks_of(language: str) -> CommentMarks:
    """The marks of a language; `#` where none is known, as settings have it."""
    if known := _BY_LANGUAGE.get(language):
        return known
    row = row_of(language)
    return _PLAIN[row.comment] if row else _HASH


def comment_runs(lines: Sequence[str], marks: CommentMarks) -> Iterator[Span]:
    """Every run of lines that are nothing but comment; a shebang is none.

    Runs of different depth or sort are two: a block after lines, say.
    """
    closings = {
        closing: [number for number, line in enumerate(lines, 1) if closing in line] for _, closing in marks.enclosing
    }
    number = 1
    while number <= len(lines):
        last = _comment_end(lines, number, marks, closings)
        if last >= number:
            yield number, last
        number = max(last, number) + 1


def notice_end(lines: Sequence[str], marks: CommentMarks) -> int:
    """The last line of the comment at the head of a source that says whose it is and under which licence; or 0."""
    end = above = 0
    for first, last in comment_runs(lines, marks):
        between = sum(map(says, lines[above : first - 1]))
        if between > (0 if end else BEFORE_NOTICE) or first > end + NOTICE_LINES:
            break
        above = last
        if _NOTICE.search(span_text(lines, (first, last))[:NOTICE_CHARS]):
            end = last
        elif end:
            break
    return end


def _comment_end(lines: Sequence[str], number: int, marks: CommentMarks, closings: Mapping[str, list[int]]) -> int:
    """The last line of the comment that begins on a line; the line before where none does."""
    head = lines[number - 1][:_READ_CHARS].lstrip()
    for opening, closing in marks.enclosing:
        if head.startswith(opening):
            return _enclosed(lines, number, (opening, closing), closings[closing])
    if not marks.line or not head.startswith(marks.line) or head.startswith("#!"):
        return number - 1
    depth = _depth(lines[number - 1])
    while number < len(lines):
        below = lines[number][:_READ_CHARS]
        if not below.lstrip().startswith(marks.line) or _depth(below) != depth:
            break
        number += 1
    return number


def _enclosed(lines: Sequence[str], number: int, marks: tuple[str, str], closings: list[int]) -> int:
    """The line that closes a comment, the one it opens on where nothing does.

    Where code follows the end, the comment's lines are those before; one of a single line is none then.
    """
    opening, closing = marks
    _, ends, rest = lines[number - 1].lstrip()[len(opening) :].partition(closing)
    if ends:
        return number if not says(rest) else number - 1
    at = bisect_right(closings, number)
    if at == len(closings):
        return number
    last = closings[at]
    return last if not says(lines[last - 1].partition(closing)[2]) else last - 1


_WORD = re.compile(r"[A-Za-z'’-]{2,}[.,:;!?)\"]*$|[aAI]$")


def reads_as_prose(text: str) -> bool:
    """Whether most of what stands there is words: a comment that explains, not code that was commented out."""
    tokens = text[:2_000].split()
    said = [token for token in tokens if any(sign.isalnum() for sign in token)]
    return len(said) >= 3 and sum(1 for token in said if _WORD.match(token)) >= len(said) * 0.6


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
