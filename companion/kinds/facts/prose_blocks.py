"""Markdown and reStructuredText as headings, sentences with their lines, and short code blocks.

Tables, badges, HTML, quotes and link definitions are passed over: they hold no rules. Wrapped lines
are joined, so that a sentence is found whole, and each sentence knows the line it begins on.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate

CODE_LINES = 4
"""Lines of a code block that can be a command to run: longer ones are examples."""
CODE_CHARS = 2_000
"""Characters of such a block: a longer one is data on one line."""
PARAGRAPH_CHARS = 10_000
"""Of a longer paragraph the beginning is read: nobody writes one, and what splits it looks back to its beginning."""
SENTENCE_CHARS = 1_000
"""Of a longer sentence the beginning is read: three times the longest rule, and each pattern may look at all of it
from each of its words."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence without markup.

    `bullet` tells whether it begins a list item, `inner` that it stands further on in one; `code` is the block of code
    that follows it directly, empty where none does. `block` is the whole paragraph or list item, which begins on
    `block_line`; `under` what announces the list that an item stands in (`When you deprecate something:`).
    """

    text: str
    line: int
    heading: str
    bullet: bool = False
    code: str = ""
    inner: bool = False
    block: str = ""
    block_line: int = 0
    under: str = ""


_FENCE = re.compile(r"^\s*(?P<mark>`{3,}|~{3,})(?P<info>.*)$")
_HEADING = re.compile(r"^#{1,6}\s+(?P<text>.+)$")
_UNDERLINE = re.compile(r"^(=+|-+|~+|\^+|\*+|\"+|\++)\s*$")
_BULLET = re.compile(r"^(?P<indent>\s*)(?:[-*+•]|\d+[.)]|#\.)\s+(?:\[[ xX]\]\s+)?(?P<text>.*)$")
_SKIPPED = re.compile(r"^\s*(?:<[!/a-zA-Z]|\||!\[|\[!\[|>|:\w+:|\.\. |\[[^\]]+\]:|!!!|:::|---\s*$|\{%|//)")
_INLINE = re.compile(
    r"^\s*(?::[\w:+.-]+:`|<(?:https?:|mailto:|/?(?:a|b|i|code|em|kbd|strong|span)\b)|!?\[[^\]]*\][(\[])"
)
"""Markup at the beginning of a line that goes on with the sentence of the line above."""
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]*_]*\s+(?=[\"'(`*_\[]*[A-Z`0-9])")
_ABBREVIATION = re.compile(r"(?:\be\.g|\bi\.e|\betc|\bvs|\bcf|\bapprox|\bNo|\bDr|\bMr|\bSt)\.$")
_INLINE_FENCE = frozenset({"", "sh", "bash", "shell", "console", "zsh", "shell-session", "text", "terminal", "cmd"})


def sentences(text: str) -> Iterator[Sentence]:
    """Every sentence of a document, in order."""
    yield from _Reader(text.split("\n")).read()


class _Reader:
    """Walks the lines once, gathering paragraphs and what stands below them."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = [line.rstrip("\r") for line in lines]
        self.heading = ""
        self.block: list[tuple[int, str]] = []
        self.bullet = False
        self.item = False
        self.held: Sentence | None = None
        self.announced = ""

    def read(self) -> Iterator[Sentence]:
        number = self._front_matter()
        while number < len(self.lines):
            line = self.lines[number]
            fence = _FENCE.match(line)
            if fence and not (fence["mark"][0] == "~" and self.block):
                yield from self._flush()
                self.announced = ""
                number, code = self._fenced(number, fence)
                yield from self._release(code)
            elif line.startswith(("    ", "\t")) and not self.block and not self.bullet:
                self.announced = ""
                number, code = self._indented(number)
                yield from self._release(code)
            else:
                yield from self._line(number, line)
                number += 1
        yield from self._flush()
        yield from self._release("")

    def _front_matter(self) -> int:
        if self.lines and self.lines[0].strip() == "---":
            for number in range(1, min(len(self.lines), 60)):
                if self.lines[number].strip() == "---":
                    return number + 1
        return 0

    def _line(self, number: int, line: str) -> Iterator[Sentence]:
        below = self.lines[number + 1] if number + 1 < len(self.lines) else ""
        if not line.strip():
            yield from self._flush()
            self.bullet = self.bullet and below.startswith((" ", "\t"))
        elif heading := _HEADING.match(line):
            yield from self._flush()
            yield from self._release("")
            self.heading, self.bullet, self.announced = plain(_title(heading["text"])), False, ""
        elif _UNDERLINE.match(line):
            title = self.block[-1][1] if len(self.block) == 1 else ""
            if title and not self.bullet:
                self.block = []
                self.heading, self.announced = plain(title), ""
            yield from self._release("")
        elif _SKIPPED.match(line) and not (self.block and _INLINE.match(line)):
            yield from self._flush()
        elif item := _BULLET.match(line):
            yield from self._flush()
            self.bullet = self.item = True
            self.block = [(number + 1, item["text"])]
        else:
            self.block.append((number + 1, line.strip()))

    def _fenced(self, number: int, fence: re.Match[str]) -> tuple[int, str]:
        start = number + 1
        number = start
        mark = fence["mark"][:3]
        while number < len(self.lines) and not self.lines[number].strip().startswith(mark):
            number += 1
        info = fence["info"].strip().split()
        shell = not info or info[0].strip("{}").lower() in _INLINE_FENCE
        return number + 1, self._command(self.lines[start:number]) if shell else ""

    def _indented(self, number: int) -> tuple[int, str]:
        start = number
        while number < len(self.lines) and (
            self.lines[number].startswith(("    ", "\t")) or not self.lines[number].strip()
        ):
            number += 1
        return number, self._command(self.lines[start:number])

    @staticmethod
    def _command(lines: list[str]) -> str:
        """The commands of a short block, prompts removed; empty where it is long or shows output."""
        found = [re.sub(r"^\s*(?:[$%>]|\(\w+\) ?\$)\s+", "", line).strip() for line in lines]
        found = [line for line in found if line and not line.startswith(("#", "//"))]
        command = " && ".join(found) if 0 < len(found) <= CODE_LINES else ""
        return command if len(command) <= CODE_CHARS else ""

    def _flush(self) -> Iterator[Sentence]:
        """The sentences of the paragraph at hand; the last is held until what follows is known."""
        if not self.block:
            return
        block, self.block = self.block, []
        found = list(_split(block))
        item, self.item = self.item, False
        whole = " ".join(text for _, text in found)
        if not item:
            self.announced = found[-1][1] if found and found[-1][1].endswith(":") else ""
        under = self.announced if item else ""
        for index, (line, text) in enumerate(found):
            yield from self._release("")
            first = index == 0
            self.held = Sentence(
                text, line, self.heading, item and first, "", item and not first, whole, found[0][0], under
            )

    def _release(self, code: str) -> Iterator[Sentence]:
        held, self.held = self.held, None
        if held is not None:
            yield replace(held, code=code)


def _title(told: str) -> str:
    """The words of a heading, without the signs that may close it."""
    told = told[:SENTENCE_CHARS]
    return told.rstrip("#").rstrip() or told[:1]


def _split(block: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    joined = " ".join(text for _, text in block)[:PARAGRAPH_CHARS]
    starts = list(accumulate((len(text) + 1 for _, text in block[:-1]), initial=0))
    begin = 0
    for cut in [*(m for m in _SENTENCE_END.finditer(joined)), None]:
        end = cut.start() if cut is not None else len(joined)
        if cut is not None and (_abbreviated(joined, begin, end) or joined.count("`", begin, end) % 2):
            continue
        text = plain(joined[begin : (cut.end() if cut is not None else end)])[:SENTENCE_CHARS]
        if text:
            yield block[bisect_right(starts, begin) - 1][0], text
        begin = cut.end() if cut is not None else end


def _abbreviated(joined: str, begin: int, end: int) -> bool:
    """Whether a piece ends with the point of an abbreviation: none is longer than a dozen characters."""
    return _ABBREVIATION.search(joined, max(begin, end - 12), end) is not None


_ROLES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?::[a-z][\w+.-]*)+:`(?:~|!)?([^`<]{1,300}?)(?:\s*<[^>]{0,300}>)?`"), r"`\1`"),
    (re.compile(r"`([^`<]{1,300}?)\s*<https?://[^>`]*>`_{1,2}"), r"\1"),
    (re.compile(r"``([^`]+)``"), r"`\1`"),
    (re.compile(r"`([^`]+)`_{1,2}(?!\w)"), r"\1"),
    (re.compile(r"(?<![\w`./_-])([A-Za-z][A-Za-z0-9-]+)_(?=[\s,.;:)]|$)"), r"\1"),
)
"""reStructuredText that wears backticks. What stands in marks has a bound, here and below: without one, each mark
that nothing closes would be looked for to the end."""

_MARKUP: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"<!--.{0,1000}?-->"), ""),
    (re.compile(r"!\[[^\]]{0,500}\]\([^)]{0,2000}\)"), ""),
    (re.compile(r"\[([^\]]{1,500})\]\([^)]{0,2000}\)"), r"\1"),
    (re.compile(r"\[([^\]]{1,500})\]\[[^\]]{0,500}\]"), r"\1"),
    (re.compile(r"(?<![\w`])\[([A-Za-z][^\]]{1,500})\](?![\w(])"), r"\1"),
    (re.compile(r"(?<!\w)(\*\*|__)(?=\S)(.{1,500}?)(?<=\S)\1(?!\w)"), r"\2"),
    (re.compile(r"(?<![\w*`/])([*_])(?=[^\s*_])([^*_`]+?)(?<=[^\s*_])\1(?![\w*`])"), r"\2"),
    (re.compile(r"<https?://([^>]{1,2000})>"), r"\1"),
    (re.compile(r"</?[a-z][^>]{0,1000}>"), ""),
)


_SPAN = re.compile(r"`[^`]+`(?!_)")
_KEPT = re.compile("\x00(\\d+)\x00")


def plain(text: str) -> str:
    """A text without markup; code spans stay exactly as they are."""
    for pattern, replacement in _ROLES:
        text = pattern.sub(replacement, text)
    spans: list[str] = []

    def keep(found: re.Match[str]) -> str:
        spans.append(found.group())
        return f"\x00{len(spans) - 1}\x00"

    text = _SPAN.sub(keep, text.replace("\x00", ""))
    for pattern, replacement in _MARKUP:
        text = pattern.sub(replacement, text)
    text = _KEPT.sub(lambda found: spans[int(found[1])], text)
    return " ".join(text.split()).strip()
