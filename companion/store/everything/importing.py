"""An export read back: into an empty store one of everything gives the same store, into another what that one lacks.

It is one transaction: a faulty line imports nothing. What is there already, by its key, stays as it is. The user and
the projects are those of this store, where it knows them: an id of the export that stands for one of them is read as
ours. What was written of one project goes into the one that is given. People's words pass the redactor, as everything
that comes in does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from companion_schema import FORMER_NAMES, GONE
from msgspec import Struct, field

from companion.errors import UsageError
from companion.ports import Redactor, TokenCounter
from companion.store import projects
from companion.store.binding import duckdb
from companion.store.bulk import insert_dicts
from companion.store.by_columns import column_where
from companion.store.database import Database
from companion.store.everything.exporting import FORMAT, NOTES, OF_EVERYTHING, OF_PROJECT, copy_notes, plain
from companion.store.everything.lines import (
    Fault,
    ImportedLines,
    LineReader,
    RowForm,
    form_of,
    json_lines,
)
from companion.store.everything.tables import KEPT
from companion.store.memories.rows_sql import put_parts
from companion.store.rows import Fields, column, dicts

BATCH = 500
"""Lines written at a time."""
FAULTS_MOST = 10
"""Faulty lines after which no more are looked at."""

_KEYS = """
select unnest(constraint_column_names)
from duckdb_constraints()
where table_name = $table
    and constraint_type = 'PRIMARY KEY'
"""
_EMPTY = """
select not exists (from memories) and not exists (from conversations) and not exists (from acts)
    and not exists (from items) and not exists (from projects)
"""
_SAME_PROJECT = """
select id
from projects
where id = $id
    or (root_commit = $root_commit and remote = $remote and copy_of = $copy_of and root_commit <> '')
order by id <> $id
limit 1
"""
_SAME_ACT = """
select id
from acts
where id = $id
    or (user_id = $user_id and ((permanent and $permanent) or (project_id = $project_id and $project_id <> '')))
order by id <> $id
limit 1
"""
_SAME = {
    "projects": (_SAME_PROJECT, ("id", "root_commit", "remote", "copy_of")),
    "acts": (_SAME_ACT, ("id", "user_id", "permanent", "project_id")),
}
_NAMED_BY = frozenset({"user_id", "project_id", "act_id"})
"""Columns that name the user, a project or an act."""


class Came(Struct):
    """How much of an export was new: memories, rows of other tables by name, and notes."""

    memories: int = 0
    rows: dict[str, int] = field(default_factory=dict)
    notes: int = 0


_TABLES = {table.name: table for table in KEPT}


class _Import(Struct):
    """One import that is going on."""

    database: Database
    connection: duckdb.DuckDBPyConnection
    reader: LineReader
    redactor: Redactor
    project: str
    """The project that the memories of one project go into."""
    everything: bool = False
    """Whether everything comes in."""
    ours: dict[str, str] = field(default_factory=dict)
    """Ids of the export that stand for one of this store."""
    came: Came = field(default_factory=Came)
    fresh: set[str] = field(default_factory=set)
    """Memories that were new: their uses come in too."""
    forms: dict[str, RowForm] = field(default_factory=dict)
    keys: dict[str, tuple[str, ...]] = field(default_factory=dict)
    there: dict[str, set[str]] = field(default_factory=dict)
    """Rows of tables without a key that were there before."""
    waiting: dict[str, list[Fields]] = field(default_factory=dict)
    memories: ImportedLines = field(default_factory=ImportedLines)
    held: int = 0


def import_lines(database: Database, project: str, path: Path, *, counter: TokenCounter, redactor: Redactor) -> Came:
    """Read the lines of an export, and the notes beside those of everything.

    Raises UsageError for a file that is no export, that is of another repository than `project`, that a newer program
    wrote, or in which lines are faulty.
    """
    try:
        with path.open("rb") as file, database.write() as connection:
            forms = {table: form_of(connection, table) for table in ("memories", "contradictions", "usage_log")}
            reader = LineReader(counter, redactor, forms)
            going = _Import(database, connection, reader, redactor, project)
            lines = json_lines(file.readline)
            _begin(going, path, next(lines, (1, None))[1])
            if faults := _take_in(going, lines):
                raise UsageError(f"{path} was not imported: {'; '.join(faults)}.", "Fix these lines or export again.")
    except OSError as wrong:
        raise UsageError(f"{path} cannot be read: {wrong.strerror or wrong}.", "Name an export.") from wrong
    except duckdb.ConversionException as wrong:
        raise UsageError(f"{path} was not imported: {str(wrong).splitlines()[0]}", "Export again.") from wrong
    if going.everything:
        going.came.notes = len(copy_notes(path.parent / NOTES, database.home / NOTES, over=False))
    return going.came


def _take_in(going: _Import, lines: Iterable[tuple[int, object]]) -> list[str]:
    """Take in every line; says what is wrong with faulty ones, with no more than FAULTS_MOST of them."""
    faults: list[str] = []
    number = 1
    for number, given in lines:
        try:
            _take(going, given)
        except Fault as wrong:
            faults.append(f"line {number}: {wrong}")
            if len(faults) >= FAULTS_MOST:
                return faults
    try:
        _flush(going)
    except Fault as wrong:
        faults += [] if faults else [f"line {number}: {wrong}"]
    return faults


def _begin(going: _Import, path: Path, first: object) -> None:
    """What the first line says. Raises UsageError where it is none of ours, or of another repository."""
    if not isinstance(first, dict) or first.get("format") != FORMAT:
        raise UsageError(f"{path} is not an export of companion.", "`companion export DIR` writes one; name DIR.")
    version = first.get("version")
    if version not in (OF_PROJECT, OF_EVERYTHING):
        raise UsageError(
            f"{path} has export format {version}; this program reads up to {OF_EVERYTHING}.",
            "Upgrade with `pip install --upgrade companion-context`.",
        )
    if version == OF_PROJECT:
        _need_same_project(going, path, first.get("project"))
    else:
        _know_user(going, path, first.get("user"))


def _need_same_project(going: _Import, path: Path, given: object) -> None:
    about = given if isinstance(given, dict) else {}
    ours = projects.project(going.database, going.project)
    same_beginning = ours is not None and ours.root_commit and ours.root_commit == about.get("root_commit")
    if about.get("id") != going.project and not same_beginning:
        raise UsageError(
            f"{path} is of {about.get('name') or 'another project'}, not of this repository.",
            "Import it in a checkout of that one.",
        )


def _know_user(going: _Import, path: Path, theirs: object) -> None:
    going.everything = True
    if not isinstance(theirs, str) or not theirs:
        raise UsageError(f"{path} names no user.", "Export again.")
    if column(going.connection, _EMPTY) == [True]:
        projects.set_value(going.database, projects.USER_ID, theirs)
    elif theirs != (mine := projects.user_id(going.database)):
        going.ours[theirs] = mine


def _take(going: _Import, given: object) -> None:
    """Check one line, and keep what it holds with the next batch. Raises Fault."""
    if not isinstance(given, dict):
        raise Fault("it is not an object") if not isinstance(given, Fault) else given
    if "table" in given:
        _take_row(going, given)
    else:
        _take_memory(going, given)
    going.held += 1
    if going.held >= BATCH:
        _flush(going)


def _take_row(going: _Import, given: Fields) -> None:
    name, row = given["table"], given.get("row")
    name = FORMER_NAMES.get(name, name) if isinstance(name, str) else ""
    if name in GONE:
        return
    table = _TABLES.get(name)
    if table is None or not isinstance(row, dict):
        raise Fault(f"there is no table {given['table']!r} to keep its row in")
    if name not in going.forms:
        keys = going.keys[name] = tuple(column(going.connection, _KEYS, table=name))
        going.forms[name] = form_of(going.connection, name, keys or None, table.later)
    fit = going.forms[name].read(row)
    for said in table.said:
        fit[said] = _redacted(going.redactor, fit.get(said))
    _as_ours(going, fit)
    if name in _SAME:
        _know(going, name, fit)
    going.waiting.setdefault(name, []).append(fit)


def _as_ours(going: _Import, row: Fields) -> None:
    for name in _NAMED_BY & row.keys():
        row[name] = going.ours.get(str(row[name]), row[name])


def _know(going: _Import, name: str, row: Fields) -> None:
    """A project or an act that this store knows under another id is that one."""
    statement, asked = _SAME[name]
    for known in column(going.connection, statement, **{one: row.get(one) for one in asked}):
        if known != row["id"]:
            going.ours[row["id"]] = known
            row["id"] = known


def _take_memory(going: _Import, given: Fields) -> None:
    about: object = next((given[name] for name in ("memory", "contradiction") if name in given), {})
    space = about.get("project_id", "") if isinstance(about, dict) else ""
    taken = dict(given)
    if isinstance(taken.get("memory"), dict):
        memory = dict(taken["memory"])
        _as_ours(going, memory)
        taken["memory"] = memory | {"project_id": space}
    going.reader.take(taken, going.ours.get(space, space) if going.everything else going.project, going.memories)


def _flush(going: _Import) -> None:
    for name, rows in going.waiting.items():
        going.came.rows[name] = going.came.rows.get(name, 0) + _insert(going, name, rows)
    _keep_memories(going, going.memories)
    going.waiting, going.memories, going.held = {}, ImportedLines(), 0


def _keep_memories(going: _Import, read: ImportedLines) -> None:
    """Write memories that are not there, with what belongs to them.

    Raises Fault for a contradiction or a use of a memory that is nowhere.
    """
    spoken = {use["memory_id"] for use in read.uses}
    spoken |= {pair[side] for pair in read.contradictions.values() for side in ("memory_a", "memory_b")}
    connection = going.connection
    known = set(column_where(connection, "memories", "id", id=spoken | read.memories.keys()))
    if nowhere := sorted(spoken - known - read.memories.keys()):
        raise Fault(f"the memory {nowhere[0]} is referred to but missing")
    fresh = {id_: pair for id_, pair in read.memories.items() if id_ not in known}
    insert_dicts(connection, "memories", [fields for fields, _ in fresh.values()])
    put_parts(connection, [memory for _, memory in fresh.values()])
    insert_dicts(connection, "contradictions", list(read.contradictions.values()), or_ignore=True)
    going.fresh |= fresh.keys()
    going.came.memories += len(fresh)
    insert_dicts(connection, "usage_log", [use for use in read.uses if use["memory_id"] in going.fresh])


def _insert(going: _Import, name: str, rows: list[Fields]) -> int:
    """Put rows in that are not there, by their key or, without one, as a whole; how many that were."""
    if not (keys := _TABLES[name].keys) and going.keys[name]:
        return insert_dicts(going.connection, name, rows, or_ignore=True)
    if name not in going.there:
        known = dicts(going.connection, _TABLES[name].rows)
        going.there[name] = {_told(row, keys or tuple(row)) for row in known}
    there = going.there[name]
    fresh = [row for row in rows if _told(row, keys or tuple(row)) not in there]
    return insert_dicts(going.connection, name, fresh)


def _told(row: Fields, keys: tuple[str, ...]) -> str:
    return json.dumps({key: plain(row.get(key)) for key in keys}, sort_keys=True, default=str)


def _redacted(redactor: Redactor, given: object) -> object:
    if isinstance(given, str):
        return redactor.redact(given)
    return [_redacted(redactor, one) for one in given] if isinstance(given, list) else given
