"""Thousands of rows into a table, fast.

Each column travels as one list parameter that DuckDB unnests: 20,000 rows of seven columns take
0.1 s, where `executemany` takes a millisecond a row and `values (?, …)` ten times as long as this.
Scanning numpy, pandas or Arrow objects is avoided on purpose: DuckDB 2.0.0 can read them wrongly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from enum import Enum
from itertools import islice
from typing import TypeVar

from companion.ports.composing import comma_list, composed, quoted
from companion.store.binding import duckdb
from companion.store.statements import execute

Item = TypeVar("Item")

_INSERT = "insert into {table} ({names}) select {values}"
_INSERT_NEW = "insert or ignore into {table} ({names}) select {values}"
_UPDATE = "update {table} set {changed} from (select {named}) as told where {same}"

BATCH_ROWS = 5_000
"""Rows of one statement: the fastest of 500 to 20,000, and 20 MB of Python objects at most."""


def insert_rows(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[object]],
    *,
    or_ignore: bool = False,
) -> int:
    """Append `rows` (one value for each of `columns`, in their order) to `table`; returns how many that were.

    Values are turned into the columns' types; lone surrogates in texts must be replaced before
    (see `companion.store.texts.clean`). Columns that are not named get their defaults.
    With `or_ignore`, rows whose key is there already are left out.
    Raises ValueError for a column the table does not have or a row of another length.
    """
    if not rows:
        return 0
    by_name = dict(zip(columns, zip(*rows, strict=True), strict=True))
    return insert_columns(connection, table, by_name, column_types(connection, table), or_ignore=or_ignore)


def insert_dicts(
    connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Mapping[str, object]], *, or_ignore: bool = False
) -> int:
    """As `insert_rows`, of rows by column; what a row does not say is null."""
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    return insert_rows(connection, table, columns, [tuple(map(row.get, columns)) for row in rows], or_ignore=or_ignore)


def insert_columns(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    columns: Mapping[str, Sequence[object]],
    types: Mapping[str, str],
    *,
    or_ignore: bool = False,
) -> int:
    """As `insert_rows`, of rows that are given by column; `types` are those of the columns of the table."""
    if unknown := [name for name in columns if name not in types]:
        raise ValueError(f"table {table} has no column {', '.join(unknown)}")
    put_in = _INSERT_NEW if or_ignore else _INSERT
    rows = len(next(iter(columns.values())))
    put = 0
    for start in range(0, rows, BATCH_ROWS):
        some = {name: list(column[start : start + BATCH_ROWS]) for name, column in columns.items()}
        values, given = _bound(some, types)
        statement = composed(put_in, table=quoted(table), names=comma_list(columns), values=", ".join(values))
        row = execute(connection, statement, given).fetchone()
        put += int(row[0]) if row else 0
    return put


def _bound(columns: Mapping[str, list[object]], types: Mapping[str, str]) -> tuple[list[str], list[object]]:
    """Each column in SQL, and what is bound to it: its list, unnested, or the one value that it has in all rows.

    One column is a list at any rate: it says how many rows there are.
    """
    one = [name for name, column in columns.items() if column.count(column[0]) == len(column)]
    single = frozenset(one[1:] if len(one) == len(columns) and len(columns[one[0]]) > 1 else one)
    numbered = [f"${n}::{types[name]}" for n, name in enumerate(columns, start=1)]
    values = [value if name in single else f"unnest({value}[])" for name, value in zip(columns, numbered, strict=True)]
    return values, [column[0] if name in single else column for name, column in columns.items()]


def update_columns(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    columns: Mapping[str, Sequence[object]],
    types: Mapping[str, str],
    keys: Sequence[str],
    only: str = "",
) -> None:
    """Set columns of the rows of a table that have the values given for `keys`, which are among the columns.

    Each column has a value a row. `only` is what holds of the rows that are set; what they are set to is `told` there.
    """
    values, given = _bound({name: list(column) for name, column in columns.items()}, types)
    named = ", ".join(f"{value} as {quoted(name)}" for name, value in zip(columns, values, strict=True))
    changed = ", ".join(f"{quoted(name)} = told.{quoted(name)}" for name in columns if name not in keys)
    tests = [f"{quoted(table)}.{quoted(key)} = told.{quoted(key)}" for key in keys]
    same = " and ".join([*tests, only] if only else tests)
    statement = composed(_UPDATE, table=quoted(table), named=named, changed=changed, same=same)
    execute(connection, statement, given)


def column_types(connection: duckdb.DuckDBPyConnection, table: str) -> dict[str, str]:
    """The SQL type of each column of a table, in order; temporary tables included."""
    rows = execute(connection, composed("describe {table}", table=quoted(table))).fetchall()
    return {str(row[0]): str(row[1]) for row in rows}


def matching(values: Mapping[str, object], order: str = "") -> tuple[str, dict[str, object] | None]:
    """The clause that selects rows by values of their columns, and what is bound to it; without values, all rows.

    A collection is of texts, one of which the column has; None stands for null. `order` names columns.
    """
    tests = [_test(name, value) for name, value in values.items()]
    clause = composed("where {tests}", tests=" and ".join(tests)) if tests else ""
    clause += composed(" order by {order}", order=order) if order else ""
    return clause, bound_all({name: value for name, value in values.items() if value is not None})


def _test(name: str, value: object) -> str:
    if value is None:
        return f"{quoted(name)} is null"
    among = isinstance(value, Iterable) and not isinstance(value, str | bytes)
    test = "{name} in (select unnest(${bound}::varchar[]))" if among else "{name} = ${bound}"
    return composed(test, name=quoted(name), bound=name)


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """The items in lists of at most `size`, each read as it is asked for."""
    source = iter(items)
    while batch := list(islice(source, size)):
        yield batch


def bound_all(given: Mapping[str, object]) -> dict[str, object] | None:
    """Values as a statement takes them: enumerations by value, sets sorted; None for none."""
    return {name: _bound_value(value) for name, value in given.items()} or None


def _bound_value(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Set):
        return sorted(value)
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str | bytes) else value
