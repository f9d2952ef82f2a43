"""What somebody wrote themselves, line by line: code, logs, quotations and other people's text are left out.

Pasted text is known by its form (fences, indents, prompts, time stamps, levels, traces, diffs, tags, speakers' names)
or by what announces it ("here is the log:", "Maria wrote:"). In doubt a line is taken for pasted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from companion.language.orders import orders_a_program
from companion.language.word_lists import meanings, shape, word_set

ROOM_CHARS = 200_000
"""What is read of one message, half from each end: more than 30,000 words; what is longer was not typed."""

LABELS = meanings("talk", "labels")
"""What people write before a colon, and the sort of item they mean by it."""
_PLAIN_LABELS = word_set("talk", "remarks")


class _Line(Struct, frozen=True):
    """One line that somebody wrote: `label` is the sort of item that it or the list it stands in is headed with.

    `fresh` says that it begins something new rather than going on with the line before it.
    """

    text: str
    label: str = ""
    fresh: bool = True
    ticked: bool = False


def own_lines(text: str) -> list[_Line]:
    """The lines somebody wrote themselves, in order."""
    return list(_Reader(_shortened(text)).lines())


def _shortened(text: str) -> list[str]:
    if len(text) > ROOM_CHARS:
        half = ROOM_CHARS // 2
        text = f"{text[:half]}\n\n{text[-half:]}"
    return [line.rstrip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]


class _Reader:
    """Goes through a message once, line by line, and knows what it stands in."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._speakers = sum(_other_speaker(line) is not None for line in lines)
        self._at = 0
        self._label = ""

    def lines(self) -> Iterator[_Line]:
        """What remains of the message."""
        fresh = True
        bullet = False
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if self._skipped(line, bullet):
                fresh, bullet = True, False
                continue
            self._at += 1
            if not line.strip():
                fresh, bullet = True, False
                continue
            if self._headed(line):
                fresh = True
                continue
            is_bullet = _looks("bullet").match(line)
            bullet = is_bullet is not None or (bullet and line.startswith(" "))
            if not bullet and fresh and self._label and not _inline_label(line):
                self._label = ""
            said = line[is_bullet.end() :] if is_bullet else line.strip()
            label, said = _inline_label(said) or (self._label, said)
            ticked = bool(is_bullet and (is_bullet.group(1) or "").lower() == "x")
            yield _Line(said, label, fresh or is_bullet is not None or bool(label), ticked)
            fresh = False
            if _looks("announces").search(line):
                self._skip_paragraph()
                fresh = True

    def _skipped(self, line: str, after_bullet: bool) -> bool:
        """Steps over a pasted block that begins here."""
        if (fence := _looks("fence").match(line)) is not None:
            self._skip_to(lambda other: other.strip().strip(">").strip().startswith(fence.group(1)[:3]))
        elif (tag := _looks("tag").match(line)) is not None:
            closing = f"</{tag.group(1)}>"
            if closing not in line and any(closing in other for other in self._lines[self._at + 1 : self._at + 400]):
                self._skip_to(lambda other: closing in other)
            else:
                self._at += 1
        elif _looks("header", "forwarded").match(line):
            self._skip_letter()
        elif _looks("diff", "role").match(line) or orders_a_program(line):
            self._skip_paragraph()
        elif _is_pasted(line, after_bullet) or (self._speakers > 1 and _other_speaker(line)):
            self._at += 1
        else:
            return False
        return True

    def _skip_to(self, ends: Callable[[str], bool]) -> None:
        """Past the line that ends a block; to the end of the message where none does."""
        at = self._at + 1
        while at < len(self._lines) and not ends(self._lines[at]):
            at += 1
        self._at = min(at + 1, len(self._lines))

    def _skip_paragraph(self) -> None:
        """Past the next lines up to an empty one; empty ones right here belong to it."""
        while self._at < len(self._lines) and not self._lines[self._at].strip():
            self._at += 1
        if self._at < len(self._lines) and _looks("fence").match(self._lines[self._at]):
            return
        while self._at < len(self._lines) and self._lines[self._at].strip():
            self._at += 1

    def _skip_letter(self) -> None:
        """Past a letter with its greeting and paragraphs: up to its closing words and name, else to the end."""
        for at in range(self._at, len(self._lines)):
            if _looks("signed").match(self._lines[at]):
                self._at = at + 1
                self._skip_paragraph()
                return
        self._at = len(self._lines)

    def _headed(self, line: str) -> bool:
        """Whether the line is a heading, whose label then holds for the list under it."""
        heading = _looks("heading").match(line) or _looks("label_line").match(line)
        if heading is None:
            return False
        said = next(group for group in heading.groups() if group is not None)
        label = LABELS.get(said.strip(" :*").lower(), "")
        if not label and _looks("label_line").match(line):
            return False
        self._label = label
        return True


def _looks(*names: str) -> re.Pattern[str]:
    return shape("pasted", *names)


def _other_speaker(line: str) -> str | None:
    found = _looks("speaker").match(line)
    if found is None or found.group(1).lower() in LABELS or found.group(1).lower() in _PLAIN_LABELS:
        return None
    return found.group(1)


def _is_pasted(line: str, after_bullet: bool) -> bool:
    bullet = _looks("bullet").match(line)
    if bullet is not None and _looks("line").match(line[bullet.end() :]):
        return True
    if _looks("quoted").match(line) or (
        _looks("indented").match(line) and not after_bullet and not _looks("bullet").match(line)
    ):
        return True
    if _looks("line").match(line) or _looks("code_end").search(line):
        return True
    return len(line) > 12 and _odd_share(line) > 0.22


def _odd_share(line: str) -> float:
    """Share of characters that prose hardly has."""
    odd = sum(not (c.isalnum() or c in " .,'?!-:;\"()’“”/_`—–") for c in line)
    return odd / len(line)


def _inline_label(said: str) -> tuple[str, str] | None:
    """`Decision: use X` as the sort and the rest."""
    before, colon, after = said.partition(":")
    if not colon or len(before) > 32 or not after.strip():
        return None
    label = LABELS.get(before.strip(" *_-").lower())
    return (label, after.strip(" *")) if label else None
