"""Nudges, asked of an owner."""

from __future__ import annotations

from companion.api import NUDGES_TOLD
from companion.client.remote.asker import Asker, result_of, result_or_none
from companion.records.nudges import Nudge, NudgeAnswer


class Nudges(Asker):
    """See `companion.api.nudges.Nudges` for the verbs."""

    def offer_nudge(self, path: str = "") -> Nudge | None:
        """Decide whether something is to be offered now."""
        return result_or_none(Nudge, self._write("/nudges/offer", path=path))

    def nudges(self, limit: int = NUDGES_TOLD) -> tuple[Nudge, ...]:
        """What was offered, and what was kept back and why."""
        return result_of(tuple[Nudge, ...], self._read("/nudges", limit=limit))

    def answer_nudge(self, id_: str, answer: NudgeAnswer) -> Nudge:
        """Note what somebody made of an offer."""
        return result_of(Nudge, self._slow("/nudges/answer", id=id_, answer=answer.value))
