"""What a store keeps, as files: lines to read back, pages to read. The same store gives the same bytes.

The first line names the format and the user, or the one project that is written. Of everything then come the rows of
each kept table in their order. Then come the memories of each project: a line a memory with its evidence and links, a
line a contradiction, a line a use. All of it is as of one moment, lines and keys are sorted.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TextIO

from msgspec.structs import asdict

from companion.errors import StoreUnwritable, UsageError
from companion.store import projects
from companion.store.binding import duckdb
from companion.store.database import Database
from companion.store.everything.pages import SPACES, write_pages
from companion.store.everything.tables import KEPT
from companion.store.files import whole
from companion.store.memories.rows_sql import parts_of
from companion.store.rows import Fields, column, dicts
from companion.store.statements import execute

FORMAT = "companion-export"
OF_PROJECT, OF_EVERYTHING = 1, 2
"""Versions of the format: of one project's memories, and of everything."""
LINES_NAME, PROJECT_LINES_NAME = "companion.jsonl", "memories.jsonl"
"""The lines of everything, and those of one project."""
ROWS_HELD = 500
"""Rows held at a time; of memories about 2 MB."""
NOTES = "notes"
"""Folder of the user's own notes, in the data folder and in the export."""

_MEMORIES = """
select *
from memories
where project_id = $project
    and id > $after
order by id
limit $limit
"""

_CONTRADICTIONS = """
select *
from contradictions
where project_id = $project
    and memory_a in (select id from memories)
    and memory_b in (select id from memories)
order by id
"""

_USES = """
select memory_id, what, used_at, context
from usage_log
where memory_id in (select id from memories where project_id = $project)
order by memory_id, used_at, what, context
"""


def export(database: Database, folder: Path, project: str = "") -> list[Path]:
    """Write the lines, the pages and the user's notes, or the lines and pages of one project; returns the files.

    Each file appears whole or not at all. A folder made here is ignored by git, as what is private does not belong in a
    commit. Raises StoreUnwritable where the folder cannot be written.
    """
    try:
        if not folder.exists():
            folder.mkdir(parents=True)
            (folder / ".gitignore").write_text("*\n", "utf-8")
        lines = folder / (PROJECT_LINES_NAME if project else LINES_NAME)
        with whole(lines) as out, database.read() as connection:
            write_lines(connection, database, out, project)
        notes = [] if project else copy_notes(database.home / NOTES, folder / NOTES, over=True)
        return [lines, *write_pages(database, folder, project), *notes]
    except OSError as wrong:
        raise StoreUnwritable(
            f"The export to {folder} cannot be written: {wrong.strerror or wrong}.",
            "Name another folder: `companion export DIR`.",
        ) from wrong


def lines_in(path: Path) -> Path:
    """The lines of an export that is given as its folder; any other path as it is.

    Raises UsageError for a folder without any.
    """
    if not path.is_dir():
        return path
    for lines in (path / LINES_NAME, path / PROJECT_LINES_NAME):
        if lines.is_file():
            return lines
    raise UsageError(f"There is no export in {path}.", f"Make one first: `companion export {path}`.")


def write_lines(connection: duckdb.DuckDBPyConnection, database: Database, out: TextIO, project: str = "") -> None:
    """Write the lines of everything, or of one project, to a stream."""
    execute(connection, "begin")
    try:
        for record in _records(connection, database, project):
            out.write(json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":")))
            out.write("\n")
    finally:
        execute(connection, "rollback")


def plain(value: object) -> object:
    """A value of a column as JSON can hold it."""
    return value.isoformat() if isinstance(value, date) else value


def _records(connection: duckdb.DuckDBPyConnection, database: Database, project: str) -> Iterator[Fields]:
    if project:
        yield _project_header(database, project)
        yield from _of_project(connection, project)
        return
    yield {"format": FORMAT, "version": OF_EVERYTHING, "user": projects.get_value(database, projects.USER_ID)}
    for table in KEPT:
        result = execute(connection, table.rows)
        names = [described[0] for described in result.description or ()]
        while rows := result.fetchmany(ROWS_HELD):
            for row in rows:
                yield {"table": table.name, "row": dict(zip(names, map(plain, row), strict=True))}
    for space in column(connection, SPACES):
        yield from _of_project(connection, space)


def _project_header(database: Database, project: str) -> Fields:
    known = projects.project(database, project)
    about = {"id": project}
    if known is not None:
        about |= {"root_commit": known.root_commit, "remote": known.remote, "name": known.name}
    return {"format": FORMAT, "version": OF_PROJECT, "project": about}


def _of_project(connection: duckdb.DuckDBPyConnection, project: str) -> Iterator[Fields]:
    """The memories of a project, each with what belongs to it, its contradictions and uses, in order."""
    after = ""
    while page := _plain_dicts(connection, _MEMORIES, project=project, after=after, limit=ROWS_HELD):
        ids = [memory["id"] for memory in page]
        parts = parts_of(connection, ids)
        for memory in page:
            id_ = memory["id"]
            yield {
                "memory": memory | {"body": None if memory["body"] is None else json.loads(memory["body"])},
                "evidence": [asdict(item) for item in parts.evidence.get(id_, ())],
                "entities": parts.entities.get(id_, ()),
                "artifacts": [asdict(item) for item in parts.artifacts.get(id_, ())],
            }
        after = ids[-1]
    yield from ({"contradiction": row} for row in _plain_dicts(connection, _CONTRADICTIONS, project=project))
    yield from ({"use": row} for row in _plain_dicts(connection, _USES, project=project))


def _plain_dicts(connection: duckdb.DuckDBPyConnection, statement: str, **given: object) -> list[Fields]:
    return [{name: plain(value) for name, value in row.items()} for row in dicts(connection, statement, **given)]


def copy_notes(source: Path, target: Path, *, over: bool) -> list[Path]:
    """Copy notes as they are, Markdown already, `over` those that are there or not; the copies that were made.

    Links are left: they may lead anywhere.
    """
    written: list[Path] = []
    for note in sorted(source.rglob("*.md")) if source.is_dir() else ():
        copy = target / note.relative_to(source)
        if note.is_file() and not note.is_symlink() and (over or not copy.exists()):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(note, copy)
            written.append(copy)
    return written
