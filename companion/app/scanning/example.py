"""A line or a file worth asking about, for whoever has just read a repository and wonders what to do next."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress

from companion.app.checkout import OpenCheckout
from companion.encoding import decoded
from companion.errors import SourceError
from companion.evidence.line_origins import LineOrigins
from companion.records import ArtifactKind, Episode, FileRole, Kind, Memory
from companion.records.looking import TimelineQuery
from companion.signals.files import blob_id
from companion.store.history import overviews
from companion.store.memories import timeline
from companion.store.memories.timeline import Whose
from companion.syntax import is_code, role_by_name

LOOKED_AT = 60
"""Newest changes, and files most worked on, that are looked at: nearly always one of the first five will do."""
SURPRISING = frozenset({"fix", "revert", "performance"})
"""Changes whose lines a reader wonders about, before all others."""
LINE_LEAST_CHARACTERS = 12
"""A shorter line says too little to be asked about."""


def worth_asking(here: OpenCheckout) -> str:
    """`FILE:LINE` of a line that one of the newest remembered changes of code made; where none stands, of a main file.

    Main are the sources with most commits. Without any commits a FILE: the first source, or the first of all files.
    Empty where nothing was read.
    """
    worked = overviews.worked(here.store.database, here.project, here.checkout, LOOKED_AT)
    found = [*(one.path for one in worked), *sorted(here.library().paths())]
    main = next(filter(_is_source, found), next(iter(found), ""))
    return _changed_line(here, main) or main


def _is_source(path: str) -> bool:
    return is_code(path) and role_by_name(path) is FileRole.SOURCE


def _changed_line(here: OpenCheckout, main: str) -> str:
    origins = here.store.line_origins.of(here.project, here.state.head) if here.state.head else None
    if origins is None:
        return ""
    whose = Whose((here.project,), here.checkout, here.state.branch)
    query = TimelineQuery(kinds=(Kind.EPISODE,), limit=LOOKED_AT, count=False)
    newest = [one.memory for one in timeline.read(here.store.database, whose, query).happened]
    newest.sort(key=lambda memory: _change(memory) not in SURPRISING)
    made = [(_named(memory, ArtifactKind.COMMIT), _named(memory, ArtifactKind.FILE)) for memory in newest]
    made += [([one.sha], [main]) for one in here.library().makers(main, [(1, sys.maxsize)])[0]]
    return next(filter(None, (_line(here, origins, *one) for one in made)), "")


def _named(memory: Memory, kind: ArtifactKind) -> list[str]:
    return [one.ref for one in memory.draft.artifacts if one.kind is kind]


def _change(memory: Memory) -> str:
    return memory.draft.body.change if isinstance(memory.draft.body, Episode) else ""


def _line(here: OpenCheckout, origins: LineOrigins, shas: Sequence[str], paths: Sequence[str]) -> str:
    """A telling line of source that some commits put among those of others; empty where none is left."""
    for path in paths:
        if not _is_source(path):
            continue
        content = b""
        with suppress(SourceError):  # it is gone
            content = here.source().read(path)
        text, blob = decoded(content).splitlines(), blob_id(content)
        made = [number for sha in shas for number in origins.lines_of(sha, path, blob) if number <= len(text)]
        telling = [number for number in made if len(text[number - 1].strip()) >= LINE_LEAST_CHARACTERS]
        if telling and 2 * len(made) <= len(text):
            return f"{path}:{telling[len(telling) // 2]}"
    return ""
