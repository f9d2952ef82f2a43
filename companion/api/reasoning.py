"""Reasoning with what is remembered: how a request is meant, in which steps it is done, whether an action fits."""

from __future__ import annotations

from typing import Protocol

from companion.records.reasoning import Classified, Decomposed, Influences, Outcome, Recorded, Verified

INFLUENCES_TOLD = 100
"""Influences told unless more are asked for."""


class Reasoning(Protocol):
    """Requests read with memory, and what is learned from them. Every verb raises CompanionError with a next step.

    With no language model rules, vectors and outcomes decide; with one it has a say, which is checked first.
    """

    def classify(self, request: str, persona: str = "") -> Classified:
        """How a request is to be taken: where to (stream, file, process), for whom (human, machine), and what is done.

        With how surely, the memories used and what each did, and a question where it stays ambiguous.
        """

    def decompose(self, request: str, persona: str = "") -> Decomposed:
        """A request in steps: by three similar past tasks, three decisions in force, and what is open."""

    def verify(self, action: str, request: str = "", persona: str = "") -> Verified:
        """Whether an intended action fits what is known (and the request it is for), with the rules that say so.

        It is unknown wherever no rule, earlier answer or model decides it; unless it fits, another reading is offered.
        """

    def record_outcome(self, id_: str, outcome: Outcome, note: str = "", right: str = "") -> Recorded:
        """What came of an answer; it counts from the next request on, and after a restart.

        `right` says what a correction makes of it: a reading (`process/machine/execute`, or the one label that was
        wrong), the right steps with semicolons between them, or a verdict. `note` says what and why. A later outcome of
        the same answer takes the place of the earlier; the same again changes nothing.
        """

    def influences(self, id_: str, limit: int = INFLUENCES_TOLD) -> Influences:
        """What an answer rests on; or the answers that a memory or an open item moved, and those that they moved."""
