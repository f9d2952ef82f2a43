"""Which commit wrote each line of a file, as git blames it: lines that only moved in or out count for nobody."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from companion.errors import SourceError
from companion.records import Blamed, RepoState, Span
from companion.signals.git.checkout import history_ends
from companion.signals.git.commits import moment
from companion.signals.git.filters import run_unfiltered
from companion.signals.git.messages import cleaned
from companion.signals.git.running import folder_of
from companion.signals.paths import raw_path

BLAME_WAIT_S = 20
"""Seconds for one file: a file of Laravel with 40,000 commits behind it takes 1; longer is not worth a core."""
IGNORED_COMMITS = ".git-blame-ignore-revs"
"""Where projects list their sweeps by custom; git leaves their lines to whoever wrote them before."""

_LIST_MISSING = b"could not open object name list"
"""What git says where the user's settings name a list of sweeps, for all repositories, and this one has none."""
_NO_SETTINGS_OF_THE_USER = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
"""Asks git once more as if the user had set nothing: of such a list, an empty one in its place does not help."""
_NOT_COMMITTED = (b"no such path", b"no such ref: HEAD")
"""What git says of a file that the checked out commit does not have, and where there is no commit at all."""
_GROUP = re.compile(rb"([0-9a-f]{40,64}) \d+ (\d+) (\d+)")


def blame(
    state: RepoState, path: str, content: bytes, span: Span | None = None, passed_over: Sequence[str] = ()
) -> tuple[Blamed, ...]:
    """The commit that wrote each line of a file with this content, by line; without an id for what is not committed.

    Changes of white space are passed over, and commits that are to be: their lines are those of whoever wrote them
    before. Lines that are as old as the end of a shallow history are left out: whoever wrote them is not here. Only the
    lines of `span`, if it is given. Empty for a bare repository, and where git cannot tell within `BLAME_WAIT_S`.
    """
    if state.bare:
        return ()
    root, name = folder_of(state), os.fsdecode(raw_path(path))
    sweeps = [f"--ignore-revs-file={IGNORED_COMMITS}"] if (root / IGNORED_COMMITS).is_file() else []
    try:
        for ignoring in (sweeps, []) if sweeps else ([],):  # a list with a name that is no commit is refused
            asked = _asked([*ignoring, *(f"--ignore-rev={sha}" for sha in passed_over)], name, span)
            answer = run_unfiltered(root, *asked, given=content, wait_s=BLAME_WAIT_S)
            if _LIST_MISSING in answer.stderr:
                asked = ("-c", f"safe.directory={root}", *asked)
                settled = _NO_SETTINGS_OF_THE_USER
                answer = run_unfiltered(root, *asked, given=content, wait_s=BLAME_WAIT_S, beside=settled)
            if answer.returncode == 0:
                cut = history_ends(state)
                found = (one for one in _groups(answer.stdout) if one.sha not in cut)
                return tuple(sorted(found, key=lambda one: one.first))
            if any(complaint in answer.stderr for complaint in _NOT_COMMITTED):
                return (Blamed(1, content.count(b"\n") + 1),)
    except SourceError:
        return ()
    return ()


def _asked(ignoring: Sequence[str], name: str, span: Span | None) -> tuple[str, ...]:
    asked = ("--incremental", "-w", "--encoding=UTF-8", "--no-textconv", "--ignore-revs-file=", *ignoring)
    lines = () if span is None else (f"-L{span[0]},{span[1]}",)
    return ("blame", *asked, *lines, "--contents", "-", "--", name)


def _groups(printed: bytes) -> Iterator[Blamed]:
    """The groups of lines that git prints; what it says of a commit stands with the first of its groups."""
    said: dict[bytes, dict[bytes, bytes]] = {}
    sha, first, count = b"", 0, 0
    for row in printed.split(b"\n"):
        head = _GROUP.fullmatch(row)
        name, _, value = row.partition(b" ")
        if head is not None:
            sha, first, count = head[1], int(head[2]), int(head[3])
            said.setdefault(sha, {})
        elif name == b"filename" and not sha.strip(b"0"):
            yield Blamed(first, first + count - 1)
        elif name == b"filename":
            subject = cleaned(said[sha].get(b"summary", b"").decode("utf-8", "replace"))
            at = moment(said[sha].get(b"committer-time", b""))
            yield Blamed(first, first + count - 1, sha.decode(), subject, at)
        elif sha:
            said[sha][name] = value
