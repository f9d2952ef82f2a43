"""The files of a commit and of the work tree, as git lists them, and the bytes of blobs."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from companion.errors import SourceError
from companion.records import RepoState, Skipped
from companion.signals.git.commits import split_nul
from companion.signals.git.running import ask, dialogue, folder_of, known_commit, next_step, run, said, stream
from companion.signals.paths import raw_path, shown_path

LINK = "120000"
SUBMODULE = "160000"
"""Modes of tree entries that are no files."""


class TreeEntry(Struct, frozen=True):
    """A path of a commit's tree. `mode` is git's six digits; `size_bytes` is -1 for what is not here."""

    mode: str
    blob: str
    size_bytes: int
    path: str


def read_tree(state: RepoState, rev: str) -> tuple[TreeEntry, ...]:
    """Everything in a commit's tree, by path, links and submodules too.

    Raises UsageError if `rev` names no commit, SourceError if its tree is not here.
    """
    root = folder_of(state)
    start = known_commit(root, rev)
    listing = stream(root, "ls-tree", "-r", "-l", "-z", "--full-tree", start)
    found = [_entry(piece) for piece in split_nul(listing)]
    if not listing.complete:
        found = _read_incomplete_tree(root, start)
    return tuple(sorted(found, key=lambda entry: entry.path))


class Listing(Struct, frozen=True):
    """Paths of a work tree that are not ignored, sorted, as bytes; and folders git could not open.

    A path that ends in a slash is a repository of its own.
    """

    paths: tuple[bytes, ...]
    closed: tuple[Skipped, ...]


def list_files(state: RepoState, below: Sequence[bytes] = ()) -> Listing:
    """Tracked and untracked files of the work tree, with git's own word on what is ignored.

    Tracked files are listed even if they were deleted from disk. With `below`, only these paths and
    what lies under them. Raises SourceError if the index cannot be read, or a path lies behind a link.
    """
    root = folder_of(state)
    asked = ("--", *(f":(literal){os.fsdecode(path)}" for path in below)) if below else ()
    found = run(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", *asked)
    if found.returncode != 0:
        raise SourceError(f"git cannot list the files of {root}: {said(found.stderr)}.", next_step(root, found.stderr))
    closed = {shown_path(name) for name in re.findall(rb"could not open directory '(.*?)/?': ", found.stderr)}
    return Listing(
        paths=tuple(sorted({piece for piece in found.stdout.split(b"\0") if piece})),
        closed=tuple(Skipped(name, "folder cannot be opened") for name in sorted(closed)),
    )


def ignored(state: RepoState, paths: Iterable[str]) -> frozenset[str]:
    """Those of the paths that git ignores; none in a bare repository."""
    asked = b"".join(raw_path(path) + b"\0" for path in paths)
    if state.bare or not asked:
        return frozenset()
    answer = run(folder_of(state), "check-ignore", "-z", "--stdin", given=asked)
    return frozenset(shown_path(piece) for piece in answer.stdout.split(b"\0") if piece)


def ignored_folders(state: RepoState) -> frozenset[str]:
    """Folders of the work tree that git ignores whole, the outermost alone."""
    found = run(folder_of(state), "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
    if state.bare or found.returncode != 0:
        return frozenset()
    return frozenset(shown_path(piece[:-1]) for piece in found.stdout.split(b"\0") if piece.endswith(b"/"))


class Blobs:
    """Reads file contents out of history by one process, until it is closed.

    `max_bytes` is the most one read returns; what is larger raises SourceError.
    """

    def __init__(self, state: RepoState, max_bytes: int) -> None:
        self._dialogue = dialogue(folder_of(state), "cat-file", "--batch")
        self._max_bytes = max_bytes

    def close(self) -> None:
        """End the process; a later read starts another."""
        self._dialogue.close()

    def read(self, name: str) -> bytes:
        """The bytes of a blob id or of `REV:PATH`; SourceError if it is not here or is no file."""
        asked = raw_path(name)
        if b"\n" in asked:
            raise SourceError(f"{name} has a line break in its name.", "Ask for it by its blob id.")
        answer = self._dialogue.ask(asked)
        head = answer.readline().split()
        if len(head) != 3 or not head[2].isdigit():
            raise SourceError(f"{name} is not in this repository.", "It may not have been fetched.")
        size = int(head[2])
        if head[1] != b"blob" or size > self._max_bytes:
            self._dialogue.close()  # quicker than reading past it
            raise SourceError(f"{name} is {head[1].decode()} of {size:,} bytes; it is not read.")
        content = answer.read(size)
        answer.read(1)
        if len(content) < size:
            raise SourceError(f"{name} cannot be read to its end.", "Run `git fsck`.")
        return content


def _entry(piece: bytes) -> TreeEntry:
    head, _, path = piece.partition(b"\t")
    mode, _, blob, *size = head.decode("ascii").split()
    return TreeEntry(mode, blob, int(size[0]) if size and size[0].isdigit() else -1, shown_path(path))


def _read_incomplete_tree(root: Path, start: str) -> list[TreeEntry]:
    """The same of a clone without all contents, where git stops at the first size it does not know."""
    listing = stream(root, "ls-tree", "-r", "-z", "--full-tree", start)
    found = [_entry(piece) for piece in split_nul(listing)]
    if not listing.complete:
        raise SourceError(
            f"The files of {start} cannot be read: {listing.complaint}.", next_step(root, listing.complaint.encode())
        )
    objects = ask(root, "rev-list", "--objects", "--missing=print", "--no-walk", start, fails=True)
    missing = {line[1:].decode("ascii") for line in objects.split(b"\n") if line.startswith(b"?")}
    present = sorted({entry.blob for entry in found if entry.mode != SUBMODULE} - missing)
    wanted = "".join(f"{blob}\n" for blob in present).encode()
    answer = run(root, "cat-file", "--batch-check=%(objectname) %(objectsize)", given=wanted).stdout
    sizes = dict(line.split(b" ", 1) for line in answer.splitlines())
    known = {blob.decode("ascii"): int(size) for blob, size in sizes.items() if size.isdigit()}
    return [replace(entry, size_bytes=known.get(entry.blob, -1)) for entry in found]
