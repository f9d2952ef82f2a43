"""The last line of a reflog, to what was done."""

from __future__ import annotations

import os
import re
from pathlib import Path

TAIL_BYTES = 4_096
"""Read from the end of a reflog: its last line is a subject and two ids, git cuts subjects at 1,000."""

_COMMITS = re.compile(rb"[^\t]*\t(?:commit|am)\b", re.IGNORECASE)


def last_line(path: Path) -> bytes:
    """The last line of a file; empty if there is none."""
    try:
        with path.open("rb") as log:
            size = log.seek(0, os.SEEK_END)
            log.seek(max(0, size - TAIL_BYTES))
            return log.read().rstrip(b"\n").rpartition(b"\n")[2]
    except OSError:
        return b""


def is_commit(line: bytes) -> bool:
    """Whether a line of HEAD's reflog says that a commit was made here."""
    return _COMMITS.match(line) is not None
