"""Everything a store keeps as JSON Lines, as of one moment; the same store gives the same bytes.

The first line names the format and the user. Then come the rows of each kept table in their order, and the memories of
each project, with their contradictions and uses, as in the export of one project.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from companion.errors import StoreUnwritable, UsageError
from companion.store import projects
from companion.store.care.export import LINES_NAME as ONE_PROJECT
from companion.store.care.export import plain, records_of, whole
from companion.store.care.imports import FORMAT
from companion.store.everything.pages import write_pages
from companion.store.everything.tables import KEPT
from companion.store.rows import column

if TYPE_CHECKING:
    import duckdb

    from companion.store.database import Database

LINES_NAME = "companion.jsonl"
EVERYTHING_VERSION = 2
"""Version of the format: the first held one project's memories."""
ROWS_HELD = 500
"""Rows held at a time."""
NOTES = "notes"
"""Folder of the user's own notes, in the data folder and in the export."""

_SPACES = """
select distinct project_id
from memories
order by project_id
"""


def export_everything(database: Database, folder: Path) -> list[Path]:
    """Write the lines, the pages and the user's notes into `folder`; returns the files written.

    Each file appears whole or not at all. Raises StoreUnwritable where the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lines = folder / LINES_NAME
        with whole(lines) as out, database.read() as connection:
            write_everything(connection, database, out)
        return [lines, *write_pages(database, folder), *_copy_notes(database.home / NOTES, folder / NOTES)]
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
    for lines in (path / LINES_NAME, path / ONE_PROJECT):
        if lines.is_file():
            return lines
    raise UsageError(f"There is no export in {path}.", f"Make one first: `companion export {path}`.")


def write_everything(connection: duckdb.DuckDBPyConnection, database: Database, out: TextIO) -> None:
    """Write the lines to a stream, as of one moment."""
    connection.execute("begin")
    try:
        for record in _records(connection, database):
            out.write(json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":")))
            out.write("\n")
    finally:
        connection.execute("rollback")


def _records(connection: duckdb.DuckDBPyConnection, database: Database) -> Iterator[dict[str, Any]]:
    yield {"format": FORMAT, "version": EVERYTHING_VERSION, "user": projects.get_value(database, projects.USER_ID)}
    for table in KEPT:
        result = connection.execute(table.rows)
        names = [column[0] for column in result.description or ()]
        while rows := result.fetchmany(ROWS_HELD):
            for row in rows:
                yield {"table": table.name, "row": dict(zip(names, map(plain, row), strict=True))}
    for space in column(connection, _SPACES):
        yield from records_of(connection, space)


def _copy_notes(source: Path, target: Path) -> list[Path]:
    """The user's notes as they are; they are Markdown already. Links are left: they may lead anywhere."""
    written: list[Path] = []
    for note in sorted(source.rglob("*.md")) if source.is_dir() else ():
        if note.is_file() and not note.is_symlink():
            copy = target / note.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(note, copy)
            written.append(copy)
    return written
