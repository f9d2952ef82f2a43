"""What was put away is named where it would have been the answer: never as what still holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from companion.app.verbs.one_list import memory_hits
from companion.records import Hit, SearchHit, SearchQuery
from companion.records.search import State

if TYPE_CHECKING:
    from companion.store.database import Database
    from companion.store.library import StoreLibrary

COUNTED = 50
"""Archived matches that are looked at: more are read by nobody."""
ID_SHOWN = 12

_PUT_AWAY_AT = """
select archived_at
from memories
where id = $id
"""


def put_away(library: StoreLibrary, query: SearchQuery) -> list[Hit]:
    """Archived memories that fit a query and that nothing took the place of."""
    away_only = replace(query, include_archived=True, state=State.ARCHIVED, limit=COUNTED)
    return [hit for hit in library.search(away_only) if hit.fits and not hit.memory.superseded_by]


def would_answer(
    database: Database, away: Sequence[Hit], found: Sequence[Hit], listed: Sequence[SearchHit]
) -> str | None:
    """The line that names the archived memory that answers better than all of the list; None where none does.

    `found` are the memories of the list as they were found: scored beside them, so that like is measured with like.
    """
    if not away:
        return None
    scored = memory_hits([*found, *away], {}, datetime.max)
    best = max(scored[len(found) :], key=lambda hit: hit.score)
    others = [hit.score for hit in (*scored[: len(found)], *listed) if hit.fits and hit.id != best.id]
    memory = best.memory
    if memory is None or best.score <= max(others, default=0.0):
        return None
    row = database.row(_PUT_AWAY_AT, {"id": memory.id})
    since = f" since {row[0]:%Y-%m-%d}" if row and row[0] else ""
    said = " ".join(memory.draft.levels.summary.split())
    bring = f"`companion revive {memory.id[:ID_SHOWN]}` brings it back"
    return f"In the archive{since} ({memory.archived_reason}): “{said}”. {bring}."
