"""History: commits by one bulk read, and which commit contains which."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from companion.records import Commit, Person, RepoState
from companion.signals.git.checkout import history_ends
from companion.signals.git.commits import LOG_FORMAT, parse_log, split_nul
from companion.signals.git.processes import LineDialogue, Stream
from companion.signals.git.running import (
    ask,
    commit_id,
    commit_ids,
    dialogue,
    folder_of,
    known_commit,
    names_commit,
    run,
    stream,
)

RENAME_LIMIT = 400
"""Files compared with each other for renames in one commit; git's default on older versions. More
pairs take seconds for one sweeping commit, and exact renames are found whatever the limit."""

RELEASE_TAGS = ("*[0-9].[0-9]*", "*v[0-9]*")
"""What tags of releases are called: by a version, whatever stands around it."""
RELEASES_WAIT_S = 3.0
"""Seconds for the releases of a story's commits: a tenth of one in a repository of 10,000 commits."""

_log = logging.getLogger(__name__)

_LOG_FLAGS = (
    f"--format={LOG_FORMAT}",
    "--encoding=UTF-8",
    "--no-show-signature",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "-O/dev/null",
)

_ORDERED = ("--date-order", "--reverse")

_READINGS = (
    (
        (*_ORDERED, "--name-status", "-M", f"-l{RENAME_LIMIT}"),
        "a file renamed and changed at once is read as a new one",
    ),
    ((*_ORDERED, "--name-status", "-M100%"), "of some commits it is not known what they changed"),
    (_ORDERED, "commits before the first that is missing are not read"),
    ((), "commits before the first that is missing are not read"),
)
"""Ways to read the log, each needing fewer objects than the one before: file contents, then trees,
then (the last, which cannot be ordered) only the commits down to the first that is missing.
Each with what is lost where it stops."""


_LEFT_AT_ORIGIN = ("promisor remote", "lazy fetch")
"""In git's complaint: the object was left out when the repository was cloned, and nothing is fetched."""
PARTIAL_CLONE = (
    "This is a partial clone: old contents are not here and nothing is fetched, so a file that was renamed and changed "
    "at once is read as a new one. `git fetch --refetch --no-filter` brings them."
)


def read_commits(
    state: RepoState, *, since: str | Sequence[str] = "", rev: str = "HEAD", most: int | None = None
) -> Iterator[Commit]:
    """Commits reachable from `rev` and not from `since` (one or several), parents before children, else oldest first.

    Read as a stream by one `git log`; at most the newest `most`. A `since` that is no longer there (history was
    rewritten) is left out: everything is read. Where objects are missing, what can be read is: first without
    inexact renames, then without files. Raises UsageError if `rev` names no commit.
    """
    root = folder_of(state)
    asked = _range(root, state, since, rev)
    if not asked:
        return
    asked = asked if most is None else [f"--max-count={most}", *asked]
    cut = history_ends(state)
    seen: set[str] = set()
    stopped = ""
    for flags, loses in _READINGS:
        log = stream(root, "log", "-z", *_LOG_FLAGS, *flags, *asked)
        commits = _told(root, log, cut)
        for commit in commits if flags else reversed(list(commits)):
            if commit.sha not in seen:
                seen.add(commit.sha)
                yield commit
        if log.complete:
            break
        partial = any(mark in log.complaint for mark in _LEFT_AT_ORIGIN)
        stopped = PARTIAL_CLONE if partial else f"git cannot read all of the history, so {loses} ({log.complaint})."
    if stopped:
        _log.warning("%s", stopped)


def named_commits(state: RepoState, shas: Sequence[str]) -> tuple[Commit, ...]:
    """The commits of some ids, in their order, with the files that each changed; a renamed one is told as two."""
    if not shas:
        return ()
    root = folder_of(state)
    log = stream(root, "log", "-z", *_LOG_FLAGS, "--no-walk=unsorted", "--name-status", "--no-renames", *shas, "--")
    return tuple(_told(root, log, history_ends(state)))


def _told(root: Path, log: Stream, cut: frozenset[str]) -> Iterator[Commit]:
    """The commits of a log."""
    with closing(dialogue(root, "check-mailmap", "--stdin")) as mailmap:

        def whole(short: str) -> str:
            return commit_id(root, short)

        def mapped(person: Person) -> Person:
            return _mapped(mailmap, person)

        yield from parse_log(split_nul(log), cut, whole, mapped)


def merged_by(state: RepoState, sha: str) -> Commit | None:
    """The merge that brought a commit to the line of first parents of what is checked out; None if none did."""
    root = folder_of(state)
    way = ("--first-parent", "--ancestry-path", "--reverse", "--parents", f"{sha}..{state.head}")
    merges = ask(root, "rev-list", *way, fails=True).decode("ascii", "replace").splitlines() if state.head else []
    merge, *parents = next(iter(merges), "").split() or [""]
    brought = len(parents) > 1 and parents[0] != sha
    return next(iter(named_commits(state, [merge])), None) if brought else None


def count_commits(state: RepoState, since: str | Sequence[str] = "", rev: str = "HEAD") -> int:
    """How many commits `read_commits` would give for the same arguments."""
    root = folder_of(state)
    asked = _range(root, state, since, rev)
    if not asked:
        return 0
    answer = ask(root, "rev-list", "--count", *asked, fails=True).strip()
    return int(answer) if answer.isdigit() else 0


def reachable(state: RepoState, rev: str = "HEAD") -> frozenset[str]:
    """Ids of all commits reachable from `rev`, or from any ref for `--all`; empty if it names none."""
    root = folder_of(state)
    start = "--all" if rev == "--all" else commit_id(root, rev)
    if not start:
        return frozenset()
    return frozenset(ask(root, "rev-list", start, fails=True).decode("ascii").split())


def reached_only(state: RepoState, rev: str, without: Sequence[str]) -> frozenset[str] | None:
    """Ids of the commits that `rev` reaches and none of `without` does (`--all`: any ref); None if `rev` is not here.

    Where the two hardly differ, git walks hardly any history for it.
    """
    root = folder_of(state)
    start, *others = commit_ids(root, [rev, *(one for one in without if one != "--all")])
    if not start:
        return None
    refs = ["--all"] if "--all" in without else []
    answer = ask(root, "rev-list", start, "--not", *refs, *(one for one in others if one), fails=True)
    return frozenset(answer.decode("ascii").split())


def those_reached(state: RepoState, shas: Iterable[str], rev: str) -> frozenset[str]:
    """Those of the commits that `rev` reaches; ids that are not here are left out."""
    root = folder_of(state)
    asked = "".join(f"{sha}\n" for sha in shas)
    end = commit_id(root, rev) if asked else ""
    if not end:
        return frozenset()
    here = run(root, "rev-list", "--no-walk", "--ignore-missing", "--stdin", given=asked.encode()).stdout
    beyond = run(root, "rev-list", "--ignore-missing", "--stdin", given=f"{asked}^{end}\n".encode()).stdout
    return frozenset(here.decode("ascii").split()) - frozenset(beyond.decode("ascii").split())


def first_releases(state: RepoState, shas: Sequence[str]) -> dict[str, str]:
    """The tag of the first release that has a commit, as git finds the nearest one; none of what is not released."""
    if not shas:
        return {}
    asked = ("--tags", *(f"--refs={one}" for one in RELEASE_TAGS))
    answer = stream(folder_of(state), "name-rev", *asked, *shas, wait_s=RELEASES_WAIT_S)
    lines = b"".join(answer).decode("utf-8", "replace").splitlines()
    named = (line.partition(" tags/") for line in lines)
    return {sha: re.split(r"[~^]", name, maxsplit=1)[0] for sha, _, name in named if name}


def branch_exists(state: RepoState, name: str) -> bool:
    """Whether there is a branch of that name, here or on a remote."""
    root = folder_of(state)
    places = (f"refs/heads/{name}", f"refs/remotes/{name}", f"refs/remotes/origin/{name}")
    return any(run(root, "show-ref", "--verify", "--quiet", place).returncode == 0 for place in places)


def unmerged(state: RepoState, most: int) -> tuple[tuple[str, str, int], ...]:
    """Branches of this repository that hold commits which the default branch has not, the last worked on first.

    Each with the subject of its last commit and when that was made, in seconds since 1970.
    """
    form = "--format=%(refname:short)%00%(committerdate:unix)%00%(subject)"
    asked = ("for-each-ref", form, "--sort=-committerdate", f"--count={most}")
    into = (f"--no-merged=refs/{place}/{state.default_branch}" for place in ("heads", "remotes/origin"))
    answers = (run(folder_of(state), *asked, one, "refs/heads/") for one in into)
    told = next((one.stdout.decode("utf-8", "replace") for one in answers if one.returncode == 0), "")
    parts = (line.split("\0", 2) for line in told.splitlines() if line.count("\0") > 1)
    return tuple((branch, subject, int(at)) for branch, at, subject in parts if at.isdigit())


def is_ancestor(state: RepoState, older: str, newer: str) -> bool:
    """Whether `newer` contains `older`; False if either is not a commit that is here."""
    if not names_commit(older) or not names_commit(newer):
        return False
    asked = (f"{older}^{{commit}}", f"{newer}^{{commit}}")
    return run(folder_of(state), "merge-base", "--is-ancestor", *asked).returncode == 0


def _range(root: Path, state: RepoState, since: str | Sequence[str], rev: str) -> list[str]:
    """The arguments that select commits; none on an unborn branch."""
    if rev == "HEAD" and not state.head:
        return []
    start, *ends = commit_ids(root, [rev, *((since,) if isinstance(since, str) else since)])
    return [start or known_commit(root, rev), *(f"^{end}" for end in ends if end)]


def _mapped(mailmap: LineDialogue, person: Person) -> Person:
    asked = f"{person.name} <{person.email}>".encode("utf-8", "replace")
    answer = mailmap.ask(asked).readline().decode("utf-8", "replace").strip()
    name, _, email = answer.removesuffix(">").rpartition("<")
    return Person(name.strip(), email.strip()) if answer.endswith(">") else person
