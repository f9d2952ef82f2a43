"""Open contradictions of which a judge has said that both sides can hold are closed, each with a note that says so."""

from __future__ import annotations

from datetime import datetime
from itertools import product
from typing import TYPE_CHECKING

from companion.records import JudgeVerdict, Resolution
from companion.store import judgements
from companion.store.memories import contradictions

if TYPE_CHECKING:
    from companion.app.rooms import Rooms


def dismiss(rooms: Rooms, project: str, since: datetime, now: datetime) -> int:
    """Close those that were judged since a moment; how many. `companion resolve ID open` opens one again.

    Only what was judged now is looked at: what a person has opened again stays open.
    """
    opened = {
        frozenset((a.id, b.id)): one
        for one in contradictions.open_ones(rooms.database, project)
        for a, b in product(one.side_a, one.side_b)
    }
    closed = 0
    for said in judgements.answered(rooms.database, project) if opened else ():
        one = opened.get(frozenset(said.inquiry.memories))
        if one is None or said.answer is JudgeVerdict.CONTRADICT or said.answered_at is None:
            continue
        if said.answered_at >= since:
            found = "the earlier one is over" if said.answer is JudgeVerdict.OVER else "both can hold"
            note = f"{said.judge} says that {found}: {said.reason}".removesuffix(": ")
            rooms.memories.settle(one.id, Resolution.BOTH_VALID, note, now, instead={})
            closed += 1
    return closed
