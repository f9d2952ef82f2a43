"""Decorators, attributes and annotations: what is put on what."""

from __future__ import annotations

from collections.abc import Iterator

from companion.records import ReferenceKind, Shape, ShapeFamily
from companion.syntax.shapes.ground import Ground, dotted, short


def decorator(ground: Ground) -> Iterator[Shape]:
    """One place for each decorator; slots: its arguments."""
    for use, reference in ground.uses(ReferenceKind.DECORATE):
        slots = {"arguments": short(use.arguments)} if use.arguments else {}
        yield Shape(ShapeFamily.DECORATOR, dotted(reference), reference.line, reference.inside, slots)
