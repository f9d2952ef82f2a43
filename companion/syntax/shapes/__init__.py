"""Places where recurring structure stands, one module a family and one line in `FAMILIES`."""

from __future__ import annotations

from dataclasses import dataclass

from companion.records import Reference, Role, Shape, Symbol
from companion.syntax.reading import Reading
from companion.syntax.symbols import Named


@dataclass(frozen=True, slots=True)
class Ground:
    """All that is known of a file when its shapes are looked for."""

    path: str
    language: str
    role: Role
    reading: Reading
    named: list[Named]
    symbols: tuple[Symbol, ...]
    references: tuple[Reference, ...]


def shapes_of(ground: Ground) -> tuple[Shape, ...]:
    """Every shape of a file, in the order of the text."""
    return ()
