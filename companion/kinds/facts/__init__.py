"""Facts: what a project declares about itself, an atom each, with the line that says so.

A reader knows one family of files and stands in `READERS`; a new family is a module and a line.
Which files may speak is decided here, once for all readers: `places` tells examples and fixtures
from the project. Files that agree give one fact with several sources (`agreeing`), two that disagree
two facts; within one file the first word on a question holds, since a file cannot contradict itself
usefully. What a project depends on, and what its CI runs, stands in the manifest and in the CI file: it is read there.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from companion.kinds.facts import (
    build_c,
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
from companion.kinds.facts.agreeing import Said, agreed
from companion.kinds.facts.places import nearest, speaks_for_project
from companion.kinds.facts.statement import Reader
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
    containers.READER,
    toolchains.READER,
    licences.READER,
    make_targets.READER,
    documents.READER,
    documented.READER,
)

MAX_FACTS_OF_A_FILE = 120
"""Facts of one file: the fullest manifests read while this was written gave some 60."""


_PATTERNS = tuple(pattern for reader in READERS for pattern in reader.patterns)

PATHS_KNOWN = 65_536
"""Paths of which a process remembers whether they declare something."""


class DeclaredFacts:
    """The kind of memory that manifests, settings and documents teach.

    What several files say is one fact, so all that declare something are read again when one of them changes or
    goes: a few dozen small files, and the same is said whatever came first.
    """

    name = "facts"

    def origins(self, world: World) -> Sequence[str]:
        """The files that speak for the project, if one of them is new, changed or gone; and the file tree."""
        return sorted({path for _, path in _places(world)} | {layout.ORIGIN})

    def learn(self, world: World) -> Iterator[Draft]:
        """What the files declare, in the order of readers, paths and lines."""
        places = _places(world)
        texts = {file.path: file for file in world.texts_at(sorted({path for _, path in places}))}
        yield from agreed(said for reader, path in places if path in texts for said in said_by(reader, texts[path]))
        branch = world.repo.default_branch if world.repo.remote else ""
        yield from layout.facts(world.all_paths(), branch, managed=_managed(world))


def _managed(world: World) -> frozenset[str]:
    """The package managers that the manifests at the root name: a lock file beside them says it again.

    Read each time, since what the tree says is told each time.
    """
    at_root = sorted({"pyproject.toml", "package.json"}.intersection(world.all_paths()))
    found = (
        statement.value
        for file in world.texts_at(at_root)
        for reader, spec in zip(READERS, _specs(), strict=True)
        if spec.match_file(file.path)
        for statement in reader.read(file)
        if statement.attribute == "package_manager"
    )
    return frozenset(found)


def facts_of(reader: Reader, file: FileSeen) -> Iterator[Draft]:
    """The facts of one file alone; see `said_by`."""
    return agreed(said_by(reader, file))


def said_by(reader: Reader, file: FileSeen) -> Iterator[Said]:
    """What one file says, one answer for each question, at most `MAX_FACTS_OF_A_FILE`."""
    seen: set[tuple[str, ...]] = set()
    for statement in reader.read(file):
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
        yield Said(statement, file)


@lru_cache(maxsize=PATHS_KNOWN)
def declares(path: str) -> bool:
    """Whether a file is of a family that some reader reads: a manifest, a setting or a document."""
    return _names().match(path.rpartition("/")[2]) is not None and any(spec.match_file(path) for spec in _specs())


@cache
def _specs() -> tuple[GitIgnoreSpec, ...]:
    """What each reader reads, compiled once."""
    from pathspec import GitIgnoreSpec

    return tuple(GitIgnoreSpec.from_lines(reader.patterns) for reader in READERS)


@cache
def _names() -> re.Pattern[str]:
    """The last names of all that readers read: few files have one, and this look is much the quicker."""
    names = {pattern.rpartition("/")[2] for pattern in _PATTERNS}
    return re.compile("|".join(fnmatch.translate(name) for name in sorted(names)))


def _places(world: World) -> list[tuple[Reader, str]]:
    """Each reader with the paths it reads, those nearest to the root first; none where no such file changed."""
    gone = any(declares(path) for path in world.gone_paths())
    if not gone and next(iter(world.changed_texts(_PATTERNS)), None) is None:
        return []
    found: list[list[str]] = [[] for _ in READERS]
    for path in filter(declares, world.all_paths()):
        for reader, spec, paths in zip(READERS, _specs(), found, strict=True):
            if spec.match_file(path) and speaks_for_project(path, document=reader.document):
                paths.append(path)
    return [(reader, path) for reader, paths in zip(READERS, found, strict=True) for path in nearest(paths)]
