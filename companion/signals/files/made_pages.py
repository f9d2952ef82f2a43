"""Pages that a tool made of the source and a project keeps: nearly all of each is what its neighbours say too."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

PAGES = (".html", ".htm")
FEWEST, LOOKED_AT = 6, 5
"""Pages of one folder from which on it is told whether a tool wrote them, by so many; one of these may be another's."""
ALIKE, ALIKE_CHARS = 0.7, 10_000
"""Part of a short one that stands in the others too, line by line, and its characters. Pages of jazzy and docco share
.76 to .96 and 27,000 and more; demonstrations copied by hand share up to .84, of a page of 2,000."""
ALIKE_NAMED = 0.3
"""The same where they name one tool as their generator, as HTML lays down; editors name themselves as well."""
READ_CHARS = 200_000

_GENERATOR = re.compile(r"""<meta\s+name=["']?generator["']?\s+content=["']?(\w[^{}<>"'\n]{0,100})""", re.IGNORECASE)
_CODE = re.compile(r"<(?:style|script)\b", re.IGNORECASE)
_CODE_END = re.compile(r"</(?:style|script)>", re.IGNORECASE)


class MadePages:
    """Which pages of a tree are a tool's; a folder is looked at when one of its pages is asked for."""

    def __init__(self, paths: Iterable[str], text_of: Callable[[str], str]) -> None:
        self._by_folder: dict[str, set[str]] = defaultdict(set)
        for path in paths:
            if path.endswith(PAGES):
                self._by_folder[path.rpartition("/")[0]].add(path)
        by_count = sorted(self._by_folder, key=lambda folder: len(self._by_folder[folder]))
        self._fullest = {_top(f"{folder}/"): folder for folder in by_count}
        self._text_of = text_of
        self._known: dict[str, frozenset[str]] = {}

    def __contains__(self, path: str) -> bool:
        """Whether a page says half of what a tool wrote into those beside it, or into the fullest folder near it."""
        if not path.endswith(PAGES):
            return False
        shared = self._shared(path.rpartition("/")[0]) or self._shared(self._fullest.get(_top(path), ""))
        return bool(shared) and 2 * _chars(shared & _lines(self._text_of(path))) >= _chars(shared)

    def _shared(self, folder: str) -> frozenset[str]:
        """The lines that the pages of a folder share; none where people wrote them."""
        pages = sorted(self._by_folder.get(folder, ()))
        if len(pages) < FEWEST:
            return frozenset()
        if folder not in self._known:
            step = (len(pages) - 1) / (LOOKED_AT - 1)
            self._known[folder] = _shared_by([self._text_of(pages[round(n * step)]) for n in range(LOOKED_AT)])
        return self._known[folder]


def _top(path: str) -> str:
    return path.partition("/")[0]


def _shared_by(pages: list[str]) -> frozenset[str]:
    told = [_lines(page) for page in pages]
    counts = Counter(line for lines in told for line in lines)
    shared = frozenset(line for line, count in counts.items() if count >= len(pages) - 1)
    tools = Counter(found[1] for page in pages if (found := _GENERATOR.search(page[:READ_CHARS])))
    named = max(tools.values(), default=0) >= len(pages) - 1
    least, chars = (ALIKE_NAMED, 1) if named else (ALIKE, ALIKE_CHARS)
    return shared if _chars(shared) >= max(chars, least * sorted(map(_chars, told))[1]) else frozenset()


def _lines(page: str) -> frozenset[str]:
    """The lines of a page, however deep it lies; scripts and styles are left out, which people share as well."""
    first, *rest = _CODE.split(page[:READ_CHARS])
    parts = (first, *(_CODE_END.split(part, maxsplit=1)[-1] for part in rest))
    return frozenset(line.strip().replace("../", "") for line in "".join(parts).splitlines())


def _chars(lines: frozenset[str]) -> int:
    return sum(map(len, lines))
