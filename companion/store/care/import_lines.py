"""The lines of an export, each checked against the tables: JSON, columns, types, known words; without secrets."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from companion.ports import Redactor, TokenCounter
from companion.records import Artifact, ArtifactKind, Evidence, EvidenceKind, Memory, Resolution, memory_key
from companion.store.memories.rows_sql import CONTENT_COLUMNS, MEMORY_COLUMNS, TOKEN_COLUMNS, content_row, memory_from
from companion.store.memories.sanitise import INDEX_CHARACTERS, sanitise
from companion.store.memories.usage import KINDS_OF_USE
from companion.store.texts import clean

if TYPE_CHECKING:
    import duckdb

    from companion.store.database import Database

LINE_BYTES = 4_000_000
"""The longest line read: a hundred times the longest memory seen; more is another kind of file."""

_DESCRIBED = """
select column_name, data_type, is_nullable
from duckdb_columns()
where table_name = $table
    and not internal
order by column_index
"""

Fields = dict[str, Any]
LATER: dict[str, Fields] = {"contradictions": {"conflict": ""}}
"""Columns that exports of earlier versions lack, and what stands in them then."""
_E = TypeVar("_E")


class Fault(ValueError):
    """What is wrong with a line."""


@dataclass(slots=True)
class ImportedLines:
    """What a file holds, checked."""

    memories: dict[str, tuple[Fields, Memory]] = field(default_factory=dict)
    contradictions: dict[str, Fields] = field(default_factory=dict)
    uses: list[Fields] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Column:
    """A column's type in SQL, and whether it may be null."""

    type: str
    nullable: bool


@dataclass(frozen=True, slots=True)
class LineReader:
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
            if fields["resolution"] is not None:
                _as(Resolution, fields["resolution"], "resolution")
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
            memory = memory_from(
                tuple(fields[name] for name in MEMORY_COLUMNS),
                tuple(_evidence(item) for item in given.get("evidence", ())),
                tuple(_text(item, "an entity") for item in given.get("entities", ())),
                tuple(_artifact(item) for item in given.get("artifacts", ())),
            )
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
        if draft != memory.draft:
            count, levels = self.counter.count, draft.levels
            texts = (levels.full, levels.summary, levels.compressed, levels.index)
            fields = {name: clean(value) if isinstance(value, str) else value for name, value in fields.items()}
            fields |= dict(zip(CONTENT_COLUMNS, content_row(draft), strict=True))
            fields |= dict(zip(TOKEN_COLUMNS, map(count, texts), strict=True))
            fields |= {"value": draft.value, "label": draft.label}
        if draft != memory.draft or memory.project != self.project:
            fields = fields | {"project_id": self.project, "memory_key": memory_key(draft, self.project)}
        return fields, replace(memory, draft=draft)

    def _fields(self, table: str, given: object) -> Fields:
        """The columns of a row, each of its type. What the table does not know is passed over."""
        if not isinstance(given, dict):
            raise Fault("it is not an object")
        given = LATER.get(table, {}) | given
        found: Fields = {}
        for name, column in self.tables[table].items():
            if name not in given:
                raise Fault(f"`{name}` is missing")
            found[name] = _value(name, column, given[name])
        return found


def memory_reader(database: Database, counter: TokenCounter, redactor: Redactor, project: str = "") -> LineReader:
    """A reader that checks lines against the tables of a store."""
    with database.read() as connection:
        tables = {table: _columns(connection, table) for table in ("memories", "contradictions", "usage_log")}
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


def _columns(connection: duckdb.DuckDBPyConnection, table: str) -> dict[str, Column]:
    rows = connection.execute(_DESCRIBED, {"table": table}).fetchall()
    return {name: Column(type_, bool(nullable)) for name, type_, nullable in rows}


_EXPECTED: dict[str, tuple[tuple[type, ...], str]] = {
    "VARCHAR": ((str,), "text"),
    "INTEGER": ((int,), "a whole number"),
    "DOUBLE": ((int, float), "a number"),
    "BOOLEAN": ((bool,), "true or false"),
    "TIMESTAMP": ((str,), "a time"),
    "JSON": ((dict,), "an object"),
}


def _value(name: str, column: Column, given: object) -> object:
    if given is None:
        if column.nullable:
            return None
        raise Fault(f"`{name}` is null")
    kinds, words = _EXPECTED[column.type]
    if not isinstance(given, kinds) or (isinstance(given, bool) and bool not in kinds):
        raise Fault(f"`{name}` is not {words}")
    if column.type == "TIMESTAMP":
        return _time(name, str(given))
    if column.type == "JSON":
        return json.dumps(given, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    if column.type == "INTEGER" and not -(2**31) <= given < 2**31:  # type: ignore[operator]
        raise Fault(f"`{name}` is too large")
    return float(given) if column.type == "DOUBLE" else given  # type: ignore[arg-type]


def _time(name: str, given: str) -> datetime:
    try:
        moment = datetime.fromisoformat(given)
    except ValueError as wrong:
        raise Fault(f"`{name}` is not a time ({given!r})") from wrong
    if moment.tzinfo is not None:
        raise Fault(f"`{name}` names a time zone; times are UTC without one")
    return moment


def _evidence(given: object) -> Evidence:
    if not isinstance(given, dict):
        raise Fault("its evidence is not an object")
    line = given.get("line")
    if line is not None and (not isinstance(line, int) or isinstance(line, bool)):
        raise Fault("the line of its evidence is not a whole number")
    kind = _as(EvidenceKind, given.get("kind"), "kind of evidence")
    return Evidence(kind, _text(given.get("ref"), "ref"), line, _text(given.get("quote", ""), "quote"))


def _artifact(given: object) -> Artifact:
    if not isinstance(given, dict):
        raise Fault("an artifact is not an object")
    return Artifact(_as(ArtifactKind, given.get("kind"), "kind of artifact"), _text(given.get("ref"), "ref"))


def _as(kind: Callable[[Any], _E], given: object, what: str) -> _E:
    try:
        return kind(given)
    except ValueError as wrong:
        raise Fault(f"{given!r} is no {what}") from wrong


def _text(given: object, what: str) -> str:
    if not isinstance(given, str):
        raise Fault(f"{what} is not text")
    return given
