"""The lines of an export, each checked against the tables: JSON, columns, types, known words; without secrets."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import date, datetime
from typing import Annotated, Any, NotRequired, TypedDict

from msgspec import Meta, Struct, ValidationError, convert, field
from msgspec.structs import replace

from companion import wire
from companion.errors import UsageError
from companion.ports import Redactor, TokenCounter
from companion.records import Artifact, Evidence, Memory, Resolution, memory_key
from companion.store.binding import duckdb
from companion.store.memories.rows_sql import MEMORIES, MemoryParts, memory_of
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


_FORMS: Mapping[str, Any] = {
    "VARCHAR": str,
    "INTEGER": Annotated[int, Meta(ge=-(2**31), lt=2**31)],
    "BIGINT": int,
    "DOUBLE": float,
    "BOOLEAN": bool,
    "TIMESTAMP": Annotated[datetime, Meta(tz=False)],
    "DATE": date,
    "JSON": dict | str,
}
"""What JSON says of a column, by its type in SQL; of a list any list."""


class RowForm(Struct, frozen=True):
    """How a row of a table stands on a line: the type of each column in SQL, and what JSON has to be."""

    types: Mapping[str, str]
    form: object

    def read(self, given: object) -> Fields:
        """A row as the table takes it; columns that the table does not know are passed over. Raises Fault."""
        try:
            row: Fields = convert(given, self.form)
        except ValidationError as wrong:
            raise Fault(str(wrong)) from wrong
        return {name: _as_kept(name, value, self.types[name]) for name, value in row.items()}


class LineReader(Struct, frozen=True):
    """Checks lines of memories, contradictions and uses against their tables."""

    counter: TokenCounter
    redactor: Redactor
    tables: Mapping[str, RowForm]

    def take(self, given: Fields, project: str, into: ImportedLines) -> None:
        """Check one line of a project and add what it holds. Raises Fault."""
        if "memory" in given:
            fields, memory = self._memory(given, project)
            into.memories[memory.id] = (fields, memory)
        elif "contradiction" in given:
            fields = self._fields("contradictions", given["contradiction"])
            _as(Resolution | None, fields["resolution"])
            into.contradictions[fields["id"]] = fields | {"project_id": project}
        elif "use" in given:
            fields = self._fields("usage_log", given["use"])
            if fields["what"] not in KINDS_OF_USE:
                raise Fault(f"a use is one of {', '.join(KINDS_OF_USE)}, not {fields['what']!r}")
            into.uses.append(fields)
        else:
            raise Fault("it holds no memory, contradiction or use")

    def _memory(self, given: Fields, project: str) -> tuple[Fields, Memory]:
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
        return self._fit(fields, memory, project)

    def _fit(self, fields: Fields, memory: Memory, project: str) -> tuple[Fields, Memory]:
        """The memory in a project, without secrets; nearly always as it was given."""
        draft = sanitise(memory.draft, self.redactor, each=False)
        if draft == memory.draft and memory.project == project:
            return fields, memory
        fit = replace(memory, project=project, key=memory_key(draft, project), draft=draft)
        if draft != memory.draft:
            count, levels = self.counter.count, draft.levels
            tokens = count(levels.full), count(levels.summary), count(levels.compressed), count(levels.index)
            fit = replace(fit, tokens=tokens)
        written = MEMORIES.columns([fit], self.tables["memories"].types)
        return fields | {name: value for name, (value,) in written.items()}, fit

    def _fields(self, table: str, given: object) -> Fields:
        later = LATER.get(table, {})
        return self.tables[table].read(later | given if isinstance(given, dict) else given)


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


def form_of(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    needed: Collection[str] | None = None,
    later: Collection[str] = (),
) -> RowForm:
    """How a row of a table stands on a line. Columns may be missing but for those `needed` (None: all but `later`)."""
    types: dict[str, str] = {}
    columns: dict[str, object] = {}
    for name, type_, nullable in tuples(connection, _DESCRIBED, table=table):
        types[name] = type_
        form = list if type_.endswith("[]") else _FORMS[type_]
        form = form | None if nullable else form
        may_be_missing = name in later or not (needed is None or name in needed)
        columns[name] = NotRequired[form] if may_be_missing else form
    return RowForm(types, TypedDict(table, columns))  # type: ignore[operator]  # its columns are known once asked


def _as_kept(name: str, given: object, type_: str) -> object:
    """A value as its column takes it: JSON, an object or the text of one, as its text. Raises Fault."""
    if isinstance(given, dict):
        given = json.dumps(given, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    elif isinstance(given, str) and type_ == "JSON":
        try:
            json.loads(given)
        except ValueError as wrong:
            raise Fault(f"`{name}` is not JSON") from wrong
    return clean(given) if isinstance(given, str) else given


def _as(declared: object, given: object) -> Any:
    """A value of a type. Raises Fault."""
    try:
        return wire.decode_any(declared, given)
    except UsageError as wrong:
        raise Fault(wrong.what.rstrip(".")) from wrong
