"""Which commit made each line of each file: what commits did to lines, folded from the oldest on.

What is known of a file is good for one content of it alone, by its blob: of any other nothing is said, so that no line
is ever given to a commit that did not make it. Lines that only moved or were indented keep their makers. In a commit of
very many files (an import, a run of a formatter, a rename throughout) lines put in place of about as many keep the
makers of those; many files that it brings at once have none. What a merge brought is of the commits that did it, as far
as they are told; of the merge is what it did beside them.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import groupby
from typing import Any

from companion.records import FileRole, Span
from companion.records.line_changes import CommitLines, FileLines
from companion.syntax import role_by_name

MASS_FILES = 30
"""A commit of more files is a sweeping one; as many as count for no pair of files either."""
REWORDED = 2
"""Times as many lines as it took out that a hunk of a sweeping commit may put, to be the same in another form."""
UNPACKED_KEPT = 256
"""Files whose lines are kept unpacked: those of some ten contexts, 4 bytes a line."""
UNKNOWN = -1
"""The maker of a line that is older than what was read, or that no commit explains."""

_RUN = re.compile(r"(\d+):(-?\d+)")


class LineOrigins:
    """The makers of the lines of all files as of the commit `head`; fed with later commits, as of these."""

    def __init__(self, head: str = "", cut: str = "") -> None:
        """Of nothing. `cut` tells where the history ended when this was begun, as a shallow one does."""
        self.head, self.cut = head, cut
        self._shas: list[str] = []
        self._merges: set[str] = set()
        self._put: dict[str, int] = {}
        """By commit the lines of source it put, as far as they were not there before."""
        self._left: Counter[str] | None = None
        self._files: dict[str, tuple[str, str]] = {}
        """By path the blob, and its lines as runs `COUNT:MAKER`, blanks between."""
        self._open: dict[str, tuple[str, array[int]]] = {}
        """The files that were changed since, by path: the blob, and the maker of each line."""

    def fold(self, commit: CommitLines, merged: LineOrigins | None = None) -> None:
        """Take in the commit that comes next.

        `merged` is for a merge: what the commits that it brought did to lines, and last what the merge did in their
        eyes. Lines that it put keep the makers that they have there.
        """
        numbers = {} if merged is None else self._taken_over(merged, commit.sha)
        maker, sweeping = len(self._shas), len(commit.files) > MASS_FILES
        imported = sum(not file.old_path for file in commit.files) > MASS_FILES
        self._shas.append(commit.sha)
        if commit.merge:
            self._merges.add(commit.sha)
        if not sweeping and merged is None and (put := sum(map(_new_lines, commit.files))):
            self._put[commit.sha] = put
        self._left = None
        before = {file.old_path: self._taken(file.old_path) for file in commit.files if file.old_path}
        for file in commit.files:
            if file.path and file.text:
                made = UNKNOWN if imported and not file.old_path else maker
                old = before.get(file.old_path, array("i"))
                reworded = _changed(array("i", old), file, made, REWORDED) if sweeping else None
                lines = reworded if reworded and merged is None else _changed(array("i", old), file, made)
                for to, old_path, at, count in file.moved:
                    moved = before[old_path][at : at + count]
                    moved.extend(array("i", [UNKNOWN]) * (count - len(moved)))
                    lines[to : to + count] = moved
                if merged is not None:
                    _keep_makers(lines, maker, merged, file, numbers, reworded or lines)
                self._open[file.path] = file.blob, lines
        self.head = commit.sha

    def makers(self, path: str, blob: str, span: Span) -> tuple[tuple[str, int], ...]:
        """Ids of the commits that made some lines of a file, each with how many, the newest commit first.

        Nothing where the file has another content than the one that is known, or its makers are not.
        """
        known, lines = self._lines(path)
        if known != blob:
            return ()
        counts = Counter(lines[span[0] - 1 : span[1]])
        return tuple((self._shas[maker], counts[maker]) for maker in sorted(counts, reverse=True) if maker != UNKNOWN)

    def knows(self, path: str, blob: str) -> bool:
        """Whether the makers of just this content of a file are known."""
        return self._lines(path)[0] == blob

    def lines_of(self, sha: str, path: str, blob: str) -> tuple[int, ...]:
        """The lines (from 1) of a file that a commit made; none where the file has another content."""
        known, lines = self._lines(path)
        if known != blob or sha not in self._shas:
            return ()
        maker = self._shas.index(sha)
        return tuple(number for number, made in enumerate(lines, start=1) if made == maker)

    def left_of(self, sha: str) -> tuple[int, int] | None:
        """How many lines of source a commit put, and how many of them are left; None where that is not known."""
        if sha not in self._put:
            return None
        if self._left is None:
            counts: Counter[int] = Counter()
            for path in filter(_is_source, (*self._files, *self._open)):
                counts.update(self._lines(path)[1])
            self._left = Counter({self._shas[maker]: count for maker, count in counts.items() if maker != UNKNOWN})
        return self._put[sha], self._left[sha]

    def is_merge(self, sha: str) -> bool:
        """Whether a maker of lines is a merge."""
        return sha in self._merges

    def retain(self, paths: Iterable[str]) -> None:
        """Forget all files but these; to be called once all commits are folded."""
        files = {path: self._packed(path) for path in paths if path in self._open or path in self._files}
        self._files, self._open = files, {}

    def compact(self) -> None:
        """Forget the commits that made no line which is still there."""
        self.retain([*self._files, *self._open])
        used = {int(maker) for _, runs in self._files.values() for _, maker in _RUN.findall(runs)} - {UNKNOWN}
        numbers = {str(maker): str(number) for number, maker in enumerate(sorted(used))} | {str(UNKNOWN): str(UNKNOWN)}
        self._shas = [self._shas[maker] for maker in sorted(used)]
        self._merges &= set(self._shas)
        self._files = {
            path: (blob, _RUN.sub(lambda run: f"{run[1]}:{numbers[run[2]]}", runs))
            for path, (blob, runs) in self._files.items()
        }

    def copy(self) -> LineOrigins:
        """The same, to be fed with more while somebody reads this one."""
        made = LineOrigins(self.head, self.cut)
        made._shas, made._merges, made._put = [*self._shas], {*self._merges}, {**self._put}
        made._files, made._open = {**self._files}, {**self._open}
        return made

    def as_json(self) -> dict[str, object]:
        """What is known of the files that were retained, for a file on disk."""
        return {
            "head": self.head,
            "cut": self.cut,
            "commits": self._shas,
            "merges": sorted(self._merges),
            "put": self._put,
            "files": self._files,
        }

    @classmethod
    def of_json(cls, given: Mapping[str, Any]) -> LineOrigins:
        """What `as_json` gave, and nobody else."""
        made = cls(given["head"], given["cut"])
        made._shas, made._merges, made._put = list(given["commits"]), set(given["merges"]), dict(given["put"])
        made._files = {path: (blob, runs) for path, (blob, runs) in given["files"].items()}
        return made

    def _taken_over(self, merged: LineOrigins, merge: str) -> dict[int, int]:
        """Know the commits that a merge brought too: their numbers here by those there."""
        brought = {number: sha for number, sha in enumerate(merged._shas) if sha != merge}
        theirs = set(brought.values())
        known = {sha: number for number, sha in enumerate(self._shas) if sha in theirs}
        for sha in brought.values():
            if sha not in known:
                known[sha] = len(self._shas)
                self._shas.append(sha)
                self._put |= {sha: merged._put[sha]} if sha in merged._put else {}
        self._merges |= merged._merges
        return {number: known[sha] for number, sha in brought.items()}

    def _taken(self, path: str) -> array[int]:
        """The makers of a file's lines, which is there no longer; unknown ones are filled in as they are met."""
        _, lines = self._lines(path)
        self._files.pop(path, None)
        self._open.pop(path, None)
        return lines

    def _lines(self, path: str) -> tuple[str, array[int]]:
        if path in self._open:
            return self._open[path]
        blob, runs = self._files.get(path, ("", ""))
        return blob, _unpacked(runs)

    def _packed(self, path: str) -> tuple[str, str]:
        if path not in self._open:
            return self._files[path]
        blob, lines = self._open[path]
        return blob, " ".join(f"{sum(1 for _ in run)}:{maker}" for maker, run in groupby(lines))


@lru_cache(maxsize=UNPACKED_KEPT)
def _unpacked(runs: str) -> array[int]:
    """The maker of each line; never changed by who is given it."""
    lines: array[int] = array("i")
    for count, maker in _RUN.findall(runs):
        lines.extend(array("i", [int(maker)]) * int(count))
    return lines


def _new_lines(file: FileLines) -> int:
    """The lines of source that a commit put into a file and that were not there before."""
    put = sum(hunk.put for hunk in file.hunks) if file.text and _is_source(file.path) else 0
    return put - sum(moved.lines for moved in file.moved) if put else 0


def _is_source(path: str) -> bool:
    return bool(path) and role_by_name(path) is FileRole.SOURCE


def _changed(lines: array[int], file: FileLines, maker: int, reworded: int = 0) -> array[int]:
    """The makers of a file's lines once its hunks are put in: from the last on, so that each finds its lines.

    Lines put in place of others keep the makers of those where they are at most `reworded` times as many.
    """
    for at, taken, put in reversed(file.hunks):
        if (lacking := at + taken - len(lines)) > 0:
            lines.extend(array("i", [UNKNOWN]) * lacking)
        if put <= reworded * taken:
            old = lines[at : at + taken]
            lines[at : at + taken] = array("i", [old[line * taken // put] for line in range(put)])
        else:
            lines[at : at + taken] = array("i", [maker]) * put
    return lines


def _keep_makers(
    lines: array[int], maker: int, merged: LineOrigins, file: FileLines, numbers: Mapping[int, int], others: array[int]
) -> None:
    """Give lines that a merge put to the commits that it brought, as far as those are known to have made them.

    `others` are whose they are where those are not.
    """
    blob, there = merged._lines(file.path)
    for at in range(len(lines)):
        if lines[at] == maker:
            made = there[at] if blob == file.blob and at < len(there) else UNKNOWN
            lines[at] = numbers.get(made, others[at])
