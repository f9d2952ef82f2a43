"""What was changed between two moments: the commits, the files, and lines that are in no commit yet."""

from __future__ import annotations

from collections.abc import Sequence

from companion.records import RepoState
from companion.signals.git.filters import unfiltered
from companion.signals.git.running import ask, commit_id, folder_of, run
from companion.signals.paths import raw_path, shown_path

COMMITS_MAX = 50
"""Commits between an error and its absence that are looked at; after more nobody says which one it was."""
PATHS_MAX = 300
"""Files that are told apart; a work tree with more changes is in the middle of something larger."""
LINES_MAX_CHARACTERS = 20_000
"""Of a diff, read for the few lines that are kept of it."""
_NOT_INSIDE = "--ignore-submodules=dirty"
"""What is edited inside a submodule is its own business; to look, git would run there by that repository's settings."""


def head_of(state: RepoState) -> str:
    """The commit that is checked out now; '' on an unborn branch."""
    return commit_id(folder_of(state), "HEAD")


def dirty_paths(state: RepoState) -> dict[str, bool]:
    """Paths that differ from the checked-out commit, and whether git tracks them; at most `PATHS_MAX`, none ignored."""
    if state.bare:
        return {}
    root = folder_of(state)
    asked = ("--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", _NOT_INSIDE)
    off = unfiltered(root)
    listed = ask(root, *off.options, "status", *asked, fails=True, beside=off.variables)
    pieces = [piece for piece in listed.split(b"\0") if len(piece) > 3]
    return {shown_path(piece[3:]): not piece.startswith(b"??") for piece in pieces[:PATHS_MAX]}


def commits_between(state: RepoState, old: str, new: str) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Id, subject and changed paths of the commits in `new` and not in `old`, newest first; merges without paths."""
    if not old or not new or old == new:
        return ()
    told = ask(
        folder_of(state),
        "log",
        f"--max-count={COMMITS_MAX}",
        "--format=%x01%H%x02%s%x02",
        "--name-only",
        "--no-renames",
        "--no-ext-diff",
        "-z",
        f"{old}..{new}",
        fails=True,
    )
    found = []
    for entry in told.split(b"\x01")[1:]:
        sha, _, rest = entry.partition(b"\x02")
        subject, _, names = rest.partition(b"\x02")
        paths = [shown_path(name.strip(b"\n")) for name in names.split(b"\0") if name.strip(b"\n")]
        found.append((sha.decode("ascii", "replace"), subject.decode("utf-8", "replace"), tuple(paths)))
    return tuple(found)


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
    root = folder_of(state)
    asked = [b"./" + raw_path(path) for path in paths]
    off = unfiltered(root)
    shown = run(
        root,
        *off.options,
        "diff",
        _NOT_INSIDE,
        "--unified=0",
        "--no-color",
        "--no-ext-diff",
        "--no-textconv",
        "HEAD",
        "--",
        *(path.decode("utf-8", "surrogateescape") for path in asked),
        beside=off.variables,
    )
    text = shown.stdout[:LINES_MAX_CHARACTERS].decode("utf-8", "replace")
    lines = [line for line in text.splitlines() if line[:1] in {"+", "-"} and line[:3] not in {"+++", "---"}]
    return "\n".join(line for line in lines if line[1:].strip())
