"""Where an import leads, and the limits within which it is believed."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import normpath

from msgspec import Struct

from companion.syntax.definitions import Definitions

MAX_CANDIDATES = 3
"""An import that fits more files than this by the end of their paths means none of them for sure."""

MAX_PACKAGE_FILES = 400
"""Files of a package that a wildcard may mean; more is a namespace everything lies in."""


class Meant(Struct, frozen=True):
    """Where an import leads: `files` is what it names; `folders` where its names may come from.

    A package's front file often only passes names on; then the names are looked for in its folder.
    """

    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.files or self.folders)


NOWHERE = Meant()


def beside_or_ending(definitions: Definitions, path: str, name: str, tail: str = "") -> Iterator[Meant]:
    """The file that a path means, beside the one at `path` or else by its end (`tail`); none where too many fit."""
    here = join(folder_of(path), name)
    files = [here] if here in definitions else definitions.ending(tail or name)
    if 0 < len(files) <= MAX_CANDIDATES:
        yield Meant(tuple(definitions.nearest(files, path)))


def folder_of(path: str) -> str:
    """The folder of a path, '' at the top."""
    return path.rpartition("/")[0]


def join(folder: str, rest: str) -> str:
    """A path from a folder; '' if it leads out of the repository."""
    joined = normpath(f"{folder}/{rest}" if folder else rest)
    return "" if joined.startswith("..") or joined in {".", "/"} else joined.lstrip("/")
