"""Which commits each merge brought in, so that a merged branch is told once and as a whole.

The first-parent chain of the head is the main line. A merge on a line brings what its other parents
reach and no earlier commit of the line did. Merges that only sync two lines that both live on
(`Merge branch 'stable'`, a version branch, a release) bring no branch: the chain behind them is a
line of its own, and the requests merged there are told as branches of that line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from companion.records import Commit

BRANCH_COMMITS = 80
"""A merge of more commits joins lines of work rather than bringing one: it is treated as a sync."""

_LONG_LIVED = re.compile(
    r"^(?:(?:origin|upstream|remotes|refs|heads)/)*(?:master|main|trunk|dev|devel|develop|development|stable|next|staging"
    r"|production|release.*|hotfix-release.*|maint.*|backport-target|[\w-]*v?\d+[.-](?:\d+|x)(?:[.-](?:\d+|x))?"
    r"(?:[-.].*)?|v?\d+)$",
    re.IGNORECASE,
)
_SYNC = re.compile(
    r"^merge (?:(?:remote-tracking )?branch(?:es)? '?(?P<branch>[^'\s]+)'?|tag \S+"
    r"|commit '[0-9a-f]+'|(?:(?:up)?stream|origin)/\S+"
    r"|(?P<bare>master|main|stable|develop|dev|trunk|upstream|origin|release|\d[\w.]*)\b)",
    re.IGNORECASE,
)
_UP = re.compile(r"merge (?P<line>\S+)(?: up)? into (?P<into>\S+)\s*$", re.IGNORECASE | re.MULTILINE)
"""The title of a request that merges one line into a later one."""
_INTO = re.compile(r"\binto '?(\S+?)'?$", re.IGNORECASE)
_REQUEST = re.compile(r"^merge pull request ", re.IGNORECASE)


class Branch(Struct, frozen=True):
    """A merge and the commits it brought, oldest first."""

    merge: Commit
    members: tuple[Commit, ...]


def holds_together(branch: Branch, counts: Callable[[str], bool]) -> bool:
    """Whether the commits of a branch are one work: each is joined to the others by files that count."""
    open_ = [{change.path for change in one.changes if counts(change.path)} for one in branch.members]
    open_ = [paths for paths in open_ if paths]
    joined = open_.pop() if open_ else set()
    while near := [paths for paths in open_ if paths & joined]:
        joined = joined.union(*near)
        open_ = [paths for paths in open_ if paths not in near]
    return not open_


def is_sync(merge: Commit) -> bool:
    """Whether a merge only brings one long-lived line up to date with another."""
    up = _UP.match(merge.body)
    if up is not None and _LONG_LIVED.match(up["line"]) and _LONG_LIVED.match(up["into"]):
        return True
    if merge.pull_request or _REQUEST.match(merge.subject) or not (found := _SYNC.match(merge.subject)):
        return False
    branch = found["branch"] or found["bare"] or ""
    into = _INTO.search(merge.subject)
    return not branch or bool(_LONG_LIVED.match(branch)) or (into is not None and into[1] == branch)


def brought(commits: Sequence[Commit], head: str = "") -> tuple[Branch, ...]:
    """The merged branches among some commits (oldest first), each commit in at most one.

    `head` is where the main line ends; without it, or where it is not among the commits, every tip
    is one. Parents that are not among the commits end a walk. Takes time linear in the commits.
    """
    known = {commit.sha: commit for commit in commits}
    children = {parent for commit in commits for parent in commit.parents}
    tips = [commit.sha for commit in reversed(commits) if commit.sha not in children]
    starts = [head, *tips] if head in known else tips
    taken: set[str] = set()
    found: list[Branch] = []
    for start in starts:
        lines = [start]
        while lines:
            chain = _chain(lines.pop(), known, taken)
            lines += _along(chain, known, taken, found)
    place = {commit.sha: i for i, commit in enumerate(commits)}
    return tuple(sorted(found, key=lambda branch: place[branch.merge.sha]))


def _chain(start: str, known: Mapping[str, Commit], taken: set[str]) -> list[Commit]:
    """First parents back from a commit, oldest first; they belong to no branch."""
    chain: list[Commit] = []
    sha = start
    while sha in known and sha not in taken:
        taken.add(sha)
        chain.append(known[sha])
        sha = known[sha].parents[0] if known[sha].parents else ""
    return chain[::-1]


def _along(chain: Iterable[Commit], known: Mapping[str, Commit], taken: set[str], found: list[Branch]) -> list[str]:
    """Adds the branches merged along a line; the starts of other lines come back, newest last."""
    lines: list[str] = []
    for merge in chain:
        if not merge.is_merge:
            continue
        if is_sync(merge):
            lines += [parent for parent in merge.parents[1:] if parent in known]
            continue
        members = _reach(merge.parents[1:], known, taken)
        if members is None:
            lines += [parent for parent in merge.parents[1:] if parent in known]
            continue
        taken.update(commit.sha for commit in members)
        found.append(Branch(merge, members))
    return lines


def _reach(starts: Iterable[str], known: Mapping[str, Commit], taken: set[str]) -> tuple[Commit, ...] | None:
    """Commits behind some that nobody has taken, oldest first; None if they are too many."""
    seen: dict[str, Commit] = {}
    open_ = [sha for sha in starts if sha in known and sha not in taken]
    while open_:
        sha = open_.pop()
        if sha in seen or sha in taken or sha not in known:
            continue
        if len(seen) >= BRANCH_COMMITS:
            return None
        seen[sha] = known[sha]
        open_ += known[sha].parents
    return tuple(sorted(seen.values(), key=lambda c: (c.committed_at, c.sha)))
