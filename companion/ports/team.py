"""A team's server, as what synchronises with it asks: an append-only log with positions, and search over all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.records.team import TeamRecord


@dataclass(frozen=True, slots=True)
class Pulled:
    """A batch of the log: records by id in the order of the log, and the position to ask on from.

    `log` names the log itself: another name than before means another or a restored server, to be read from its start.
    """

    log: str
    position: int
    records: Mapping[str, TeamRecord]
    unread: int = 0
    """Records of the batch that this program does not know how to read, written by a newer one: kept on the server."""


@dataclass(frozen=True, slots=True)
class TeamHit:
    """A version found in the server, with its score, the highest first."""

    version: str
    score: float


class TeamServer(Protocol):
    """Every method raises TeamServerUnreachable (nobody knows whether it was done) or TeamServerRefused (why not)."""

    def push(self, project: str, records: Mapping[str, TeamRecord], vectors: Mapping[str, Sequence[float]]) -> int:
        """Append what the log does not have yet, in one transaction; returns how many were new."""

    def pull(self, project: str, after: int, limit: int) -> Pulled:
        """The next records after a position, at most `limit`; what is still being committed is never skipped."""

    def count_uses(self, project: str, member: str, uses: Mapping[str, int]) -> None:
        """Say how often this member's stores used each version, in all; a lower number than before changes nothing."""

    def uses(self, project: str) -> Mapping[str, int]:
        """How often each version was used, by all together."""

    def search(self, project: str, words: str, vector: Sequence[float] | None, limit: int) -> Sequence[TeamHit]:
        """The versions that fit best, by words and, where the server has vectors, by meaning."""

    def close(self) -> None:
        """Let go of the connections."""
