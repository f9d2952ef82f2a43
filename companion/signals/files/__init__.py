"""The files of a checkout or of a commit, and what changed since they were last read.

trees.py     a work tree or a commit: entries (a path, its size, what tells whether it changed), and bytes
scanning.py  what is new against what is known
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.records.lazily import lazily

if TYPE_CHECKING:
    from companion.signals.files.scanning import *
    from companion.signals.files.trees import *

_NAMES = {
    "scanning": "PATHS_ASKED Known Scan at_or_under scan scan_some",
    "trees": "OWN_IGNORE_FILE READ_MAX_BYTES CommitTree Entry WorkTree blob_id",
}

if not TYPE_CHECKING:
    __getattr__ = lazily(__name__, _NAMES)
