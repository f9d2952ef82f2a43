"""Which commit each line of a file came from, as git blames it: lines that only moved in or out count for nobody."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.errors import SourceError
from companion.records import RepoState
from companion.signals.git.filters import unfiltered
from companion.signals.git.running import folder_of, run
from companion.signals.paths import raw_path

BLAME_WAIT_S = 20
"""Seconds for one file: a file of Laravel with 40,000 commits behind it takes 1; longer is not worth a core."""
IGNORED_COMMITS = ".git-blame-ignore-revs"
"""Where projects list their sweeps by custom; git leaves their lines to whoever wrote them before."""

_LIST_MISSING = b"could not open object name list"
"""What git says where the user's settings name a list of sweeps, for all repositories, and this one has none."""
_NO_SETTINGS_OF_THE_USER = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
"""Asks git once more as if the user had set nothing: of such a list, an empty one in its place does not help."""
_GROUP = re.compile(rb"^([0-9a-f]{40,64}) \d+ (\d+) (\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Blamed:
    """Lines of a file, first and last from 1, and the commit that they came from."""

    first: int
    last: int
    sha: str


def blame(state: RepoState, path: str, content: bytes) -> tuple[Blamed, ...]:
    """Where the lines of a file with this content came from, by line; none of what is not committed yet.

    Changes of white space are passed over. Empty for a bare repository, a file that no commit has, and
    where git cannot tell within `BLAME_WAIT_S`.
    """
    if state.bare:
        return ()
    root, name = folder_of(state), os.fsdecode(raw_path(path))
    sweeps = [f"--ignore-revs-file={IGNORED_COMMITS}"] if (root / IGNORED_COMMITS).is_file() else []
    try:
        off = unfiltered(root)
        for ignoring in (sweeps, []) if sweeps else ([],):  # a list with a name that is no commit is refused
            asked = (*off.options, *_asked(ignoring, name))
            answer = run(root, *asked, given=content, wait_s=BLAME_WAIT_S, beside=off.variables)
            if _LIST_MISSING in answer.stderr:
                asked = ("-c", f"safe.directory={root}", *asked)
                settled = {**off.variables, **_NO_SETTINGS_OF_THE_USER}
                answer = run(root, *asked, given=content, wait_s=BLAME_WAIT_S, beside=settled)
            if answer.returncode == 0:
                return tuple(sorted(_groups(answer.stdout), key=lambda one: one.first))
    except SourceError:
        return ()
    return ()


def _asked(ignoring: Sequence[str], name: str) -> tuple[str, ...]:
    asked = ("--incremental", "-w", "--no-textconv", "--ignore-revs-file=", *ignoring, "--contents", "-")
    return ("blame", *asked, "--", name)


def _groups(printed: bytes) -> Iterator[Blamed]:
    for sha, first, count in _GROUP.findall(printed):
        if sha.strip(b"0"):
            yield Blamed(int(first), int(first) + int(count) - 1, sha.decode())
