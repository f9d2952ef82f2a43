"""Learned parameters of a project: a few numbers under a name, replaced as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from companion.store.bulk import insert_dicts
from companion.store.by_columns import delete_where, pairs_where, value_where
from companion.store.database import Database


def save(database: Database, project: str, name: str, values: Mapping[str, float], now: datetime) -> None:
    """Keep `values` under a name, in place of what was there."""
    given = {"project_id": project, "name": name, "learned_at": now}
    rows = [{"item": item, "value": float(value), **given} for item, value in sorted(values.items())]
    with database.write() as connection:
        delete_where(connection, "parameters", project_id=project, name=name)
        insert_dicts(connection, "parameters", rows)


def load(database: Database, project: str, name: str) -> dict[str, float]:
    """The values kept under a name; empty if there are none."""
    return pairs_where(database, "parameters", "item, value", order="item", project_id=project, name=name)


def learned_at(database: Database, project: str, name: str) -> datetime | None:
    """When what is kept under a name was learned, naive UTC; None if nothing is."""
    at: datetime | None = value_where(database, "parameters", "max(learned_at)", project_id=project, name=name)
    return at
