"""What landed on the main line: a commit, or a merged branch as one, with its title and what its message tells.

A branch is told as it ended: in the words of its request, else in those of its last commit that says why. A commit
whose subject only says that something was merged (a squashed request, a fix prepared in private) has the first telling
sentence of its body as title; the fix of an advisory has its number there, so that it is known for what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.kinds.history.branches import Branch, holds_together, is_sync
from companion.kinds.history.reasons import EXPLAINED_CHARS, opening
from companion.kinds.history.titles import (
    SECURITY_FIX,
    advisory_in,
    bare_title,
    is_housekeeping,
    plain_title,
    shown_title,
    sort_of,
)
from companion.kinds.paths import source_path, test_path
from companion.kinds.prose import narrative
from companion.language.phrases import says
from companion.language.reasons import explains
from companion.language.sentences import split_sentences
from companion.records import ChangeStatus, Commit, FileChange, Importance

TITLE_CHARS = 200
"""Characters up to which a sentence below a merge can be its title."""
CALLED_ALIKE = 0.6
"""Share of a request's words from which on a commit is called as it is."""
MEMBERS_READ = 8
"""Commits of a branch that are read for what they decide; a longer one is known by its request."""

_FORK = re.compile(r"^merge (?:commit from fork$|pull request from (?:GHSA-|an advisory))", re.IGNORECASE)
"""How a fix is merged that was prepared in private."""
_MERGED = re.compile(
    r"^(?:\[[^\]]*\]\s*)?(?:auto[- ]?|rollup )?merged? (?:commit|pull request|PR|branch(?:es)?|remote-tracking|of #"
    r"|#\d+$|request|in \S+ \(pull request)",
    re.IGNORECASE,
)
"""A subject that only says that something was merged."""
_REVERTS = re.compile(
    r"This reverts commits? \w{4,40}[^.\n]*\.?|^[ \t]*(?:reversing changes made to|Revert \").*$",
    re.IGNORECASE | re.MULTILINE,
)
"""What a revert says of what it reverts: no reason."""
_BREAKING = re.compile(r"\bBREAKING[ -]CHANGE")
_ADR = re.compile(r"(?:^|/)(?:adrs?|decisions|rfcs?)/[^/]+\.(?:md|rst|adoc|txt)$", re.IGNORECASE)


def bare(text: str) -> str:
    """A text for comparing: lower case, letters and digits alone."""
    return "".join(c for c in text.lower() if c.isalnum())


class Landed(Struct, frozen=True):
    """A commit or a merged branch: `story` is its message as prose, `changes` are what it left changed."""

    commit: Commit
    title: str
    story: str
    changes: tuple[FileChange, ...]
    members: tuple[Commit, ...] = ()
    said_in: Commit | None = None
    """The commit whose message is told: its own, or one of its branch."""

    @property
    def paths(self) -> list[str]:
        """The paths it touched."""
        return [change.path for change in self.changes]

    @property
    def sort(self) -> str:
        """The sort of change, see `Episode.change`."""
        return sort_of(self.title)

    @property
    def told(self) -> str:
        """What is told of its story beside the title."""
        told = opening(self.story)
        first, *others = split_sentences(told) or [""]
        return " ".join(others) if bare(first) == bare(self.title) else told

    @property
    def secure(self) -> bool:
        """Whether it closed a weakness that could be abused."""
        title = self.title.lower()
        return bool(advisory_in(title)) or SECURITY_FIX in title or says(title, "written.weakness")

    @property
    def breaking(self) -> bool:
        """Whether it says that whoever uses the project has to change something."""
        return bare_title(self.commit.subject).breaking or _BREAKING.search(self.commit.body) is not None

    @property
    def importance(self) -> Importance:
        """More than an everyday change: a weakness closed, a revert, a break, a decision record."""
        matters = self.secure or self.breaking or self.sort == "revert" or bool(adr_paths(self.paths))
        return Importance.SIGNIFICANT if matters else Importance.DEFAULT


def adr_paths(paths: Sequence[str]) -> tuple[str, ...]:
    """The architecture decision records among some paths."""
    return tuple(path for path in paths if _ADR.search(path))


def merges_only(subject: str) -> bool:
    """Whether a subject only says that something was merged."""
    return _MERGED.match(subject) is not None


def of_commit(commit: Commit) -> Landed:
    """A single commit that is no merge."""
    title, story = _message(commit)
    return Landed(commit, _named(title, commit, commit.changes), story, commit.changes, said_in=commit)


def is_one_work(branch: Branch) -> bool:
    """Whether a branch is told as one: its request has a title, or its commits touch source together."""
    title, _ = _message(branch.merge)
    return (bool(title) and not is_housekeeping(title)) or holds_together(branch, source_path)


def of_branch(branch: Branch, gives_reason: Callable[[Landed], bool]) -> Landed:
    """A merged branch: its request where that explains itself, else a commit of it that gives a reason, else the title.

    A reason that such a request lacks is what that commit gives. Where none `gives_reason` a short reason will do. Of
    several such commits it is the one that is called as the request, else the last.
    """
    merge = branch.merge
    members = [member for member in branch.members if not member.is_merge]
    changes = _united([member.changes for member in members])
    work = [member for member in members[:MEMBERS_READ] if not is_housekeeping(member.subject)]
    texts = "\n".join(f"{member.subject}\n{narrative(member.body)}" for member in work)
    whole = replace(merge, body=f"{merge.body}\n{texts}")
    request = Landed(merge, *_message(merge), changes, branch.members, merge)
    parts = [
        replace(request, title=title, story=story, said_in=one) for one in members for title, story in [_message(one)]
    ]
    parts = [part for part in reversed(parts) if not is_housekeeping(part.title)]
    titled = [request] if not is_housekeeping(request.title) else []
    parts.sort(key=lambda part: _alike(part.title, request.title) < CALLED_ALIKE)
    worded = (*titled, *parts)
    reasons = [*filter(gives_reason, worded), *(one for one in worded if explains(one.told))]
    told = next(iter((*reasons, *worded)), request)
    if titled and told is not request and len(request.told) >= EXPLAINED_CHARS:
        more = [one for one in split_sentences(told.told) if one not in request.told]
        joined = replace(request, story=f"{request.told}\n{' '.join(more)}".strip(), said_in=told.said_in)
        told = joined if gives_reason(joined) or not gives_reason(told) else told
    return replace(told, title=_named(told.title, whole, changes))


def _alike(title: str, request: str) -> float:
    """The share of a request's words that stand in a title."""
    words = set(plain_title(request).split())
    return len(words & set(plain_title(title).split())) / len(words) if words else 0.0


def _message(commit: Commit) -> tuple[str, str]:
    """The title of a commit and its story; of what only says that something was merged, those of its body."""
    title, body = commit.subject, _REVERTS.sub("", commit.body)
    if _MERGED.match(title) and not (is_sync(commit) and len(commit.parents) <= 1):
        title, body = _title_below(body)
    title, story = _continued(title, narrative(body))
    return shown_title(title), story


def _title_below(body: str) -> tuple[str, str]:
    """The first sentence of a body that can be a title, and the rest."""
    lines = narrative(body).split("\n")
    for place, line in enumerate(lines):
        first, *more = split_sentences(line.removeprefix("- ")) or [""]
        if first and len(first) <= TITLE_CHARS and not is_housekeeping(first):
            return first.rstrip("."), "\n\n".join((*lines[:place], " ".join(more), *lines[place + 1 :])).strip()
    return "", body


def _continued(title: str, story: str) -> tuple[str, str]:
    """A title that was cut joined with its continuation below."""
    if title.endswith(("…", "...")) and story.startswith(("…", "...")):
        first, _, rest = story.partition("\n")
        head, *more = split_sentences(first.lstrip("….").strip()) or [""]
        return f"{title.rstrip('….')}{head}", "\n".join((" ".join(more), rest)).strip()
    return title, story


def _named(title: str, commit: Commit, changes: Sequence[FileChange]) -> str:
    """A title with the advisory that was answered; without a title, with the file that was mended."""
    paths = [change.path for change in changes]
    number = advisory_in("\n".join((commit.subject, commit.body, *paths)))
    fork = _FORK.match(commit.subject) is not None
    if fork and (not title or _MERGED.match(title)):
        source = [path for path in paths if source_path(path)]
        title = f"Security fix in {source[0]}" if source else "Security fix"
    mark = number or (SECURITY_FIX if fork else "")
    if not mark or not title or mark.lower() in title.lower() or (not fork and is_housekeeping(title)):
        return title
    return f"{title} ({mark})"


def _united(many: Sequence[tuple[FileChange, ...]]) -> tuple[FileChange, ...]:
    """The last change of each file, without those that came and went in between."""
    first: dict[str, FileChange] = {}
    last: dict[str, FileChange] = {}
    for change in (change for changes in many for change in changes):
        first.setdefault(change.path, change)
        last[change.path] = change
    gone = {
        path for path in last if (first[path].status, last[path].status) == (ChangeStatus.ADDED, ChangeStatus.DELETED)
    }
    return tuple(last[path] for path in sorted(last.keys() - gone))


def ranked_paths(paths: Iterable[str], most: int) -> tuple[str, ...]:
    """At most so many paths: source before tests before the quiet ones, then by name."""

    def rank(path: str) -> tuple[int, str]:
        return (0 if source_path(path) else 1 if test_path(path) else 2, path)

    return tuple(sorted(set(paths), key=rank)[:most])
