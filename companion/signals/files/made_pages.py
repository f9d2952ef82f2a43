"""Pages that a tool made of the source and a project keeps: nearly all of each is what its neighbours say too."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

PAGES = (".html", ".htm")
FEWEST = 6
"""Pages of one folder from which on it is told by three of them whether a tool wrote them."""
ALIKE, ALIKE_CHARS = 0.7, 10_000
"""Part of the shortest that stands in all three, line by line, and its characters. Pages of jazzy and docco share .76
to .96 and 27,000 and more; demonstrations copied by hand share up to .84, of a page of 2,000."""
READ_CHARS = 200_000


class MadePages:
    """Which pages of a tree are a tool's; a folder is looked at when one of its pages is asked for."""

    def __init__(self, paths: Iterable[str], text_of: Callable[[str], str]) -> None:
        self._by_folder: dict[str, list[str]] = defaultdict(list)
        for path in paths:
            if path.endswith(PAGES):
                self._by_folder[path.rpartition("/")[0]].append(path)
        self._text_of = text_of
        self._known: dict[str, bool] = {}

    def __contains__(self, path: str) -> bool:
        """Whether the pages beside this one, or those of a folder above, show that a tool wrote them."""
        if not path.endswith(PAGES):
            return False
        folders = path.split("/")[:-1]
        return any(self._is_made("/".join(folders[:depth])) for depth in range(len(folders) + 1))

    def _is_made(self, folder: str) -> bool:
        pages = self._by_folder.get(folder, [])
        if len(pages) < FEWEST:
            return False
        if folder not in self._known:
            pages.sort()
            some = (pages[0], pages[len(pages) // 2], pages[-1])
            self._known[folder] = _are_alike([_lines(self._text_of(page)[:READ_CHARS]) for page in some])
        return self._known[folder]


def _lines(text: str) -> frozenset[str]:
    return frozenset(line.strip() for line in text.splitlines())


def _are_alike(pages: list[frozenset[str]]) -> bool:
    alike = _chars(frozenset.intersection(*pages))
    return alike >= max(ALIKE_CHARS, ALIKE * min(map(_chars, pages)))


def _chars(lines: frozenset[str]) -> int:
    return sum(map(len, lines))
