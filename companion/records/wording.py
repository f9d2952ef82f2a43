"""Pieces of sentences that every room says alike: how many of what, several things in a row, how sure."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SURENESS = ((0.9, "nearly certain"), (0.6, "likely"), (0.25, "possible"), (0.05, "a guess"), (0.0, "hardly"))
_HISSES = re.compile(r"(?:s|x|z|ch|sh)\Z")
_ENDS_IN_Y = re.compile(r"(?<![aeiou])y\Z")


def counted(number: int, thing: str) -> str:
    """A number of things in words: `1 turn`, `2 memories`, `3 areas of work`."""
    if number == 1:
        return f"1 {thing}"
    head, of, rest = thing.partition(" of ")
    plural = f"{head}es" if _HISSES.search(head) else _ENDS_IN_Y.sub("ie", head) + "s"
    return f"{number:,} {plural}{of}{rest}"


def enumerated(parts: Sequence[str]) -> str:
    """Words with commas between them, and an "and" before the last."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def unbroken(text: str) -> str:
    """Somebody's words on one line, a space between two of them, so that none of them looks like a line of ours."""
    return " ".join(text.split())


def sureness(share: float) -> str:
    """How sure something is, from 0 to 1, in words."""
    return next(word for least, word in _SURENESS if share >= least)
