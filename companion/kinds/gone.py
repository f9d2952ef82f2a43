"""What a bare title speaks of that is no more: its files left the checkout, its classes the code, its list only grew.

Nobody can look such a title up, and nothing beside it explains. What was taken away is told all the same: that
something is gone is what its title says.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property

from companion.kinds import noise
from companion.kinds.meaning import change_of
from companion.records import ChangeStatus, Commit, FileChange

RENAMES = 12
"""Renames a file is followed through: a file moved more often went in a circle."""
SETTLED = timedelta(days=90)
"""Age from which the names of a title are looked for in the code: what is newer is there, mostly."""
LISTED = 8
"""Additions under one scope to one and the same file from which the file is a list: it says better what is in it."""

_CLASS = re.compile(r"(?<![\w/-])(?:[A-Z][a-z0-9]+(?:[A-Z]+[a-z0-9]+)+|[A-Z]{2,}[a-z0-9]{2,}[A-Za-z0-9]*)(?![\w/-])")
"""A name written as classes are: `ConnectionPool`."""
_TAKEN_AWAY = {"removal", "revert"}


@dataclass(frozen=True)
class Standing:
    """A checkout as it stands: its paths, where files moved, the names in its code, files that are lists.

    Without paths nothing is known to be gone; `read_names` is called where a name has to be looked for.
    """

    paths: frozenset[str]
    moved: Mapping[str, str]
    lists: frozenset[tuple[str, str]]
    now: datetime
    read_names: Callable[[], frozenset[str]] = field(repr=False)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name of the code, lower case."""
        return self.read_names()

    def has(self, name: str) -> bool:
        """Whether a name stands in the code; any does where no code is known."""
        return not self.names or name.lower() in self.names

    def lacks(self, title: str, change: str, changes: Sequence[FileChange], at: datetime) -> bool:
        """Whether nobody can look up any more what a bare title of that day speaks of."""
        touched = [c.path for c in changes if not noise.test_path(c.path)] or [c.path for c in changes]
        if (
            self.paths
            and touched
            and not any(path in self.paths or self._today(path) in self.paths for path in touched)
        ):
            return True
        source = _source(changes)
        if change == "feature" and len(source) == 1 and (noise.bare_subject(title).scope, source[0]) in self.lists:
            return True
        return change not in _TAKEN_AWAY and at < self.now - SETTLED and self._names_gone(title)

    def _names_gone(self, title: str) -> bool:
        """Whether a title names classes and none of them stands in the code, nor in a longer name."""
        named = [found.lower().removesuffix("s") for found in _CLASS.findall(title)]
        return bool(named and self.names) and not any(any(name in known for known in self.names) for name in named)

    def _today(self, path: str) -> str:
        """Where a file lies now, as the renames tell; a file that was moved in a circle stays."""
        for _ in range(RENAMES):
            if path not in self.moved:
                break
            path = self.moved[path]
        return path


def renames_of(commits: Iterable[Commit]) -> dict[str, str]:
    """Where each renamed file went, the last time."""
    return {
        change.old_path: change.path
        for commit in commits
        for change in commit.changes
        if change.status is ChangeStatus.RENAMED
    }


def lists_in(commits: Iterable[Commit]) -> frozenset[tuple[str, str]]:
    """Scopes and files where things are added time and again to that file alone: `types: add X`, `types: add Y`."""
    added: defaultdict[tuple[str, str], int] = defaultdict(int)
    for commit in commits:
        scope = noise.bare_subject(commit.subject).scope
        if scope and change_of(commit.subject) == "feature" and len(source := _source(commit.changes)) == 1:
            added[scope, source[0]] += 1
    return frozenset(place for place, times in added.items() if times >= LISTED)


def _source(changes: Iterable[FileChange]) -> list[str]:
    return [c.path for c in changes if not noise.test_path(c.path) and not noise.quiet_path(c.path)]
