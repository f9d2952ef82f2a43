"""What a caller gives, made fit for use: paths as the repository knows them, text that can be kept.

Whoever asks (a shell, a server) may hand over anything: undecodable bytes, loops of links, a way out
of the repository. It is understood or refused here, once, so that nobody inside checks again.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Collection
from pathlib import Path

from companion.errors import UsageError
from companion.records import RepoState
from companion.signals import git
from companion.signals.paths import shown_path
from companion.store.texts import clean

LISTED_MOST = 1_000
"""What is listed at once: more than anybody reads in one go."""
LINE_MAX = 100
"""Characters of a line that a person gives."""
INSIDE = "Give a path inside it, or `--repo` another."
"""What helps against a path that leaves the repository."""


def scope_inside(given: str, state: RepoState) -> str:
    """The path of a scope, which need not exist. Raises UsageError if it is outside the repository."""
    if not given:
        return ""
    root = git.folder_of(state)
    path = os.path.normpath(root / clean(given))
    if path == str(root):
        return ""
    return shown_path(os.fsencode(_relative(path, root, given)))


def inside(given: str, state: RepoState, known: Callable[[], Collection[str]], *, new: bool = False) -> str:
    """A file's path as the repository knows it, from a real path or from one as records write it.

    A link inside the repository stands for what it leads to. `known` gives the indexed paths; with `new`, the file
    need not be there yet. Raises UsageError if it lies outside, loops, is a folder, or is nowhere.
    """
    if not given.strip():
        raise UsageError("No file is named.", "Name one of the repository.")
    root = git.folder_of(state)
    try:
        path = root / given
        relative = _relative(os.path.normpath(path), root, given)
        there = os.path.lexists(path)
        real = path.resolve(strict=there)
        is_folder = real.is_dir()  # fails for a name that is too long
    except (OSError, ValueError, RuntimeError) as wrong:  # RuntimeError: a loop of links, before Python 3.13
        why = "its links form a loop" if _is_loop(wrong) else getattr(wrong, "strerror", None) or str(wrong)
        raise UsageError(f"{given} cannot be opened: {why}.", "Name another file.") from wrong
    if there and not real.is_relative_to(root.resolve()):
        raise UsageError(f"{given} points outside the repository {root}.", INSIDE)
    if is_folder:
        raise UsageError(f"{given} is a folder.", "Name a file in it.")
    led_to = real.relative_to(root.resolve()).as_posix() if there else relative
    for shown in (shown_path(os.fsencode(relative)), shown_path(os.fsencode(led_to)), relative):
        if shown in known():  # the last is one that is written as records write it, with escapes
            return shown
    shown = shown_path(os.fsencode(relative))
    if not there and not new:
        raise UsageError(f"There is no file `{shown}` in {root}.", did_you_mean(shown, known()))
    return shown


def line_of(text: str) -> str:
    """One line of a person's words: a title, a persona, a channel."""
    return " ".join(text.split())[:LINE_MAX]


def page(limit: int, most: int = LISTED_MOST) -> int:
    """A limit that makes sense. Raises UsageError."""
    if not 1 <= limit <= most:
        raise UsageError(f"A limit of {limit} makes no sense.", f"Give 1 to {most}.")
    return limit


def did_you_mean(path: str, known: Collection[str]) -> str:
    """The indexed paths that look like one that is not there, as a next step."""
    from difflib import get_close_matches

    by_name = [one for one in known if one.rpartition("/")[2] == path.rpartition("/")[2]]
    near = by_name[:3] or get_close_matches(path, list(known), n=3)
    return f"Did you mean {', '.join(near)}?" if near else "Run `companion init` if it is new."


def _is_loop(wrong: Exception) -> bool:
    return isinstance(wrong, RuntimeError) or (isinstance(wrong, OSError) and wrong.errno == errno.ELOOP)


def _relative(path: str, root: Path, given: str) -> str:
    """A path below the root, as it is written or, failing that, after following links."""
    try:
        return Path(path).relative_to(root).as_posix()
    except ValueError:
        pass
    try:
        return Path(path).resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        raise UsageError(f"{given} is outside the repository {root}.", INSIDE) from None
