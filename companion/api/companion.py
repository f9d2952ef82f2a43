"""All verbs together."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from companion.api.admin import AdminVerbs
from companion.api.ask import AskVerbs, Order
from companion.api.code import CodeVerbs
from companion.api.consolidation import ConsolidationVerbs
from companion.api.conversation import ConversationVerbs
from companion.api.memory import MemoryVerbs

if TYPE_CHECKING:
    from companion.records import Context, Format, Signals


class Companion(AskVerbs, MemoryVerbs, CodeVerbs, ConversationVerbs, ConsolidationVerbs, AdminVerbs, Protocol):
    """One user's companion for one project. Every verb raises CompanionError with a next step."""

    def close(self) -> None:
        """Let go of the store."""


class Asked(Protocol):
    """What a context is asked of, and nothing else: all that a command needs which asks once and leaves."""

    def assemble(
        self, budget_tokens: int, signals: Signals, shown: Format, order: Order, *, count_use: bool = True
    ) -> Context:
        """See AskVerbs."""

    def notices(self) -> tuple[str, ...]:
        """See AdminVerbs."""

    def now(self) -> datetime:
        """See AdminVerbs."""

    def close(self) -> None:
        """Let go of the store."""
