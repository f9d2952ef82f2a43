"""What is asked of memory: contexts and why they are so, forecasts, searches; requests read, taken apart, verified."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from companion.records import Context, ContextItem, Linked, Memory

if TYPE_CHECKING:  # `Route.declared` loads what the verb that is asked needs
    from companion.records import (
        Classified,
        Decomposed,
        Forecast,
        Format,
        Influences,
        Outcome,
        Recorded,
        SearchHit,
        SearchQuery,
        Signals,
        Verified,
    )

ARCHIVED_MATCH = "archived match as well"
"""In the notice of a search whose words fit memories that were put away."""
INFLUENCES_TOLD = 100
"""Influences told unless more are asked for."""


class Order(StrEnum):
    """For whom a context is ordered: by importance for people, most stable first for assistants."""

    PEOPLE = "people"
    ASSISTANTS = "assistants"


class Explained(Struct, frozen=True):
    """One item of a context: why it is there, and what would be there without it."""

    item: ContextItem
    instead: tuple[ContextItem, ...] = ()
    freed_tokens: int = 0
    linked: tuple[Linked, ...] = ()
    """What it has to do with, as runs have found it."""


class Explanation(Struct, frozen=True):
    """Why a context is as it is."""

    context: Context
    items: tuple[Explained, ...]


class Expansion(Struct, frozen=True):
    """Everything behind an id: a memory with its versions, or a file with its symbols."""

    id: str
    title: str
    text: str
    memory: Memory | None = None
    versions: tuple[Memory, ...] = ()
    linked: tuple[Linked, ...] = ()
    """What it has to do with, as runs have found it."""


class AskVerbs(Protocol):
    """What is asked of memory, and requests read with it. Every verb raises CompanionError with a next step.

    Requests are read by rules, vectors and outcomes; a language model, where there is one, has a say that is checked.
    """

    def assemble(
        self, budget_tokens: int, signals: Signals, shown: Format, order: Order, *, count_use: bool = True
    ) -> Context:
        """The four-tier context, never above the budget."""

    def explain(self, budget_tokens: int, signals: Signals, item_id: str | None, *, leave_one_out: bool) -> Explanation:
        """Why each item (or one) is in the context, and what would be there without it."""

    def explain_last(self, item_id: str | None, budget_tokens: int | None) -> Explanation:
        """Why the context that was asked for last is as it is."""

    def predict(self, signals: Signals) -> Forecast:
        """The files and memories that are likely needed next, likeliest first, each with why."""

    def search(self, query: SearchQuery) -> tuple[SearchHit, ...]:
        """What matches a query, best first: memories, passages of files, commits and talks, what settings declare."""

    def expand(self, id_: str) -> Expansion:
        """Everything behind an id (a prefix is enough), `file:PATH`, `history:PATH` or `topic:NAME`."""

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
