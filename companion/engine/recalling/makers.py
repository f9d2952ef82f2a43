"""The commits that made the pieces of likely files, and how much of the task their messages say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.engine.recalling.precedents import role_in_past
from companion.ports import Library, LineMaker
from companion.records import FileRole, Passage, PassageHit, PassageKind, Span

MESSAGES_FOUND = 100
"""Commits whose messages speak of the task, among which makers are looked up."""

Makers = Mapping[tuple[str, Span], tuple[LineMaker, ...]]
"""By path and lines of a piece the commits that made it, the newest first."""


def is_told(piece: Passage) -> bool:
    """Whether it is told who made a piece: one of code that is no test."""
    return piece.kind is PassageKind.CHUNK and role_in_past(piece.path) is not FileRole.TEST


def makers_of(hits: Sequence[PassageHit], library: Library) -> Makers:
    """Who made the pieces that were found, as far as that is told; a file is asked about once."""
    spans: dict[str, list[Span]] = {}
    for passage in (hit.passage for hit in hits):
        if passage.span is not None and is_told(passage):
            spans.setdefault(passage.path, []).append(passage.span)
    return {
        (path, span): made
        for path, some in spans.items()
        for span, made in zip(some, library.makers(path, some), strict=True)
        if made
    }
