"""What is found in a text before paths are looked up, and how most tools print it: a table of forms.

A form names the parts of a line by groups: `said`, `kind`, `path`, `line` and `name` (the function), as far as the tool
prints them. What no form can say is a function of the lines and an index, which stands beside the forms.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct


class RawFrame(Struct, frozen=True):
    """A place as the text names it: the path as written, its line, and the function's bare name."""

    path: str
    line: int | None = None
    symbol: str = ""


class FoundError(Struct, frozen=True):
    """One error in a text. `frames` begin where it was raised; lines are indexes, the last included."""

    tool: str
    error_type: str
    message: str
    frames: tuple[RawFrame, ...]
    first_line: int
    last_line: int


Finder = Callable[[Sequence[str]], Iterator[FoundError]]
"""Finds the errors of one tool among the lines of a text, in their order."""
Beginning = Callable[[Sequence[str], int], FoundError | None]
"""The error that begins at one line of a text; None where none does. Every form is one."""
_ANYTHING = re.compile("")
_NOTHING = re.compile(r"(?!)")


class Stack(Struct, frozen=True):
    """Places below a line: the pattern of one, which may need two lines with the function's name on the first.

    `before` may stand above the first place, `reach_lines` of it at most; `over` among them.
    """

    frame: re.Pattern[str]
    symbol_of: Callable[[str], str] = str
    reach_lines: int = 0
    before: re.Pattern[str] = _ANYTHING
    over: re.Pattern[str] = _NOTHING

    def below(self, lines: Sequence[str], start: int) -> tuple[tuple[RawFrame, ...], int]:
        """The places from a line on that have a number, and the last line they take."""
        frames: list[RawFrame] = []
        last, begun, name = start - 1, False, ""
        for at in range(start, len(lines)):
            line = lines[at]
            if found := self.frame.match(line):
                begun, last = True, at
                parts = found.groupdict("")
                name = parts.get("name") or name
                if parts["path"] and (row := number(parts["line"])) is not None:
                    frames.append(RawFrame(parts["path"], row, self.symbol_of(name)))
                if parts["path"]:
                    name = ""
            elif self.over.match(line):
                last = at
            elif begun or at - start >= self.reach_lines or not self.before.match(line):
                break
        return tuple(frames), last


class LineForm(Struct, frozen=True):
    """How a tool prints one sort of error: the line that begins it, and the places below it, if it prints any.

    `kind` is what it is called where the line does not say, `says` its message, made of the parts of the line. With
    `said_below`, the message is the first line with words among so many below. `mark` stands in every such line; an
    error that is not `bare` needs a place or words below.
    """

    tool: str
    head: re.Pattern[str]
    kind: str = ""
    says: str = "{said}"
    said_below: int = 0
    mark: str = ""
    symbol_of: Callable[[str], str] = str
    stack: Stack | None = None
    bare: bool = True

    def __call__(self, lines: Sequence[str], at: int) -> FoundError | None:
        """The error that begins at a line; None where none of this form does."""
        head = self.head.match(lines[at]) if self.mark in lines[at] else None
        if head is None:
            return None
        parts, last = head.groupdict(""), at
        if self.said_below:
            below = range(at + 1, min(len(lines), at + 1 + self.said_below))
            last = next((here for here in below if lines[here].strip()), at)
            if last == at and not self.bare:
                return None
            parts["said"] = lines[last] if last > at else ""
        frames: tuple[RawFrame, ...] = ()
        if parts.get("path") or parts.get("line"):
            symbol = self.symbol_of(parts.get("name", ""))
            frames = (RawFrame(parts.get("path", ""), number(parts.get("line")), symbol),)
        if self.stack is not None:
            more, last = self.stack.below(lines, last + 1)
            frames += more
        if not frames and not self.bare:
            return None
        kind = parts.get("kind") or self.kind
        return FoundError(self.tool, kind, self.says.format(**parts), frames, at, last)


def walk(lines: Sequence[str], *beginnings: Beginning) -> Iterator[FoundError]:
    """The errors that begin somewhere in a text, each after the end of the last; of two at one line the first."""
    at = 0
    while at < len(lines):
        found = next((found for begins in beginnings if (found := begins(lines, at)) is not None), None)
        if found is not None:
            yield found
        at = found.last_line + 1 if found else at + 1


def headings(lines: Sequence[str], *patterns: re.Pattern[str]) -> list[re.Match[str] | None]:
    """For each line the heading that it stands under: the last line that fits, with no blank line since."""
    found: list[re.Match[str] | None] = []
    above: re.Match[str] | None = None
    for line in lines:
        heading = next((match for pattern in patterns if (match := pattern.match(line))), None)
        above = heading or (above if line.strip() else None)
        found.append(above)
    return found


def number(text: str | None) -> int | None:
    """A line number, if it is one."""
    return int(text) if text and text.isdigit() and len(text) <= 9 else None
