"""The last line of a reflog, to what was done."""

from __future__ import annotations

import os
from pathlib import Path

from companion.signals.watch.changes import What

TAIL_BYTES = 4_096
"""Read from the end of a reflog: its last line is a subject and two ids, git cuts subjects at 1,000."""

_WORDS = {
    "commit": What.COMMIT,
    "checkout": What.CHECKOUT,
    "clone": What.CHECKOUT,
    "merge": What.MERGE,
    "rebase": What.REBASE,
    "pull": What.PULL,
    "reset": What.RESET,
    "revert": What.REVERT,
    "cherry-pick": What.CHERRY_PICK,
    "am": What.COMMIT,
    "branch": What.BRANCH,
}


def last_line(path: Path) -> bytes:
    """The last line of a file; empty if there is none."""
    try:
        with path.open("rb") as log:
            size = log.seek(0, os.SEEK_END)
            log.seek(max(0, size - TAIL_BYTES))
            return log.read().rstrip(b"\n").rpartition(b"\n")[2]
    except OSError:
        return b""


def what(line: bytes) -> What | None:
    """What a line of HEAD's reflog says was done; None if it says nothing that is known."""
    said = line.rpartition(b"\t")[2].decode("utf-8", "replace")
    word = said.partition(":")[0].split(" ", 1)[0].lower()
    return _WORDS.get(word)
