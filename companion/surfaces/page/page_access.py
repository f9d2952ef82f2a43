"""Who may come in to the page, and what a browser may do with what it gets.

The listener is on loopback, where every process and every web page of this computer can knock. A request must name
this computer (so that no foreign name resolves to us: DNS rebinding), must not come from another page, not even one
that another program serves on this computer, and must bring the session's cookie. Only the link with its ticket may
be followed from anywhere. The port of the name is not looked at: an editor that works on another computer forwards
ours to one of its own.
"""

from __future__ import annotations

from starlette.types import Message, Receive, Scope, Send

from companion.surfaces.http.access import LOOPBACK, Guard, Heads
from companion.surfaces.http.problems import Refused
from companion.surfaces.page.rendering import refusal

ENTRANCE = "/enter"
"""How the address of the link ends; the ticket follows in its query."""
READING = frozenset({"GET", "HEAD"})
OWN = frozenset({"same-origin", "none"})
"""What a browser says of a request that our own page made, or that a person typed."""

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
"""What a page may load, run and send: from here and to here alone, nothing of it inline."""

SAFEGUARDS = (
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "same-origin"),  # stricter would take the Origin from our own forms
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
)


class PageAccess(Guard):
    """Lets requests through to the page; every answer carries the safeguards."""

    refusal = staticmethod(refusal)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                mine = [(name.encode(), value.encode()) for name, value in SAFEGUARDS]
                message = {**message, "headers": [*message["headers"], *mine]}
            await send(message)

        await super().__call__(scope, receive, safely)

    def judge(self, scope: Scope, heads: Heads) -> None:
        """Let in what names this computer and comes from our own page, or by the link."""
        _need_loopback(heads.one("host"))
        _need_own_page(scope, heads)


def _need_loopback(host: str) -> None:
    name, colon, port = host.lower().rpartition(":")
    if name not in LOOPBACK or not colon or not port.isdigit():
        raise Refused(
            403, "ForeignName", "The request was sent to a name that is not this computer's.", "Run `companion page`."
        )


def _need_own_page(scope: Scope, heads: Heads) -> None:
    site, origin, host = heads.one("sec-fetch-site"), heads.one("origin"), heads.one("host")
    reads = scope["method"] in READING
    ours = origin.lower() == f"http://{host.lower()}"
    if reads and scope["path"].endswith(ENTRANCE) and heads.one("sec-fetch-mode") in {"", "navigate"}:
        return
    if (origin and not ours) or (site and site not in OWN) or not (reads or ours):
        raise Refused(403, "ForeignPage", "The request comes from a page that is not ours.", "Run `companion page`.")
