"""What commits did to the lines of files: which were taken out, and how many were put in their place."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct


class Hunk(NamedTuple):
    """Lines of a file before a commit, from `at` (0 for the first), that it replaced: `taken` old ones by `put` new."""

    at: int
    taken: int
    put: int


class Moved(NamedTuple):
    """Lines of a file after a commit, from `to`, that stood in `old_path` before it, from `at`: so many `lines`."""

    to: int
    old_path: str
    at: int
    lines: int


class FileLines(Struct, frozen=True):
    """What a commit did to one file. `path` is empty where it was deleted, `old_path` where it is new.

    `blob` is the id of its content afterwards; `hunks` come in the order of the lines; `moved` are lines that hunks put
    and the same commit took out elsewhere, or there, to say the same in other lines. Of what is not `text` (a binary
    file, a link, a submodule) nothing is known of the lines.
    """

    path: str
    old_path: str
    blob: str
    hunks: tuple[Hunk, ...] = ()
    text: bool = True
    moved: tuple[Moved, ...] = ()


class CommitLines(Struct, frozen=True):
    """What a commit did to lines, as seen from one of its parents."""

    sha: str
    merge: bool
    files: tuple[FileLines, ...] = ()
    subject: str = ""
