"""How the places of two statements lie to one another: the same, one within the other, or apart."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from companion.language.word_lists import meanings
from companion.records import Scope, Statement


class Lie(StrEnum):
    """How two places or times lie to one another. `FIRST_WIDER` means that the first contains the second."""

    SAME = "same"
    FIRST_WIDER = "first wider"
    SECOND_WIDER = "second wider"
    CROSSING = "crossing"
    APART = "apart"


WHOLE = frozenset(("", "project", "org", "organisation", "organization", "everywhere", "all", "repo", "repository"))
"""Subjects that mean everything."""


def lie(a: Statement, b: Statement) -> Lie:
    """How the scopes and subjects of two statements lie."""
    lies = [_fields(getattr(a.scope, name), getattr(b.scope, name)) for name in ("language", "version", "branch")]
    lies.append(_fields(_environment(a.scope), _environment(b.scope)))
    lies.append(_paths(a.scope.path, b.scope.path))
    lies.append(_subjects(_about(a, b), _about(b, a)))
    return _together(lies)


def _about(one: Statement, other: Statement) -> str:
    """What it is about; of a reading beside free text that is a topic, and no place."""
    return "" if one.attribute and not other.attribute else one.subject


def place_of(one: Statement) -> str:
    """Where a statement holds, in words; empty for everywhere."""
    scope = one.scope
    parts = (one.subject, scope.language, scope.path, scope.environment, scope.version, scope.branch)
    return ", ".join(filter(None, parts))


def times_apart(a: Statement, b: Statement) -> bool:
    """Whether one statement was over before the other began to hold."""
    return _over(a.valid_to, b.valid_from) or _over(b.valid_to, a.valid_from)


def _over(ended: datetime | None, began: datetime | None) -> bool:
    return ended is not None and began is not None and ended <= began


def _together(lies: list[Lie]) -> Lie:
    if Lie.APART in lies:
        return Lie.APART
    first, second = Lie.FIRST_WIDER in lies, Lie.SECOND_WIDER in lies
    if Lie.CROSSING in lies or (first and second):
        return Lie.CROSSING
    return Lie.FIRST_WIDER if first else Lie.SECOND_WIDER if second else Lie.SAME


def _environment(scope: Scope) -> str:
    low = scope.environment.strip().lower()
    return meanings("places", "short").get(low, low)


def _fields(a: str, b: str) -> Lie:
    a, b = a.strip().lower(), b.strip().lower()
    if a == b:
        return Lie.SAME
    if not a or not b:
        return Lie.FIRST_WIDER if not a else Lie.SECOND_WIDER
    return Lie.APART


def _paths(a: str, b: str) -> Lie:
    a, b = _path(a), _path(b)
    if not a or not b or a == b:
        return _fields(a, b)
    if b.startswith(a + "/"):
        return Lie.FIRST_WIDER
    return Lie.SECOND_WIDER if a.startswith(b + "/") else Lie.APART


def _path(path: str) -> str:
    return path.strip().removeprefix("./").rstrip("*").rstrip("/").lower()


def _subjects(a: str, b: str) -> Lie:
    a, b = a.strip().lower(), b.strip().lower()
    if a == b:
        return Lie.SAME
    if a in WHOLE or b in WHOLE:
        return Lie.FIRST_WIDER if a in WHOLE else Lie.SECOND_WIDER
    kind_a, _, name_a = a.rpartition(":")
    kind_b, _, name_b = b.rpartition(":")
    if kind_a == kind_b:
        return _named(name_a, name_b)
    # Of two kinds ("service:billing", "table:invoices") nothing is known: they may well meet.
    return Lie.SAME if name_a == name_b else Lie.CROSSING


def _named(a: str, b: str) -> Lie:
    inner, outer = b.startswith((a + "/", a + ".")), a.startswith((b + "/", b + "."))
    return Lie.FIRST_WIDER if inner else Lie.SECOND_WIDER if outer else Lie.APART
