"""Whether a checkout still stands where it stood: a stamp of the few files that say so.

Asking git where a checkout stands takes tens of milliseconds, looking at these files takes none. So every
request looks, whatever the watcher has told meanwhile.
"""

from __future__ import annotations

import os
from pathlib import Path

from companion.records import RepoState
from companion.signals.paths import raw_path

HEAD_MAX_BYTES = 4_096
"""A HEAD is a ref's name or a commit's id; what is longer is neither."""
_SHARED = ("packed-refs", "config", "refs/remotes/origin/HEAD", "shallow", "reftable/tables.list")
"""Files of the common git folder that decide about branch, head, remote or default branch."""
_OWN = ("rebase-merge", "rebase-apply", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG")
"""What lies in a checkout's git folder while git is in the middle of something."""

Stamp = tuple[object, ...]


def nearest(path: Path) -> Path | None:
    """The folder at or above a path that has a `.git` in it: where a checkout's root is, nearly always."""
    for folder in (path, *path.parents):
        if os.path.lexists(folder / ".git"):
            return folder
    return None


def git_folder(root: Path) -> Path:
    """The git folder of a checkout: `.git` in it, what a `.git` file points to, or the bare repository itself."""
    entry = root / ".git"
    if entry.is_dir():
        return entry
    try:
        said = os.fsdecode(entry.read_bytes()[:HEAD_MAX_BYTES])
    except OSError:
        return root
    return (root / said.removeprefix("gitdir:").strip()).resolve() if said.startswith("gitdir:") else root


def common_folder(own: Path) -> Path:
    """The git folder that all worktrees share, of a checkout's own git folder."""
    said = os.fsdecode(_content(own / "commondir")).strip()
    return (own / said).resolve() if said else own


def root_folder(state: RepoState) -> Path:
    """The root of a checkout as it is named on disk."""
    return Path(os.fsdecode(raw_path(state.root)))


def stamp(root: Path) -> Stamp:
    """What can be seen of where the checkout at a root stands; equal as long as nothing has moved."""
    own = git_folder(root)
    common = common_folder(own)
    head = _content(own / "HEAD")
    ref = os.fsdecode(head).removeprefix("ref:").strip() if head.startswith(b"ref:") else ""
    return (
        head,
        _seen(common / ref) if ref else None,
        *(_seen(common / name) for name in _SHARED),
        *(_seen(own / name) is not None for name in _OWN),
        _seen(root / ".gitmodules"),
    )


def _content(path: Path) -> bytes:
    try:
        with path.open("rb") as opened:
            return opened.read(HEAD_MAX_BYTES)
    except OSError:
        return b""


def _seen(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino)
