"""A file to passages: documents by headings, code by symbols, settings by comments and sections, the rest by lines.

Pure and linear in the size of the text. Whatever a file holds, what it says is in some passage: nothing is left out
for looking like noise, as the ranking decides. Two limits hold: so many passages of a file, and so many where it is
data or minified, which nobody reads by passages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence, Set
from functools import partial
from itertools import islice
from pathlib import PurePosixPath

from msgspec.structs import replace

from companion.evidence.blocks import Markup
from companion.evidence.code import code_tree, cut_code
from companion.evidence.comments import CommentMarks, marks_of, notice_end
from companion.evidence.documentation import QUOTED, cut_documentation
from companion.evidence.documents import cut_document
from companion.evidence.lines import file_lines, parts_at_borders, says, span_text
from companion.evidence.settings import cut_settings
from companion.records import ParsedFile, Passage, PassageKind
from companion.syntax.languages import is_code, language_of

VERSION = "9"
"""Raised when the same text would be cut otherwise: what was cut under another one is cut again."""

MAX_PASSAGES = 3_000
"""Of one file: 150,000 lines of code, or a change log of 300,000 words. What lies behind is not taken in."""

MAX_DATA_PASSAGES = 60
"""Of data and minified code: their beginning tells what they are."""

DATA_LINES = 3_000
"""Settings longer than this are data: locks, fixtures, translations."""

MINIFIED_CHARS = 300
"""Mean length of the lines that say anything above which nobody wrote them by hand; a paragraph in one line has more,
so documents are apart."""

BINARY_PROBE_CHARS = 8_000

BLANKS_MOST = 3
"""Blank lines that belong to what stands above them: nobody parts two functions by more."""

MAX_BLANK_CHARS = 80
"""Of a blank line: a longer one is no indentation."""

_WHOLE = frozenset({PassageKind.CHUNK, PassageKind.DOCUMENT})

_MARKUPS = {markup.value: markup for markup in Markup}
_SETTINGS = frozenset({"toml", "yaml", "json", "ini", "make", "dockerfile", "gomod", "ignore", "hcl", "nix", "bazel"})
_SETTINGS_NAME = re.compile(
    r"(?:.*requirements.*\.txt|requirements/.*\.txt|.*constraints.*\.txt|codeowners|\.[\w.-]+)$", re.IGNORECASE
)
_RULES_NAME = re.compile(r"\.(?:cursor|windsurf|cline)rules$|.*\.mdc$", re.IGNORECASE)


def cut_file(path: str, text: str, parsed: ParsedFile | None) -> tuple[Passage, ...]:
    """The passages of a file, those of code and settings in chunks first; () for one that is empty or binary.

    `text` is redacted and has the lines of the file; `parsed` is what was read from it, None where nothing was.
    Spans of one kind never overlap; chunks of code and settings with the notice above them, and passages of documents,
    hold every line that says anything exactly once, and the blank lines behind it: what is added after it is put there.
    Raises nothing, whatever the text.
    """
    if "\0" in text[:BINARY_PROBE_CHARS]:
        return ()
    lines = file_lines(text)
    language = parsed.language if parsed else language_of(path, lines[0][:200] if lines else "")
    found, most = _cut(path, lines, language, parsed)
    return _with_blanks(lines, tuple(islice(found, most)))


def _with_blanks(lines: Sequence[str], passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """Passages that hold whole lines, each with the blank ones between it and the next of its kind."""
    begins = {(one.kind, one.span[0]) for one in passages if one.span}
    return tuple(_with_those_behind(lines, one, begins) if one.kind in _WHOLE else one for one in passages)


def _with_those_behind(lines: Sequence[str], one: Passage, begins: Set[tuple[PassageKind, int]]) -> Passage:
    first, last = one.span or (1, 0)
    end = last
    while end < min(len(lines), last + BLANKS_MOST) and (one.kind, end + 1) not in begins and _is_blank(lines[end]):
        end += 1
    return replace(one, span=(first, end), text=span_text(lines, (first, end))) if end > last else one


def _is_blank(line: str) -> bool:
    return len(line) <= MAX_BLANK_CHARS and not says(line)


def _cut(path: str, lines: Sequence[str], language: str, parsed: ParsedFile | None) -> tuple[Iterator[Passage], int]:
    """How a file is cut, and into how many passages at most."""
    name = PurePosixPath(path).name
    if language == "notebook":
        return cut_notebook(path, lines), MAX_PASSAGES
    if _RULES_NAME.match(name):
        return cut_document(path, lines, Markup.MARKDOWN), MAX_PASSAGES
    if _is_settings(path, name, language):
        if len(lines) > DATA_LINES or _is_minified(lines):
            return _by_lines(path, lines), MAX_DATA_PASSAGES
        return _below_notice(path, lines, language, cut_settings), MAX_PASSAGES
    if markup := _markup(name, language):
        return cut_document(path, lines, markup), MAX_PASSAGES
    if _is_minified(lines) or not (is_code(path) or (parsed and parsed.symbols)):
        return _by_lines(path, lines), MAX_DATA_PASSAGES
    return _below_notice(path, lines, language, partial(_cut_source, language, parsed)), MAX_PASSAGES


def _is_settings(path: str, name: str, language: str) -> bool:
    if _SETTINGS_NAME.match(name) or "/requirements/" in f"/{path}":
        return not language or language in _SETTINGS or language == "text"
    return language in _SETTINGS


def _markup(name: str, language: str) -> Markup | None:
    """How a document is marked up; a name without a suffix that no tool knows is a plain text."""
    if language in _MARKUPS:
        return _MARKUPS[language]
    return Markup.TEXT if not language and "." not in name else None


def _is_minified(lines: Sequence[str]) -> bool:
    told = [len(line) for line in lines if says(line)]
    return bool(told) and sum(told) / len(told) > MINIFIED_CHARS


def _by_lines(path: str, lines: Sequence[str]) -> Iterator[Passage]:
    for span in parts_at_borders(lines, 1, len(lines)):
        yield Passage(PassageKind.CHUNK, span_text(lines, span), path=path, span=span)


def _below_notice(
    path: str,
    lines: Sequence[str],
    language: str,
    cut: Callable[[str, Sequence[str], CommentMarks], Iterator[Passage]],
) -> Iterator[Passage]:
    """What a source says below its notice of copyright, which stands in each alike and is a passage of its own."""
    marks = marks_of(language)
    end = notice_end(lines, marks)
    yield from cut(path, [*[""] * end, *lines[end:]], marks)
    for span in parts_at_borders(lines, 1, end):
        yield Passage(PassageKind.NOTICE, span_text(lines, span), path=path, span=span)


def _cut_source(
    language: str, parsed: ParsedFile | None, path: str, lines: Sequence[str], marks: CommentMarks
) -> Iterator[Passage]:
    tree = code_tree(lines, parsed.symbols if parsed else (), marks)
    yield from cut_code(path, lines, tree, parsed.imports if parsed else (), marks)
    yield from cut_documentation(path, lines, tree, marks, quoted=language in QUOTED)


_CELL = re.compile(r'\s*"cell_type"\s*:\s*"(?P<kind>\w+)"')
_SOURCE = re.compile(r'\s*"source"\s*:\s*\[\s*$')
_END = re.compile(r"\s*\]")


def cut_notebook(path: str, lines: Sequence[str]) -> Iterator[Passage]:
    """The cells of a notebook as it is saved, one line of source on a line; nothing where it is saved otherwise.

    A passage's text is what its lines say, without the quotes that the format puts around them.
    """
    prose, code, cells = [""] * len(lines), [""] * len(lines), list(_cells(lines))
    for kind, first, last in cells:
        into = prose if kind == "markdown" else code
        into[first - 1 : last] = [_unquoted(line) for line in lines[first - 1 : last]]
    yield from cut_document(path, prose, Markup.MARKDOWN)
    for kind, first, last in cells:
        if kind != "markdown":
            for span in parts_at_borders(code, first, last):
                yield Passage(PassageKind.CHUNK, span_text(code, span), path=path, span=span)


def _cells(lines: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """Sort and lines of the source of each cell that has one."""
    kind, first = "code", 0
    for number, line in enumerate(lines, 1):
        if first:
            if _END.match(line[:100]):
                if number > first:
                    yield kind, first, number - 1
                first = 0
        elif found := _CELL.match(line[:200]):
            kind = found["kind"]
        elif _SOURCE.match(line[:200]):
            first = number + 1


def _unquoted(line: str) -> str:
    try:
        said = json.loads(line.strip().rstrip(","))
    except ValueError:
        return line
    return said.rstrip("\n").replace("\n", " ") if isinstance(said, str) else line
