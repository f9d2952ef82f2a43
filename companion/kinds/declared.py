"""What only repeats a file: rows of a table that one asks, beside the memories (see `facts` for what becomes one).

Dependencies with their versions, owners, plain settings, layout, and what can be run: targets, scripts, CI jobs. All of
them are read again when one of the files changes or goes: a few dozen small ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.kinds import tasks
from companion.kinds.facts import PATTERNS, declares, dependencies, layout, owners, promoted, said_in
from companion.kinds.facts.project_files import nearest, speaks_for_project, spec_of
from companion.kinds.facts.statement import VALUE_CHARS, DeclaredStatement
from companion.ports import World
from companion.records import FileSeen
from companion.records.declared import Declaration

LISTED_PATTERNS = (*dependencies.PATTERNS, *owners.PATTERNS, *(one for each in tasks.READERS for one in each.patterns))
"""Files that are listed and teach no memory."""
TOLD_CHARS = 300
"""Characters of the sentence that says a row."""
MAX_LISTED_FILES = 200
"""Files that are listed, those nearest to the root first: some 20 ms to read."""


def declarations(world: World) -> list[Declaration] | None:
    """Every row that a checkout's files declare; None where no such file changed or is gone."""
    gone = any(declares(path) or spec_of(LISTED_PATTERNS).match_file(path) for path in world.gone_paths())
    if not gone and next(iter(world.changed_texts((*PATTERNS, *LISTED_PATTERNS))), None) is None:
        return None
    found = list(dict.fromkeys(_of_files(world)))
    told = {(one.subject, one.value) for one in found}
    branch = world.repo.default_branch if world.repo.remote else ""
    tree = layout.told(world.all_paths(), branch)
    return [*found, *(one for one in tree if (one.subject, one.value) not in told)]


def _of_files(world: World) -> Iterator[Declaration]:
    for said, reader in said_in(world, whole=True):
        if not promoted(said.statement, reader):
            yield _row(said.file.path, said.statement)
    paths = world.all_paths()
    named = [
        path for path in paths if spec_of(LISTED_PATTERNS).match_file(path) and speaks_for_project(path, document=True)
    ]
    for file in world.texts_at(nearest(named, MAX_LISTED_FILES)):
        yield from owners.read(file)
        if speaks_for_project(file.path):
            if spec_of(dependencies.PATTERNS).match_file(file.path):
                yield from dependencies.read(file)
            yield from runnable(file, paths)


def runnable(file: FileSeen, paths: Sequence[str]) -> Iterator[Declaration]:
    """What one task or CI file lets people run: a row a task, a row a job."""
    for reader in tasks.READERS:
        if spec_of(reader.patterns).match_file(file.path):
            yield from reader.read(file, paths)


def _row(path: str, statement: DeclaredStatement) -> Declaration:
    """A statement as a row: what it answers in words, and the answer."""
    subject = (statement.attribute or statement.subject).replace("_", " ")
    value = " ".join(statement.value.split())[:VALUE_CHARS]
    return Declaration(path, statement.line, subject, value, " ".join(statement.says.split())[:TOLD_CHARS])
