"""What is noted of the changes of a batch in the journal: which of them are where, and what became of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.records.runs import ChangeState

if TYPE_CHECKING:
    import duckdb

    from companion.store.consolidation.about import About

_IN_STATE = """
select number
from night_changes
where run_id = $run
    and number between $first and $last
    and number in (select unnest($numbers::integer[]))
    and state = $state
order by number
"""

_MARK = """
update night_changes
set
    state = $state,
    why_not = told.why,
    applied_at = if($state = 'applied' and $was <> 'applied', $now, applied_at),
    undone_at = if($state = 'undone', $now, undone_at)
from (
    select
        unnest($numbers::integer[]) as number,
        unnest($whys::varchar[]) as why
) as told
where run_id = $run
    and night_changes.number between $first and $last
    and night_changes.number = told.number
    and state = $was
"""


def in_state(
    connection: duckdb.DuckDBPyConnection, about: About, numbers: Sequence[int], state: ChangeState
) -> list[int]:
    """Those of the changes that are in a state, in their order."""
    given = about.given(_IN_STATE, numbers) | {"state": state.value}
    return [row[0] for row in connection.execute(_IN_STATE, given).fetchall()]


def mark(
    connection: duckdb.DuckDBPyConnection, about: About, whys: Mapping[int, str], was: ChangeState, state: ChangeState
) -> int:
    """Changes that were in one state are in another now, or still, each with a word why not; how many they are."""
    if not whys:
        return 0
    given = about.given(_MARK, list(whys)) | {"was": was.value, "state": state.value, "whys": list(whys.values())}
    ((count,),) = connection.execute(_MARK, given).fetchall()
    return int(count)
