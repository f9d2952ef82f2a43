"""Where two statements that contradict one another could both hold: the scopes that their own words name.

Only proposed, never applied: a person decides. Nothing is proposed where the words do not say it.
"""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from companion.language.phrases import says
from companion.language.word_lists import listed
from companion.records import EvidenceKind, Memory, Scope

TEXT_CHARACTERS = 600
"""Characters of a statement that are looked at: what holds where is said at its beginning."""

_PATH = re.compile(r"(?<![\w/.:@-])((?:[\w.-]+/)+[\w.-]*)(?![\w/])")
_WEB = re.compile(r"(?<!\w)\w++://\S++")


class Parting(Struct, frozen=True):
    """Where each of two sides may hold, and what one text in their place could say."""

    scope_a: Scope
    scope_b: Scope
    merged: str


def parting_of(a: Memory, b: Memory) -> Parting | None:
    """The scopes that the words or the sources of both name; None where they name none that differ."""
    one, two = (memory.draft.levels.full[:TEXT_CHARACTERS] for memory in (a, b))
    for field, in_one, in_two in (
        ("environment", _named("environments", one), _named("environments", two)),
        ("language", _named("languages", one), _named("languages", two)),
        ("path", _path(one), _path(two)),
        ("path", _folder(a), _folder(b)),
    ):
        scopes = [
            scope if getattr(scope, field) or not found else replace(scope, **{field: found})
            for scope, found in ((a.draft.scope, in_one), (b.draft.scope, in_two))
        ]
        if scopes[0] != scopes[1] and (scopes[0], scopes[1]) != (a.draft.scope, b.draft.scope):
            return Parting(scopes[0], scopes[1], _merged(a, scopes[0], b, scopes[1]))
    return None


def _named(sort: str, text: str) -> str:
    """The one of a sort of places that a text names; empty where it names none or several."""
    found = [name for name in listed("places")[sort] if says(text, f"places.{sort}.{name}")]
    return found[0] if len(found) == 1 else ""


def _path(text: str) -> str:
    found = {path.strip("/.") for path in _PATH.findall(_WEB.sub(" ", text)) if any(c.isalpha() for c in path)}
    return found.pop() if len(found) == 1 else ""


def _folder(memory: Memory) -> str:
    """The folder that it was read in, if it was one alone and not the root."""
    folders = {one.ref.rpartition("/")[0] for one in memory.draft.evidence if one.kind is EvidenceKind.FILE}
    folder = folders.pop() if len(folders) == 1 else ""
    return "" if folder.startswith(".") else folder


def _merged(a: Memory, scope_a: Scope, b: Memory, scope_b: Scope) -> str:
    sides = [
        f"{scope.label() or 'elsewhere'}: {memory.draft.levels.summary.rstrip('.')}"
        for memory, scope in ((a, scope_a), (b, scope_b))
    ]
    return f"{'; '.join(sides)}."
