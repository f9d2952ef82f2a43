"""Markdown, reStructuredText and AsciiDoc as headings, sentences with their lines, and short code blocks.

Tables, badges, HTML, quotes and link definitions are passed over: they hold no rules. Wrapped lines
are joined, so that a sentence is found whole, and each sentence knows the line it begins on.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from html import unescape
from itertools import accumulate

from msgspec import Struct
from msgspec.structs import replace

from companion.evidence.blocks import Markup, Sort, TextBlock, read_blocks
from companion.evidence.lines import file_lines
from companion.language.phrases import opens
from companion.language.sentences import written_stops
from companion.language.word_lists import GLUE
from companion.syntax.languages import language_of

_OTHERWISE = "written.commands.otherwise"
CODE_LINES = 4
"""Lines of a code block that can be a command to run: longer ones are examples."""
CODE_INDENT = 4
"""Columns from which what stands outside of a list is code."""
CODE_CHARS = 2_000
"""Characters of such a block: a longer one is data on one line."""
PARAGRAPH_CHARS = 10_000
"""Of a longer paragraph the beginning is read: nobody writes one, and what splits it looks back to its beginning."""
SENTENCE_CHARS = 1_000
"""Of a longer sentence the beginning is read: three times the longest rule, and each pattern may look at all of it
from each of its words."""


class Sentence(Struct, frozen=True):
    """A sentence without markup.

    `bullet` tells whether it begins a list item, `inner` that it stands further on in one, `numbered` that the item has
    a number; `code` is what the block of code that follows it directly has to type, empty where none does. A comment in
    such a block is a sentence too, a `caption`, and `code` what stands below it. `block` is the paragraph or list item
    as a whole, which begins on `block_line`; `under` what announces the list that an item stands in (`When you
    deprecate something:`), `box` whether that item is to be ticked, `is_link` whether it is a link and no more.
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
    numbered: bool = False
    caption: bool = False
    box: bool = False
    is_link: bool = False


_FENCE = re.compile(r"^\s*(?P<mark>`{3,}|~{3,})(?P<info>.*)$")
_BULLET, _POINTED_BULLET = (
    re.compile(rf"^(?P<indent>\s*)(?:[-+•]|\*{{1,5}}|(?P<number>{number}))\s+(?P<box>\[[ xX]\]\s+)?(?P<text>.*)$")
    for number in (r"\d+[.)]|#\.", r"\d+[.)]|\.{1,5}")
)
_SKIPPED = re.compile(r"^\s*(?:<[!/a-zA-Z]|\||!\[|\[!\[|>|:\w+:|\.\. |\[[^\]]+\]:|!!!|:::|---\s*$|\{%|//)")
_DIRECTIVE = re.compile(r"(?::!?[\w-]+!?:(?:\s|$)|\w+::\S*\[)")
"""A line of AsciiDoc that sets something or includes it."""
_INLINE = re.compile(
    r"^\s*(?::[\w:+.-]+:`|<(?:https?:|mailto:|/?(?:a|b|i|code|em|kbd|strong|span)\b)|!?\[[^\]]*\][(\[])"
)
"""Markup at the beginning of a line that goes on with the sentence of the line above."""
_LINK_ALONE = re.compile(
    r"(?:\[[^\]]{1,500}\](?:\([^)]{0,2000}\)|\[[^\]]{0,500}\])?"
    r"|`[^`]{1,500}`_{1,2}"
    r"|<<[^<>]{1,500}>>|(?:xref:|link:|https?://)[^\s\[\]]{1,500}\[[^\]]{0,500}\])[\s.:;]*"
)
"""A link and nothing else, as an entry of a table of contents is, in any of the markups."""
_LISTING = re.compile(r"(?:-{4,}|\.{4,})\s*$")
_SOURCE = re.compile(r"\[(?:source|listing)?[^,\]]*,\s*(?P<info>[\w+-]+)")
"""A block of code in AsciiDoc, and what stands above it and names its language."""
_GOES_ON = re.compile(r"(?:^|\s)\+$")
_ADMONITION = re.compile(r"(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION):\s+")
"""How AsciiDoc joins what follows to an item, or breaks a line; and what it marks as an aside."""
_MARKUPS = {one.value: one for one in (Markup.RESTRUCTUREDTEXT, Markup.ASCIIDOC)}
"""By language; whatever else is read as Markdown."""
_INLINE_FENCE = frozenset({"", "sh", "bash", "shell", "console", "zsh", "shell-session", "text", "terminal", "cmd"})


def sentences(text: str, path: str = "") -> Iterator[Sentence]:
    """Every sentence of a document, in order; its path tells how it is marked up, Markdown where none is given."""
    yield from _Reader(text, _MARKUPS.get(language_of(path), Markup.MARKDOWN)).read()


class _Reader:
    """Goes through the blocks of a document, and holds a sentence until what follows it is known."""

    def __init__(self, text: str, markup: Markup) -> None:
        self.lines = file_lines(text)
        self.markup = markup
        self.heading = ""
        self.announced = ""
        self.announced_from = 0
        self.case = ""
        self.case_at = 0
        self.in_list = False
        self.held: Sentence | None = None

    def read(self) -> Iterator[Sentence]:
        for block in read_blocks(self.lines, self.markup):
            if block.sort is Sort.ITEM or block.indent == 0:
                self.in_list = block.sort is Sort.ITEM
            if block.sort is Sort.HEADING:
                yield from self._release()
                self.heading, self.announced, self.announced_from = plain(block.title, self.markup), "", 0
            elif block.sort is Sort.CODE or (self._is_set_in(block) and not self.in_list):
                self.announced = ""
                yield from self._typed(block)
            elif block.sort is Sort.RULE:
                yield from self._release()
            elif block.sort is not Sort.LABEL or self.markup is not Markup.ASCIIDOC:
                yield from self._gathered(block)
        yield from self._release()

    def _is_set_in(self, block: TextBlock) -> bool:
        """Whether a block stands so far in that it is code where no list is."""
        if self.markup is Markup.ASCIIDOC:
            return block.sort is Sort.TEXT and block.indent > 0
        return block.indent >= CODE_INDENT

    def _typed(self, block: TextBlock) -> Iterator[Sentence]:
        """The sentence above a block of code with what it has to type, and its comments with what stands below each.

        Prompts are removed. What a comment gives instead (`# Or in watch mode:`) is left out, with all that follows it.
        """
        parts: list[tuple[int, str, list[str]]] = [(block.first, "", [])]
        for number, written in self._shell_lines(block):
            line = re.sub(r"^\s*(?:[$%>]|\(\w+\) ?\$)\s+", "", written).strip()
            if not _is_comment(line):
                parts[-1][2].extend(filter(None, [line]))
            elif opens(line.lstrip("#/ "), _OTHERWISE):
                break
            else:
                parts.append((number, line.lstrip("#/ "), []))
        yield from self._release(_joined(parts[0][2]))
        for number, comment, lines in parts[1:]:
            yield Sentence(comment, number, self.heading, code=_joined(lines), caption=True)

    def _shell_lines(self, block: TextBlock) -> Iterator[tuple[int, str]]:
        """The lines of a block of code, numbered; none where it is no shell's."""
        first, last = block.first, block.last
        if fence := _FENCE.match(self.lines[first - 1]):
            info = fence["info"].strip().split()
            first, last = (first + 1, last - 1) if not info or info[0].strip("{}").lower() in _INLINE_FENCE else (1, 0)
        elif self.markup is Markup.ASCIIDOC and block.sort is Sort.CODE:
            of_shell = _LISTING.match(self.lines[first - 1]) and self._language_above(first) in _INLINE_FENCE
            first, last = (first + 1, last - 1) if of_shell else (1, 0)
        yield from enumerate(self.lines[first - 1 : last], first)

    def _language_above(self, first: int) -> str:
        """The language that AsciiDoc names above a block of code, maybe with a title between; empty where none."""
        above = filter(None, map(_SOURCE.match, self.lines[max(first - 3, 0) : first - 1]))
        return next((found["info"].lower() for found in above), "")

    def _gathered(self, block: TextBlock) -> Iterator[Sentence]:
        """The sentences of a paragraph or an item; the last is held until what follows is known."""
        bullet = _POINTED_BULLET if self.markup is Markup.ASCIIDOC else _BULLET
        item = bullet.match(self.lines[block.first - 1])
        lines = [(number, self.lines[number - 1].strip()) for number in range(block.first, block.last + 1)]
        lines = [(block.first, item["text"]), *lines[1:]] if item else lines
        if self.markup is Markup.ASCIIDOC:
            opening = _ADMONITION.match(lines[0][1])
            lines[0] = (block.first, lines[0][1][opening.end() if opening else 0 :])
            lines = [(number, _GOES_ON.sub("", line)) for number, line in lines if not _DIRECTIVE.match(line)]
            lines = [one for one in lines if one[1]]
        lines = [one for at, one in enumerate(lines) if not _SKIPPED.match(one[1]) or (at and _INLINE.match(one[1]))]
        written = [line for _, line in lines]
        found = list(_split(lines, self.markup)) if lines else []
        whole = " ".join(text for _, text in found)
        if not item or block.indent < self.announced_from:
            self.announced, self.announced_from = "", 0
        if not item or not self.case or block.indent <= self.case_at:
            self.case, self.case_at = _case(whole) if item else "", block.indent
        is_within = self.case_at < block.indent and self.announced_from <= self.case_at
        under = self.case if is_within else self.announced
        if whole.endswith(":") or (whole[-1:].isalpha() and not (item or block.indent)):
            self.announced, self.announced_from = f"{found[-1][1].rstrip(': ')}:", block.indent + 1 if item else 0
        for index, (line, text) in enumerate(found):
            yield from self._release()
            first = index == 0
            self.held = Sentence(
                text,
                line,
                self.heading,
                bullet=bool(item) and first,
                inner=bool(item) and not first,
                block=whole,
                block_line=found[0][0],
                under=under,
                numbered=bool(item and item["number"]),
                box=bool(item and item["box"]),
                is_link=bool(item and _LINK_ALONE.fullmatch(" ".join(written))),
            )

    def _release(self, code: str = "") -> Iterator[Sentence]:
        held, self.held = self.held, None
        if held is not None:
            yield replace(held, code=code)


def _case(item: str) -> str:
    """What an item that is no sentence says of the items below it: `For a short code fix:`."""
    is_clause = opens(item, "written.rules.condition", "written.rules.imperative") > 0
    if not item[-1:].isalnum() or (is_clause and "," in item):
        return ""
    first = item.partition(" ")[0]
    small = first.lower() if first.lower() in GLUE else first
    return f"{item}:" if is_clause else f"For {small}{item.removeprefix(first)}:"


def _split(block: list[tuple[int, str]], markup: Markup) -> Iterator[tuple[int, str]]:
    joined = " ".join(text for _, text in block)[:PARAGRAPH_CHARS]
    starts = list(accumulate((len(text) + 1 for _, text in block[:-1]), initial=0))
    bare = _SPAN.sub(lambda span: "x" * len(span[0]), joined)
    marks = {at for found in _STRESSED.finditer(bare) for side in (1, 3) for at in range(*found.span(side))}
    begin = 0
    for end in (*written_stops(joined), len(joined)):
        if end < len(joined) and joined.count("`", begin, end) % 2:
            continue
        text = plain("".join(joined[at] for at in range(begin, end) if at not in marks), markup)[:SENTENCE_CHARS]
        if any(sign.isalnum() for sign in text):
            yield block[bisect_right(starts, begin) - 1][0], text
        begin = end


_STRESSED = re.compile(r"(?<![\w*`/])(\*\*|__|[*_])(?=[^\s*_])([^*_]{1,1000}?)(?<=[^\s*_])(\1)(?![\w*`])")
"""What is stressed, maybe over several sentences: its marks go before they are parted."""

_ROLES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"(?::[a-z][\w+.-]*)+:`(?:~|!)?([^`<]{1,300}?)(?:\s*<[^>]{0,300}>)?`"), r"`\1`"),
    (re.compile(r"`([^`<]{1,300}?)\s*<https?://[^>`]*>`_{1,2}"), r"\1"),
    (re.compile(r"``([^`]+)``"), r"`\1`"),
    (re.compile(r"`([^`]+)`_{1,2}(?!\w)"), r"\1"),
    (re.compile(r"(?<![\w`./_-])([A-Za-z][A-Za-z0-9-]+)_(?=[\s,.;:)]|$)"), r"\1"),
)
"""reStructuredText that wears backticks. What stands in marks has a bound, here and below: without one,
each mark that nothing closes would be looked for to the end."""

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


_ASCIIDOC: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"`\+([^`+]{1,300})\+`"), r"`\1`"),
    (re.compile(r"\bimage:[^\s\[\]:][^\s\[\]]{0,500}\[[^\[\]]{0,500}\]"), ""),
    (
        re.compile(
            r"(?:\b(?:link:|xref:|mailto:|https?://)|\{[\w-]{1,60}\})[^\s\[\]<>]{0,500}\[(?![\d:])([^\[\]^]{1,300})\^?\]"
        ),
        r"\1",
    ),
    (re.compile(r"<<(?:[^\s<>,]{1,200},\s{0,9})?([^<>]{1,300})>>"), r"\1"),
)
"""AsciiDoc alone: what it takes as it stands, pictures, links, references."""

_ENTITY = re.compile(r"&(?:#\w{1,7}|[a-zA-Z]\w{1,30});")
_SPAN = re.compile(r"`[^`]+`(?!_)")
_KEPT = re.compile("\x00(\\d+)\x00")


def plain(text: str, markup: Markup = Markup.MARKDOWN) -> str:
    """A text without markup; code spans stay exactly as they are."""
    for pattern, replacement in (*(_ASCIIDOC if markup is Markup.ASCIIDOC else ()), *_ROLES):
        text = pattern.sub(replacement, text)
    spans: list[str] = []

    def keep(found: re.Match[str]) -> str:
        spans.append(found.group())
        return f"\x00{len(spans) - 1}\x00"

    text = _SPAN.sub(keep, text.replace("\x00", ""))
    for pattern, replacement in _MARKUP:
        text = pattern.sub(replacement, text)
    text = _ENTITY.sub(lambda found: unescape(found[0]), text)
    text = _KEPT.sub(lambda found: spans[int(found[1])], text)
    return " ".join(text.split()).strip()


def _joined(lines: Sequence[str]) -> str:
    """Lines as one command; empty where they are too many or too long to be one."""
    command = " && ".join(lines[: CODE_LINES + 1])
    return command if len(lines) <= CODE_LINES and len(command) <= CODE_CHARS else ""


def _is_comment(line: str) -> bool:
    return line.startswith(("#", "//"))
