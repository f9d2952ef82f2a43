"""The newest commits in memory: which belong together, and which files they changed.

A branch that was merged is one change, whatever number of commits it took. It is known by its shape alone: each of its
commits has one child and no more, and that of the last is a merge which has it for another than its first parent. Where
a branch left a line that went on, the commit it left from has two children; a line that lives on after a merge has two
at its tip. So neither is ever taken for a part of a branch.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
from msgspec import Struct, field

from companion.ports import PastChange
from companion.records import ChangeStatus, FileChange
from companion.store.database import Database
from companion.store.rows import tuples
from companion.store.statements import execute
from companion.syntax.alike import PastSubjects, most_alike

COMMITS_HELD = 4_000
"""The newest commits, of which the past is told: 2 MB, read and compared in 30 ms.

Older work is seldom a model: 3,000 to 20,000 were alike on 40 tasks marked by hand.
"""
BRANCH_MOST = 40
"""Commits of a merged branch that are followed; a longer one is work of many sorts."""
BRANCHES_KEPT = 4
"""Branches and moments of which the subjects are kept, to be compared: 1 MB each."""
NONE, SEVERAL = 0, -1
"""In place of the number of an only child."""

_REQUEST = re.compile(r"\(#(\d+)\)\s*$|^merge (?:pull request|mr|branch '.*' of) .{0,3}[#!](\d+)", re.IGNORECASE)

_STATUSES = {status.value: status for status in ChangeStatus}

_COMMITS = """
select seq, sha, subject, committed_at, parents, branch
from commits
where project_id = $project
    and seq > $after
    and not gone
order by seq
"""

_TOUCHED = """
select seq, file_id, status
from touches
where project_id = $project
    and seq > $after
order by seq, path
"""


class CommitRow(NamedTuple):
    """What is held of a commit."""

    sha: str
    subject: str
    at: datetime
    branch: str


class Changes(Struct, frozen=True):
    """The newest commits of a project. `child` is by number less `after`, `starts` into `files` and `statuses` too."""

    after: int
    newest: int
    rows: dict[int, CommitRow]
    numbers: dict[str, int]
    parents: dict[int, tuple[int, ...]]
    child: Sequence[int]
    starts: Sequence[int]
    files: Sequence[int]
    statuses: Sequence[ChangeStatus]
    _kept: dict[tuple[str, datetime | None], tuple[Sequence[int], PastSubjects]] = field(default_factory=dict)
    _tips: dict[int, tuple[int, int]] = field(default_factory=dict)

    def alike(
        self, text: str, limit: int, paths: Sequence[str], *, branch: str, until: datetime | None
    ) -> Iterator[PastChange]:
        """Changes whose subjects say most nearly what a text says, at most `limit`, each once; `paths` by file number.

        Left out are those on other branches, those after a moment, and those that changed nothing.
        """
        seqs, subjects = self._subjects(branch, until)
        done: set[int] = set()
        for one in most_alike(text, subjects, limit):
            seq, row = seqs[one.at], self.rows[seqs[one.at]]
            if seq in done:
                continue
            merge, members = self.branch_of(seq, until)
            done.update((merge, *members))
            files = self._changed(members, paths)
            if files:
                all_of_it = [*members, *([merge] if merge else ())]
                yield PastChange(
                    sha=row.sha,
                    subject=row.subject,
                    at=row.at,
                    commits=tuple(self.rows[seq].sha for seq in all_of_it),
                    files=files,
                    alike=one.score,
                    words=one.words,
                    commits_ago=self.newest - seq,
                    request=self._request(seq, merge),
                    same_lead=one.same_lead,
                )

    def _subjects(self, branch: str, until: datetime | None) -> tuple[Sequence[int], PastSubjects]:
        """Numbers and subjects of what was done on a branch by then, newest first; those asked for last are kept."""
        known = self._kept.get((branch, until))
        if known is None:
            seqs = [
                seq
                for seq, row in reversed(self.rows.items())
                if row.branch in ("", branch) and not (until and row.at > until)
            ]
            known = seqs, PastSubjects([self.rows[seq].subject for seq in seqs])
            if len(self._kept) >= BRANCHES_KEPT:
                self._kept.clear()
            self._kept[branch, until] = known
        return known

    def files_of(self, seq: int) -> Sequence[int]:
        """Numbers of the files that a commit changed."""
        return self.files[self.starts[seq - self.after] : self.starts[seq - self.after + 1]]

    def newest_until(self, until: datetime | None) -> int:
        """The number of the newest commit that was there at a moment."""
        if until is None:
            return self.newest
        return max((seq for seq, row in self.rows.items() if row.at <= until), default=0)

    def branch_of(self, seq: int, until: datetime | None = None) -> tuple[int, tuple[int, ...]]:
        """The merge that brought a commit (or that it is) and the commits of the branch, newest first.

        (NONE, the commit itself) for one that no merge brought by then.
        """
        alone = (NONE, (seq,))
        if (known := self._tips.get(seq)) is None:
            known = self._tips[seq] = self._tip_of(seq)
        tip, merge = known
        if not merge or (until and self.rows[merge].at > until):
            return alone
        members: list[int] = []
        while len(members) <= BRANCH_MOST:
            members.append(tip)
            parents = self.parents.get(tip, ())
            if not parents or self._child(parents[0]) != tip:
                return merge, tuple(members)
            tip = parents[0]
        return alone

    def _tip_of(self, seq: int) -> tuple[int, int]:
        """The last commit of the branch that a commit is on, and its merge; a merge of one branch is its own."""
        parents = self.parents.get(seq, ())
        if len(parents) == 2 and self._child(parents[1]) == seq:
            return parents[1], seq
        for _ in range(BRANCH_MOST):
            child = self._child(seq)
            if child in (NONE, SEVERAL):
                break
            if seq in self.parents[child][1:]:
                return seq, child
            seq = child
        return seq, NONE

    def _child(self, seq: int) -> int:
        return self.child[seq - self.after] if seq > self.after else SEVERAL

    def _changed(self, seqs: Sequence[int], paths: Sequence[str]) -> tuple[FileChange, ...]:
        """What commits, newest first, did to files, by path; a file that was added and then changed was added."""
        found: dict[int, ChangeStatus] = {}
        for seq in seqs:
            for at in range(self.starts[seq - self.after], self.starts[seq - self.after + 1]):
                number, status = self.files[at], self.statuses[at]
                if status is ChangeStatus.ADDED or number not in found:
                    found[number] = status
        named = sorted((paths[number], status) for number, status in found.items() if number < len(paths))
        return tuple(FileChange(status, path) for path, status in named)

    def _request(self, seq: int, merge: int) -> str:
        for number in (seq, merge):
            if number and (named := _REQUEST.search(self.rows[number].subject)):
                return named[1] or named[2]
        return ""


def read_changes(database: Database, project: str, newest: int) -> Changes:
    """The newest commits up to number `newest`, at most COMMITS_HELD."""
    after = max(0, newest - COMMITS_HELD)
    asked = {"project": project, "after": after}
    with database.read() as connection:
        commits = tuples(connection, _COMMITS, **asked)
        touched = execute(connection, _TOUCHED, asked).fetchnumpy()
    seqs = {sha: seq for seq, sha, *_ in commits}
    parents: dict[int, tuple[int, ...]] = {}
    child = [NONE] * (newest - after + 1)
    for seq, _, _, _, named, _ in commits:
        known = parents[seq] = tuple(seqs.get(sha, 0) for sha in named.split())
        for parent in known:
            if parent:
                child[parent - after] = SEVERAL if child[parent - after] else seq
    return Changes(
        after=after,
        newest=newest,
        rows={seq: CommitRow(sha, subject, at, branch) for seq, sha, subject, at, _, branch in commits},
        numbers=seqs,
        parents=parents,
        child=child,
        starts=np.searchsorted(np.asarray(touched["seq"]), np.arange(after, newest + 2)).tolist(),
        files=touched["file_id"].tolist(),
        statuses=[_STATUSES[status] for status in touched["status"].tolist()],
    )
