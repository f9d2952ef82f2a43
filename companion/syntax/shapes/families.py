"""Class families: types that extend or implement the same one."""

from __future__ import annotations

from collections.abc import Iterator

from companion.records import ReferenceKind, Shape, ShapeFamily, SymbolKind
from companion.syntax.shapes.ground import Ground, dotted, short

METHODS_SHOWN = 6
"""Methods named in a place's slot."""


def class_family(ground: Ground) -> Iterator[Shape]:
    """One place for each base of each type; slots: the methods it defines."""
    methods: dict[str, list[str]] = {}
    for symbol in ground.symbols:
        if symbol.kind is SymbolKind.METHOD:
            methods.setdefault(symbol.qualname.rpartition(".")[0], []).append(symbol.name)
    for _, reference in ground.uses(ReferenceKind.INHERIT):
        own = methods.get(reference.inside, [])[:METHODS_SHOWN]
        slots = {"methods": short(", ".join(own))} if own else {}
        yield Shape(ShapeFamily.CLASS_FAMILY, dotted(reference), reference.line, reference.inside, slots)
