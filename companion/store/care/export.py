"""Everything remembered of a project, as files: JSON Lines to read back, Markdown to read.

The first line names the format and the project. Then comes a line a memory with its evidence and
links, a line a contradiction, a line a use. Lines are sorted and keys are sorted, so the same
memories give the same bytes. Reading it back is `companion.store.care.imports`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import date
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from companion.errors import StoreUnwritable
from companion.records import Kind, Memory, Status
from companion.store import projects
from companion.store.bulk import batches
from companion.store.care.imports import FORMAT, FORMAT_VERSION, import_file
from companion.store.memories.rows_sql import load, parts_of
from companion.store.rows import column, dicts

if TYPE_CHECKING:
    import duckdb

    from companion.store.database import Database

__all__ = ["export", "import_file", "write_lines"]

LINES_NAME = "memories.jsonl"

PAGE_ROWS = 500
"""Memories held at a time: about 2 MB."""

TITLES = {Kind.FACT: "Facts", Kind.EPISODE: "Episodes", Kind.PATTERN: "Patterns", Kind.WORKFLOW: "Workflows"}

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

_BY_KIND = """
select id
from memories
where project_id = $project
    and kind = $kind
order by status, type, subject, attribute, created_at, id
"""


def export(database: Database, project: str, folder: Path) -> list[Path]:
    """Write `memories.jsonl` and a Markdown page a kind into `folder`; returns the files written.

    Each file appears whole or not at all. Raises StoreUnwritable where the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lines = folder / LINES_NAME
        with whole(lines) as out, database.read() as connection:
            write_lines(connection, database, project, out)
        return [lines, *(_page(database, project, kind, folder) for kind in Kind)]
    except OSError as wrong:
        raise StoreUnwritable(
            f"The export to {folder} cannot be written: {wrong.strerror or wrong}.",
            "Name another folder: `companion export DIR`.",
        ) from wrong


def write_lines(connection: duckdb.DuckDBPyConnection, database: Database, project: str, out: TextIO) -> None:
    """Write the JSON Lines of a project, as of one moment, to a stream."""
    connection.execute("begin")
    try:
        for record in chain([_header(database, project)], records_of(connection, project)):
            out.write(json.dumps(record, ensure_ascii=False, sort_keys=True, separators=(",", ":")))
            out.write("\n")
    finally:
        connection.execute("rollback")


def _header(database: Database, project: str) -> dict[str, Any]:
    known = projects.project(database, project)
    about = {"id": project}
    if known is not None:
        about |= {"root_commit": known.root_commit, "remote": known.remote, "name": known.name}
    return {"format": FORMAT, "version": FORMAT_VERSION, "project": about}


def records_of(connection: duckdb.DuckDBPyConnection, project: str) -> Iterator[dict[str, Any]]:
    """The memories of a project, each with what belongs to it, its contradictions and uses, in order."""
    after = ""
    while page := plain_dicts(connection, _MEMORIES, project=project, after=after, limit=PAGE_ROWS):
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
    yield from ({"contradiction": row} for row in plain_dicts(connection, _CONTRADICTIONS, project=project))
    yield from ({"use": row} for row in plain_dicts(connection, _USES, project=project))


def plain_dicts(source: Database | duckdb.DuckDBPyConnection, statement: str, **given: object) -> list[dict[str, Any]]:
    """What a statement finds, each row by column, as JSON can hold it."""
    return [{name: plain(value) for name, value in row.items()} for row in dicts(source, statement, **given)]


def plain(value: object) -> object:
    """A value of a column as JSON can hold it."""
    return value.isoformat() if isinstance(value, date) else value


def _page(database: Database, project: str, kind: Kind, folder: Path) -> Path:
    path = folder / f"{TITLES[kind].lower()}.md"
    name = projects.project_name(database, project)
    with database.read() as connection, whole(path) as out:
        out.write(f"# {TITLES[kind]} of {name}\n")
        for some in batches(column(connection, _BY_KIND, project=project, kind=kind), PAGE_ROWS):
            for memory in load(connection, some):
                out.write("\n" + _section(memory))
    return path


def _section(memory: Memory) -> str:
    """A memory for people: its summary as heading, its text quoted, and where it comes from."""
    draft = memory.draft
    heading = " ".join(draft.levels.summary.split()) or draft.levels.index
    quoted = "\n".join(f"> {line}".rstrip() for line in draft.levels.full.splitlines())
    notes = [f"`{memory.id}`", *filter(None, (draft.type, draft.scope.label()))]
    notes.append(f"confidence {draft.confidence:.2f}")
    if draft.pinned:
        notes.append("pinned")
    if memory.status is Status.ARCHIVED:
        notes.append(f"archived: {memory.archived_reason}")
    sources = [item.label() for item in draft.evidence]
    checked = f"Checked at {'; '.join(sources)}." if sources else f"From {draft.origin}."
    return f"## {heading}\n\n{quoted}\n\n{' · '.join(notes)}\n\n{checked}\n"


class whole:  # noqa: N801 - reads as a verb phrase: `with whole(path) as out`
    """A text file that appears under its name when all of it is written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._unfinished = path.with_name(path.name + ".unfinished")

    def __enter__(self) -> TextIO:
        self._out = self._unfinished.open("w", encoding="utf-8", newline="\n")
        return self._out

    def __exit__(self, kind: object, wrong: object, trace: object) -> None:
        self._out.close()
        if wrong is None:
            self._unfinished.replace(self._path)
        else:
            self._unfinished.unlink(missing_ok=True)
