"""A document as blocks: headings, paragraphs, list items, rows, code, each with its lines.

One reader for Markdown, reStructuredText, AsciiDoc and plain text, as all are made of lines with a blank one between
blocks; they differ in how a heading looks. Every line that says anything belongs to exactly one block, whatever the
text is: what is not understood is a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from companion.evidence.lines import indentation, says, word_count

MAX_TITLE_CHARS = 200
"""A heading longer than this is a paragraph that was marked as one; the rest stands in the text."""

FRONT_MATTER_LINES = 60
"""Lines within which the front matter of a document closes."""

_READ_CHARS = 1_000
"""Of a line, looked at to tell what it is."""


class Markup(Enum):
    """How a document marks its headings."""

    MARKDOWN = "markdown"
    RESTRUCTUREDTEXT = "restructuredtext"
    ASCIIDOC = "asciidoc"
    TEXT = "text"


class Sort(Enum):
    """What a block is."""

    HEADING = "heading"
    TEXT = "text"
    ITEM = "item"
    CODE = "code"
    LABEL = "label"
    """What is said of the block below: an anchor, attributes, a title that is no heading."""
    RULE = "rule"


class TextBlock(Struct, frozen=True):
    """Lines that belong together. `level` and `title` are those of a heading, level 1 the highest."""

    sort: Sort
    first: int
    last: int
    indent: int
    words: int
    level: int = 0
    title: str = ""


_FENCE = re.compile(r"\s*(?P<mark>`{3,}|~{3,}|-{4,}$|\.{4,}$|\+{4,}$|/{4,}$|_{4,}$|\|={3,}$)")
"""What opens code; in AsciiDoc also what is left out, what others said, a table."""
_ATX = re.compile(r" {0,3}(?P<mark>#{1,6}|={1,6})(?:\s+(?P<title>.*)|$)")
_HTML_HEADING = re.compile(r"\s*<h(?P<level>[1-6])\b[^>]*>(?P<title>.*?)(?:</h[1-6]>|$)", re.IGNORECASE)
_RULED = re.compile(r"([!-/:-@\[-`{-~])\1+\s*$")
_BULLET = re.compile(r"\s*(?:[-*+•]|\w{1,9}[.)]|#\.)\s+")
_NOWHERE = 10_000
"""An indentation that no line has."""
_ITEM = re.compile(r"\s*(?:[-*+•]|[-*]{2,5}|\d{1,9}[.)]|\(?[a-z0-9]\)|#\.)\s+\S")
_POINTED = re.compile(r"\s*\.{1,5}\s+\S")
"""An item of a numbered list in AsciiDoc."""
_DELIMITER = re.compile(r"(?:([-.+/=*_])\1{3,}|--|\|={3,})$")
"""What opens and closes a block in AsciiDoc."""
_ATTRIBUTES = re.compile(r"\[(?:\[[^\[\]]*\]|(?:[^\[\]\"]|\"[^\"]*\")*)\]$")
_BLOCK_TITLE = re.compile(r"\.[^\s.]")
"""What stands above a block in AsciiDoc: `[source,java]`, `.How it is called`."""
_INTERRUPTS = re.compile(r"\s*(?:[-*+•]|1[.)]|#\.)\s+\S|\.\. |\|")
"""What begins a block of its own though no blank line stands before it: a wrapped line may begin with `2.`."""
_CONFLICT = re.compile(r"(?:<{7}|={7}|>{7}|\|{7})(?: |$)")
_OPENS_CODE = re.compile(
    r"\.\. (?:code|code-block|sourcecode|parsed-literal|prompt|ipython|doctest|testcode)::|(?!\.\. ).*::\s*$"
)
"""A line of reStructuredText below which code is set in: a directive, or what ends a paragraph."""
_LABEL = re.compile(r"\.\. (?:_[^:]+:|[\w-]+::\s*\S+)\s*$|<a\s[^<>]*>\s*</a>\s*$|\[\[?[#\w][^\[\]]*\]\]?\s*$")
_MARKS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"!?\[([^\[\]]{0,300})\](?:\([^()]{0,1000}\)|\[[^\[\]]{0,300}\])"), r"\1"),
    (re.compile(r":[\w:+.-]{1,60}:`[~!]?([^`<]{1,300}?)(?:\s*<[^>]{0,300}>)?`"), r"\1"),
    (re.compile(r"</?[a-zA-Z][^<>]{0,500}>|\{#[^{}]{0,100}\}"), ""),
    (re.compile(r"[`*]+|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)"), ""),
)


def heading_words(text: str) -> str:
    """A heading without its markup, at most `MAX_TITLE_CHARS`."""
    text = text[:_READ_CHARS].strip()
    bare = text.rstrip("#=").rstrip() if text.endswith((" #", "##", " =", "==")) else text
    for pattern, kept in _MARKS:
        bare = pattern.sub(kept, bare)
    return (" ".join(bare.split()) or text)[:MAX_TITLE_CHARS]


def read_blocks(lines: Sequence[str], markup: Markup) -> Iterator[TextBlock]:
    """Every block of a document, in order."""
    yield from _BlockReader(lines, markup).read()


class _BlockReader:
    """Walks the lines once; `at` is the index of the next one."""

    def __init__(self, lines: Sequence[str], markup: Markup) -> None:
        self.lines = lines
        self.markup = markup
        self.at = 0
        self.styles: list[tuple[str, bool]] = []
        self.in_conflict = False
        self.code_from = _NOWHERE

    def read(self) -> Iterator[TextBlock]:
        """Every block; an anchor or label right above a heading is part of it."""
        label: TextBlock | None = None
        for block in map(self._set_in, self._blocks()):
            heads = label is not None and block.sort is Sort.HEADING
            if label and not heads:
                yield label
            whole = replace(block, first=label.first) if label and heads else block
            label = replace(whole, sort=Sort.LABEL) if self._is_label(whole) else None
            if label is None:
                yield whole
        if label:
            yield label

    def _set_in(self, block: TextBlock) -> TextBlock:
        """The block, as code where reStructuredText announced code above and it is set in further than that."""
        if self.markup is not Markup.RESTRUCTUREDTEXT:
            return block
        if block.indent >= self.code_from:
            return replace(block, sort=Sort.CODE, level=0, title="")
        first = self._line(block.first - 1)
        bullet = _BULLET.match(first) if block.sort is Sort.ITEM else None
        begins = bullet.end() if bullet else indentation(first)
        opening = first[bullet.end() :] if bullet else first.lstrip()
        if not opening.startswith(".. ") and block.first < block.last:
            opening = self._line(block.last - 1).lstrip()
            begins = indentation(self._line(block.last - 1))
        self.code_from = begins + 1 if _OPENS_CODE.match(opening) else _NOWHERE
        return block

    def _is_label(self, block: TextBlock) -> bool:
        line = self._line(block.first - 1)
        alone = block.first == block.last and block.sort is Sort.TEXT
        return alone and (_LABEL.match(line) is not None or self._stands_above(line))

    def _stands_above(self, line: str) -> bool:
        """Whether a line of AsciiDoc only says something of the block below it."""
        told = _ATTRIBUTES.match(line.rstrip()) or _BLOCK_TITLE.match(line)
        return self.markup is Markup.ASCIIDOC and told is not None

    def _delimits(self, line: str) -> bool:
        return self.markup is Markup.ASCIIDOC and _DELIMITER.match(line.rstrip()) is not None

    def _blocks(self) -> Iterator[TextBlock]:
        if front := self._front_matter():
            yield self._block(Sort.CODE, front)
        while self.at < len(self.lines):
            line = self._line(self.at)
            if not says(line):
                self.at += 1
            elif _CONFLICT.match(line) and self._conflict(line):
                yield self._block(Sort.RULE, self.at + 1)
            else:
                yield self._heading(line) or self._fenced(line) or self._gathered(line)

    def _line(self, at: int) -> str:
        return self.lines[at][:_READ_CHARS] if at < len(self.lines) else ""

    def _block(self, sort: Sort, end: int, level: int = 0, title: str = "") -> TextBlock:
        """The block from here to the line before `end`, which is read on from."""
        first, self.at = self.at, end
        words = sum(word_count(line) for line in self.lines[first:end])
        return TextBlock(sort, first + 1, end, indentation(self.lines[first]), words, level, title)

    def _front_matter(self) -> int:
        mark = self._line(0).rstrip()
        if mark in {"---", "+++"}:
            for at in range(1, min(len(self.lines), FRONT_MATTER_LINES)):
                if self._line(at).rstrip() == mark:
                    return at + 1
        return 0

    def _conflict(self, line: str) -> bool:
        """Whether this is a conflict's mark; `=======` is one only between the two others."""
        if line[0] in "<>":
            self.in_conflict = line[0] == "<"
            return True
        return self.in_conflict

    # --- headings -------------------------------------------------------------------------------

    def _heading(self, line: str) -> TextBlock | None:
        found, title = _ATX.match(line), ""
        if found and found["mark"][0] == ("=" if self.markup is Markup.ASCIIDOC else "#"):
            title, level = heading_words(found["title"] or ""), len(found["mark"])
        elif self.markup is Markup.MARKDOWN and (html := _HTML_HEADING.match(line)):
            title, level = heading_words(html["title"]), int(html["level"])
        if title and self.markup is not Markup.RESTRUCTUREDTEXT:
            return self._block(Sort.HEADING, self.at + 1, level, title)
        return self._over_and_under(line) or self._underlined(line)

    def _over_and_under(self, line: str) -> TextBlock | None:
        """`====`, a title, `====`: as reStructuredText and plain texts have it."""
        title, rule = self._line(self.at + 1), line.rstrip()
        if (
            self.markup not in {Markup.RESTRUCTUREDTEXT, Markup.TEXT}
            or not 3 <= len(rule) >= len(title.strip())
            or not _RULED.match(line)
            or not any(sign.isalnum() for sign in title)
            or self._line(self.at + 2).rstrip() != rule
        ):
            return None
        return self._block(Sort.HEADING, self.at + 3, self._level(line[0], True), heading_words(title))

    def _underlined(self, line: str) -> TextBlock | None:
        below = self._line(self.at + 1).rstrip()
        if not self._underlines(below, line):
            return None
        markdown = self.markup is Markup.MARKDOWN
        level = 1 + (below[0] == "-") if markdown else self._level(below[0], False)
        return self._block(Sort.HEADING, self.at + 2, level, heading_words(line))

    def _underlines(self, below: str, title: str) -> bool:
        """Whether a line marks the one above it as a heading."""
        if not _RULED.match(below) or (self.in_conflict and _CONFLICT.match(below)):
            return False
        if _ITEM.match(title) and self.markup is Markup.MARKDOWN:
            return False
        if not any(sign.isalnum() for sign in title) or title[:1] in "|<>":
            return False
        if self.markup is Markup.MARKDOWN:
            return below[0] in "=-" and not title.startswith("    ") and not _FENCE.match(title.rstrip())
        if self.markup is Markup.ASCIIDOC:
            bare = self._stands_above(title) or self._is_item(title)
            return below[0] in "=-~^+" and abs(len(below) - len(title.rstrip())) <= 2 and not bare
        told = below[0] not in ".:" if self.markup is Markup.RESTRUCTUREDTEXT else below[0] in "=-~^*#"
        return told and not title[0].isspace() and len(below) >= min(len(title.rstrip()), 4) and len(below) > 1

    def _level(self, mark: str, over: bool) -> int:
        """Levels are told by the order in which their marks first appear."""
        if (mark, over) not in self.styles:
            self.styles.append((mark, over))
        return self.styles.index((mark, over)) + 1

    # --- the rest -------------------------------------------------------------------------------

    def _fenced(self, line: str) -> TextBlock | None:
        """Code between two marks; what nothing closes goes to the end, as it is shown."""
        found = _FENCE.match(line.rstrip())
        if found is None or (found["mark"][0] in "-.+/_|" and self.markup is not Markup.ASCIIDOC):
            return None
        mark, at = found["mark"], self.at + 1
        if "`" in line[found.end() :] and mark[0] == "`":
            return None
        while at < len(self.lines) and not self._closes(self._line(at), mark):
            at += 1
        return self._block(Sort.CODE, min(at + 1, len(self.lines)))

    @staticmethod
    def _closes(line: str, mark: str) -> bool:
        bare = line.strip()
        return bare == mark or (len(bare) >= len(mark) and not bare.strip(mark[0]))

    def _gathered(self, line: str) -> TextBlock:
        """A paragraph, an item or a rule: up to a blank line, or to what begins a block of its own."""
        sort = Sort.ITEM if self._is_item(line) else Sort.RULE if _RULED.match(line.strip()) else Sort.TEXT
        row = line.lstrip().startswith("|")
        at = self.at + 1
        if self._delimits(line) or self._stands_above(line):
            return self._block(sort, at)
        while at < len(self.lines):
            below = self._line(at)
            if not says(below) or self._begins(below, at, row, sort):
                break
            at += 1
        block = self._block(sort if at == self.at + 1 or sort is not Sort.RULE else Sort.TEXT, at)
        bullet = line.split(maxsplit=1)[0]
        deep = sort is Sort.ITEM and self.markup is Markup.ASCIIDOC and not bullet.strip(bullet[0])
        return replace(block, indent=block.indent + len(bullet) - 1) if deep else block

    def _is_item(self, line: str) -> bool:
        pointed = self.markup is Markup.ASCIIDOC and _POINTED.match(line)
        return bool(pointed or _ITEM.match(line))

    def _begins(self, line: str, at: int, row: bool, sort: Sort) -> bool:
        if row and line.lstrip().startswith("|"):
            return False
        if _INTERRUPTS.match(line) or (sort is Sort.ITEM and self._is_item(line)):
            return True
        if _CONFLICT.match(line) and (line[0] in "<>" or self.in_conflict):
            return True
        if self._delimits(line) or (self._stands_above(line) and line[0] == "["):
            return True
        if _FENCE.match(line.rstrip()) and line.lstrip()[:3] in {"```", "~~~"}:
            return True
        mark = {Markup.MARKDOWN: "#", Markup.ASCIIDOC: "="}.get(self.markup, "\n")
        if line.lstrip()[0] == mark and _ATX.match(line):
            return True
        return (
            self.markup is Markup.MARKDOWN and at == self.at + 1 and self._underlines(self._line(at + 1).rstrip(), line)
        )
