"""What a talk names, as entity keys: people, files and symbols of the project."""

from __future__ import annotations

import re
from collections import defaultdict

from companion.language.names import Names, TalkPeople
from companion.language.phrases import names
from companion.records.memory import entity

_PATH = re.compile(r"(?<![\w/])(?:[\w.@+-]+/)*[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,9}\b|(?<![\w/])(?:[\w.@+-]+/)+[\w.@+-]+")
_SYMBOL = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*")
_SHORT_SYMBOL = 3
"""Names of code with fewer letters are words or variables of the moment."""


class EntityKeys:
    """Entity keys for what statements name; looks each name up, never goes through what is known."""

    def __init__(self, known: Names, people: TalkPeople) -> None:
        self._files = known.files if isinstance(known.files, (set, frozenset, dict)) else frozenset(known.files)
        self._symbols = known.symbols if isinstance(known.symbols, (set, frozenset, dict)) else frozenset(known.symbols)
        self._people = people
        self._by_name: dict[str, list[str]] | None = None

    def of(self, text: str) -> tuple[str, ...]:
        """The keys of everything that a text names, sorted."""
        keys = {entity("person", plain) for plain in self._people.named if names(text, plain)}
        for token in _PATH.findall(text):
            if (path := self._file(token.strip(".,;:"))) is not None:
                keys.add(entity("file", path))
        for token in _SYMBOL.findall(text):
            if len(token) >= _SHORT_SYMBOL and token in self._symbols:
                keys.add(entity("symbol", token))
        return tuple(sorted(keys))

    def _file(self, said: str) -> str | None:
        """The path that is meant: as said if it is known, the one known that ends so, or what looks like one."""
        if said in self._files:
            return said
        if self._by_name is None:
            self._by_name = defaultdict(list)
            for path in self._files:
                self._by_name[path.rpartition("/")[2]].append(path)
        ending = [path for path in self._by_name.get(said.rpartition("/")[2], ()) if path.endswith("/" + said)]
        if len(ending) == 1:
            return ending[0]
        return said if "/" in said and "." in said.rpartition("/")[2] and not ending else None
