"""Who the user is."""

from __future__ import annotations

from msgspec import Struct

from companion.records.memory import Memory
from companion.records.talk import Item, Theme, Turn


class Identity(Struct, frozen=True):
    """Who the user is, as Your Story tells: what recurs in it, its latest memories, and what was said for good.

    `patterns` are habits and preferences that were noticed or told, `priorities` what was said to come first.
    """

    themes: tuple[Theme, ...] = ()
    memories: tuple[Memory, ...] = ()
    anchors: tuple[Turn, ...] = ()
    patterns: tuple[Memory, ...] = ()
    priorities: tuple[Item, ...] = ()
