"""Whether a checkout still stands where it stood: a stamp of the few files that say so.

Asking git where a checkout stands takes tens of milliseconds, looking at these files takes none. So every
request looks, whatever the watcher has told meanwhile.
"""

from __future__ import annotations

import os
from pathlib import Path

from companion.signals import git

_SHARED = ("packed-refs", "config", "refs/remotes/origin/HEAD", "shallow", "reftable/tables.list")
"""Files of the common git folder that decide about branch, head, remote or default branch."""
Stamp = tuple[object, ...]


def nearest(path: Path) -> Path | None:
    """The folder at or above a path that has a `.git` in it: where a checkout's root is, nearly always."""
    for folder in (path, *path.parents):
        if os.path.lexists(folder / ".git"):
            return folder
    return None


def stamp(root: Path) -> Stamp:
    """What can be seen of where the checkout at a root stands; equal as long as nothing has moved."""
    own = git.git_folder(root)
    common = git.common_folder(own)
    head = git.content_of(own / "HEAD")
    ref = os.fsdecode(head).removeprefix("ref:").strip() if head.startswith(b"ref:") else ""
    return (
        head,
        _seen(common / ref) if ref else None,
        *(_seen(common / name) for name in _SHARED),
        *(_seen(own / name) is not None for name in git.IN_PROGRESS),
        _seen(root / ".gitmodules"),
    )


def _seen(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino)
