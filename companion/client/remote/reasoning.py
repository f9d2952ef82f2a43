"""Reasoning with what is remembered, asked of an owner."""

from __future__ import annotations

from companion.api.reasoning import INFLUENCES_TOLD
from companion.client.remote.asker import Asker, result_of
from companion.records.reasoning import Classified, Decomposed, Influences, Outcome, Recorded, Verified


class Reasoning(Asker):
    """See `companion.api.reasoning.Reasoning` for the verbs."""

    def classify(self, request: str, persona: str = "") -> Classified:
        """How a request is to be taken."""
        return result_of(Classified, self._write("/reason/classify", request=request, persona=persona))

    def decompose(self, request: str, persona: str = "") -> Decomposed:
        """A request in steps."""
        return result_of(Decomposed, self._write("/reason/decompose", request=request, persona=persona))

    def verify(self, action: str, request: str = "", persona: str = "") -> Verified:
        """Whether an intended action fits what is known."""
        said = self._write("/reason/verify", action=action, request=request, persona=persona)
        return result_of(Verified, said)

    def record_outcome(self, id_: str, outcome: Outcome, note: str = "", right: str = "") -> Recorded:
        """What came of an answer."""
        said = self._write("/reason/outcome", id=id_, outcome=outcome.value, note=note, right=right)
        return result_of(Recorded, said)

    def influences(self, id_: str, limit: int = INFLUENCES_TOLD) -> Influences:
        """What an answer rests on, or what a memory moved."""
        return result_of(Influences, self._read("/reason/influences", id=id_, limit=limit))
