"""A damaged store written anew: every row that can still be read, and for those that cannot, what a copy of it has.

Where some columns of a row cannot be read but its key can, a copy gives the others. Where keys cannot be read, or there
are none, the rows of the copy are taken that are not there yet; what was deleted since the copy may come back by that.
What a scan reads from repositories is of one piece: if part of it cannot be read it is left out, and the next scan
reads all of it again.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path

from companion_schema import FORMER_NAMES

from companion.errors import StoreDamaged
from companion.ports.composing import comma_list, composed, quoted
from companion.store.binding import duckdb
from companion.store.connecting import connect
from companion.store.copying import is_store_file
from companion.store.database import Database
from companion.store.files import PRIVATE_FILE, log_path
from companion.store.migrate import migrate
from companion.store.trouble import as_store_error

VECTOR_ROWS = 2_048
"""DuckDB reads as many rows at once: fewer cannot be had where one of them is in a damaged block."""

SCANNED = (
    *("code_files", "symbols", "symbol_references", "imports", "links", "shapes", "skipped", "unlearned", "declared"),
    *("commits", "history_state", "history_files", "touches", "cochange"),
)
"""Tables that a scan fills from repositories: what of them fits together, only a scan knows."""

_COLUMNS = """
select table_name, list(column_name order by column_index)
from duckdb_columns()
where database_name = $name
    and not internal
    and table_name <> 'schema_migrations'
    and (database_name = 'fresh' or table_name in (
        select table_name
        from duckdb_tables()
        where database_name = $name
            and estimated_size > 0
    ))
group by table_name
order by table_name
"""
"""Of a source, those of the tables that hold rows: there is nothing to take from the others."""

_KEYS = """
select table_name, constraint_column_names
from duckdb_constraints()
where database_name = 'fresh'
    and constraint_type = 'PRIMARY KEY'
"""

_USER = """
insert or ignore into fresh.store_meta (name, value)
select 'user_id', max(user_id)
from fresh.memories
having max(user_id) <> ''
"""
"""Whose store it is stands in each memory too; under another id nobody would find what is the user's own."""

_WITHIN = "where own.rowid >= $first and own.rowid < $stop"
_HASHED = "select bit_xor(hash({name})) {rows}"
_WITH_COPY = "{rows} join {source} as copy on {same} {within}"
_PUT = "{insert} into fresh.{table} ({names}) select {values} {rows}"
_HELD = "create or replace temporary table held as select {names} {rows} limit 0"
_HOLD = "insert into held select {names} {rows} where own.{key} = $key"
_UNREAD = "update fresh.checkouts set head = '', code_revision = code_revision + 1"


def salvaged(path: Path, copies: Sequence[Path], memory_limit: str) -> tuple[Path, Path, tuple[str, ...]] | None:
    """Write beside the store at `path` one with all rows that can be read, of it and then of `copies` in their order.

    Returns the new file, whose rows it has, and what could not be taken over, in sentences; None where neither store
    nor copy opens. Nothing that is there is changed. Raises duckdb.Error or OSError where it cannot be written.
    """
    sources = [file for file in (path, *copies) if opens(file, memory_limit)]
    if not sources:
        return None
    fresh = path.with_name(f"{path.name}.unfinished-anew-{os.getpid()}")
    try:
        with connect(fresh, memory_limit) as empty:
            migrate(Database(path.parent, empty, name=fresh.name))
        fresh.chmod(PRIVATE_FILE)
        with connect(Path(":memory:"), memory_limit) as connection:
            connection.execute("attach $path as fresh", {"path": str(fresh)})
            for number, file in enumerate(sources):
                attach = composed("attach $path as {name} (read_only)", name=_name(number))
                connection.execute(attach, {"path": str(file)})
            lost = _Rebuilding(connection, path, sources).run()
            connection.execute("checkpoint fresh")
            connection.execute("detach fresh")
    except BaseException:
        for half in (fresh, log_path(fresh)):
            half.unlink(missing_ok=True)
        raise
    return fresh, sources[0], lost


def opens(path: Path, memory_limit: str) -> bool:
    """Whether there is a store that DuckDB can open with its log, for which its catalogue has to be whole.

    Raises what else keeps it from being opened, such as another process that holds it.
    """
    try:
        if is_store_file(path):
            connect(path, memory_limit, read_only=True).close()
            return True
    except duckdb.Error as wrong:
        if not isinstance(as_store_error(path, wrong), StoreDamaged):
            raise
    return False


class _Rebuilding:
    """Fills `fresh` on a connection that the sources are attached to: the damaged store first, or its first copy."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path, sources: Sequence[Path]) -> None:
        self._connection = connection
        self._path = path
        ours = self._columns("fresh")
        self._keys: dict[str, list[str]] = dict(connection.execute(_KEYS).fetchall())
        theirs = [self._columns(_name(number)) for number in range(len(sources))]
        self._called = [{FORMER_NAMES.get(name, name): name for name in held} for held in theirs]
        """By source, the name that it has for each table."""
        self._held = [
            {table: [name for name in ours[table] if name in held[called[table]]] for table in ours if table in called}
            for held, called in zip(theirs, self._called, strict=True)
        ]
        """By source and table, those of its columns that this program knows."""

    def run(self) -> tuple[str, ...]:
        """Take over every table; returns what could not be, in sentences."""
        damaged = [table for table in self._held[0] if not self._put(table, 0, self._from(0, table), insert="insert")]
        unread = () if set(SCANNED).isdisjoint(damaged) else SCANNED
        for table in unread:
            self._connection.execute(composed("delete from fresh.{table}", table=quoted(table)))
        lost = [self._salvage(table) for table in damaged if table not in unread]
        if "store_meta" in damaged:
            self._connection.execute(_USER)
        if unread:
            self._connection.execute(_UNREAD)
            lost.append("What was read of code and commits is read again by `companion init` in each repository.")
        return tuple(lost)

    def _salvage(self, table: str) -> str:
        """Take over what can be read of a damaged table, and the rest from a copy; returns what is to be said of it."""
        stop = self._number(composed("select max(rowid) + 1 {rows}", rows=self._from(0, table)))
        all_known = stop > 0 and self._take(table, 0, stop)
        counted = composed("select count(*) from fresh.{table}", table=quoted(table))
        own = self._number(counted)
        for number in () if all_known else self._copies(table):
            rows = "{rows}" if table in self._keys else "{rows} except all select {columns} from fresh.{table}"
            there = {"columns": comma_list(self._held[number][table]), "table": quoted(table)}
            if self._put(table, number, composed(rows, rows=self._from(number, table), **there)):
                break
        come = self._number(counted) - own
        held = self._number(composed("select count(*) {rows}", rows=self._from(0, table)))
        name = table.replace("_", " ")
        lost = max(0, held - own - come)
        return f"Of {held:,} rows of {name} {own:,} could be read, {come:,} came from a copy, {lost:,} are lost."

    def _take(self, table: str, first: int, stop: int) -> bool:
        """Take over the rows with ids from `first` to before `stop` as far as they can be read, or a copy has the rest.

        Whether all their keys could be read.
        """
        within: dict[str, object] = {"first": first, "stop": stop}
        rows = composed("{rows} {within}", rows=self._from(0, table), within=_WITHIN)
        if self._put(table, 0, rows, within):
            return True
        if stop - first > VECTOR_ROWS:
            middle = first + max(1, (stop - first) // 2 // VECTOR_ROWS) * VECTOR_ROWS
            return all([self._take(table, first, middle), self._take(table, middle, stop)])
        names = self._held[0][table]
        own = {name for name in names if self._done(composed(_HASHED, name=quoted(name), rows=rows), within)}
        keys = [quoted(key) for key in self._keys.get(table, names) if key in own]
        if len(keys) < len(self._keys.get(table, names)):
            return False
        if len(keys) == 1:
            self._take_one_by_one(table, keys[0], rows, within)
        same = " and ".join(f"own.{key} = copy.{key}" for key in keys)
        for number in self._copies(table):
            joined = {"rows": self._from(0, table), "source": self._source(number, table), "same": same}
            if self._put(table, number, composed(_WITH_COPY, **joined, within=_WITHIN), within, own=own):
                break
        return True

    def _take_one_by_one(self, table: str, key: str, rows: str, within: dict[str, object]) -> None:
        """Take over those of some rows that can be read: by its index a row is read alone, without those beside it.

        They are held until all are read, since to put one in alone is to look through all that are there.
        """
        parts = {"names": comma_list(self._held[0][table]), "rows": self._from(0, table)}
        self._connection.execute(composed(_HELD, **parts))
        known = composed("select {key} {rows}", key=key, rows=rows)
        keys = [{"key": row[0]} for row in self._connection.execute(known, within).fetchall()]
        hold = composed(_HOLD, **parts, key=key)
        readable = [one for one in keys if self._done(hold, one)]
        if not self._put(table, 0, "from held as own"):
            for one in readable:  # the program allows less than it did when some were written
                self._put(table, 0, composed("from held as own where own.{key} = $key", key=key), one)

    def _put(
        self,
        table: str,
        number: int,
        rows: str,
        given: dict[str, object] | None = None,
        *,
        insert: str = "",
        own: Collection[str] | None = None,
    ) -> bool:
        """Put rows of a source into a table of `fresh`, but for keys that are there; whether they could be read.

        With `own`, the names of columns, the others are those of the copy that the rows are joined with. A plain
        `insert` keeps the order of the rows, and fails for keys that come twice.
        """
        columns = self._held[number][table]
        if own is not None:  # an older copy may lack some that can be read
            columns = [name for name in self._held[0][table] if name in own or name in columns]
        values = ", ".join(f"{'own' if own is None or name in own else 'copy'}.{quoted(name)}" for name in columns)
        insert = insert or ("insert or ignore" if table in self._keys else "insert")
        parts = {"table": quoted(table), "names": comma_list(columns), "values": values, "rows": rows}
        return self._done(composed(_PUT, insert=insert, **parts), given)

    def _copies(self, table: str) -> list[int]:
        """The numbers of the copies that have a table, newest first."""
        return [number for number in range(1, len(self._held)) if table in self._held[number]]

    def _source(self, number: int, table: str) -> str:
        return f"{_name(number)}.{quoted(self._called[number][table])}"

    def _from(self, number: int, table: str) -> str:
        return composed("from {source} as own", source=self._source(number, table))

    def _columns(self, name: str) -> dict[str, list[str]]:
        return dict(self._connection.execute(_COLUMNS, {"name": name}).fetchall())

    def _number(self, statement: str) -> int:
        """The one number that a statement gives; 0 where it is null or cannot be read."""
        row = self._connection.fetchone() if self._done(statement) else None
        return int(row[0] or 0) if row else 0

    def _done(self, statement: str, given: dict[str, object] | None = None) -> bool:
        """Execute a statement; false where it needs what is damaged. Raises what else went wrong."""
        try:
            self._connection.execute(statement, given)
        except duckdb.ConstraintException:
            return False
        except duckdb.Error as wrong:
            if isinstance(wrong, duckdb.FatalException) or not isinstance(
                as_store_error(self._path, wrong), StoreDamaged
            ):
                raise
            return False
        return True


def _name(number: int) -> str:
    """The name that a source is attached by."""
    return f"source_{number}"
