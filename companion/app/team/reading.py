"""Reading the team's folder: which of its files are still to be read, and which are not taken in, each with why.

A file is read once. It is read again where it was changed since, or where it was looked at by another version of this
program; what is known is not read, since its name says so. Who asks for an import by hand has every file read.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from companion.__about__ import __version__
from companion.api.team import TeamImport
from companion.app.checkout import OpenCheckout
from companion.app.team import exchange, folder
from companion.store import projects
from companion.wire import keep, kept

AGREED = "yes"


class FileRead(Struct, frozen=True):
    """A file that was looked at and is not known by its name: when it was changed last, and why it was not taken in.

    `changed_ns` are nanoseconds of the system's clock; `why` is empty where what it says was taken in or is withdrawn.
    """

    name: str
    changed_ns: int
    why: str


class FilesRead(Struct, frozen=True):
    """The files that a checkout looked at, and the version of this program that did."""

    by: str = ""
    files: tuple[FileRead, ...] = ()


def is_agreed(here: OpenCheckout) -> bool:
    """Whether scans of this project read the team's folder."""
    return projects.get_value(here.store.database, _agreement(here)) == AGREED


def agree(here: OpenCheckout, *, always: bool) -> None:
    """Let scans of this project read the team's folder, or no more."""
    projects.set_value(here.store.database, _agreement(here), AGREED if always else "")


def left_in(here: OpenCheckout, place: Path) -> tuple[dict[str, int], tuple[tuple[str, str], ...]]:
    """The files of the repository's folder that are to be read, and those that were not taken in, each with why.

    The first are names with the moment of the last change, as `FileRead` has it.
    """
    unknown, read = _unknown(here, place), {one.name: one for one in _looked_at(here)}
    same = {name: one for name, one in read.items() if unknown.get(name) == one.changed_ns}
    to_read = {name: at for name, at in unknown.items() if name not in same}
    return to_read, tuple((name, one.why) for name, one in same.items() if one.why)


def read_all(here: OpenCheckout, place: Path) -> TeamImport:
    """Take in every file of a folder. Raises SourceError where there is none."""
    unknown = _unknown(here, place)
    return _taken_in(here, place, unknown, folder.read_folder(place))


def read_some(here: OpenCheckout, place: Path, files: Mapping[str, int]) -> TeamImport:
    """Take in files of the repository's folder, as `left_in` told them."""
    return _taken_in(here, place, files, folder.read_folder(place, files))


def _taken_in(here: OpenCheckout, place: Path, unknown: Mapping[str, int], found: folder.FolderRead) -> TeamImport:
    arrived, refused = exchange.take_in(here, found.records)
    opened = exchange.follow(here)
    left = dict(found.problems) | {found.names[id_]: why for id_, why in refused}
    left = {name: here.fit(why) for name, why in left.items()}
    if place == _own_folder(here):
        _note(here, place, {name: at for name, at in unknown.items() if name in found.looked_at}, left)
    return TeamImport(
        str(place),
        len(arrived.records),
        arrived.memories,
        len(arrived.withdrawn),
        arrived.contradictions + opened,
        tuple((here.fit(name), why) for name, why in left.items()),
        tuple(name for name in found.changed if name not in left),
        is_agreed(here),
    )


def _note(here: OpenCheckout, place: Path, looked_at: Mapping[str, int], why: Mapping[str, str]) -> None:
    """Keep which files need not be read again; those that are gone or known are forgotten."""
    before = {one.name: one for one in _looked_at(here)}
    read = before | {name: FileRead(name, at, why.get(name, "")) for name, at in looked_at.items()}
    there = _unknown(here, place)
    files = tuple(read[name] for name in sorted(read.keys() & there.keys()) if name == here.fit(name))
    if files != tuple(before.values()):
        projects.set_value(here.store.database, _files(here), keep(FilesRead(__version__, files), FilesRead))


def _looked_at(here: OpenCheckout) -> tuple[FileRead, ...]:
    said = projects.get_value(here.store.database, _files(here))
    read = kept(FilesRead, said) if said else FilesRead()
    return read.files if read.by == __version__ else ()


def _unknown(here: OpenCheckout, place: Path) -> dict[str, int]:
    """The files whose names say no record that is known or was withdrawn here, with when each was changed last."""
    named = folder.files_in(place)
    settled = exchange.records_of(here.runtime).settled_among(here.project, [id_ for id_ in named.values() if id_])
    return {name: folder.changed_ns(place / name) for name, id_ in named.items() if id_ not in settled}


def _own_folder(here: OpenCheckout) -> Path | None:
    root = here.work_folder()
    return None if root is None else folder.folder_in(root)


def _agreement(here: OpenCheckout) -> str:
    """The name under which it is kept that scans of this project may read the team's folder."""
    return f"team folder:{here.project}"


def _files(here: OpenCheckout) -> str:
    """The name under which it is kept what a checkout read of its folder."""
    return f"team files:{here.checkout}"
