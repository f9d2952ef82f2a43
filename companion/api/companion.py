"""All verbs together."""

from __future__ import annotations

from typing import Protocol

from companion.api.asking import Asking, Order
from companion.api.bringing import Bringing
from companion.api.browsing import Browsing
from companion.api.consolidating import Consolidating
from companion.api.judging import Judging
from companion.api.keeping import Keeping
from companion.api.looking import Looking
from companion.api.notes import Notes
from companion.api.nudges import Nudges
from companion.api.observing import Observing
from companion.api.opened import Opened
from companion.api.reasoning import Reasoning
from companion.api.settling import Settling
from companion.api.storied import Storied
from companion.api.talking import Talking
from companion.api.tending import Tending
from companion.api.turns import Turns
from companion.records import Context, Format, Signals


class Asked(Opened, Protocol):
    """What a context is asked of, and nothing else: all that a command needs which asks once and leaves."""

    def assemble(
        self, budget_tokens: int, signals: Signals, shown: Format, order: Order, *, count_use: bool = True
    ) -> Context:
        """See Asking."""


class Companion(
    Asking,
    Browsing,
    Keeping,
    Observing,
    Settling,
    Consolidating,
    Judging,
    Tending,
    Looking,
    Talking,
    Storied,
    Turns,
    Notes,
    Nudges,
    Bringing,
    Reasoning,
    Opened,
    Protocol,
):
    """One user's companion for one project. Every verb raises CompanionError with a next step."""
