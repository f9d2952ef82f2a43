"""A team's records as files, one a record: git merges any branches of them without a conflict and without a driver.

A file's name ends with its record's id and no file is ever rewritten, so two branches that both have one have the same.
What is read may be anybody's: links are not followed, sizes and numbers are bounded, and what cannot be read is named
and left where it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from msgspec import Struct, field

from companion.errors import SourceError, StoreUnwritable, UsageError
from companion.records.memory import TEAM_FOLDER
from companion.records.team import SharedVersion, TeamRecord
from companion.team.text import ID_DIGITS, read, record_id, written

FILE_BYTES_MAX = 256_000
"""Bytes of one file: a record with every text as long as it may be has half of it."""
FILES_MAX = 50_000
"""Files that are read: two hundred people who share one thing a day for a year."""
SLUG_CHARACTERS = 40
"""Of a file's name, for whoever looks through the folder."""
_NAME = re.compile(rf"(?:[a-z0-9-]+-)?([0-9a-f]{{{ID_DIGITS}}})\.json")
_APART = re.compile(r"[^a-z0-9]+")
_MARK = b"<<<<<<<"
_SAID = {"Withdrawal": "withdrawn", "SharedResolution": "resolved", "SharedVerdict": "judged"}
"""What the names of files begin with whose records have no text of their own."""


class FolderRead(Struct, frozen=True):
    """What files hold: records by id, in which file each is, and those changed by hand.

    `problems` are files that could not be read, each with why; `looked_at` are the names of all that were opened.
    """

    records: Mapping[str, TeamRecord] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[tuple[str, str], ...] = ()
    changed: tuple[str, ...] = ()
    looked_at: frozenset[str] = frozenset()


def folder_in(root: Path) -> Path:
    """The team's folder in a repository. Raises UsageError where a link leads it elsewhere."""
    folder = root / TEAM_FOLDER
    with suppress(OSError, RuntimeError):
        if folder.resolve() == root.resolve() / TEAM_FOLDER:
            return folder
    raise UsageError(f"{TEAM_FOLDER} is a link that leads elsewhere.", "Put a folder there.")


def files_in(folder: Path) -> dict[str, str]:
    """The names of the files, each with the id that it says, empty where it says none; nothing is read."""
    return {name: found[1] if (found := _NAME.fullmatch(name)) else "" for name in _names(folder)}


def ids_in(folder: Path) -> dict[str, str]:
    """The ids that the names of the files say, each with its file's name; nothing is read."""
    return {id_: name for name, id_ in files_in(folder).items() if id_}


def changed_ns(path: Path) -> int:
    """When a file was changed last, in nanoseconds; 0 where that cannot be found out."""
    with suppress(OSError):
        return path.lstat().st_mtime_ns
    return 0


def write(folder: Path, records: Mapping[str, TeamRecord], withdrawn: frozenset[str]) -> tuple[list[str], list[str]]:
    """Write the records that have no file yet and remove the files of withdrawn versions; the names of both.

    Each file is whole or not there. Raises StoreUnwritable.
    """
    there = ids_in(folder)
    made = {id_: f"{_slug(record)}-{id_}.json" for id_, record in records.items() if id_ not in there}
    gone = [name for id_, name in there.items() if id_ in withdrawn]
    try:
        if made:
            folder.mkdir(parents=True, exist_ok=True)
        for id_, name in made.items():
            _put(folder / name, written(records[id_]).encode())
        for name in gone:
            (folder / name).unlink(missing_ok=True)
    except OSError as wrong:
        why = f"{folder} cannot be written: {wrong.strerror or wrong}."
        raise StoreUnwritable(why, "Make it writable, then export again.") from wrong
    return list(made.values()), gone


def read_folder(folder: Path, names: Iterable[str] | None = None) -> FolderRead:
    """The records of some files of a folder, of all unless they are named.

    Raises SourceError where there is no folder to look into.
    """
    if not folder.is_dir():
        raise SourceError(f"There is no folder {folder}.", "`companion team export` makes one, where somebody shares.")
    records: dict[str, TeamRecord] = {}
    found: dict[str, str] = {}
    problems: list[tuple[str, str]] = []
    changed: list[str] = []
    looked_at: set[str] = set()
    for name in _names(folder) if names is None else names:
        if len(looked_at) >= FILES_MAX:
            problems.append((name, f"it and what comes after it are more than {FILES_MAX:,} files"))
            break
        looked_at.add(name)
        try:
            record = read(_bytes_of(folder / name))
        except UsageError as wrong:
            problems.append((name, f"{wrong.what.lower()[:1]}{wrong.what[1:]}".removesuffix(".")))
            continue
        id_ = record_id(record)
        records[id_], found[id_] = record, name
        if (said := _NAME.fullmatch(name)) is None or said[1] != id_:
            changed.append(name)
    return FolderRead(records, found, tuple(problems), tuple(changed), frozenset(looked_at))


def _names(folder: Path) -> Iterator[str]:
    try:
        yield from sorted(path.name for path in folder.iterdir() if path.name.endswith(".json") and path.name[0] != ".")
    except OSError:
        return


def _bytes_of(path: Path) -> bytes:
    """What a file holds. Raises UsageError for what is not a file of the folder itself, or larger than any record."""
    try:
        file = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(file, "rb") as opened:
            if path.is_symlink() or not path.is_file():
                raise UsageError("It is not a file.")
            content = opened.read(FILE_BYTES_MAX + 1)
    except OSError as wrong:
        raise UsageError("It is a link." if path.is_symlink() else f"It cannot be read: {wrong.strerror}.") from wrong
    if len(content) > FILE_BYTES_MAX:
        raise UsageError(f"It has more than {FILE_BYTES_MAX:,} bytes.")
    if _MARK in content:
        raise UsageError("It has marks of a merge conflict.")
    return content


def _put(path: Path, content: bytes) -> None:
    new = path.with_name(f".{path.name}.new")
    with new.open("wb") as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())
    new.replace(path)


def _slug(record: TeamRecord) -> str:
    if not isinstance(record, SharedVersion):
        return _SAID[type(record).__name__]
    return _APART.sub("-", record.draft.levels.index.lower())[:SLUG_CHARACTERS].strip("-") or "memory"
