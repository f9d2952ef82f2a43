"""Rows as a change found them and as it left them, and how they are put: forwards by applying, back by undoing.

An image holds the columns that the change moves, no others, so that a memory whose warmth was moved by one
run and whose words were bettered by another can have either taken back. Counts of use are never set: what
a change added is taken off again, and what was counted since stays.

`putting_sql` knows how a row of each table is put, `comparing_sql` how it is compared; `deeds` says what the
images of each sort of change are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from companion.store.consolidation.about import About
from companion.store.consolidation.batches import Planned, batches
from companion.store.consolidation.comparing_sql import COMPARISONS, STAYED
from companion.store.consolidation.putting_sql import PUTS, ROWS

if TYPE_CHECKING:
    import duckdb

    from companion.store.database import Database


_ALIASES = """
select entity, stands_for
from aliases
where project_id = $project
"""

_LED = """
select row_key, led
from (
    select row_key, unnest([before ->> 'stands_for', after ->> 'stands_for']) as led
    from night_rows
    where run_id = $run
        and table_name = 'aliases'
)
where led is not null
"""
"""What the entities that a run united stood for, before and after: a variant moves along with each of them."""

_SIDES = """
select memory_a, memory_b
from contradictions
where project_id = $project
"""


def in_batches(
    database: Database, run: str, project: str, page: Sequence[Planned], most_rows: int
) -> Iterator[tuple[Planned, ...]]:
    """Changes of a run in batches that one statement can carry out, as things stand now. See `batches`."""
    with database.read() as connection:
        aliases = connection.execute(_ALIASES, {"project": project}).fetchall()
        aliases += connection.execute(_LED, {"run": run}).fetchall()
        disputes = connection.execute(_SIDES, {"project": project}).fetchall()
    return batches(page, most_rows, aliases, disputes)


def put(connection: duckdb.DuckDBPyConnection, about: About, what: str, numbers: Sequence[int], *, back: bool) -> None:
    """Make the rows of these changes, all of one sort, what the changes left (or, `back`, what they found)."""
    for statement in PUTS[what] if numbers else ():
        connection.execute(ROWS + statement, about.given(ROWS + statement, numbers) | {"back": back})


def moved_on(connection: duckdb.DuckDBPyConnection, about: About, what: str, numbers: Sequence[int]) -> dict[int, str]:
    """The changes, of one sort, whose rows are not as they left them, each with a word what has changed since."""
    found: dict[int, str] = {}
    for statement in COMPARISONS.get(what, (STAYED,)):
        given = about.given(ROWS + statement, numbers) | {"back": True}
        found = dict(connection.execute(ROWS + statement, given).fetchall()) | found
    return found
