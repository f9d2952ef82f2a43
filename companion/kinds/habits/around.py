"""What each piece of a sort has beside it: a file that names it (a table, a registry), and a test of its file."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import PurePosixPath

from companion.kinds.habits.habit import holds_tests
from companion.kinds.habits.templates import AGREED, Group, last_name
from companion.records import FileRole, ParsedFile, ShapeFamily
from companion.syntax.file_names import read_name

PIECES_LEAST = 4
"""Pieces of a sort from which what each has beside it is no chance."""
REGISTERS_TOLD = 2
"""Files that name each piece, of which is told."""


class Around:
    """The files that use each name, and the tests by the source that they are named after."""

    def __init__(self, code: Sequence[ParsedFile]) -> None:
        self._users: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self._tests: defaultdict[str, list[str]] = defaultdict(list)
        sources: defaultdict[str, list[str]] = defaultdict(list)
        for file in sorted(code, key=lambda one: one.path):
            if file.role is FileRole.TEST:
                continue
            sources[read_name(file.path).stem].append(file.path)
            for reference in file.references:
                self._users[reference.name].setdefault(file.path, reference.line)
            for imported in file.imports:
                for name in imported.names:
                    self._users[name].setdefault(file.path, imported.line)
        for test in sorted(file.path for file in code if holds_tests(file)):
            if home := _nearest(test, sources[read_name(test).stem]):
                self._tests[home].append(test)

    def needs(self, group: Group) -> tuple[str, ...]:
        """What nearly all pieces of a group have beside them, in sentences; nothing but of classes and endpoints."""
        if group.family not in {ShapeFamily.CLASS_FAMILY, ShapeFamily.ENDPOINT}:
            return ()
        return tuple(filter(None, (self._named(group), self._tested(group))))

    def _named(self, group: Group) -> str:
        """The files that name nearly all of them, beside the one that each stands in, and the line of the last.

        A register is such a file, a table of strings, a list of guards that each has the methods of an interface.
        """
        homes = {last_name(place.symbol): place.path for place in group.places if place.symbol}
        counts = Counter(path for name, home in homes.items() for path in self._users.get(name, ()) if path != home)
        if len(homes) < PIECES_LEAST:
            return ""
        told = []
        for path, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:REGISTERS_TOLD]:
            if count >= AGREED * len(homes):
                line, name = max((self._users[name][path], name) for name in homes if path in self._users[name])
                told.append(f"{path} ({count} of {len(homes)}, {name} in line {line})")
        return f"Each is named in {' and '.join(told)}." if told else ""

    def _tested(self, group: Group) -> str:
        """How many of their files have a test named after them, with an example."""
        homes = sorted({place.path for place in group.places})
        tests = [test for home in homes if (test := _nearest(home, self._tests[home]))]
        if len(homes) < PIECES_LEAST or len(tests) < AGREED * len(homes):
            return ""
        return f"Each file has a test named after it, such as {tests[0]} ({len(tests)} of {len(homes)})."


def _nearest(path: str, others: Sequence[str]) -> str:
    """The one of some paths that lies in folders called most alike; empty where there is none."""
    folders = set(PurePosixPath(path).parts[:-1])
    alike = {other: len(folders & set(PurePosixPath(other).parts[:-1])) for other in others}
    return min(others, key=lambda other: (-alike[other], other.count("/"), other), default="")
