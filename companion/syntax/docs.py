"""Comments and docstrings to first sentences."""

from __future__ import annotations

import re

from companion.syntax.captures import SyntaxReading

MAX_SENTENCE_CHARS = 160
"""A first sentence longer than this is cut at a word."""
READ_CHARS = 2_000
"""Of a comment or docstring: tags and rules that are taken out of its first sentence have room in it."""

_OPENING = re.compile(
    r"^\s*(?:/\*+!?|//[/!]*|--+(?:\[+|\s?[|^](?=\s|$))?|\{-+(?:\s?[|^](?=\s|$))?|#+!?|;+|\*+/?|%+|\"{3}|'{3})\s?"
)
_QUOTES = re.compile(r"^[rRbBuUfF]{0,2}(?:\"\"\"|'''|\"|')|(?:\"\"\"|'''|\"|')$")
_RULE = re.compile(r"^[\W_]*$|\s*[/*=#~_-]{3,}\s*")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|\{@\w+\s+([^{}]*)\}")
_NAMING = re.compile(r"<\w+\s+(?:cref|name|langword)=\"(?:[A-Z]:)?([^\"(]*)[^\"]*\"\s*/>")
"""A tag that stands for a name: <see cref="T:Sink"/>, <paramref name="text"/>."""
_SENTENCE_END = re.compile(r"(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\betc)[.!?](?=\s+[^a-z]|\s*$)")
_NO_DOC = re.compile(
    r"copyright|licen[sc]e|spdx-|eslint|prettier|@ts-|@flow|type: ignore|noqa|pylint|clang-format|rubocop|"
    r"frozen_string|-\*-|vim:|generated|nolint|phpcs|tslint|go:build|\+build|use strict|istanbul|pragma",
    re.IGNORECASE,
)


def docstring(text: str) -> str:
    """The first sentence of a string literal."""
    return sentence(_QUOTES.sub("", _QUOTES.sub("", text.strip(), count=1), count=1).splitlines())


def sentence(lines: list[str]) -> str:
    """The first sentence of a text given by lines: up to the first stop or the first empty line."""
    words: list[str] = []
    room = READ_CHARS
    for line in lines:
        text = line.strip()[:room]
        if not text or text.startswith(
            ("@", ":param", ":return", "\\param", "---", "===", "```", "{@template", "{@macro")
        ):
            if words:
                break
            continue
        words.append(text)
        room -= len(text)
        if room <= 0 or _SENTENCE_END.search(text):
            break
    text = _RULE.sub("", " ".join(" ".join(words).split())).strip()
    if "<" in text or "{@" in text:
        text = _TAG.sub(lambda tag: tag[1] or "", _NAMING.sub(r"\1", text)).strip()
    end = _SENTENCE_END.search(text)
    return shorten(text[: end.end()] if end else text, MAX_SENTENCE_CHARS)


def _unclosed(comment: str) -> str:
    """A comment without the `*/` or `-}` that ends it."""
    bare = comment.rstrip()
    if bare.endswith("-}"):
        return bare[:-2].rstrip("-")
    return bare[:-1].rstrip("*").rstrip() if bare.endswith("*/") else comment


def shorten(text: str, limit: int) -> str:
    """The text cut at a word with an ellipsis, at most `limit` characters."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > limit // 2 else cut).rstrip() + "…"


class CommentDocs:
    """The comments of a file by the line they end on, to find what stands above a definition."""

    def __init__(self, reading: SyntaxReading) -> None:
        self._reading = reading
        self._block_ends: dict[int, tuple[int, int]] = {}
        line_of = reading.line
        for start, end in reading.comments:
            if reading.prefix(start).strip():
                continue
            last = max(start, end - 1)
            if reading.data[last : last + 1] == b"\n" and last > start:
                last -= 1
            self._block_ends[line_of(last)] = (start, end)
        self._skips = {
            line: line_of(start)
            for start, end in reading.skipped
            for line in range(line_of(start), line_of(max(start, end - 1)) + 1)
        }

    def above(self, line: int) -> str:
        """The first sentence of the comment that ends right above a line, attributes passed over."""
        at = line - 1
        while at in self._skips:
            at = self._skips[at] - 1
        blocks: list[tuple[int, int]] = []
        while at in self._block_ends and len(blocks) < 60:
            block = self._block_ends[at]
            blocks.append(block)
            at = self._reading.line(block[0]) - 1
        return self._first_sentence(blocks[::-1])

    def of_file(self) -> str:
        """The first comment of the file that is no licence or tool directive, if it opens the file."""
        reading = self._reading
        comments = [
            (start, end)
            for start, end in reading.comments[:80]
            if not reading.prefix(start).strip() and reading.data[start : start + 2] != b"#!"
        ]
        first = reading.line(comments[0][0]) if comments else 0
        if not first or first - sum(line < first for line in self._skips) > 3:
            return ""
        groups: list[list[tuple[int, int]]] = [[]]
        expected = reading.line(comments[0][0])
        for start, end in comments:
            line = reading.line(start)
            if line > expected:
                groups.append([])
            if line > expected + 3:
                break
            groups[-1].append((start, end))
            expected = reading.line(max(start, end - 1)) + 1
        said = map(self._first_sentence, groups)
        return next((one for one in said if one.count(" ") >= 2), "")

    def _first_sentence(self, blocks: list[tuple[int, int]]) -> str:
        if not blocks:
            return ""
        lines: list[str] = []
        for start, end in blocks:
            text = _unclosed(self._reading.text(start, min(end, start + READ_CHARS)))
            lines.extend(_OPENING.sub("", line) for line in text.splitlines())
        if _NO_DOC.search(" ".join(lines[:4])):
            return ""
        return sentence(lines)
