"""The commits that made the pieces of likely files, and how much of the task their messages say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.ports import Library, LineMaker
from companion.records import PassageHit, Span

MESSAGES_FOUND = 100
"""Commits whose messages speak of the task, among which makers are looked up."""

Makers = Mapping[tuple[str, Span], tuple[LineMaker, ...]]
"""By path and lines of a piece the commits that made it, the newest first."""


def makers_of(hits: Sequence[PassageHit], library: Library) -> Makers:
    """Who made the pieces that were found; a file is asked about once."""
    spans: dict[str, list[Span]] = {}
    for hit in hits:
        if hit.passage.span is not None:
            spans.setdefault(hit.passage.path, []).append(hit.passage.span)
    return {
        (path, span): made
        for path, some in spans.items()
        for span, made in zip(some, library.makers(path, some), strict=True)
        if made
    }
