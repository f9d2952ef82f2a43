"""Read an export back: every line is checked first, then all of it is written or nothing.

What the store has already (by id) is left as it is, so reading a file twice changes nothing. Ids,
versions, validity and counts are kept. Texts pass the redactor, as everything that comes in does.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import UsageError
from companion.ports import Redactor, TokenCounter
from companion.store import projects
from companion.store.bulk import insert_dicts
from companion.store.care.import_lines import Fault, ImportedLines, LineReader, json_lines, memory_reader
from companion.store.memories.rows_sql import put_parts
from companion.store.rows import column

if TYPE_CHECKING:
    import duckdb

    from companion.store.database import Database

FORMAT = "companion-export"
FORMAT_VERSION = 1

FAULTS_SHOWN = 10
"""Faulty lines named in the message; the rest are counted."""

_KNOWN_MEMORIES = """
select id
from memories
where id in (select unnest($ids::varchar[]))
"""

_KNOWN_CONTRADICTIONS = """
select id
from contradictions
where id in (select unnest($ids::varchar[]))
"""


def import_file(database: Database, project: str, path: Path, *, counter: TokenCounter, redactor: Redactor) -> int:
    """Read an export into a project; returns how many memories were new.

    Raises UsageError for a file that is no export, that is of another repository, that a newer
    program wrote, or in which lines are faulty (they are named); then nothing is imported.
    """
    reader = memory_reader(database, counter, redactor, project)
    try:
        with path.open("rb") as file:
            lines = json_lines(file.readline)
            _check_header(database, project, path, next(lines, (1, None))[1])
            read = _read(lines, reader)
    except OSError as wrong:
        raise UsageError(f"{path} cannot be read: {wrong.strerror or wrong}.", "Name an export.") from wrong
    with database.write() as connection:
        known = _check_pairs(connection, read)
        if read.faults:
            raise faulty(path, read.faults)
        return _write(connection, read, known)


def keep(connection: duckdb.DuckDBPyConnection, read: ImportedLines) -> int:
    """Write what was read, as far as it is not there; returns how many memories were new. Raises Fault."""
    known = _check_pairs(connection, read)
    if read.faults:
        raise Fault("; ".join(read.faults))
    return _write(connection, read, known)


def _read(lines: Iterator[tuple[int, object]], reader: LineReader) -> ImportedLines:
    read = ImportedLines()
    for number, given in lines:
        try:
            if isinstance(given, Fault):
                raise given
            if not isinstance(given, dict):
                raise Fault("it is not an object")
            reader.take(given, read)
        except Fault as wrong:
            read.faults.append(f"line {number}: {wrong}")
    return read


def _check_header(database: Database, project: str, path: Path, given: object) -> None:
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise UsageError(f"{path} is not an export of companion.", "`companion export DIR` writes one; name DIR.")
    version = given.get("version")
    if not isinstance(version, int) or version > FORMAT_VERSION:
        raise UsageError(
            f"{path} has export format {version}; this program reads up to {FORMAT_VERSION}.",
            "Upgrade with `pip install --upgrade companion-context`.",
        )
    about = given.get("project")
    about = about if isinstance(about, dict) else {}
    ours = projects.project(database, project)
    same_beginning = ours is not None and ours.root_commit and ours.root_commit == about.get("root_commit")
    if about.get("id") != project and not same_beginning:
        raise UsageError(
            f"{path} is of {about.get('name') or 'another project'}, not of this repository.",
            "Import it in a checkout of that one.",
        )


def _check_pairs(connection: duckdb.DuckDBPyConnection, read: ImportedLines) -> set[str]:
    """The ids the store has already; a pair or use of a memory that is nowhere is a fault."""
    spoken = {use["memory_id"] for use in read.uses}
    spoken |= {pair[side] for pair in read.contradictions.values() for side in ("memory_a", "memory_b")}
    asked = sorted(spoken | set(read.memories))
    known = set(column(connection, _KNOWN_MEMORIES, ids=asked))
    nowhere = sorted(spoken - known - set(read.memories))
    if nowhere and not read.faults:
        read.faults += [f"the memory {id_} is spoken of but is not there" for id_ in nowhere]
    return known


def _write(connection: duckdb.DuckDBPyConnection, read: ImportedLines, known: set[str]) -> int:
    fresh = {id_: pair for id_, pair in read.memories.items() if id_ not in known}
    insert_dicts(connection, "memories", [fields for fields, _ in fresh.values()])
    put_parts(connection, [memory for _, memory in fresh.values()])
    there = set(column(connection, _KNOWN_CONTRADICTIONS, ids=set(read.contradictions)))
    new_pairs = [read.contradictions[id_] for id_ in sorted(read.contradictions.keys() - there)]
    insert_dicts(connection, "contradictions", new_pairs)
    insert_dicts(connection, "usage_log", [use for use in read.uses if use["memory_id"] in fresh])
    return len(fresh)


def faulty(path: Path, faults: list[str]) -> UsageError:
    """The error that names faulty lines."""
    shown = "; ".join(faults[:FAULTS_SHOWN])
    more = f"; and {len(faults) - FAULTS_SHOWN} more" if len(faults) > FAULTS_SHOWN else ""
    return UsageError(f"{path} was not imported: {shown}{more}.", "Mend these lines or export again.")
