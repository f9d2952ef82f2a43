"""Settings and CI files: the comments in them beside what they explain, and their sections.

A section is cut by headers in brackets (TOML, INI) or else by indentation (YAML, JSON, Makefiles), one level deeper
where it is long; so a job, a table of a tool and a target are each found by their name.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise

from companion.evidence.comments import CommentMarks, comment_runs
from companion.evidence.lines import (
    MAX_LINE_CHARS,
    indentation,
    parts_at_borders,
    says,
    span_text,
    without_outer_blanks,
    word_count,
)
from companion.records import Passage, PassageKind, Span

SECTION_LINES = 40
"""A section longer than this is cut one level deeper."""

TOGETHER_LINES = 24
"""Up to this, neighbours are joined: settings of a line or two say little alone."""

EXPLAINED_LINES = 10
"""Lines below a comment that are given with it."""

FEW_WORDS = 4
"""A comment of at most so many words, its mark counted, that stands on nothing tells nothing by itself."""

MAX_LEVELS = 6
"""Levels of sections that are followed."""

MAX_TITLE_CHARS = 120

_READ_CHARS = 1_000
"""Of a line, looked at for a comment behind what it sets."""

_HEADER = re.compile(r"\[\[?\s*[^\]\n]+\]\]?\s*(?:[#;].*)?$")
_NAME = re.compile(
    r"[\s\-\"'\[{.]*+(?:(?<=- )name:\s+[\"']?(?=\w))?(?P<name>[^\s:=#;{}\[\]\"'][^:=#;{}\[\]\"']*)", re.IGNORECASE
)
"""A key; of an entry of a list that says how it is called (`- name: Run the tests`), that."""
_CLOSES = re.compile(r"\s*(?:[)\]}]|\{[{%].*[}%]\}\s*$)")
"""What ends a part and begins none: a bracket, a line that only steers a template."""
_LETTERS = re.compile(r"[^\W\d_]{2}")


def cut_settings(path: str, lines: Sequence[str], marks: CommentMarks) -> Iterator[Passage]:
    """Sections as chunks, which hold every line that says anything, and the comments with the lines they explain."""
    sections = list(_sections(lines, marks))
    for names, span in sections:
        title, above = (names[-1], names[:-1]) if names else ("", ())
        yield Passage(PassageKind.CHUNK, span_text(lines, span), title, above, path, span)
    yield from _comments(path, lines, marks, sections)


# --- sections -----------------------------------------------------------------------------------

_Section = tuple[tuple[str, ...], Span]
"""Names from the outermost in, and lines."""
_Start = tuple[int, tuple[int, ...]]
"""Where a part begins, and the lines that name it."""


def _sections(lines: Sequence[str], marks: CommentMarks) -> Iterator[_Section]:
    headers = [number for number, line in enumerate(lines, 1) if line[:1] == "[" and _HEADER.match(line[:_READ_CHARS])]
    starts = [_with_comment(lines, number, 1, marks) for number in headers]
    ends = [start - 1 for start in [*starts[1:], len(lines) + 1]]
    yield from _levels(lines, marks, (1, starts[0] - 1 if starts else len(lines)), ())
    for number, start, end in zip(headers, starts, ends, strict=False):
        name = lines[number - 1].partition("]")[0].strip("[] \t")[:MAX_TITLE_CHARS]
        yield from _levels(lines, marks, (start, end), (name,))


def _with_comment(lines: Sequence[str], number: int, floor: int, marks: CommentMarks) -> int:
    """The line on which the comment right above a line begins; the line itself where there is none."""
    while number > floor and marks.line and lines[number - 2].lstrip().startswith(marks.line):
        number -= 1
    return number


def _levels(
    lines: Sequence[str], marks: CommentMarks, stretch: Span, names: tuple[str, ...], level: int = 0
) -> Iterator[_Section]:
    """A stretch whole where it is short, else by what stands least deep in it, small neighbours joined."""
    span = without_outer_blanks(lines, *stretch)
    if span is None:
        return
    starts = _starts(lines, marks, span, level) if span[1] - span[0] >= SECTION_LINES and level < MAX_LEVELS else []
    if len(starts) < 2:
        own = names or _keys(lines, [span[0]], marks)
        yield from ((own, part) for part in parts_at_borders(lines, *span))
        return
    held: list[_Start] = []
    for start, after in zip(starts, [first for first, _ in starts[1:]] + [span[1] + 1], strict=True):
        if held and after - held[0][0] > TOGETHER_LINES:
            yield from _together(lines, marks, held, start[0] - 1, names)
            held = []
        if after - start[0] > SECTION_LINES:
            inner = (*names, *_keys(lines, start[1], marks))
            yield from _levels(lines, marks, (start[0], after - 1), inner, level + 1)
        else:
            held.append(start)
    yield from _together(lines, marks, held, span[1], names)


def _together(
    lines: Sequence[str], marks: CommentMarks, starts: list[_Start], last: int, names: tuple[str, ...]
) -> Iterator[_Section]:
    if starts:
        own = (*names, *_keys(lines, [line for _, named in starts for line in named], marks))
        yield from ((own, part) for part in parts_at_borders(lines, starts[0][0], last))


def _starts(lines: Sequence[str], marks: CommentMarks, span: Span, level: int) -> list[_Start]:
    """Where the parts of a stretch begin, comments with what they stand on; the first is its first line.

    Below the first level the line that opens the stretch is its name, and its parts are set in deeper.
    """
    for below in (0, 1) if level == 0 else (1,):
        told = [
            (number, indentation(lines[number - 1]))
            for number in range(span[0] + below, span[1] + 1)
            if _stands(lines[number - 1], marks)
        ]
        least = min((depth for _, depth in told), default=0)
        found = [number for number, depth in told if depth == least]
        apart = [number for number in found[1:] if _is_apart(lines, number, span[0], marks)]
        borders = apart or found[1:]
        if borders:
            firsts = [span[0], *(_with_comment(lines, number, span[0], marks) for number in borders)]
            cuts = [0, *(bisect_left(found, number) for number in borders), len(found)]
            named = [tuple(found[start:end]) for start, end in pairwise(cuts)]
            return list(zip(firsts, named, strict=True))
    return []


def _is_apart(lines: Sequence[str], number: int, floor: int, marks: CommentMarks) -> bool:
    """Whether a blank line stands before a line and the comment on it."""
    first = _with_comment(lines, number, floor, marks)
    return first > floor and not says(lines[first - 2])


def _stands(line: str, marks: CommentMarks) -> bool:
    """Whether a line can begin a part: no comment, no bracket that closes."""
    return says(line) and not _CLOSES.match(line) and not (marks.line and line.lstrip().startswith(marks.line))


def _keys(lines: Sequence[str], starts: Sequence[int], marks: CommentMarks) -> tuple[str, ...]:
    """What parts are called by the first line of each that is no comment, as one title; () where none has a name."""
    told: list[str] = []
    for start in starts:
        number = start
        while number < len(lines) and not _stands(lines[number - 1], marks):
            number += 1
        if _HEADER.match(lines[number - 1][:_READ_CHARS]) and number == starts[0]:
            continue
        if (found := _NAME.match(lines[number - 1][:MAX_TITLE_CHARS])) and (
            name := found["name"].strip(" ?+!")
        ) not in told:
            told.append(name)
    while len(told) > 1 and len(", ".join(told)) > MAX_TITLE_CHARS:
        told.pop()
    title = ", ".join(told)[:MAX_TITLE_CHARS]
    return (title,) if title else ()


# --- comments -----------------------------------------------------------------------------------


def _comments(path: str, lines: Sequence[str], marks: CommentMarks, sections: Sequence[_Section]) -> Iterator[Passage]:
    """Every comment that has words, with what it explains; its title is how it begins."""
    firsts = [span[0] for _, span in sections]
    for first, last, said in sorted([*_blocks_of_comment(lines, marks)]):
        names = sections[max(0, bisect_right(firsts, first) - 1)][0] if sections else ()
        span = (first, last)
        yield Passage(PassageKind.COMMENT, span_text(lines, span), said[:MAX_TITLE_CHARS], names, path, span)


def _blocks_of_comment(lines: Sequence[str], marks: CommentMarks) -> Iterator[tuple[int, int, str]]:
    covered = 0
    runs = dict(comment_runs(lines, marks))
    for number in range(1, len(lines) + 1):
        if number <= covered:
            continue
        if number in runs:
            last = runs[number]
            covered = _explained(lines, number, last, runs)
            said = next((bare for line in lines[number - 1 : last] if _LETTERS.search(bare := _bare(line))), "")
            alone = covered == last and sum(map(word_count, lines[number - 1 : last])) <= FEW_WORDS
            if said and not alone:
                for part in parts_at_borders(lines, number, covered):
                    yield *part, said
        elif said := _trailing(lines[number - 1], marks):
            covered = number
            while covered < len(lines) and covered + 1 not in runs and _trailing(lines[covered], marks):
                covered += 1
            yield number, covered, said


def _explained(lines: Sequence[str], first: int, last: int, runs: dict[int, int]) -> int:
    """The last line that a comment speaks of.

    It ends before a blank line, another comment, a header, what stands less deep, and a neighbour with parts of its
    own: below `# slow on Windows` and `timeout: 40`, `steps:` with all that is in it is another matter.
    """
    depth = indentation(lines[first - 1])
    end = min(len(lines), last + EXPLAINED_LINES)
    for number in range(last + 1, end + 1):
        line, below = lines[number - 1], lines[number] if number < len(lines) else ""
        if not says(line) or number in runs or indentation(line) < depth:
            return number - 1
        opens = indentation(line) == depth and indentation(below) > depth
        if number > last + 1 and (opens or (line[:1] == "[" and _HEADER.match(line[:_READ_CHARS]))):
            return number - 1
    return end


def _bare(line: str) -> str:
    return line[:MAX_LINE_CHARS].strip(" \t#/;*<>!-")


def _trailing(line: str, marks: CommentMarks) -> str:
    """What a comment behind settings on the same line says, '' where there is none."""
    line = line[:_READ_CHARS]
    for mark in marks.line:
        at = line.find(f" {mark} ")
        before = line[: max(at, 0)]
        if says(before) and before.count('"') % 2 == 0 and before.count("'") % 2 == 0:
            said = _bare(line[at:])
            return said if _LETTERS.search(said) else ""
    return ""
