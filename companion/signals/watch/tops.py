"""Which folders are watched: each top with what is entered below it, and how systems are asked."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct


class Top(Struct, frozen=True):
    """A folder to watch, by its absolute path; `enters` says whether one below it is watched too."""

    path: str
    enters: Callable[[str], bool]


class Sees(Protocol):
    """Who is told what a source sees, from a thread of the source's."""

    def seen(self, path: str) -> None:
        """Something happened at an absolute path: a file, or a folder and everything in it."""

    def lost(self) -> None:
        """Something was missed: the whole tree is to be looked at."""

    def short(self, reason: str) -> None:
        """Not every folder can be watched."""

    def gone(self, top: str) -> None:
        """A top was moved away or deleted."""


class WatchSource(Protocol):
    """One way of seeing changes below some tops."""

    @property
    def folders(self) -> int:
        """How many folders are watched; 0 where the system does not say."""

    def start(self) -> None:
        """Begin. Raises OSError if a top cannot be watched at all."""

    def leave(self, folder: str) -> None:
        """A folder turned out to be ignored: neither it nor what lies below is watched any longer."""

    def look_again(self) -> None:
        """Watch what is to be watched and is not yet."""

    def close(self) -> None:
        """Stop watching."""


def folders_of(tops: Sequence[Top]) -> Iterator[str]:
    """All folders that are to be watched, tops first; links are not followed."""
    waiting = [(top.path, top) for top in tops]
    while waiting:
        folder, top = waiting.pop()
        yield folder
        waiting += [(below, top) for below in folders_in(folder) if top.enters(below)]


def folders_in(folder: str) -> list[str]:
    """The folders directly in a folder, links aside; none if it cannot be opened."""
    try:
        with os.scandir(folder) as entries:
            return [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
