"""Nudges: what is offered unasked, at most once, and what is kept back and why."""

from __future__ import annotations

from typing import Protocol

from companion.records.nudges import Nudge, NudgeAnswer

NUDGES_TOLD = 50
"""Nudges listed unless more are asked for: a screen full."""


class Nudges(Protocol):
    """Offers, never demands. Every verb raises CompanionError with a next step."""

    def offer_nudge(self, path: str = "") -> Nudge | None:
        """Decide whether something is to be offered now, and note that it was: whoever asks shows it, once.

        `path` is the file at hand. A nudge that is given out joins the conversation that is going on.
        """

    def nudges(self, limit: int = NUDGES_TOLD) -> tuple[Nudge, ...]:
        """What was offered, with its answer, and what was kept back and why; decided last first."""

    def answer_nudge(self, id_: str, answer: NudgeAnswer) -> Nudge:
        """Note what somebody made of an offer. `done` settles the task, or ends the conversation for review."""
