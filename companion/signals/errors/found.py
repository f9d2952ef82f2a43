"""What a tool's module hands back: an error as the text tells it, before paths are looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RawFrame:
    """A place as the text names it: the path as written, its line, and the function's bare name."""

    path: str
    line: int | None = None
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class FoundError:
    """One error in a text. `frames` begin where it was raised; lines are indexes, the last included."""

    tool: str
    error_type: str
    message: str
    frames: tuple[RawFrame, ...]
    first_line: int
    last_line: int


Finder = Callable[[Sequence[str]], Iterator[FoundError]]
"""Finds the errors of one tool among the lines of a text, in their order."""


def number(text: str | None) -> int | None:
    """A line number, if it is one."""
    return int(text) if text and text.isdigit() and len(text) <= 9 else None
