"""Places where recurring structure stands: one module a family, one line in `FAMILIES`.

A family says what a new piece of its sort must have; where something is raised, logged or decorated is an occurrence.

A family is a function from a file as read (`Ground`) to shapes. It looks at names, captures and
lines, never at a tree, so that one rule serves every language whose query captures the same things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from companion.records import Shape
from companion.syntax.shapes.endpoint import endpoint
from companion.syntax.shapes.families import class_family
from companion.syntax.shapes.ground import Ground
from companion.syntax.shapes.naming import naming
from companion.syntax.shapes.tests import tests

MAX_SHAPES_EACH = 300
"""Shapes of one family in one file; a file with more is generated or a table."""

Family = Callable[[Ground], Iterator[Shape]]
FAMILIES: tuple[Family, ...] = (endpoint, tests, naming, class_family)


def shapes_of(ground: Ground) -> tuple[Shape, ...]:
    """Every shape of a file, in the order of the text."""
    found = [shape for family in FAMILIES for shape in islice(family(ground), MAX_SHAPES_EACH)]
    return tuple(sorted(found, key=lambda shape: (shape.line, shape.family.value, shape.key, shape.symbol)))


__all__ = ["FAMILIES", "Ground", "shapes_of"]
