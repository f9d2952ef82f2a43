"""A team's server, as what synchronises with it asks: an append-only log with positions, and search over all of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from msgspec import Struct


class LogEntry(Struct, frozen=True):
    """A record as a server keeps it: its id and text, and what may be told of it without reading the text.

    `kind` is the name of the record's class; `made_at` is naive UTC.
    """

    id: str
    kind: str
    author: str
    made_at: datetime
    text: str


class LogPlace(Struct, frozen=True):
    """How far a log was read: its name, a position, and the digest of all records up to there.

    By the three a laptop knows a log that is not the one it read, or that lost what it had: one restored from a backup.
    """

    log: str = ""
    position: int = 0
    chain: str = ""


class Pulled(Struct, frozen=True):
    """A batch of the log: texts by id in the order of the log, and the place to ask on from.

    `more` says whether the batch was full. `anew`: the log is not the one that was asked about, so it was read from
    its start, and what is known here may be missing there.
    """

    place: LogPlace
    texts: Mapping[str, str]
    more: bool = False
    anew: bool = False


class TeamHit(Struct, frozen=True):
    """A version found in the server, with its score, the highest first."""

    version: str
    score: float


class TeamServer(Protocol):
    """The log of one project. Of one thread at a time, but for `wake` and `close`.

    Every method raises TeamServerUnreachable (nobody knows whether it was done; ask again later) or TeamServerRefused
    (why not; asking again changes nothing).
    """

    def push(self, entries: Sequence[LogEntry], vectors: Mapping[str, Sequence[float]]) -> int:
        """Append what the log does not have yet, in one transaction; returns how many were new.

        `vectors` are of versions that this login appended, now or earlier.
        """

    def pull(self, after: LogPlace, limit: int) -> Pulled:
        """The next records after a place, at most `limit`; what is still being committed is never skipped."""

    def without_vectors(self, limit: int) -> Sequence[str]:
        """Versions that this login appended and that have no vector yet; none where the server keeps no vectors."""

    def elect(self) -> bool:
        """Whether this laptop is the one of its project that has a model read what all share, until `release`."""

    def exchange_uses(self, versions: Collection[str]) -> Mapping[str, int]:
        """Say which versions were cited at this login; returns by how many others each version was.

        Each counts once, however often it was cited; what the log does not have counts for nothing.
        """

    def search(self, words: str, vector: Sequence[float] | None, limit: int) -> Sequence[TeamHit]:
        """The versions that fit best, by words and, where the server has vectors, by meaning."""

    def wait(self, seconds: float | None) -> None:
        """Wait until the log has grown, `wake` is called or the time is over (None: for as long as it takes)."""

    def wake(self) -> None:
        """Have `wait` return, now or when it is called next; from any thread."""

    def close(self) -> None:
        """Ask nothing any more; from any thread: what is being asked ends with TeamServerUnreachable."""

    def release(self) -> None:
        """Let go of everything; by the thread that asked, when it asks no more."""
