"""What is shown of a search, at every door: what fits; where nothing does, the few nearest and that it is so."""

from __future__ import annotations

from collections.abc import Sequence

from companion.records import SearchHit

NEAREST_SHOWN = 3
"""Matches shown where nothing fits: enough to see that it is so."""
NOTHING_FITS = "Nothing fits that well. What is nearest:"


def to_show(hits: Sequence[SearchHit]) -> tuple[Sequence[SearchHit], str]:
    """What fits, and no sentence; where nothing does, the few nearest, and the sentence that says so."""
    fitting = [hit for hit in hits if hit.fits]
    return (fitting, "") if fitting or not hits else (hits[:NEAREST_SHOWN], NOTHING_FITS)
