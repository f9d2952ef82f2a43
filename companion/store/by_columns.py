"""Rows by the values of their columns: what one table tells, takes or loses, without a statement for each question.

A collection is of texts, one of which the column has; None stands for null. What joins, counts or compares in another
way is a statement of its own, above the function that runs it.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.ports.composing import comma_list, composed, quoted
from companion.store.binding import duckdb
from companion.store.bulk import bound_all, matching
from companion.store.rows import Row, Source, Value, tuples, writing
from companion.store.statements import execute
from companion.store.texts import plain

_ROWS = "select {columns} from {table} {where}"
_DELETE = "delete from {table} {where}"
_DELETE_BEHIND = "delete from {table} where rowid in (select rowid from {table} {where} offset $most)"
_SET = "update {table} set {columns} {where}"
_PUT = "insert or replace into {table} ({columns}) values ({values})"


def rows_where(source: Source, table: str, columns: str, /, *, order: str = "", **values: object) -> list[Row]:
    """Columns of the rows that have these values; `order` names columns too."""
    where, bound = matching(values, order)
    return tuples(source, composed(_ROWS, columns=columns, table=table, where=where), **(bound or {}))


def column_where(source: Source, table: str, column: str, /, *, order: str = "", **values: object) -> list[Value]:
    """One column of the rows that have these values."""
    return [value for (value,) in rows_where(source, table, column, order=order, **values)]


def value_where(source: Source, table: str, column: str, /, *, otherwise: object = None, **values: object) -> Value:
    """A column of the first row that has these values; `otherwise` if there is none."""
    return next(iter(column_where(source, table, column, order="", **values)), otherwise)


def pairs_where(
    source: Source, table: str, columns: str, /, *, order: str = "", **values: object
) -> dict[Value, Value]:
    """Two columns of the rows that have these values: the second by the first."""
    return dict(rows_where(source, table, columns, order=order, **values))


def delete_where(source: Source, table: str, /, **values: object) -> None:
    """Delete the rows that have these values, in the caller's transaction or one of its own."""
    where, bound = matching(values)
    with writing(source) as connection:
        execute(connection, composed(_DELETE, table=table, where=where), bound)


def keep_first(
    connection: duckdb.DuckDBPyConnection, table: str, most: int, /, *, order: str, **values: object
) -> None:
    """Of the rows that have these values delete those that stand behind the first ones in an order."""
    where, bound = matching(values, order)
    execute(connection, composed(_DELETE_BEHIND, table=table, where=where), (bound or {}) | {"most": most})


def set_where(
    source: Source, table: str, to: Mapping[str, object], /, *, quiet: bool = False, **values: object
) -> None:
    """Set columns of the rows that have these values, in the caller's transaction or one of its own."""
    where, bound = matching(values)
    columns = ", ".join(f"{quoted(name)} = $to_{name}" for name in to)
    given = {f"to_{name}": value for name, value in to.items()}
    with writing(source, quiet=quiet) as connection:
        statement = composed(_SET, table=table, columns=columns, where=where)
        execute(connection, statement, (bound_all(given) or {}) | (bound or {}))


def put_row(source: Source, table: str, /, *, quiet: bool = False, **values: object) -> None:
    """Put a row in, in place of the one that has its key, in the caller's transaction or one of its own."""
    bound = ", ".join(f"${name}" for name in values)
    with writing(source, quiet=quiet) as connection:
        statement = composed(_PUT, table=table, columns=comma_list(values), values=bound)
        execute(connection, statement, {name: plain(value) for name, value in values.items()})
