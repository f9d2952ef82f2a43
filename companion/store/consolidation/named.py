"""What a statement finds as records: columns become fields of the same name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar, get_type_hints

if TYPE_CHECKING:
    import duckdb

Record = TypeVar("Record")


def records(
    connection: duckdb.DuckDBPyConnection, kind: type[Record], statement: str, given: Mapping[str, object]
) -> list[Record]:
    """The rows of a statement, each as a record; a list becomes a tuple, a text that stands for a member becomes it."""
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
    hints = get_type_hints(kind)
    members = {name: hint for name, hint in hints.items() if isinstance(hint, type) and issubclass(hint, Enum)}
    return members | {name: tuple for name, hint in hints.items() if getattr(hint, "__origin__", None) is tuple}
