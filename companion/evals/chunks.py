"""The chunks of a tree of files as the product cuts them, with their words; cut again only where a file changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from companion.evals.bm25 import plain_words
from companion.evidence.cutting import cut_file
from companion.records import FileSeen, Passage, PassageKind
from companion.syntax import parse


class CutTree:
    """The chunks of every file by path and number, following a tree from one commit to the next."""

    def __init__(self, seen: Callable[[str], FileSeen | None]) -> None:
        self._seen = seen
        self._hashes: dict[str, str] = {}
        self._chunks: dict[str, Sequence[Passage]] = {}
        self.words: dict[tuple[str, int], Counter[str]] = {}

    def follow(self, hashes: Mapping[str, str]) -> None:
        """Hold the chunks of just these files, given by path with the hash of their content."""
        for path in [path for path, known in self._hashes.items() if hashes.get(path) != known]:
            for number in range(len(self._chunks.pop(path))):
                del self.words[path, number]
            del self._hashes[path]
        for path, content_hash in hashes.items():
            if path not in self._hashes:
                self._take(path, content_hash)

    def chunk(self, path: str, number: int) -> Passage:
        """One chunk. Raises KeyError or IndexError where there is none."""
        return self._chunks[path][number]

    def _take(self, path: str, content_hash: str) -> None:
        self._hashes[path] = content_hash
        self._chunks[path] = chunks = self._cut(path)
        for number, chunk in enumerate(chunks):
            self.words[path, number] = Counter(plain_words(f"{path} {chunk.title}\n{chunk.text}"))

    def _cut(self, path: str) -> Sequence[Passage]:
        seen = self._seen(path)
        if seen is None:
            return ()
        parsed = parse(path, seen.text.encode("utf-8", "replace"), seen.content_hash)
        return tuple(one for one in cut_file(path, seen.text, parsed) if one.kind is PassageKind.CHUNK)
