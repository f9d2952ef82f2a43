"""What the journal of a run holds, change by change."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from companion import wire
from companion.records import Change
from companion.records.runs import ChangeState
from companion.store.database import Database
from companion.store.rows import tuples


@dataclass(frozen=True)
class Journalled:
    """One change of a run; `why_not` says why it was refused or not undone."""

    number: int
    step: str
    change: Change
    state: ChangeState
    why_not: str = ""
    applied_at: datetime | None = None
    undone_at: datetime | None = None


_CHANGES = """
select number, pass, change::varchar, state, why_not, applied_at, undone_at
from run_changes
where run_id = $run
    and ($state = '' or state = $state)
    and ($step = '' or pass = $step)
order by number
"""


def journalled(database: Database, run: str, *, state: ChangeState | None = None, step: str = "") -> list[Journalled]:
    """The changes of a run by number; of one state or pass alone if given."""
    given = {"run": run, "state": "" if state is None else state.value, "step": step}
    return [
        Journalled(number, step, wire.decode_any(Change, json.loads(change)), ChangeState(state), *rest)
        for number, step, change, state, *rest in tuples(database, _CHANGES, **given)
    ]
