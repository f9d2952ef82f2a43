"""What a statement finds as records: columns become fields of the same name."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar, get_origin, get_type_hints

if TYPE_CHECKING:
    import duckdb

Record = TypeVar("Record")


def records(
    connection: duckdb.DuckDBPyConnection, kind: type[Record], statement: str, given: Mapping[str, object]
) -> list[Record]:
    """The rows of a statement as records; texts become members of an enumeration, lists tuples, and JSON mappings."""
    found = connection.execute(statement, given)
    names = [column[0] for column in found.description or ()]
    known = _turned(kind)
    turned = [(name, known.get(name)) for name in names]
    return [
        kind(**{name: turn(value) if turn else value for (name, turn), value in zip(turned, row, strict=True)})
        for row in found.fetchall()
    ]


def _turned(kind: type) -> Mapping[str, Callable[[Any], Any]]:
    """What makes of a column what a field holds, for the fields that need it."""
    made: dict[object, Callable[[Any], Any]] = {tuple: tuple, Mapping: json.loads}
    return {
        name: made.get(get_origin(hint), hint)
        for name, hint in get_type_hints(kind).items()
        if get_origin(hint) in made or (isinstance(hint, type) and issubclass(hint, Enum))
    }
