"""Which files change together, counted from commits: the formulas, and a model that keeps up with history.

The store counts the same in SQL over all of a project's history. This model is for replaying a stretch
of the past, where state must never hold more than the commits before the one in question.

    weight of a commit    1 / log2(1 + files it changed); commits of too many files count for no pair
    decay                 a half for every `half_life` commits since, so a quiet year forgets nothing
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from companion.ports import Neighbour, Recent
from companion.records import ChangeStatus, Commit

HALF_LIFE_COMMITS = 300
"""Best of 100 to 1,000 in replays."""
MAX_FILES = 30
"""Larger commits are sweeps (formatting, renamed packages) and say nothing of one file."""
REBASE_HALF_LIVES = 500
"""Weights grow by powers of two instead of decaying; before they overflow (at 1,023) all are scaled down."""


def commit_weight(files: int) -> float:
    """What one commit of `files` files adds to each of its pairs: 1 for one file, 0.23 for 20."""
    return 1.0 / math.log2(1 + max(1, files))


class FilePair:
    """Two files' common past: decayed weight (as of the reference), commits, number of the last one."""

    __slots__ = ("last", "together", "weight")

    def __init__(self) -> None:
        self.weight = 0.0
        self.together = 0
        self.last = 0


class Cochange:
    """Commits go in oldest first; questions are answered as of the last one. Renames keep a file's past."""

    def __init__(self, half_life: float = HALF_LIFE_COMMITS, max_files: int = MAX_FILES) -> None:
        self.commits = 0
        self._half_life = half_life
        self._max_files = max_files
        self._reference = 0
        self._ids: dict[str, int] = {}
        self._paths: list[str] = []
        self._alive: list[bool] = []
        self._last: list[int] = []
        self._count: list[int] = []
        self._pairs: list[dict[int, FilePair]] = []
        self._named: dict[int, str] = {}

    def add(self, commit: Commit) -> tuple[str, ...]:
        """Take in the next commit; returns the paths it touched, as they are called after it."""
        self.commits += 1
        touched = sorted({self._follow(change.status, change.path, change.old_path) for change in commit.changes})
        for file in touched:
            self._last[file] = self.commits
            self._count[file] += 1
        if not commit.is_merge and 2 <= len(touched) <= self._max_files:
            self._named[self.commits] = commit.subject
            self._couple(touched)
        return tuple(self._paths[file] for file in touched)

    def living(self) -> Iterable[str]:
        """Paths of all files that exist."""
        return (path for path, file in self._ids.items() if self._alive[file])

    def cochanged(self, paths: Sequence[str], limit: int) -> tuple[Neighbour, ...]:
        """Living files that changed with any of `paths`, by decayed weight, those excluded."""
        asked = {self._ids[path] for path in paths if path in self._ids}
        total: dict[int, list[float]] = {}
        for file in sorted(asked):
            for other, pair in self._pairs[file].items():
                if other not in asked and self._alive[other]:
                    row = total.setdefault(other, [0.0, 0.0, 0.0])
                    row[0] += pair.weight
                    row[1] += pair.together
                    row[2] = max(row[2], pair.last)
        scale = 2.0 ** ((self._reference - self.commits) / self._half_life)
        ranked = sorted(total.items(), key=lambda item: (-item[1][0], self._paths[item[0]]))[:limit]
        return tuple(
            Neighbour(self._paths[file], weight * scale, int(together), self._named[int(last)])
            for file, (weight, together, last) in ranked
        )

    def recent(self, limit: int) -> tuple[Recent, ...]:
        """Living files by how lately they changed; of one commit's, in order of path."""
        alive = [file for file in self._ids.values() if self._alive[file]]
        alive.sort(key=lambda file: (-self._last[file], self._paths[file]))
        return tuple(
            Recent(self._paths[file], self.commits - self._last[file], self._count[file])
            for file in alive[: max(0, limit)]
        )

    def _follow(self, status: ChangeStatus, path: str, old_path: str) -> int:
        """The file's number, after its path and life have been brought up to date."""
        moved = status is ChangeStatus.RENAMED and old_path in self._ids
        if moved:
            file = self._ids.pop(old_path)
            if path in self._ids:
                self._alive[self._ids[path]] = False
            self._ids[path] = file
            self._paths[file] = path
        elif path in self._ids:
            file = self._ids[path]
        else:
            file = self._ids[path] = len(self._paths)
            self._paths.append(path)
            self._alive.append(True)
            self._last.append(0)
            self._count.append(0)
            self._pairs.append({})
        self._alive[file] = status is not ChangeStatus.DELETED
        return file

    def _couple(self, files: Sequence[int]) -> None:
        if self.commits - self._reference > REBASE_HALF_LIVES * self._half_life:
            self._rebase()
        added = commit_weight(len(files)) * 2.0 ** ((self.commits - self._reference) / self._half_life)
        for file in files:
            pairs = self._pairs[file]
            for other in files:
                if other == file:
                    continue
                pair = pairs.get(other)
                if pair is None:
                    pair = pairs[other] = FilePair()
                pair.weight += added
                pair.together += 1
                pair.last = self.commits

    def _rebase(self) -> None:
        factor = 2.0 ** ((self._reference - self.commits) / self._half_life)
        self._reference = self.commits
        for pairs in self._pairs:
            for pair in pairs.values():
                pair.weight *= factor
