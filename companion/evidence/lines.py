"""A file as lines: their text within limits, their indentation, and where a long stretch is best cut."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from companion.records import Span

MAX_LINE_CHARS = 4_000
"""Of a longer line the beginning is kept: a paragraph of 600 words in one line stays whole, minified code does not."""

MAX_PASSAGE_CHARS = 8_000
"""About 2,000 tokens: 60 lines of the widest ordinary code. A stretch above it is cut in parts."""

PART_LINES = 60
"""Lines of a part: about what is read at one look."""

_INDENT_CHARS = 200
"""Of a line, looked at for its indentation: deeper is no structure."""

_CLOSING = re.compile(r"\s*(?:[)\]}>]|(?:end|else|elif|elsif|fi|done|esac|except|finally|catch|rescue|ensure)\b|$)")
"""How a line begins that belongs to the one above it."""

_NAMELESS = re.compile(r"\s*(?:#|\w+\s*:\s*$)")
"""A line for a preprocessor, or a label (`public:`, `try:`): it says nothing of what stands deeper below it."""

_ONLY_SIGNS = re.compile(r"[^\w\n]*$")
"""A brace on a line of its own: what stands deeper below it stands below the line before."""


def file_lines(text: str) -> list[str]:
    """The lines of a text as git and the grammars count them, without their ends."""
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if lines and not lines[-1]:
        lines.pop()
    return lines


def span_text(lines: Sequence[str], span: Span) -> str:
    """The text of a span, each line cut at `MAX_LINE_CHARS`."""
    return "\n".join(line[:MAX_LINE_CHARS] for line in lines[span[0] - 1 : span[1]])


def without_outer_blanks(lines: Sequence[str], first: int, last: int) -> Span | None:
    """The span from the first to the last line that says anything, None where none does."""
    while first <= last and not says(lines[first - 1]):
        first += 1
    while last >= first and not says(lines[last - 1]):
        last -= 1
    return (first, last) if first <= last else None


def says(line: str) -> bool:
    """Whether anything stands on a line."""
    return bool(line) and not line.isspace()


class LineRun(Struct, frozen=True):
    """Lines of one level that belong together; a block is a line with what stands deeper below it."""

    first: int
    last: int
    is_block: bool = False


def line_runs(lines: Sequence[str], first: int, last: int, comment: tuple[str, ...]) -> Iterator[LineRun]:
    """The blocks of a stretch of code as its indentation tells them, and the runs of lines between them.

    A blank line ends a run but no block. Lines right above a block that begin with a sign of `comment` belong to it.
    Every line that says anything is in exactly one.
    """
    start, end, depth, is_block = 0, 0, 0, False
    for number in range(first, last + 1):
        line = lines[number - 1]
        if not says(line):
            continue
        deep = indentation(line)
        if start and deep > depth:
            if not is_block and (head := _head_of_block(lines, start, end, comment)) > start:
                yield LineRun(*(without_outer_blanks(lines, start, head - 1) or (start, start)))
                start = head
            is_block = True
        elif start and _CLOSING.match(line):
            depth = min(depth, deep)
        elif not start or is_block or deep < depth or end < number - 1:
            if start:
                yield LineRun(start, end, is_block)
            start, depth, is_block = number, deep, False
        end = number
    if start:
        yield LineRun(start, end, is_block)


def enclosing(lines: Sequence[str], comment: tuple[str, ...]) -> list[int]:
    """By the number of each line that of the one it stands below: the nearest before it that is less deep, 0 for none.

    Blank lines, comments, labels and lines that close something enclose nothing.
    """
    found = [0]
    around: list[tuple[int, int]] = []
    for number, line in enumerate(lines, 1):
        deep, head = indentation(line), 0
        while says(line) and around and around[-1][0] >= deep:
            head = around.pop()[1]
        found.append(around[-1][1] if around else 0)
        if _ONLY_SIGNS.match(line):
            if head and not _CLOSING.match(line):
                around.append((deep, head))
        elif not (_CLOSING.match(line) or _NAMELESS.match(line) or line.lstrip().startswith(comment)):
            around.append((deep, number))
    return found


def _head_of_block(lines: Sequence[str], first: int, last: int, comment: tuple[str, ...]) -> int:
    """The line that a block begins on whose last line before what stands deeper is `last`."""
    if last > first and _ONLY_SIGNS.match(lines[last - 1]):
        last -= 1
    while last > first and lines[last - 2].lstrip().startswith(comment):
        last -= 1
    return last


def indentation(line: str) -> int:
    """Columns before the first sign of a line, a tab to the next fourth."""
    head = line[:_INDENT_CHARS].expandtabs(4)
    return len(head) - len(head.lstrip())


def word_count(line: str) -> int:
    """Words of a line as far as it is kept."""
    return len(line[:MAX_LINE_CHARS].split())


def parts_at_borders(lines: Sequence[str], first: int, last: int, most: int = PART_LINES) -> Iterator[Span]:
    """A stretch in parts of about `most` lines, none above `MAX_PASSAGE_CHARS`.

    Each cut is made at the line that stands least deep within reach, where possible after a blank one: the border of
    a statement. A rest that is hardly longer than a part stays whole.
    """
    while (span := without_outer_blanks(lines, first, last)) is not None:
        first, last = span
        end = _within_limits(lines, first, last)
        if end == last and end - first < most + most // 3:
            yield span
            return
        border = _border(lines, first, min(end, first + most + most // 5 - 1), most)
        part = without_outer_blanks(lines, first, border - 1)
        if part is not None:
            yield part
        first = border


def _within_limits(lines: Sequence[str], first: int, last: int) -> int:
    """The last line that a part from `first` on has room for: at least the first."""
    chars = 0
    for number in range(first, last + 1):
        chars += min(len(lines[number - 1]), MAX_LINE_CHARS) + 1
        if chars > MAX_PASSAGE_CHARS + 1 and number > first:
            return number - 1
        if number - first >= 2 * PART_LINES:
            return number
    return last


def _border(lines: Sequence[str], first: int, end: int, most: int) -> int:
    """The first line of the next part: the best border in the second half of what this one may hold."""
    best, least = end + 1, (_INDENT_CHARS + 1, 1, 0)
    for number in range(first + max(1, (end - first) // 2), end + 2):
        line = lines[number - 1] if number <= len(lines) else ""
        if _CLOSING.match(line):
            continue
        rank = (indentation(line), int(says(lines[number - 2])), abs(number - first - most))
        if rank < least:
            best, least = number, rank
    return best
