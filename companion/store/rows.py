"""Records to rows of tables and back: the columns follow from the fields of a record, in one place.

A `Table` says where the fields of a record stand, as far as they are not called alike; its `select` makes a `Query`,
whose rows are read as records, and its `insert` puts records in. A field that is a record itself stands in columns of
its own (`author_name`), one that names another thing in the column of that thing's id (`project_id`). Enumerations are
their values, moments naive UTC, tuples lists; what has no type in SQL is JSON, as `companion.wire` keeps it.

What a value of a row is, only the statement says: such a value is `Any`. Rows are turned into columns first, and each
column is read at once: the way to read a type is put together once.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from enum import Enum
from functools import cache, partial
from itertools import repeat
from operator import attrgetter
from types import NoneType
from typing import Any, Generic, TypeAlias, TypeVar, get_args

from msgspec import NODEFAULT, Struct

from companion import wire
from companion.ports.composing import composed
from companion.store.binding import duckdb
from companion.store.bulk import bound_all, column_types, insert_columns, matching, update_columns
from companion.store.database import Database
from companion.store.statements import execute
from companion.store.texts import clean, plain

Source: TypeAlias = Database | duckdb.DuckDBPyConnection

R = TypeVar("R")
Value: TypeAlias = Any
"""A value that a statement finds: what it is, only the statement says."""
Row: TypeAlias = tuple[Value, ...]
Fields: TypeAlias = dict[str, Any]
"""A row by column, on its way in or out as a whole."""
Columns = Mapping[str, Sequence[Any]]
"""Values by the name of their column, one for each row."""

_OF_IDS = frozenset({"project", "user", "checkout", "conversation", "memory", "act"})
"""Fields that name another thing, by its id: their columns end with `_id`."""


class As(Enum):
    """How a field is written in its column, where its type does not say so."""

    WORDS = "one text, its words separated by spaces"
    PACKED = "JSON, records as arrays"
    SHARED = "a text that recurs: one string for all that are equal"


class Sql(Struct, frozen=True):
    """A field that is read from an expression, through `make` where that is given, and never written.

    `joined` brings what it names beside the table's columns.
    """

    expression: str
    make: Callable[[Any], object] | None = None
    joined: str = ""


class MadeOf(Struct, frozen=True):
    """A field that is made of the value of a column, and never written."""

    column: str
    make: Callable[[Any], object]


class Given(Struct, frozen=True):
    """A field that is not in the table, and what it is in every record that is read from there; else its default."""

    value: object = ...


FieldColumn = str | tuple[str, ...] | As | Sql | MadeOf | Given
"""Where a field stands: its column, the beginning of its columns, each of them, or as those classes say."""
FieldColumns = Mapping[str, FieldColumn]


ColumnReading = Callable[[Sequence[Any]], Iterable[object]]
"""Reads a column of the one type that it was made for."""


class _Leaf(Struct, frozen=True):
    """A field that stands in columns: its path from the outermost record, its type, and how a column is read."""

    path: str
    hint: object
    columns: tuple[str, ...]
    place: FieldColumn | None
    default: object
    read: ColumnReading | None

    def values(self, columns: Columns, ready: Columns) -> Iterable[object]:
        """The values of the field, one for each row. Raises ValueError where there is neither column nor default."""
        if self.path in ready:
            return ready[self.path]
        if isinstance(self.place, Given):
            return repeat(self.default if self.place.value is ... else self.place.value)
        if any(name not in columns for name in self.columns):
            if self.default is NODEFAULT:
                raise ValueError(f"`{self.columns[0]}` is missing")
            return repeat(self.default)
        if len(self.columns) > 1:
            return zip(*(columns[name] for name in self.columns), strict=True)
        found = columns[self.columns[0]]
        return found if self.read is None else self.read(found)


class _Branch(Struct, frozen=True):
    """A record, and its fields in order."""

    record: type
    parts: tuple[_Leaf | _Branch, ...]

    def values(self, columns: Columns, ready: Columns) -> Iterable[Any]:
        """The records, one for each row."""
        return map(self.record, *(part.values(columns, ready) for part in self.parts))

    def leaves(self) -> Iterator[_Leaf]:
        """Every field that stands in columns."""
        for part in self.parts:
            yield from (part,) if isinstance(part, _Leaf) else part.leaves()


class Query(Generic[R]):
    """A statement each row of which is a record."""

    def __init__(
        self, record: type[R], statement: str, places: FieldColumns | None = None, *, many: bool = False
    ) -> None:
        """`many`: texts, numbers and truths alone, and ten thousand rows of them."""
        self.statement = statement
        self._branch = _branch(record, "", "", places or {})
        self._many = many

    def all(self, source: Source, /, **given: object) -> tuple[R, ...]:
        """Every record that is found, in the order of the statement."""
        return tuple(self.read(fetched(source, self.statement, given, many=self._many)))

    def first(self, source: Source, /, **given: object) -> R | None:
        """The first record that is found; None if there is none."""
        return next(iter(self.all(source, **given)), None)

    def keyed(self, source: Source, key: str, /, **given: object) -> Iterator[tuple[Any, R]]:
        """Every record that is found, behind another column of its row."""
        columns = fetched(source, self.statement, given, many=self._many)
        return zip(columns[key], self.read(columns), strict=True)

    def by(self, source: Source, key: str, /, **given: object) -> dict[Any, tuple[R, ...]]:
        """The records that are found, by another column of their rows."""
        found = _grouped(self.keyed(source, key, **given))
        return {value: tuple(records) for value, records in found.items()}

    def read(self, columns: Columns, ready: Columns | None = None) -> Iterable[R]:
        """The records of columns; `ready` are values of fields that need no reading, by the path of the field.

        Raises ValueError for words that are none of ours, and for a field that has neither a column nor a default.
        """
        return self._branch.values(columns, ready or {}) if any(columns.values()) else ()


class Table(Generic[R]):
    """A table, the record that a row of it is, and its `key`: the columns by which a row is known."""

    def __init__(
        self, record: type[R], name: str, places: FieldColumns | None = None, *, key: str = "id", many: bool = False
    ) -> None:
        """`places` says where fields stand, by their path (`draft.scope`), where that does not follow."""
        self.name = name
        self._keys = key.split(", ")
        self._record, self._places, self._many = record, places or {}, many
        self._leaves = tuple(_branch(record, "", "", self._places).leaves())
        self._types: Mapping[str, str] = {}
        self._asked = cache(self.select)

    def where(self, source: Source, /, *, order: str = "", limit: int | None = None, **values: object) -> tuple[R, ...]:
        """The records of rows with these values of columns; see `by_columns`. `order` names columns."""
        clause, bound = matching(values, order)
        rest = clause if limit is None else f"{clause} limit $limit"
        return self._asked(rest).all(source, **(bound or {}), **({} if limit is None else {"limit": limit}))

    def one(self, source: Source, /, **values: object) -> R | None:
        """The record of a row with these values of columns; None if there is none."""
        return next(iter(self.where(source, order="", limit=None, **values)), None)

    def begun(self, source: Source, prefix: str, /, **values: object) -> tuple[R, ...]:
        """The records of rows with these values whose id begins so, at most two; none where there is no beginning."""
        clause, bound = matching(values)
        also = composed("{clause} and", clause=clause) if clause else "where"
        rest = composed("{also} starts_with({table}.id, $prefix) order by id limit 2", also=also, table=self.name)
        return self._asked(rest).all(source, prefix=prefix, **(bound or {})) if prefix else ()

    def select(self, rest: str, *more: str) -> Query[R]:
        """The question for records: `rest` goes on behind the name of the table, `more` are further columns."""
        columns = [column for one in self._leaves for column in _selected(self.name, one)]
        joined = dict.fromkeys(one.place.joined for one in self._leaves if isinstance(one.place, Sql))
        asked = composed("select {columns}\nfrom {table}", columns=", ".join([*columns, *more]), table=self.name)
        statement = "\n".join([asked, *joined, rest])
        return Query(self._record, statement, self._places, many=self._many)

    def insert(
        self, connection: duckdb.DuckDBPyConnection, records: Sequence[R], /, *, or_ignore: bool = False, **more: object
    ) -> int:
        """Put records in, with `more` columns: a value for all, or a list of one for each; returns how many were put.

        With `or_ignore`, rows whose key is there already are left out.
        """
        if not records:
            return 0
        columns = self.columns(records, self.types(connection)) | _each(more, len(records))
        return insert_columns(connection, self.name, columns, self.types(connection), or_ignore=or_ignore)

    def update(self, connection: duckdb.DuckDBPyConnection, rows: Sequence[Fields], *, only: str = "") -> None:
        """Set columns of rows by their key; each names the same columns. `only` is as `update_columns` takes it."""
        if rows:
            columns = {name: [plain(row[name]) for row in rows] for name in rows[0]}
            update_columns(connection, self.name, columns, self.types(connection), self._keys, only)

    def change(self, source: Source, id_: str, /, **columns: object) -> None:
        """Set columns of the row with an id, in the caller's transaction or one of its own."""
        with writing(source) as connection:
            self.update(connection, [{"id": id_, **columns}])

    def refresh(
        self, connection: duckdb.DuckDBPyConnection, records: Sequence[R], /, *paths: str, **more: object
    ) -> None:
        """Write what records that are there say by now at some paths, and `more` columns, given as to `insert`."""
        if records:
            columns = self.columns(records, self.types(connection), *self._keys, *paths) | _each(more, len(records))
            update_columns(connection, self.name, columns, self.types(connection), self._keys)

    def columns(self, records: Sequence[R], types: Mapping[str, str], *paths: str) -> dict[str, Sequence[object]]:
        """What records are in columns of these types: of all fields, or of those at (and in) some paths."""
        found: dict[str, Sequence[object]] = {}
        for one in self._leaves:
            if isinstance(one.place, Sql | MadeOf | Given) or (
                paths and not any(f"{one.path}.".startswith(f"{path}.") for path in paths)
            ):
                continue
            values = map(attrgetter(one.path), records)
            if len(one.columns) > 1:
                found |= zip(one.columns, zip(*values, strict=True), strict=True)
            else:
                write = _writing(one, types[one.columns[0]])
                found[one.columns[0]] = list(values if write is None else map(write, values))
        return found

    def types(self, connection: duckdb.DuckDBPyConnection) -> Mapping[str, str]:
        """The SQL type of each column; asked once, since stores that are written have the same tables."""
        self._types = self._types or column_types(connection, self.name)
        return self._types


def apart(*names: str) -> dict[str, FieldColumn]:
    """The places of fields that are not in the table, and have their defaults."""
    return dict.fromkeys(names, Given())


def reading(source: Source) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
    """A connection to read with: of the store, or the one that somebody reads or writes with already."""
    return nullcontext(source) if isinstance(source, duckdb.DuckDBPyConnection) else source.read()


def writing(source: Source, *, quiet: bool = False) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
    """A connection to write with: in the transaction of whoever writes with it, or one of its own (`quiet`, if so)."""
    return nullcontext(source) if isinstance(source, duckdb.DuckDBPyConnection) else source.write(quiet=quiet)


def fetched(source: Source, statement: str, given: Mapping[str, object], *, many: bool = False) -> Columns:
    """What a statement finds, by column; `given` may hold enumerations and any collection."""
    with reading(source) as connection:
        result = execute(connection, statement, bound_all(given))
        if many:  # a third of the time
            return {name: values.tolist() for name, values in result.fetchnumpy().items()}
        names = [described[0] for described in result.description or ()]
        rows = result.fetchall()
    return dict(zip(names, zip(*rows, strict=True) if rows else repeat(()), strict=False))


def tuples(source: Source, statement: str, /, **given: object) -> list[Row]:
    """What a statement of a few columns finds, each row in the order of the statement."""
    with reading(source) as connection:
        return execute(connection, statement, bound_all(given)).fetchall()


def column(source: Source, statement: str, /, **given: object) -> list[Value]:
    """What a statement of one column finds."""
    return [value for (value,) in tuples(source, statement, **given)]


def pairs(source: Source, statement: str, /, **given: object) -> dict[Value, Value]:
    """What a statement of two columns finds: the second by the first."""
    return dict(tuples(source, statement, **given))


def groups(source: Source, statement: str, /, **given: object) -> defaultdict[Any, list[Any]]:
    """What a statement of two columns finds: all of the second by the first."""
    return _grouped(tuples(source, statement, **given))


def dicts(source: Source, statement: str, /, **given: object) -> list[Fields]:
    """What a statement finds, each row by column."""
    columns = fetched(source, statement, given)
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _grouped(found: Iterable[Row]) -> defaultdict[Any, list[Any]]:
    by_key: defaultdict[Any, list[Any]] = defaultdict(list)
    for key, value in found:
        by_key[key].append(value)
    return by_key


def _branch(record: type, path: str, prefix: str, places: FieldColumns) -> _Branch:
    defaults = wire.defaults_of(record)
    parts: list[_Leaf | _Branch] = []
    for name, hint in wire.hints_of(record).items():
        at = path + name
        place = places.get(at)
        if wire.is_record(hint) and (place is None or isinstance(place, str)):
            parts.append(_branch(hint, f"{at}.", f"{prefix}{name}_" if place is None else place, places))
            continue
        columns = _columns(name, prefix, place)
        parts.append(_Leaf(at, hint, columns, place, defaults.get(name, NODEFAULT), _reading(hint, place)))
    return _Branch(record, tuple(parts))


def _columns(name: str, prefix: str, place: FieldColumn | None) -> tuple[str, ...]:
    if isinstance(place, tuple):
        return place
    if isinstance(place, str):
        return (place,)
    if isinstance(place, Sql | MadeOf):
        return (name if isinstance(place, Sql) else place.column,)
    return (f"{prefix}{name}_id" if name in _OF_IDS else prefix + name,)


def _selected(table: str, one: _Leaf) -> list[str]:
    if isinstance(one.place, Given):
        return []
    if isinstance(one.place, Sql):
        return [f"{one.place.expression} as {one.columns[0]}"]
    return [f"{table}.{name}" for name in one.columns]


def _reading(hint: object, place: FieldColumn | None) -> ColumnReading | None:
    """How a column of a type is read; None: as it is."""
    if place is As.WORDS:
        return partial(map, lambda text: tuple(text.split()))
    if isinstance(place, MadeOf | Sql) and place.make is not None:
        return partial(map, place.make)
    if place is As.SHARED:
        return partial(map, sys.intern)
    optional = NoneType in get_args(hint)
    bare, *others = wire.choices(hint) or (hint,)
    origin = wire.class_of(bare)
    if not others and issubclass(origin, Enum):
        members = wire.Members(origin)
        if optional:
            members[None] = members[""] = None
        return partial(map, members.__getitem__)
    if not others and issubclass(origin, tuple) and wire.kept_reading(bare) is tuple:
        return partial(map, lambda value: None if value is None and optional else _list(value))
    if others or issubclass(origin, Mapping | tuple) or wire.is_record(bare):
        nothing: object = None if optional else () if issubclass(origin, tuple) else {}
        return partial(map, lambda text: nothing if text is None else wire.kept(hint, text))
    return None


def _list(value: str | Iterable[object] | None) -> tuple[object, ...]:
    return tuple(json.loads(value) if isinstance(value, str) else value or ())


def _writing(one: _Leaf, type_: str) -> Callable[[Any], object] | None:
    """How a value of a field becomes one of its column; None: as it is."""
    if one.place is As.WORDS:
        return lambda words: clean(" ".join(words))
    if one.hint is str:
        return clean
    if type_ == "JSON":
        spelling = wire.Spelling.PACKED if one.place is As.PACKED else wire.Spelling.KEPT
        return lambda value: None if value is None else clean(wire.keep(value, one.hint, spelling))
    return None if one.hint in (int, float, bool, datetime, datetime | None) else plain


def _each(more: Mapping[str, object], count: int) -> dict[str, list[object]]:
    return {
        name: list(map(plain, value)) if isinstance(value, list) else [plain(value)] * count
        for name, value in more.items()
    }
