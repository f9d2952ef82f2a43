"""Facts: what a project declares about itself, an atom each, with the line that says so.

What tells how people should work is a memory: rules in documents (`FactReader.document`), and settings by which a tool
holds code, tests and commit messages to a convention. Everything else only repeats its file: dependencies, owners,
versions, packaging, layout, CI jobs, scripts and targets are rows of a table (see `kinds.declared`). What a document
repeats of them is not told beside it; where it says otherwise both are, so that somebody can settle it.

A reader knows one sort of files and stands in `READERS`. Settings are read by rows of tables (`tables/`, `table.py`): a
new sort is a section there. What no row can say, as what documents mean, has a module with a `READER`.
Which files may speak is decided here, once for all readers: `places` tells examples and fixtures
from the project. Files that agree give one fact with several sources (`agreeing`), two that disagree
two facts; within one file the first word on a question holds, since a file cannot contradict itself
usefully.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from companion.evidence.guides import DOCUMENTS, is_document, linked_documents
from companion.kinds import subjects as s
from companion.kinds.facts import documents, editor, table
from companion.kinds.facts.agreeing import SourcedStatement, agreed, unlisted
from companion.kinds.facts.project_files import nearest, speaks_for_project, spec_of
from companion.kinds.facts.statement import DECLARED, DeclaredStatement, FactReader, folder_of
from companion.kinds.levels import ladder
from companion.ports import World
from companion.records import Draft, Evidence, EvidenceKind, FactType, FileSeen, Kind, Scope, entity
from companion.records.declared import Declaration

READERS: tuple[FactReader, ...] = (*table.readers(), editor.READER, documents.READER)

HOW_PEOPLE_WORK = frozenset({s.CODE_STYLE, s.TESTS, s.COMMITS})
"""Subjects of settings by which a tool holds people to a convention."""
MAX_FACTS_OF_A_FILE = 120
"""Facts of one file: the fullest manifests read while this was written gave some 60."""


PATTERNS = tuple(pattern for reader in READERS for pattern in reader.patterns)

PATHS_KNOWN = 65_536
"""Paths of which a process remembers whether they declare something."""


class DeclaredFacts:
    """The kind of memory that manifests, settings and documents teach.

    What several files say is one fact, so all that declare something are read again when one of them changes or
    goes: a few dozen small files, and the same is said whatever came first.
    """

    name = "facts"

    def origins(self, world: World) -> Sequence[str]:
        """The files that speak or spoke for the project, if one of them is new, changed or gone."""
        places = {path for _, path in _places(world)}
        spoke = {draft.origin for draft in world.taught(self.name)} if places else set()
        return sorted(places | spoke)

    def learn(self, world: World) -> Iterator[Draft]:
        """How people should work, in the order of readers, paths and lines."""
        said = list(said_in(world))
        remembered = [one for one, reader in said if promoted(one.statement, reader)]
        listed = [one for one, reader in said if not promoted(one.statement, reader)]
        yield from agreed(unlisted(remembered, listed))


def promoted(statement: DeclaredStatement, reader: FactReader) -> bool:
    """Whether a statement tells how people should work, and is remembered; else it is listed."""
    return reader.document or (statement.convention and statement.subject in HOW_PEOPLE_WORK)


def said_in(world: World, *, whole: bool = False) -> Iterator[tuple[SourcedStatement, FactReader]]:
    """What every file says, with its reader; nothing where no file changed, unless the whole is asked for."""
    places = _places(world, whole=whole)
    texts = {file.path: file for file in world.texts_at(sorted({path for _, path in places}))}
    for reader, path in places:
        if path in texts:
            yield from ((said, reader) for said in said_by(reader, texts[path]))


def said_by(reader: FactReader, file: FileSeen) -> Iterator[SourcedStatement]:
    """What one file says, one answer for each question, at most `MAX_FACTS_OF_A_FILE`."""
    seen: set[tuple[str, ...]] = set()
    for statement in reader.read(file):
        key = (
            statement.subject if statement.attribute else "",
            statement.attribute or statement.says,
            statement.language,
            statement.environment,
        )
        if key in seen or not statement.value:
            continue
        seen.add(key)
        if len(seen) > MAX_FACTS_OF_A_FILE:
            return
        yield SourcedStatement(statement, file)


@lru_cache(maxsize=PATHS_KNOWN)
def declares(path: str) -> bool:
    """Whether a file is of a family that some reader reads: a manifest, a setting or a document."""
    return _names().match(path.rpartition("/")[2]) is not None and any(
        spec_of(reader.patterns).match_file(path) for reader in READERS
    )


@cache
def _names() -> re.Pattern[str]:
    """The last names of all that readers read: few files have one, and this look is much the quicker."""
    names = {pattern.rpartition("/")[2] for pattern in PATTERNS}
    return re.compile("|".join(fnmatch.translate(name) for name in sorted(names)))


def _places(world: World, *, whole: bool = False) -> list[tuple[FactReader, str]]:
    """Each reader with the paths it reads, those nearest to the root first; none where no such file changed."""
    if not (whole or _declared_changed(world) or next(iter(world.changed_texts(DOCUMENTS)), None)):
        return []
    found: list[list[str]] = [[] for _ in READERS]
    for path in filter(declares, world.all_paths()):
        for reader, paths in zip(READERS, found, strict=True):
            if spec_of(reader.patterns).match_file(path) and speaks_for_project(path, document=reader.document):
                paths.append(path)
    places = [(reader, path) for reader, paths in zip(READERS, found, strict=True) for path in nearest(paths)]
    return [*places, *((documents.LINKED, path) for path in _linked(world, places))]


def _declared_changed(world: World) -> bool:
    """Whether a file that some reader reads is new, changed or gone."""
    gone = any(declares(path) or is_document(path) for path in world.gone_paths())
    return gone or next(iter(world.changed_texts(PATTERNS)), None) is not None


def _linked(world: World, places: Sequence[tuple[FactReader, str]]) -> list[str]:
    """Documents that guides link to and no reader reads by their name, those nearest to the root first."""
    guides = [path for reader, path in places if reader is documents.READER and documents.is_guide(path)]
    prose, read = frozenset(filter(is_document, world.all_paths())), {path for _, path in places}
    linked = {to for guide in world.texts_at(guides) for to in linked_documents(guide.text, guide.path, prose)}
    return nearest(path for path in linked - read if speaks_for_project(path, document=True))


def declared_fact(row: Declaration) -> Draft:
    """A row of what files declare as a fact, where it is to be remembered."""
    return Draft(
        kind=Kind.FACT,
        type=FactType.FACT,
        subject=row.subject,
        attribute="",
        value=row.told,
        levels=ladder(row.told),
        origin=row.path,
        evidence=(Evidence(EvidenceKind.FILE, row.path, row.line or None),),
        entities=(entity("file", row.path),),
        scope=Scope(path=folder_of(row.path)),
        confidence=DECLARED,
    )
