"""Learned parameters of a project: a few numbers under a name, replaced as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from companion.store.bulk import insert_rows
from companion.store.database import Database

_DELETE = "delete from parameters where project_id = $project and name = $name"
_SELECT = "select item, value from parameters where project_id = $project and name = $name order by item"

_LEARNED_AT = "select max(learned_at) from parameters where project_id = $project and name = $name"


def save(database: Database, project: str, name: str, values: Mapping[str, float], now: datetime) -> None:
    """Keep `values` under a name, in place of what was there."""
    rows = [(project, name, item, float(value), now) for item, value in sorted(values.items())]
    with database.write() as connection:
        connection.execute(_DELETE, {"project": project, "name": name})
        insert_rows(connection, "parameters", ("project_id", "name", "item", "value", "learned_at"), rows)


def load(database: Database, project: str, name: str) -> dict[str, float]:
    """The values kept under a name; empty if there are none."""
    rows = database.rows(_SELECT, {"project": project, "name": name})
    return {str(item): float(value) for item, value in rows}


def learned_at(database: Database, project: str, name: str) -> datetime | None:
    """When what is kept under a name was learned, naive UTC; None if nothing is."""
    at: datetime | None = database.value(_LEARNED_AT, {"project": project, "name": name})
    return at
