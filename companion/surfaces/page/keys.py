"""Who may look: a ticket that is good once and for a minute becomes a session that lasts as long as the daemon."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from companion.surfaces.http.problems import Refused

TICKET_S = 60.0
"""How long a ticket is good: a browser that starts cold takes ten seconds."""
TICKETS_MAX = 100
"""Tickets remembered, used ones too, so that who comes with one learns what is wrong with it."""
SESSIONS_MAX = 100
"""Browsers let in at once; the one that came in first is put out."""
SECRET_BYTES = 32
AGAIN = "Run `companion page` for a new link."


@dataclass
class _Ticket:
    folder: str
    made_at: float
    used: bool = False


@dataclass
class PageKeys:
    """Tickets and sessions of one listener. Neither is kept: what is remembered are their hashes."""

    clock: Callable[[], float] = time.monotonic
    _tickets: OrderedDict[bytes, _Ticket] = field(default_factory=OrderedDict)
    _sessions: OrderedDict[bytes, None] = field(default_factory=OrderedDict)

    def ticket(self, folder: str) -> str:
        """A new ticket that leads to a folder's page."""
        said = secrets.token_urlsafe(SECRET_BYTES)
        self._tickets[_hash(said)] = _Ticket(folder, self.clock())
        while len(self._tickets) > TICKETS_MAX:
            self._tickets.popitem(last=False)
        return said

    def enter(self, said: str) -> tuple[str, str]:
        """A session for a ticket, and the folder it leads to. Raises Refused for one that is used, old or not ours."""
        ticket = self._tickets.get(_hash(said))
        if ticket is None:
            raise Refused(403, "UnknownTicket", "This link is not one that Companion gave out.", AGAIN)
        if ticket.used:
            raise Refused(410, "UsedTicket", "This link has been used; each works once.", AGAIN)
        if self.clock() - ticket.made_at > TICKET_S:
            raise Refused(410, "OldTicket", f"This link is older than {TICKET_S:.0f} seconds.", AGAIN)
        ticket.used = True
        session = secrets.token_urlsafe(SECRET_BYTES)
        self._sessions[_hash(session)] = None
        while len(self._sessions) > SESSIONS_MAX:
            self._sessions.popitem(last=False)
        return session, ticket.folder

    def let_in(self, session: str) -> bool:
        """Whether a session is one of these."""
        return bool(session) and _hash(session) in self._sessions


def _hash(said: str) -> bytes:
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).digest()
