"""Files that a project itself calls generated: `linguist-generated` in `.gitattributes`, as forges read it too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
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
            (path.removesuffix(FILE), understood([pattern for pattern, _ in rules]), is_generated)
            for path in by_depth
            for is_generated, rules in groupby(_rules(texts[path]), key=itemgetter(1))
        ]

    def __contains__(self, path: str) -> bool:
        """Whether a file is called generated."""
        found = False
        for folder, spec, is_generated in self._rules:
            if path.startswith(folder) and spec.match_file(path[len(folder) :]):
                found = is_generated
        return found


def _rules(text: str) -> Iterator[tuple[str, bool]]:
    """The patterns that say of files that they are generated, or that they are not."""
    for line in text.splitlines():
        pattern, *attributes = line.split() or [""]
        says = [_SAYS[one] for one in attributes if one in _SAYS]
        if says and not pattern.startswith(("#", "!", '"', "[attr]")):
            yield pattern, says[-1]


def understood(patterns: list[str]) -> GitIgnoreSpec:
    """What the patterns name that can be understood; a broken one must not switch the others off."""
    from pathspec import GitIgnoreSpec

    good = []
    for pattern in patterns:
        try:
            GitIgnoreSpec.from_lines([pattern])
        except (ValueError, TypeError):
            continue
        good.append(pattern)
    return GitIgnoreSpec.from_lines(good)
