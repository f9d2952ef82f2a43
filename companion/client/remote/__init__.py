"""The companion that an owner answers for: every verb is a request, what comes back is the same as at home.

A module is a family of verbs, as in `companion.api`.
"""

from __future__ import annotations

from datetime import datetime

from companion.api import OwnerState
from companion.client.calling import READ_S, Caller
from companion.client.finding import Address
from companion.client.remote.asker import result_of
from companion.client.remote.asking import Asking
from companion.client.remote.bringing import Bringing
from companion.client.remote.browsing import Browsing
from companion.client.remote.consolidating import Consolidating
from companion.client.remote.keeping import Keeping
from companion.client.remote.looking import Looking
from companion.client.remote.notes import Notes
from companion.client.remote.nudges import Nudges
from companion.client.remote.observing import Observing
from companion.client.remote.reasoning import Reasoning
from companion.client.remote.settling import Settling
from companion.client.remote.storied import Storied
from companion.client.remote.talking import Talking
from companion.client.remote.tending import Tending
from companion.client.remote.turns import Turns

__all__ = ["RemoteCompanion", "stop"]


class RemoteCompanion(
    Asking,
    Browsing,
    Keeping,
    Observing,
    Settling,
    Consolidating,
    Tending,
    Looking,
    Talking,
    Storied,
    Turns,
    Notes,
    Nudges,
    Bringing,
    Reasoning,
):
    """Asks an owner. See `companion.api.Companion` for the verbs; it may be shared by threads."""

    def notices(self) -> tuple[str, ...]:
        """What the user should know beside the answers so far; before any, what the owner has to say."""
        if not self._notices:
            self._read("/notices")
        return tuple(self._notices)

    def now(self) -> datetime:
        """The owner's clock, naive UTC."""
        return result_of(datetime, self._read("/now"))

    def state(self) -> OwnerState:
        """Who the owner is and what it does."""
        return result_of(OwnerState, self._caller.get("/status", self._deadline_s))

    def page(self) -> str:
        """A link to the repository's page, for a browser; it works once, within a minute."""
        return result_of(str, self._slow("/page"))

    def close(self) -> None:
        """Hang up; the owner goes on."""
        self._caller.close()


def stop(address: Address, why: str) -> None:
    """Ask an owner to end; it ends after it has answered. Raises CompanionError if nobody answers."""
    caller = Caller(address)
    try:
        caller.ask("/stop", {"why": why}, READ_S, again=False)
    finally:
        caller.close()
