"""Files that a project itself calls generated: `linguist-generated` in `.gitattributes`, as forges read it too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

FILE = ".gitattributes"
_ATTRIBUTE = "linguist-generated"
_SAYS = {_ATTRIBUTE: True, f"{_ATTRIBUTE}=true": True, f"-{_ATTRIBUTE}": False, f"{_ATTRIBUTE}=false": False}


class GeneratedFiles:
    """What the `.gitattributes` of a tree say, each given by its path with its text."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Of two lines the later one holds, and of two files the deeper one; what git would not understand is left."""
        by_depth = sorted(texts, key=lambda path: (path.count("/"), path))
        self._rules = [
            (path.removesuffix(FILE), spec, is_generated)
            for path in by_depth
            for spec, is_generated in _rules(texts[path])
        ]

    def __contains__(self, path: str) -> bool:
        """Whether a file is called generated."""
        found = False
        for folder, spec, is_generated in self._rules:
            if path.startswith(folder) and spec.match_file(path[len(folder) :]):
                found = is_generated
        return found


def _rules(text: str) -> list[tuple[GitIgnoreSpec, bool]]:
    from pathspec import GitIgnoreSpec

    found = []
    for line in text.splitlines():
        pattern, *attributes = line.split() or [""]
        says = [_SAYS[one] for one in attributes if one in _SAYS]
        if not says or pattern.startswith(("#", "!", '"', "[attr]")):
            continue
        try:
            found.append((GitIgnoreSpec.from_lines([pattern]), says[-1]))
        except (ValueError, TypeError):
            continue
    return found
