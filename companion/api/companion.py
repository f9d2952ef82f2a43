"""All verbs together."""

from __future__ import annotations

from typing import Protocol

from companion.api.admin import AdminVerbs
from companion.api.ask import AskVerbs
from companion.api.code import CodeVerbs
from companion.api.consolidation import ConsolidationVerbs
from companion.api.conversation import ConversationVerbs
from companion.api.memory import MemoryVerbs
from companion.api.team import TeamVerbs


class Companion(
    AskVerbs, MemoryVerbs, CodeVerbs, ConversationVerbs, ConsolidationVerbs, AdminVerbs, TeamVerbs, Protocol
):
    """One user's companion for one project. Every verb raises CompanionError with a next step."""

    def close(self) -> None:
        """Let go of the store."""
