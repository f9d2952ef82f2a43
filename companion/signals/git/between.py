"""What was changed between two moments: the commits, the files, and lines that are in no commit yet."""

from __future__ import annotations

import os
from collections.abc import Sequence

from companion.records import Commit, RepoState
from companion.signals.git.changed import signed_lines
from companion.signals.git.filters import run_unfiltered
from companion.signals.git.history import read_commits
from companion.signals.git.running import BARE_DIFF, ask, commit_id, folder_of
from companion.signals.paths import raw_path, shown_path

COMMITS_MAX = 50
"""Commits between an error and its absence that are looked at; after more nobody says which one it was."""
PATHS_MAX = 300
"""Files that are told apart; a work tree with more changes is in the middle of something larger."""
LINES_MAX_CHARACTERS = 20_000
"""Of a diff, read for the few lines that are kept of it."""
_NOT_INSIDE = "--ignore-submodules=dirty"
"""What is edited inside a submodule is its own business; to look, git would run there by that repository's settings."""


def dirty_paths(state: RepoState) -> dict[str, bool]:
    """Paths that differ from the checked-out commit, and whether git tracks them; at most `PATHS_MAX`, none ignored."""
    if state.bare:
        return {}
    asked = ("--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", _NOT_INSIDE)
    listed = run_unfiltered(folder_of(state), "status", *asked).stdout
    pieces = [piece for piece in listed.split(b"\0") if len(piece) > 3]
    return {shown_path(piece[3:]): not piece.startswith(b"??") for piece in pieces[:PATHS_MAX]}


def commits_between(state: RepoState, old: str, new: str) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Id, subject and changed paths of the commits in `new` and not in `old`, newest first; merges without paths."""
    if not old or old == new or not commit_id(folder_of(state), old):
        return ()
    found = [*read_commits(state, since=old, rev=new, most=COMMITS_MAX)] if new else []
    return tuple((commit.sha, commit.subject, _paths(commit)) for commit in reversed(found))


def _paths(commit: Commit) -> tuple[str, ...]:
    return tuple(sorted({path for change in commit.changes for path in (change.path, change.old_path) if path}))


def paths_between(state: RepoState, old: str, new: str) -> tuple[str, ...]:
    """Paths that two commits have differently, also where neither comes from the other."""
    if not old or not new or old == new:
        return ()
    told = ask(folder_of(state), "diff", "--name-only", "--no-renames", "--no-ext-diff", "-z", old, new, fails=True)
    return tuple(shown_path(name) for name in told.split(b"\0") if name)[:PATHS_MAX]


def edited_lines(state: RepoState, paths: Sequence[str]) -> str:
    """Lines of these files that differ from the checked-out commit, with `-` and `+` before them."""
    if not paths or state.bare:
        return ""
    asked = (os.fsdecode(b"./" + raw_path(path)) for path in paths)
    options = (_NOT_INSIDE, *BARE_DIFF)
    shown = run_unfiltered(folder_of(state), "diff", *options, "HEAD", "--", *asked)
    text = shown.stdout[:LINES_MAX_CHARACTERS].decode("utf-8", "replace")
    return "\n".join(line for line in signed_lines(text) if line[1:].strip())
