"""Whether what a happening touched still stands in the checkout, its files followed through their renames.

What speaks of files that are gone tells nothing of the code there is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.records import ChangeStatus, Commit

RENAMES = 12
"""Renames a file is followed through: a file moved more often went in a circle."""


@dataclass(frozen=True)
class Standing:
    """A checkout as it stands: its paths, and where files moved. Without paths nothing is known to be gone."""

    paths: frozenset[str]
    moved: Mapping[str, str]

    def stands(self, paths: Sequence[str]) -> bool:
        """Whether more than half of some files are still there."""
        return not self.paths or 2 * sum(self._today(path) in self.paths for path in paths) > len(paths)

    def _today(self, path: str) -> str:
        """Where a file lies now, as the renames tell; one that came back to its place is there."""
        for _ in range(RENAMES):
            if path in self.paths or path not in self.moved:
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
