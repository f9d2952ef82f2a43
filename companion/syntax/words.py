"""Word lists, written as they are read."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())
