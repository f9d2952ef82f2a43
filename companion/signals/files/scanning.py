"""What changed in a tree since it was last read: compared by size and time, then by content.

A file of the same size and time is not opened, one whose bytes turn out the same is not handed on, so
nothing is parsed twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from typing import TypeVar

from msgspec.structs import replace

from companion.errors import SourceError
from companion.ports import Redactor
from companion.records import Skipped
from companion.signals.files.trees import OWN_IGNORE_FILE, CommitTree, Entry, WorkTree, blob_id
from companion.signals.ignore import VENDOR_NEIGHBOURS, content_reason

PATHS_ASKED = 200
"""Paths that git is asked about one by one: with more, its list of all files is as quick and has no limit."""

Kept = TypeVar("Kept")
Known = Mapping[str, tuple[int, int, str]]
"""What was read before: path -> (size in bytes, mtime in nanoseconds, content hash)."""


@dataclass
class Scan:
    """What is new in a tree. The sets and lists are complete when `changed` has been read to its end.

    `changed` gives each new or changed file with its content hash and its raw, unredacted bytes, for parsing alone.
    `changed_count` is how many it may give at most. `restamped` are files whose time or size on
    record is out of date though their bytes are the same: path -> (size, mtime in ns, content hash).
    """

    changed: Iterator[tuple[Entry, bytes]]
    changed_count: int
    restamped: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    looked_at: tuple[str, ...] | None = None
    """Paths that alone were looked at, with what lies under them; None: everything was."""


def scan(tree: WorkTree | CommitTree, known: Known, max_bytes: int, *, names: Redactor | None = None) -> Scan:
    """What is new in a tree against what is known of it.

    `max_bytes` is the largest file that is read. A path in which `names` finds a secret is not read, and
    listed without it. `gone` holds what was known and is no longer there, or is no longer read.
    """
    return _scanned(tree, tree.entries(), known, max_bytes, names)


def scan_some(
    tree: WorkTree, paths: Collection[str], known: Known, max_bytes: int, *, names: Redactor | None = None
) -> Scan:
    """What is new at these paths, and under those that are or were folders; see `scan`.

    Looks at the whole tree where one of the paths says what is ignored or whose work a folder is,
    where they are many, and where git cannot look at one of them by itself.
    """
    asked = sorted(set(paths))
    if len(asked) > PATHS_ASKED or any(_rules_others(tree, path, known) for path in asked):
        return scan(tree, known, max_bytes, names=names)
    try:
        entries = list(tree.entries_at(asked, known)) if asked else []
    except SourceError:
        return scan(tree, known, max_bytes, names=names)
    found = _scanned(tree, entries, at_or_under(known, asked), max_bytes, names)
    found.looked_at = tuple(asked)
    return found


def at_or_under(known: Mapping[str, Kept], paths: Collection[str]) -> dict[str, Kept]:
    """What is kept of these paths and of everything below them."""
    wanted = set(paths)
    return {path: kept for path, kept in known.items() if path in wanted or _is_under(path, wanted)}


def _is_under(path: str, folders: Set[str]) -> bool:
    parts = path.split("/")
    return any("/".join(parts[:depth]) in folders for depth in range(1, len(parts)))


def _rules_others(tree: WorkTree, path: str, known: Known) -> bool:
    """Whether a path that changed decides about other files: rules, or a manifest that came or went."""
    name = path.rpartition("/")[2]
    if name in (OWN_IGNORE_FILE, ".gitignore", ".gitmodules") or not path:
        return True
    return name.lower() in VENDOR_NEIGHBOURS and (path in known) is not tree.has(path)


def _scanned(
    tree: WorkTree | CommitTree,
    entries: Iterable[Entry | Skipped],
    known: Known,
    max_bytes: int,
    names: Redactor | None,
) -> Scan:
    found = Scan(iter(()), 0, gone=set(known))
    to_read: list[Entry] = []
    for entry in _without_secret_names(entries, names) if names else entries:
        if isinstance(entry, Skipped):
            found.skipped.append(entry)
        elif entry.size_bytes > max_bytes:
            found.skipped.append(Skipped(entry.path, f"{entry.size_bytes:,} bytes, over the limit of {max_bytes:,}"))
        elif _is_known(entry, known):
            found.gone.discard(entry.path)
        else:
            to_read.append(entry)
    found.changed_count = len(to_read)
    found.changed = _read_changed(tree, to_read, known, found)
    return found


def _without_secret_names(entries: Iterable[Entry | Skipped], names: Redactor) -> Iterator[Entry | Skipped]:
    """The entries; one with a secret in its path is skipped. All are looked at as one: nearly always there is none."""
    listed = list(entries)
    together = "\n".join(entry.path for entry in listed)
    if names.redact(together) == together:
        yield from listed
        return
    for entry in listed:
        shown = names.redact(entry.path)
        if shown == entry.path:
            yield entry
        else:
            yield Skipped(shown, entry.reason if isinstance(entry, Skipped) else "its name holds a secret")


def _is_known(entry: Entry, known: Known) -> bool:
    before = known.get(entry.path)
    if before is None:
        return False
    if entry.content_hash:
        return entry.content_hash == before[2]
    return (entry.size_bytes, entry.mtime_ns) == before[:2]


def _read_changed(
    tree: WorkTree | CommitTree, to_read: list[Entry], known: Known, found: Scan
) -> Iterator[tuple[Entry, bytes]]:
    for entry in to_read:
        try:
            content = tree.read(entry.path)
        except SourceError as wrong:
            found.skipped.append(Skipped(entry.path, str(wrong).removeprefix(f"{entry.path}: ").rstrip(".")))
            continue
        if reason := content_reason(content, entry.path):
            found.skipped.append(Skipped(entry.path, reason))
            continue
        found.gone.discard(entry.path)
        content_hash = entry.content_hash or blob_id(content)
        if entry.path in known and known[entry.path][2] == content_hash:
            found.restamped[entry.path] = (len(content), entry.mtime_ns, content_hash)
            continue
        yield replace(entry, content_hash=content_hash), content
