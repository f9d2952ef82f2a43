"""What is asked of memory: a context, why it is as it is, a forecast, a search, what stands behind an id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from companion.records import Context, ContextItem, Forecast, Format, Linked, Memory, SearchHit, SearchQuery, Signals

ARCHIVED_MATCH = "archived match as well"
"""In the notice of a search whose words fit memories that were put away."""


class Order(StrEnum):
    """For whom a context is ordered: by importance for people, most stable first for assistants."""

    PEOPLE = "people"
    ASSISTANTS = "assistants"


@dataclass(frozen=True, slots=True)
class Explained:
    """One item of a context: why it is there, and what would be there without it."""

    item: ContextItem
    instead: tuple[ContextItem, ...] = ()
    freed_tokens: int = 0
    linked: tuple[Linked, ...] = ()
    """What it has to do with, as runs have found it."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a context is as it is."""

    context: Context
    items: tuple[Explained, ...]


@dataclass(frozen=True, slots=True)
class Expansion:
    """Everything behind an id: a memory with its versions, or a file with its symbols."""

    id: str
    title: str
    text: str
    memory: Memory | None = None
    versions: tuple[Memory, ...] = ()
    linked: tuple[Linked, ...] = ()
    """What it has to do with, as runs have found it."""


@dataclass(frozen=True, slots=True)
class Card:
    """What else is known of somebody or something that is named: up to three facts, the most important first."""

    entity: str
    name: str
    facts: tuple[Memory, ...]


class Asking(Protocol):
    """What is asked of memory. Every verb raises CompanionError with a next step."""

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
        """What matches a query, best first: memories, and passages of files, commits and conversations."""

    def cards(self, ids: Sequence[str], persona: str = "") -> tuple[Card, ...]:
        """For whom and what these memories name, up to three more facts each; the most named first."""

    def expand(self, id_: str) -> Expansion:
        """Everything behind an id (a prefix is enough), `file:PATH` or `history:PATH`."""
