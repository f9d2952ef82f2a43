"""Pairs that cannot both hold are shown until somebody settles them; forgetting comes after this pass."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from companion.ports import Archive
from companion.records import Change, Oppose


def plan(archive: Archive, now: datetime) -> Iterator[Change]:
    """The open contradictions, each with its reason. `now` plays no part."""
    for found in archive.contradictions():
        yield Oppose(found.a.id, found.b.id, found.confidence, "noted on arrival", found.reason)
