"""The lines of an export, each checked against the tables: JSON, columns, types, known words; without secrets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from companion import wire
from companion.errors import UsageError
from companion.ports import Redactor, TokenCounter
from companion.records import Artifact, Evidence, Memory, Resolution, memory_key
from companion.store.binding import duckdb
from companion.store.database import Database
from companion.store.memories.rows_sql import CONTENT, MEMORIES, MemoryParts, memory_of
from companion.store.memories.sanitise import INDEX_CHARACTERS, sanitise
from companion.store.memories.usage import KINDS_OF_USE
from companion.store.rows import Fields, tuples
from companion.store.texts import clean

LINE_BYTES = 4_000_000
"""The longest line read: a hundred times the longest memory seen; more is another kind of file."""

_DESCRIBED = """
select column_name, data_type, is_nullable
from duckdb_columns()
where table_name = $table
    and not internal
order by column_index
"""

LATER: dict[str, Fields] = {"contradictions": {"conflict": ""}}
"""Columns that exports of earlier versions lack, and what stands in them then."""


class Fault(ValueError):
    """What is wrong with a line."""


class ImportedLines(Struct):
    """What a file holds, checked."""

    memories: dict[str, tuple[Fields, Memory]] = field(default_factory=dict)
    contradictions: dict[str, Fields] = field(default_factory=dict)
    uses: list[Fields] = field(default_factory=list)


_EXPECTED: dict[str, tuple[tuple[type, ...], str]] = {
    "VARCHAR": ((str,), "text"),
    "INTEGER": ((int,), "a whole number"),
    "BIGINT": ((int,), "a whole number"),
    "DOUBLE": ((int, float), "a number"),
    "BOOLEAN": ((bool,), "true or false"),
    "TIMESTAMP": ((str,), "a time"),
    "DATE": ((str,), "a day"),
    "JSON": ((dict, str), "an object"),
}


class Column(Struct, frozen=True):
    """A column's type in SQL, and whether it may be null."""

    type: str
    nullable: bool

    def value(self, name: str, given: object) -> object:
        """What JSON says of the column, as it takes it. Raises Fault."""
        if given is None:
            if self.nullable:
                return None
            raise Fault(f"`{name}` is null")
        kinds, words = ((list,), "a list") if self.type.endswith("[]") else _EXPECTED[self.type]
        if not isinstance(given, kinds) or (isinstance(given, bool) and bool not in kinds):
            raise Fault(f"`{name}` is not {words}")
        return _READ.get(self.type, _as_given)(name, given)


class LineReader(Struct, frozen=True):
    """Checks lines against the tables, for one project."""

    project: str
    counter: TokenCounter
    redactor: Redactor
    tables: Mapping[str, Mapping[str, Column]]

    def take(self, given: Fields, into: ImportedLines) -> None:
        """Check one line and add what it holds. Raises Fault."""
        if "memory" in given:
            fields, memory = self._memory(given)
            into.memories[memory.id] = (fields, memory)
        elif "contradiction" in given:
            fields = self._fields("contradictions", given["contradiction"])
            _as(Resolution | None, fields["resolution"])
            into.contradictions[fields["id"]] = fields | {"project_id": self.project}
        elif "use" in given:
            fields = self._fields("usage_log", given["use"])
            if fields["what"] not in KINDS_OF_USE:
                raise Fault(f"a use is one of {', '.join(KINDS_OF_USE)}, not {fields['what']!r}")
            into.uses.append(fields)
        else:
            raise Fault("it holds no memory, contradiction or use")

    def _memory(self, given: Fields) -> tuple[Fields, Memory]:
        fields = self._fields("memories", given["memory"])
        try:
            id_ = fields["id"]
            evidence = _as(tuple[Evidence, ...], given.get("evidence", []))
            entities = _as(tuple[str, ...], given.get("entities", []))
            artifacts = _as(tuple[Artifact, ...], given.get("artifacts", []))
            memory = memory_of(fields, MemoryParts({id_: evidence}, {id_: entities}, {id_: artifacts}))
        except (ValueError, TypeError) as wrong:
            raise wrong if isinstance(wrong, Fault) else Fault(str(wrong)) from wrong
        if not 0 <= memory.draft.confidence <= 1:
            raise Fault(f"its confidence is {memory.draft.confidence}, not between 0 and 1")
        if len(memory.draft.levels.index) > INDEX_CHARACTERS:
            raise Fault(f"its index line is longer than {INDEX_CHARACTERS} characters")
        return self._fit(fields, memory)

    def _fit(self, fields: Fields, memory: Memory) -> tuple[Fields, Memory]:
        """The memory in this project, without secrets; nearly always as it was given."""
        draft = sanitise(memory.draft, self.redactor, each=False)
        if draft == memory.draft and memory.project == self.project:
            return fields, memory
        fit = replace(memory, project=self.project, key=memory_key(draft, self.project), draft=draft)
        changed = ["project", "key"]
        if draft != memory.draft:
            count, levels = self.counter.count, draft.levels
            tokens = count(levels.full), count(levels.summary), count(levels.compressed), count(levels.index)
            fit = replace(fit, tokens=tokens)
            changed += [*CONTENT, "draft.value", "draft.label"]
        types = {name: column.type for name, column in self.tables["memories"].items()}
        written = MEMORIES.columns([fit], types, *changed)
        return fields | {name: value for name, (value,) in written.items()}, fit

    def _fields(self, table: str, given: object) -> Fields:
        """The columns of a row, each of its type. What the table does not know is passed over."""
        if not isinstance(given, dict):
            raise Fault("it is not an object")
        given = LATER.get(table, {}) | given
        if missing := [name for name in self.tables[table] if name not in given]:
            raise Fault(f"`{missing[0]}` is missing")
        return {name: column.value(name, given[name]) for name, column in self.tables[table].items()}


def memory_reader(database: Database, counter: TokenCounter, redactor: Redactor, project: str = "") -> LineReader:
    """A reader that checks lines against the tables of a store."""
    with database.read() as connection:
        tables = {table: columns_of(connection, table) for table in ("memories", "contradictions", "usage_log")}
    return LineReader(project, counter, redactor, tables)


def json_lines(readline: Callable[[int], bytes]) -> Iterator[tuple[int, object]]:
    """Each line's number and its JSON, or the Fault it is."""
    number = 0
    while line := readline(LINE_BYTES + 1):
        number += 1
        if len(line) > LINE_BYTES:
            yield number, Fault(f"it is longer than {LINE_BYTES} bytes")
            return
        if not line.strip():
            continue
        try:
            yield number, json.loads(line)
        except (ValueError, RecursionError) as wrong:
            yield number, Fault(f"it is not JSON ({wrong})")


def columns_of(connection: duckdb.DuckDBPyConnection, table: str) -> dict[str, Column]:
    """The columns of a table, in order."""
    described = tuples(connection, _DESCRIBED, table=table)
    return {name: Column(type_, bool(nullable)) for name, type_, nullable in described}


def _as_given(_: str, given: object) -> object:
    return clean(given) if isinstance(given, str) else given


def _time(name: str, given: str) -> object:
    try:
        moment = datetime.fromisoformat(given)
    except ValueError as wrong:
        raise Fault(f"`{name}` is not a time ({given!r})") from wrong
    if moment.tzinfo is not None:
        raise Fault(f"`{name}` names a time zone; times are UTC without one")
    return moment


def _json(name: str, given: str | Fields) -> object:
    """JSON as its text: an object, or the text of one."""
    if isinstance(given, dict):
        return json.dumps(given, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    try:
        json.loads(given)
    except ValueError as wrong:
        raise Fault(f"`{name}` is not JSON") from wrong
    return clean(given)


def _whole(name: str, given: int) -> object:
    if not -(2**31) <= given < 2**31:
        raise Fault(f"`{name}` is too large")
    return given


def _number(_: str, given: float) -> object:
    return float(given)


_READ: dict[str, Callable[[str, Any], object]] = {
    "TIMESTAMP": _time,
    "JSON": _json,
    "INTEGER": _whole,
    "DOUBLE": _number,
}


def _as(declared: object, given: object) -> Any:
    """A value of a type. Raises Fault."""
    try:
        return wire.decode_any(declared, given)
    except UsageError as wrong:
        raise Fault(wrong.what.rstrip(".")) from wrong
