"""What commits did to the lines of files: which were taken out, and how many were put in their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Hunk(NamedTuple):
    """Lines of a file before a commit, from `at` (0 for the first), that it replaced: `taken` old ones by `put` new."""

    at: int
    taken: int
    put: int


@dataclass(frozen=True, slots=True)
class FileLines:
    """What a commit did to one file. `path` is empty where it was deleted, `old_path` where it is new.

    `blob` is the id of its content afterwards; `hunks` come in the order of the lines. Of what is not `text` (a binary
    file, a link, a submodule) nothing is known of the lines.
    """

    path: str
    old_path: str
    blob: str
    hunks: tuple[Hunk, ...] = ()
    text: bool = True


@dataclass(frozen=True, slots=True)
class CommitLines:
    """What a commit did to lines, as seen from its first parent."""

    sha: str
    merge: bool
    files: tuple[FileLines, ...] = ()
