"""Evidence: what a project says about itself, cut into passages that can be found. Pure: texts in, passages out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.records.lazily import lazily

if TYPE_CHECKING:
    from companion.evidence.commits import *
    from companion.evidence.cutting import *

_NAMES = {
    "commits": "cut_commit",
    "cutting": "VERSION cut_file",
}

if not TYPE_CHECKING:
    __getattr__ = lazily(__name__, _NAMES)
