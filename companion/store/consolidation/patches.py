"""Patches: rows as a change found them and as it left them; written down, put, taken back, compared.

An image holds the columns that the change moves, no others, so that a memory whose warmth was moved by one run and
whose words were bettered by another can have either taken back. Counts of use are never set: what a change added is
taken off again, and what was counted since stays.

What a change does is told once, as the rows it leaves (`Patch`); everything else follows from the tables below. Rows
are kept in `run_rows`, with the key of each and its two images; earlier versions kept digests there as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct, field

from companion.ports.composing import composed
from companion.store.binding import duckdb
from companion.store.bulk import column_types
from companion.store.consolidation.about import About
from companion.store.rows import tuples

_MOVED = "'a row that it moved has changed since'"
_STANDING = """if(
            status = 'active',
            'a memory that it archived is active again',
            'the status of a memory that it is about has changed since'
        )"""
_RANK = "'its rank has moved since'"
_WORDS = "'its words have changed since'"
_EVIDENCE = "'the evidence of the memory that stayed has changed since'"
_LINKED = "'what the memory that stayed is linked to has changed since'"
_SETTLED = "'a contradiction was resolved or opened since'"
_LINK = "'the link has changed since'"
_ALIAS = "'the entity stands for another since'"


class _Table(Struct, frozen=True):
    """A table that changes move rows of.

    `missing` and `words` are what is said, in SQL: of a row that is not there (or is there again), and where a column
    is another now than a change left it. A column without a word of its own is compared as well; those that are `free`
    go back with the rest whatever they are.
    """

    key: tuple[str, ...]
    missing: str
    words: Mapping[str, str] = field(default_factory=dict)
    free: tuple[str, ...] = ()
    in_project: bool = False


_TABLES: Mapping[str, _Table] = {
    "memories": _Table(
        ("id",),
        "'a memory that it changed is gone'",
        {
            "offered_level": "'it is offered at another length since'",
            "warmth": "'its warmth has moved since'",
            **dict.fromkeys(("importance", "usefulness"), _RANK),
            **dict.fromkeys(("content_summary", "content_compressed", "content_index"), _WORDS),
            **dict.fromkeys(("status", "archived_at", "archived_reason", "superseded_by", "valid_to"), _STANDING),
            "supersedes": "'it has replaced another since'",
            "scope_path": "'it holds elsewhere since'",
        },
        free=("tokens_summary", "tokens_compressed", "tokens_index", "memory_key"),
    ),
    "memory_evidence": _Table(
        ("memory_id", "ordinal"), _EVIDENCE, dict.fromkeys(("kind", "ref", "line", "quote"), _EVIDENCE)
    ),
    "memory_entities": _Table(("memory_id", "entity"), "'what it names has changed since'", in_project=True),
    "memory_artifacts": _Table(("memory_id", "kind", "ref"), _LINKED),
    "contradictions": _Table(
        ("id",),
        "'a contradiction that it is about is gone'",
        dict.fromkeys(("resolved_at", "resolution", "note"), _SETTLED),
        free=("memory_a", "memory_b", "reason", "confidence", "detected_at", "judge", "conflict"),
        in_project=True,
    ),
    "memory_links": _Table(
        ("relation", "a", "b"), _LINK, dict.fromkeys(("score", "reason", "found_at"), _LINK), in_project=True
    ),
    "aliases": _Table(("entity",), _ALIAS, {"stands_for": _ALIAS}, free=("reason", "found_at"), in_project=True),
}
"""In the order in which rows are put and compared."""

COUNTED = {"retrieved": "retrieved_count", "cited": "cited_count", "ignored": "ignored_count"}
"""What is counted, as images name it, and its column. An image with one of these is of use: added, never compared."""

_SHAPES = """
select distinct
    table_name,
    json_keys(coalesce(before, after)) as columns,
    case
        when if($back, before, after) is null then 'delete'
        when if($back, after, before) is null then 'insert'
        else 'update'
    end as how
from run_rows
where run_id = $run
    and number between $first and $last
    and number in (select unnest($numbers::integer[]))
    and table_name <> 'digest'
order by list_position($tables::varchar[], table_name), how, columns
"""

_ROWS = """
with rows as (
    select
        number,
        $project as project,
        string_split(row_key, chr(31)) as key,
        if($back, before, after) as wanted,
        if($back, after, before) as found
    from run_rows
    where run_id = $run
        and number between $first and $last
        and number in (select unnest($numbers::integer[]))
        and table_name = $table
        and json_keys(coalesce(before, after)) = $columns::varchar[]
)
"""
"""How each statement here begins: the images of a batch that move the same columns of one table."""


_LEAVE = """
insert into run_rows (run_id, number, table_name, row_key, before, after)
{begin},
patch as ({rows})
select
    $run, number, '{table}', concat_ws(chr(31), {key}),
    if({there}, {before}, null), {after}
from patch
left join {table} as there on {same}
where {which}
"""

_DELETE = "delete from {table} using rows where wanted is null and {same}"
_UPDATE = "update {table} set {sets} from rows where wanted is not null and found is not null and {same}"

_INSERT = """
insert into {table} ({names})
select {values}
from rows
where wanted is not null
    and found is null
order by key
"""

_COMPARE = """
select
    number,
    min(case
        when (found is null) <> (there.{key} is null) then {missing}{whys}
    end) as why
from rows
left join {table} as there on {same}
group by number
having why is not null
"""


class Patch(Struct, frozen=True):
    """Rows that a change leaves: `rows` selects the number of the change, the key and the `columns` of each.

    `of` says which of them: "known" ones, that are there, "new" ones, that are not yet, or "any". With `gone` the known
    row is taken away: `rows` then has its key alone, and `columns` are what is kept of it.
    """

    table: str
    columns: tuple[str, ...]
    rows: str
    of: str = "known"
    gone: bool = False

    def statement(self, begin: str) -> str:
        """The statement that writes the images; `begin` are common table expressions that `rows` may use."""
        key = _TABLES[self.table].key
        there = f"there.{key[0]} is not null"
        which = {"new": f"not ({there})", "known": there, "any": "true"}[self.of]
        before = _object((name, f"there.{COUNTED.get(name, name)}") for name in self.columns)
        after = "null" if self.gone else _object((name, f"patch.{name}") for name in self.columns)
        return composed(
            _LEAVE,
            begin=begin,
            rows=self.rows,
            table=self.table,
            key=", ".join(f"patch.{name}" for name in key),
            there=there,
            before=before,
            after=after,
            same=_same_row(self.table, "there", {name: f"patch.{name}" for name in key}, "$project"),
            which=which,
        )


def put(connection: duckdb.DuckDBPyConnection, about: About, numbers: Sequence[int], *, back: bool) -> None:
    """Make the rows of these changes what the changes left (or, `back`, what they found)."""
    for shape in _shapes(connection, about, numbers, back=back):
        _run(connection, about, numbers, _putting(shape, _types(connection, shape.table)), shape, back=back)


def moved_on(connection: duckdb.DuckDBPyConnection, about: About, numbers: Sequence[int]) -> dict[int, str]:
    """The changes whose rows are not as they left them, each with a word what has changed since."""
    found: dict[int, str] = {}
    for shape in _shapes(connection, about, numbers, back=True):
        statement = _comparing(shape, _types(connection, shape.table))
        found = dict(_run(connection, about, numbers, statement, shape, back=True)) | found
    return found


class _Shape(NamedTuple):
    """What some images have in common: the table, the columns that they move, and how (delete, update, insert)."""

    table: str
    columns: tuple[str, ...]
    how: str


_Types = tuple[tuple[str, str], ...]
"""The columns of a table, each with its type."""


def _shapes(connection: duckdb.DuckDBPyConnection, about: About, numbers: Sequence[int], *, back: bool) -> list[_Shape]:
    given = about.given(_SHAPES, numbers) | {"back": back, "tables": _TABLES}
    return [_Shape(table, tuple(columns), how) for table, columns, how in tuples(connection, _SHAPES, **given)]


def _types(connection: duckdb.DuckDBPyConnection, table: str) -> _Types:
    return tuple(column_types(connection, table).items())


def _run(
    connection: duckdb.DuckDBPyConnection,
    about: About,
    numbers: Sequence[int],
    statement: str,
    shape: _Shape,
    *,
    back: bool,
) -> list[tuple[Any, ...]]:
    """Run a statement over the images of one shape."""
    told = {"table": shape.table, "columns": shape.columns, "back": back}
    whole = composed("{rows}{statement}", rows=_ROWS, statement=statement)
    return tuples(connection, whole, **about.given(whole, numbers), **told)


@cache
def _putting(shape: _Shape, types: _Types) -> str:
    """The statement that deletes, updates or inserts rows."""
    table, columns, how = shape
    same = _same_row(table, table, _key(table, types), "project")
    if how == "delete":
        return composed(_DELETE, table=table, same=same)
    if how == "update":
        sets = ", ".join(f"{COUNTED.get(name, name)} = {value}" for name, value in _values(columns, types))
        return composed(_UPDATE, table=table, sets=sets, same=same)
    written = _key(table, types) | {name: _cast("wanted", name, types) for name in columns}
    written |= {"project_id": "project"} if _TABLES[table].in_project else {}
    return composed(_INSERT, table=table, names=", ".join(written), values=", ".join(written.values()))


@cache
def _comparing(shape: _Shape, types: _Types) -> str:
    """The statement that selects the changes whose rows are others now, with why."""
    table, columns, _ = shape
    sort = _TABLES[table]
    compared = () if _of_use(columns) else [name for name in columns if name not in (*sort.key, *sort.free)]
    said = {name: sort.words.get(name, _MOVED) for name in compared}
    whys = "".join(
        f"\n        when there.{name} is distinct from {_cast('found', name, types)} then {why}"
        for name, why in said.items()
    )
    same = _same_row(table, "there", _key(table, types), "project")
    return composed(_COMPARE, table=table, key=sort.key[0], missing=sort.missing, whys=whys, same=same)


def _values(columns: Sequence[str], types: _Types) -> Iterator[tuple[str, str]]:
    """What each column is set to: of use what the change added or found, of everything else its image."""
    for name in columns:
        wanted, found = _cast("wanted", name, types), _cast("found", name, types)
        if name in COUNTED:
            yield name, f"{COUNTED[name]} + {wanted} - {found}"
        elif _of_use(columns):
            yield name, f"if({name} is not distinct from {found}, {wanted}, {name})"
        else:
            yield name, wanted


def _of_use(columns: Sequence[str]) -> bool:
    return not COUNTED.keys().isdisjoint(columns)


def _same_row(table: str, called: str, key: Mapping[str, str], project: str) -> str:
    """That a row of the table, under the name it is called by, has this key."""
    told = dict(key) | ({"project_id": project} if _TABLES[table].in_project else {})
    return " and ".join(f"{called}.{name} = {value}" for name, value in told.items())


def _key(table: str, types: _Types) -> dict[str, str]:
    of = dict(types)
    return {name: f"key[{place}]::{of[name]}" for place, name in enumerate(_TABLES[table].key, 1)}


def _cast(image: str, name: str, types: _Types) -> str:
    return f"({image} ->> '{name}')::{dict(types)[COUNTED.get(name, name)]}"


def _object(values: Iterator[tuple[str, str]]) -> str:
    return "json_object(" + ", ".join(f"'{name}', {value}" for name, value in values) + ")"
