"""Our own words, when they come back: a context that was put into a talk is not something the user said.

Whole contexts go by their frame. Of partial ones, each line that only we write goes: headings with the note under
them, items with the label that ends every one of ours. What is left is what somebody said.
"""

from __future__ import annotations

import re
from itertools import takewhile

from companion.language.word_lists import shape

_SIGNS = ("Reference data", "</", "<", " · ", "## ", "companion expand", "(summary", " m1", " x1")
"""One of these stands in whatever is ours."""


def _ours(*names: str) -> re.Pattern[str]:
    return shape("pasted", *(f"ours.{name}" for name in names))


def without_echo(text: str) -> str:
    """The text without what we put into the conversation, whole or in part; unchanged where there is none."""
    if not any(sign in text for sign in _SIGNS):
        return text
    kept: list[str] = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        after = _passed(lines, at)
        if after == at:
            kept.append(lines[at])
            after += 1
        at = after
    return "\n".join(kept)


def _passed(lines: list[str], at: int) -> int:
    """The line after what is ours and begins here; `at` itself if nothing does."""
    line = lines[at]
    if (tag := _ours("noted").match(line) or _ours("opens").match(line)) is not None:
        return _after_element(lines, at, tag.group(1).lower())
    if _ours("lone").match(line) or _ours("closes").search(line):
        return at + 1
    if _ours("json").match(line):
        after = takewhile(_ours("json_line").match, lines[at + 1 :])
        return at + 1 + len(list(after))
    if _ours("note").match(line) or (
        _ours("heading").match(line) and at + 1 < len(lines) and _ours("note", "section").match(lines[at + 1])
    ):
        return _after_markdown(lines, at + 1)
    if _ours("bullet").match(line) and _ours("label", "item").match(lines[_after_item(lines, at + 1) - 1]):
        return _after_fence(lines, _after_item(lines, at + 1))
    if (_ours("label").match(line) and " · " in line) or _ours("item", "pointer", "index").match(line):
        return _after_item(lines, at + 1)
    if _ours("others").match(line):
        return _after_fence(lines, at + 1)
    return at


def _after_element(lines: list[str], at: int, tag: str) -> int:
    """Past the closing tag; where it was cut off, past the lines that are elements, or the rest of the paragraph."""
    closing = f"</{tag}>"
    for end in range(at, len(lines)):
        if closing in lines[end].lower():
            return end + 1
    end = at + 1
    while end < len(lines) and lines[end].strip():
        end += 1
    return end


def _after_markdown(lines: list[str], at: int) -> int:
    """Past what follows a heading of ours: its note, sections, items and code, up to the next plain paragraph."""
    while at < len(lines):
        line = lines[at]
        if _ours("section", "heading", "note", "lone").match(line):
            at += 1
        elif _ours("bullet").match(line):
            at = _after_fence(lines, _after_item(lines, at + 1))
        elif _ours("others").match(line):
            at = _after_fence(lines, at + 1)
        elif (
            not line.strip()
            and at + 1 < len(lines)
            and _ours("heading", "section", "bullet", "others").match(lines[at + 1])
        ):
            at += 1
        else:
            return at
    return at


def _after_item(lines: list[str], at: int) -> int:
    """Past the further lines of an item, which are indented."""
    while at < len(lines) and lines[at].startswith("  ") and lines[at].strip():
        at += 1
    return at


def _after_fence(lines: list[str], at: int) -> int:
    """Past a fenced block, if one begins here."""
    if at >= len(lines) or (fence := _ours("fence").match(lines[at])) is None:
        return at
    for end in range(at + 1, len(lines)):
        if lines[end].strip() == fence.group(1):
            return end + 1
    return len(lines)
