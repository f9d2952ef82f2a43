"""Naming: the casing of functions, types and constants."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.records import Shape, ShapeFamily, SymbolKind
from companion.syntax.shapes.ground import Ground

PLACES_EACH = 4
"""Places of one casing kept for a file: enough to weigh it against the others, few enough to keep."""

_CASINGS = (
    ("UPPER_CASE", re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*")),
    ("snake_case", re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")),
    ("kebab-case", re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")),
    ("camelCase", re.compile(r"[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+")),
    ("PascalCase", re.compile(r"(?:[A-Z][A-Z0-9]*[a-z0-9]+)+[A-Z0-9]*")),
)
_ROLES = {
    SymbolKind.FUNCTION: "function",
    SymbolKind.METHOD: "method",
    SymbolKind.CLASS: "class",
    SymbolKind.INTERFACE: "interface",
    SymbolKind.ENUM: "enum",
    SymbolKind.TYPE: "type",
    SymbolKind.CONSTANT: "constant",
}


def naming(ground: Ground) -> Iterator[Shape]:
    """Casings that tell one style from another; single lower-case words fit several and are left out."""
    counts: dict[str, int] = {}
    for symbol in ground.symbols:
        role = _ROLES.get(symbol.kind)
        bare = symbol.name.strip("_")
        if role is None or not bare or symbol.name.startswith("__") or not (casing := casing_of(bare)):
            continue
        key = f"{role} {casing}"
        counts[key] = counts.get(key, 0) + 1
        if counts[key] <= PLACES_EACH:
            yield Shape(ShapeFamily.NAMING, key, symbol.line, symbol.qualname)


def casing_of(name: str) -> str:
    """The casing of a name, '' if it fits several (`run`) or none."""
    for casing, pattern in _CASINGS:
        if pattern.fullmatch(name):
            return casing if len(name) > 1 else ""
    return ""
