"""The files of a checkout or of a commit: what there is, and the bytes of one.

Links are not followed, submodules not entered, and whatever is not read is listed with its reason.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from companion.encoding import decoded
from companion.errors import SourceError
from companion.ports import Redactor
from companion.records import FileSeen, RepoState, Skipped
from companion.signals import git
from companion.signals.files import attributes
from companion.signals.files.made_pages import PAGES, MadePages
from companion.signals.ignore import content_reason, foreign_reason, is_lock_file, secret_reason
from companion.signals.paths import raw_path, shown_path

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

OWN_IGNORE_FILE = ".companionignore"
"""In the top folder, written like a .gitignore; what it names is as if it were not there."""
READ_MAX_BYTES = 50_000_000
"""No single read is larger, whatever the settings say; a file is held in memory whole."""


def blob_id(content: bytes) -> str:
    """The id that git gives these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


class Entry(Struct, frozen=True):
    """A file that may be read. `content_hash` is '' until its bytes are known."""

    path: str
    size_bytes: int
    mtime_ns: int
    content_hash: str = ""


class WorkTree:
    """The files on disk, tracked or not, that git and `.companionignore` do not ignore."""

    def __init__(self, state: RepoState) -> None:
        self._state = state
        self._root = git.folder_of(state)
        self._real_folders: dict[bytes, bool] = {b"": True}

    def entries(self) -> Iterator[Entry | Skipped]:
        """Every file by path: an entry if it may be read, else the reason why not."""
        listing = git.list_files(self._state)
        yield from self._through(listing, [shown_path(raw) for raw in listing.paths])

    def entries_at(self, paths: Collection[str], known: Iterable[str]) -> Iterator[Entry | Skipped]:
        """The files at these paths and under them, as `entries` gives them; `known` are the paths there were before.

        Raises SourceError where git cannot look at one of them by itself: behind a link, in a submodule.
        """
        listing = git.list_files(self._state, [raw_path(path) for path in paths])
        tops = {path.partition("/")[0] for path in paths if path.endswith(PAGES) and "/" in path}
        beside = git.list_files(self._state, list(map(raw_path, tops))).paths if tops else ()  # pages unread as well
        yield from self._through(listing, [*known, *(shown_path(raw) for raw in (*listing.paths, *beside))])

    def differing(self, known: Mapping[str, tuple[int, int, str]], passed_over: Set[str]) -> tuple[str, ...]:
        """Paths that seem not to stand as they are `known`, by one question to git, and no file opened.

        `known` are size, time of last change (ns) and content hash by path; those `passed_over` are never read.
        """
        listing = git.list_files(self._state)
        self._real_folders = {b"": True}
        raws = {shown_path(raw): raw for raw in listing.paths}
        found = {path for path, kept in known.items() if path not in raws or not self._stands(raws[path], path, kept)}
        new = tuple(raw for path, raw in raws.items() if path not in known and path not in passed_over)
        if new:
            entries = self._through(git.Listing(new, ()), list(raws))
            found.update(entry.path for entry in entries if isinstance(entry, Entry))
        return tuple(sorted(found))

    def _stands(self, raw: bytes, path: str, known: tuple[int, int, str]) -> bool:
        """Whether a file has the size and time that are known of it."""
        entry = self._looked_at(raw, path)
        return isinstance(entry, Entry) and (entry.size_bytes, entry.mtime_ns) == known[:2]

    def _through(self, listing: git.Listing, all_paths: list[str]) -> Iterator[Entry | Skipped]:
        """What may be read of a listing; `all_paths` tell which folders are other people's work."""
        yield from listing.closed
        self._real_folders = {b"": True}
        gate = _Gate(all_paths, self._text_of)
        for raw in listing.paths:
            path = shown_path(raw)
            if gate.is_hidden(path):
                continue
            found = self._looked_at(raw, path)
            if found is None:
                continue
            reason = gate.reason(path) if isinstance(found, Entry) else ""
            yield Skipped(path, reason) if reason else found

    def read(self, path: str) -> bytes:
        """The bytes of a file; SourceError if it is gone, closed, or no plain file inside the tree."""
        raw = raw_path(path)
        if not self._is_inside(raw):
            raise SourceError(f"{path} is behind a link.", "Links are not followed.")
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        try:
            descriptor = os.open(self._place(raw), flags | getattr(os, "O_BINARY", 0))
        except (OSError, ValueError) as wrong:
            raise SourceError(f"{path}: {_in_words(wrong)}.") from wrong
        with os.fdopen(descriptor, "rb") as opened:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise SourceError(f"{path}: not a plain file.")
            try:
                return opened.read(READ_MAX_BYTES)
            except OSError as wrong:
                raise SourceError(f"{path}: {_in_words(wrong)}.") from wrong

    def has(self, path: str) -> bool:
        """Whether a plain file stands at the path."""
        return isinstance(self._looked_at(raw_path(path), path), Entry)

    def seen(self, path: str, redactor: Redactor) -> FileSeen | None:
        """One file, read now, whatever is known of it; None if it may not or cannot be read."""
        found = self._looked_at(raw_path(path), path)
        if not isinstance(found, Entry) or secret_reason(path):
            return None
        return _seen(self, found, redactor)

    def own_rules(self) -> GitIgnoreSpec:
        """What the project's own ignore file names."""
        return attributes.understood(self._text_of(OWN_IGNORE_FILE).splitlines())

    def _text_of(self, path: str) -> str:
        """The text of a file; '' where it cannot be read."""
        try:
            return decoded(self.read(path))
        except SourceError:
            return ""

    def _looked_at(self, raw: bytes, path: str) -> Entry | Skipped | None:
        """What stands at a path; None if nothing does (deleted, or not checked out)."""
        if raw.endswith(b"/"):
            return Skipped(path, "another repository inside this one")
        if not self._is_inside(raw):
            return Skipped(path, "behind a link, not followed")
        try:
            found = os.lstat(self._place(raw))
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, ValueError) as wrong:
            return Skipped(path, _in_words(wrong))
        if stat.S_ISREG(found.st_mode):
            return Entry(path, found.st_size, found.st_mtime_ns)
        if stat.S_ISLNK(found.st_mode):
            return Skipped(path, "link, not followed")
        if stat.S_ISDIR(found.st_mode):
            return Skipped(path, "submodule, not entered") if self._is_submodule(raw, path) else None
        return Skipped(path, "not a plain file")

    def _is_inside(self, raw: bytes) -> bool:
        """Whether all folders above are real ones: no link on the way can lead out of the tree."""
        folder = raw.rpartition(b"/")[0]
        known = self._real_folders.get(folder)
        if known is None:
            known = b".." not in folder.split(b"/") and self._is_inside(folder) and not self._is_link(folder)
            self._real_folders[folder] = known
        return known and raw.rpartition(b"/")[2] not in (b"..", b".", b"") and not raw.startswith(b"/")

    def _is_submodule(self, raw: bytes, path: str) -> bool:
        """Whether a folder that git lists as one thing is a repository; else it took the place of a tracked file."""
        try:
            inside = {one.name for one in Path(self._place(raw)).iterdir()}
        except OSError:
            return True
        return path in self._state.submodules or ".git" in inside or not inside

    def _is_link(self, raw: bytes) -> bool:
        try:
            return stat.S_ISLNK(os.lstat(self._place(raw)).st_mode)
        except (OSError, ValueError):
            return False

    def _place(self, raw: bytes) -> str:
        return f"{self._root}/{os.fsdecode(raw)}"


class CommitTree:
    """The files of one commit: for bare repositories, and to look at a past moment."""

    def __init__(self, state: RepoState, rev: str) -> None:
        self._state = state
        self._rev = rev
        self._blobs = git.Blobs(state, READ_MAX_BYTES)
        self._entries: dict[str, Entry] = {}

    def entries(self) -> Iterator[Entry | Skipped]:
        """Every file by path: an entry if it may be read, else the reason why not."""
        listing = git.read_tree(self._state, self._rev)
        self._entries = {
            found.path: Entry(found.path, found.size_bytes, 0, found.blob)
            for found in listing
            if found.mode.startswith("100")
        }
        gate = _Gate([found.path for found in listing], self._text_of)
        for found in listing:
            if gate.is_hidden(found.path):
                continue
            reason = _MODES.get(found.mode) or gate.reason(found.path)
            if not reason and found.size_bytes < 0:
                reason = "not fetched"
            yield Skipped(found.path, reason) if reason else self._entries[found.path]

    def read(self, path: str) -> bytes:
        """The bytes of a file; SourceError if the commit has no such file or it was not fetched."""
        entry = self._entry(path)
        if entry is None:
            raise SourceError(f"{path} is not in {self._rev}.")
        return self._blobs.read(entry.content_hash)

    def seen(self, path: str, redactor: Redactor) -> FileSeen | None:
        """One file of the commit; None if it may not or cannot be read."""
        entry = self._entry(path)
        if entry is None or secret_reason(path):
            return None
        return _seen(self, entry, redactor)

    def close(self) -> None:
        """End the process that reads; a later read starts another."""
        self._blobs.close()

    def _entry(self, path: str) -> Entry | None:
        if not self._entries:
            for _ in self.entries():
                pass
        return self._entries.get(path)

    def _text_of(self, path: str) -> str:
        """The text of a file; '' where it cannot be read."""
        entry = self._entries.get(path)
        try:
            return decoded(self._blobs.read(entry.content_hash)) if entry else ""
        except SourceError:
            return ""


_MODES = {git.LINK: "link, not followed", git.SUBMODULE: "submodule, not entered"}


def _seen(tree: WorkTree | CommitTree, entry: Entry, redactor: Redactor) -> FileSeen | None:
    try:
        content = tree.read(entry.path)
    except SourceError:
        return None
    if content_reason(content, entry.path):
        return None
    text = redactor.redact(decoded(content))
    return FileSeen(entry.path, entry.content_hash or blob_id(content), text)


class _Gate:
    """What may be opened, as far as names and the project itself tell."""

    def __init__(self, paths: Collection[str], text_of: Callable[[str], str]) -> None:
        self._lower: Set[str] = {path.lower() for path in paths}
        self._own = attributes.understood(text_of(OWN_IGNORE_FILE).splitlines())
        named = {path for path in paths if path.rpartition("/")[2] == attributes.FILE}
        self._generated = attributes.GeneratedFiles({path: text_of(path) for path in named})
        self._pages = MadePages(paths, text_of)

    def is_hidden(self, path: str) -> bool:
        """Whether the project's own ignore file names it; such files are not even listed as skipped."""
        return self._own.match_file(path)

    def reason(self, path: str) -> str:
        reason = secret_reason(path) or foreign_reason(path, self._lower)
        if reason or is_lock_file(path):
            return reason
        return "generated" if path in self._generated or path in self._pages else ""


_WORDS = {
    errno.EACCES: "not readable with your rights",
    errno.EPERM: "not readable with your rights",
    errno.ENOENT: "gone before it could be read",
    errno.ENOTDIR: "gone before it could be read",
    errno.ELOOP: "link, not followed",
    errno.EISDIR: "a folder, not a file",
    errno.ENAMETOOLONG: "its name is too long for this system",
    errno.EIO: "the disk cannot read it",
    errno.ENXIO: "not a plain file",
}


def _in_words(wrong: Exception) -> str:
    code = wrong.errno if isinstance(wrong, OSError) else None
    return _WORDS.get(code or 0, f"cannot be opened ({wrong.__class__.__name__})")
