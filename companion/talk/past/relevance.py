"""How much of a message's words a turn shares: quick enough to be asked of fifty turns with every answer."""

from __future__ import annotations

import math
import re
from datetime import datetime

from companion.language.word_lists import word_set

STEM = 5
"""Letters at a word's beginning by which its forms are known again, as `parser` and `parsers`."""
RECENCY_SHARE, LIKENESS_SHARE, ANCHOR_SHARE = 0.5, 0.3, 0.2
"""What makes a cold turn worth showing; spec M4."""
DECAY_A_DAY = 0.1
"""Recency is exp(-0.1 days); spec M4."""
COLD_LEAST = 0.3
"""A cold turn worth less is not shown; spec M4."""

_WORD = re.compile(r"[^\W_]{3,}")


def words(text: str) -> frozenset[str]:
    """The telling words of a text, by their beginnings."""
    common = word_set("talk", "past_common") | word_set("talk", "empty")
    return frozenset(word[:STEM] for word in _WORD.findall(text.lower()) if word not in common)


def overlap(asked: frozenset[str], text: str) -> float:
    """The share of the asked words that stand in a text, 0 to 1; 0 where nothing telling was asked."""
    return len(asked & words(text)) / len(asked) if asked else 0.0


def cold_worth(said_at: datetime, now: datetime, likeness: float, anchor: float) -> float:
    """How much a turn of long ago is worth showing: half its age, the rest how well it fits and how firm it is."""
    days = max(0.0, (now - said_at).total_seconds() / 86_400)
    return RECENCY_SHARE * math.exp(-DECAY_A_DAY * days) + LIKENESS_SHARE * likeness + ANCHOR_SHARE * anchor
