"""Learned parameters of a project: a few numbers under a name, replaced as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from companion.store.bulk import insert_dicts
from companion.store.database import Database
from companion.store.rows import pairs
from companion.store.statements import execute

_DELETE = "delete from parameters where project_id = $project and name = $name"
_SELECT = "select item, value from parameters where project_id = $project and name = $name order by item"

_LEARNED_AT = "select max(learned_at) from parameters where project_id = $project and name = $name"


def save(database: Database, project: str, name: str, values: Mapping[str, float], now: datetime) -> None:
    """Keep `values` under a name, in place of what was there."""
    given = {"project_id": project, "name": name, "learned_at": now}
    rows = [{"item": item, "value": float(value), **given} for item, value in sorted(values.items())]
    with database.write() as connection:
        execute(connection, _DELETE, {"project": project, "name": name})
        insert_dicts(connection, "parameters", rows)


def load(database: Database, project: str, name: str) -> dict[str, float]:
    """The values kept under a name; empty if there are none."""
    return pairs(database, _SELECT, project=project, name=name)


def learned_at(database: Database, project: str, name: str) -> datetime | None:
    """When what is kept under a name was learned, naive UTC; None if nothing is."""
    at: datetime | None = database.value(_LEARNED_AT, {"project": project, "name": name})
    return at
