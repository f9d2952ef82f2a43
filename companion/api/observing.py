"""What happens in an editor or shell, what work is about, and what a line has behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from companion.records import ASKING, CodeLens, Hint, Interest, Observation, Why

ASKED_AGAIN = 60
"""Times that a person who waits has git asked again: longer than it may take for one file."""


@dataclass(frozen=True, slots=True)
class AtWork:
    """What is at the centre of work now, as inferred from what was observed; most interesting first."""

    activity: str
    why_activity: str
    branch: str
    current_file: str
    interests: tuple[Interest, ...] = ()
    events: int = 0
    prefetched: int = 0
    """Contexts made before they were asked for."""
    prefetch_served: int = 0
    """Those of them that were then asked for."""


class Observing(Protocol):
    """What is seen at work, and what is shown there. Every verb raises CompanionError with a next step."""

    def observe(self, seen: Sequence[Observation]) -> None:
        """Take note of what happened in an editor or shell; written down before it is acted on."""

    def at_work(self) -> AtWork:
        """What is at the centre of work now, and how that is known."""

    def why(self, path: str, line: int) -> Why:
        """Why a line (from 1) is as it is, in ten lines at most, each with its source: the commit that wrote it first.

        Line 0 asks for the file as a whole. Where git takes long, `records.ASKING` stands for that commit: ask again.
        """

    def marks(self, path: str) -> tuple[CodeLens, ...]:
        """The definitions of a file that something is remembered about, by line."""

    def hints(self, path: str) -> tuple[Hint, ...]:
        """Open contradictions and departures from conventions in a file, by line."""


def why_in_full(companion: Observing, path: str, line: int) -> Why:
    """Why a line is as it is, once git has said who wrote it; for those who can wait some seconds for it."""
    told = companion.why(path, line)
    for _ in range(ASKED_AGAIN):
        if ASKING not in told.lines:
            break
        told = companion.why(path, line)
    return told
