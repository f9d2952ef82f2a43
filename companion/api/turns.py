"""What was said, handed back: history for a host, the running array, sessions and what they are summed up to."""

from __future__ import annotations

from typing import Protocol

from companion.records.talk import Turn
from companion.records.turn_history import Compaction, History, RunningArray, TalkProgress, TalkSession, TurnMove, Whole

SESSIONS_TOLD = 20
"""Sessions listed unless more are asked for: a screen full."""
MOVES_TOLD = 100
"""Moves of turns listed unless more are asked for."""


class Turns(Protocol):
    """What was said, handed back within a budget. Every verb raises CompanionError with a next step."""

    def history(
        self, message: str = "", conversation: str = "", budget_tokens: int | None = None, *, back: bool | None = None
    ) -> History:
        """What was said before, for the answer to `message`: never more than the budget.

        The last turns always; earlier ones of this conversation and of others where the message points backwards
        (`back` says so or not instead). No `conversation` is the one going on; without one the last session is told.
        """

    def recall_turn(self, id_: str) -> Turn:
        """A turn in full, by its id or the beginning of it; a cold one stays in histories until the session ends."""

    def running(self, persona: str = "") -> RunningArray:
        """The one array of messages with a persona that a host may replay, across all conversations."""

    def compact(self, persona: str = "", *, now_at_once: bool = False) -> Compaction:
        """Make a block of the older turns of the array, where it is past its threshold or that is asked for."""

    def sessions(self, persona: str = "*", limit: int = SESSIONS_TOLD) -> tuple[TalkSession, ...]:
        """Sessions with a persona (`*`: with all), the newest first, with what they came to."""

    def talk_progress(self, persona: str = "") -> TalkProgress:
        """How it stands with a persona: counts, the last turn, how summing up goes."""

    def whole_summary(self, version: int = 0) -> Whole:
        """The summary of everything, its newest version or another."""

    def turn_moves(self, conversation: str = "", limit: int = MOVES_TOLD) -> tuple[TurnMove, ...]:
        """Which turns became warmer or colder, of a conversation or of all, the latest first."""
