"""Blocks of lines that a commit took out in one place and put in another, in the same file or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

MOVED_BYTES = 40
"""Bytes of a block without its blanks from which on it counts as moved: what git's blame asks of lines that come from
another file. Shorter ones (an end of a block, an import) are alike everywhere."""
SOURCES_TRIED = 8
"""Places a line was taken out of that are compared: more hold a line that says nothing."""

Lines = Mapping[int, bytes]
"""By number of the line what stands in it, blanks left out."""
Block = tuple[int, int, int, int]
"""Where it is now, the number of the file it was in, where it was there, and how many lines it has."""


class TakenOut:
    """The lines that a commit took out of its files."""

    def __init__(self, files: Sequence[Lines]) -> None:
        """Of files in the order by which blocks number them."""
        self._files = files
        self._sources: dict[bytes, list[tuple[int, int]]] = {}
        for number, lines in enumerate(files):
            for line, text in lines.items():
                if text:
                    self._sources.setdefault(text, []).append((number, line))

    def put_back(self, put: Lines) -> Iterator[Block]:
        """The blocks among the lines put into one file that were taken out of some file, the longest from each line."""
        behind = 0
        for line in put.keys() if self._sources else ():
            if line < behind or not (sources := self._sources.get(put[line])):
                continue
            found = [(self._length(number, at, put, line), number, at) for number, at in sources[:SOURCES_TRIED]]
            count, number, at = max(found, key=lambda one: one[0])
            if sum(len(put[line + n]) for n in range(count)) >= MOVED_BYTES:
                yield line, number, at, count
                behind = line + count

    def _length(self, number: int, at: int, put: Lines, line: int) -> int:
        """How many lines are the same from `at` in a file that lost them and from `line` in what was put."""
        taken, count = self._files[number], 0
        while (text := put.get(line + count)) is not None and taken.get(at + count) == text:
            count += 1
        return count
