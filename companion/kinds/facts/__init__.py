"""Facts: what a project declares about itself, an atom each, with the line that says so.

A reader knows one family of files and stands in `READERS`; a new family is a module and a line.
Which files may speak is decided here, once for all readers: `places` tells examples and fixtures
from the project. Two files that disagree give two facts; within one file the first word on a
question holds, since a file cannot contradict itself usefully.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from companion.kinds.facts import (
    build_c,
    ci,
    containers,
    documented,
    documents,
    editor,
    go_modules,
    java_build,
    layout,
    licences,
    make_targets,
    node,
    node_tools,
    php_composer,
    precommit,
    python_project,
    python_settings,
    ruby_gems,
    rust_cargo,
    setup_py,
    toolchains,
)
from companion.kinds.facts.places import nearest, speaks_for_project
from companion.kinds.facts.roles import shortened
from companion.kinds.facts.statement import Reader, draft_of
from companion.ports import World
from companion.records import Draft, FileSeen

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

READERS: tuple[Reader, ...] = (
    python_project.READER,
    python_settings.READER,
    setup_py.READER,
    node.READER,
    node_tools.READER,
    rust_cargo.READER,
    go_modules.READER,
    java_build.READER,
    php_composer.READER,
    ruby_gems.READER,
    build_c.READER,
    editor.READER,
    precommit.READER,
    ci.READER,
    containers.READER,
    toolchains.READER,
    licences.READER,
    make_targets.READER,
    documents.READER,
    documented.READER,
)

MAX_FACTS_OF_A_FILE = 120
"""Facts of one file: the fullest manifests read while this was written gave some 60."""


MANY_MANIFESTS = 8
"""Nested manifests of one family up to which each tells its dependencies one by one: with more of them
the project would be remembered as little but dependencies (a framework of 37 packages gave 300)."""

_MANIFESTS = frozenset(
    {"package.json", "composer.json", "Cargo.toml", "pyproject.toml", "pom.xml", "go.mod", "setup.py"}
)


class DeclaredFacts:
    """The kind of memory that manifests, settings and documents teach."""

    name = "facts"

    def origins(self, world: World) -> Sequence[str]:
        """The changed files that speak for the project, and the file tree."""
        return sorted({file.path for _, file in _readable(world)} | {layout.ORIGIN})

    def learn(self, world: World) -> Iterator[Draft]:
        """Every fact of every changed file, in the order of readers, paths and lines.

        Documents copy one another (a CONTRIBUTING file and its page in the docs): the first to say a
        thing in one run is the one that keeps it.
        """
        said: set[tuple[str, str, str]] = set()
        crowded = _crowded(world.all_paths())
        for reader, file in _readable(world):
            for draft in facts_of(reader, file, brief=file.path in crowded):
                words = (draft.attribute, draft.value, draft.scope.path)
                if reader.document and words in said:
                    continue
                if reader.document:
                    said.add(words)
                yield draft
        yield from layout.facts(world.all_paths(), world.repo.default_branch if world.repo.remote else "")


def facts_of(reader: Reader, file: FileSeen, *, brief: bool = False) -> Iterator[Draft]:
    """The facts of one file, one for each question, at most `MAX_FACTS_OF_A_FILE`.

    A `brief` file is one manifest of many: its dependencies are one fact, and what its neighbours
    repeat is left to the root.
    """
    seen: set[tuple[str, ...]] = set()
    for statement in shortened(reader.read(file)) if brief else reader.read(file):
        key = (
            statement.subject if statement.attribute else "",
            statement.attribute or statement.says,
            statement.language,
            statement.environment,
            statement.scope_path or "",
        )
        if key in seen or not statement.value:
            continue
        seen.add(key)
        if len(seen) > MAX_FACTS_OF_A_FILE:
            return
        yield draft_of(statement, file)


def declares(path: str) -> bool:
    """Whether a file is of a family that some reader reads: a manifest, a setting or a document."""
    return any(spec.match_file(path) for spec in _specs())


@cache
def _specs() -> tuple[GitIgnoreSpec, ...]:
    """What each reader reads, compiled once."""
    from pathspec import GitIgnoreSpec

    return tuple(GitIgnoreSpec.from_lines(reader.patterns) for reader in READERS)


def _crowded(paths: Sequence[str]) -> frozenset[str]:
    """Nested manifests that stand among more than `MANY_MANIFESTS` of their family."""
    found: dict[str, list[str]] = {}
    for path in paths:
        name = path.rpartition("/")[2]
        if name in _MANIFESTS and "/" in path and speaks_for_project(path):
            found.setdefault(name, []).append(path)
    return frozenset(path for family in found.values() if len(family) > MANY_MANIFESTS for path in family)


def _readable(world: World) -> Iterator[tuple[Reader, FileSeen]]:
    """Each reader with the files it reads, found in one pass over what changed."""
    files: list[dict[str, FileSeen]] = [{} for _ in READERS]
    for file in world.changed_texts([pattern for reader in READERS for pattern in reader.patterns]):
        for reader, spec, found in zip(READERS, _specs(), files, strict=True):
            if spec.match_file(file.path) and speaks_for_project(file.path, document=reader.document):
                found[file.path] = file
    for reader, found in zip(READERS, files, strict=True):
        for path in nearest(found):
            yield reader, found[path]
