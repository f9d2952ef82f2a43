"""What waited for a person's decision when a run ended: kept as it was, so that its report says the same later."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.store.bulk import insert_rows

if TYPE_CHECKING:
    from companion.store.database import Database

_COLUMNS = ("run_id", "place", "ref", "memories", "confidence", "reason", "said")

_DROP = """
delete from night_decisions
where run_id = $run
"""

_KEPT = """
select ref, memories, confidence, reason, said::varchar
from night_decisions
where run_id = $run
order by place
"""


@dataclass(frozen=True, slots=True)
class KeptDecision:
    """A contradiction (x1) or a question (j1), the memories it is about, and what they said, as JSON."""

    ref: str
    memories: tuple[str, ...]
    confidence: float
    reason: str
    said: str


def keep(database: Database, run: str, waiting: Sequence[KeptDecision]) -> None:
    """Keep what waits, the most worth it first, in place of what was kept when the run was planned."""
    rows = [
        (run, place, one.ref, list(one.memories), one.confidence, one.reason, one.said)
        for place, one in enumerate(waiting, 1)
    ]
    with database.write(quiet=True) as connection:
        connection.execute(_DROP, {"run": run})
        insert_rows(connection, "night_decisions", _COLUMNS, rows)


def kept(database: Database, run: str) -> tuple[KeptDecision, ...]:
    """What was kept of a run."""
    rows = database.rows(_KEPT, {"run": run})
    return tuple(KeptDecision(ref, tuple(memories), *told) for ref, memories, *told in rows)
