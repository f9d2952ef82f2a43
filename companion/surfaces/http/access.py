"""Who may come in over HTTP: judged before anything of a request is read but its head.

On the Unix socket the system says whose process is there (`client/peers.py`). On TCP, which every process and
every web page of this computer can reach, a request must name us (so that no foreign name resolves to us: DNS
rebinding), must not come from another page, and must hold the token of a file that only the user can read.
There are no CORS headers: no page of another origin is ever allowed.
"""

from __future__ import annotations

import hmac
import socket
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from companion.surfaces.http.problems import Refused, response_of

BODY_MAX_BYTES = 8_000_000
"""A storm of observations, or an error log of a megabyte in every escape JSON has, is smaller."""
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""Names that mean this computer, whoever resolves them."""

BACKLOG = 64
"""Connections that wait to be accepted; a browser opens six."""

UNIX = "unix"
"""What a connection's state says under `listener` when the system vouches for the user at its other end."""


def loopback(port: int) -> socket.socket:
    """A port of this computer alone, bound and listening; 0 takes any. Raises OSError if another has it."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


class Guard(ABC):
    """Lets requests through to an application, or answers why not."""

    refusal: Callable[[Refused], Response] = staticmethod(response_of)
    """How a request is answered that is not let through."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            return
        try:
            heads = Heads(scope["headers"])
            self.judge(scope, heads)
            _need_room(heads)
        except Refused as wrong:
            await self.refusal(wrong)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    @abstractmethod
    def judge(self, scope: Scope, heads: Heads) -> None:
        """Raise Refused for a request that may not come in."""


class AccessGuard(Guard):
    """Lets requests through to the API."""

    def __init__(self, app: ASGIApp, token: str = "", told_by: str = "`companion status`") -> None:
        """`token` must be said on TCP; `told_by` names the file that it stands in, for people."""
        super().__init__(app)
        self._token = token.encode()
        self._told_by = told_by

    def judge(self, scope: Scope, heads: Heads) -> None:
        """Let in our own user's processes, and on TCP who names us and says the token."""
        if (scope.get("state") or {}).get("listener") != UNIX:
            _need_our_name(heads.one("host"), scope.get("server"))
            self._need_token(heads.one("authorization"))
        _need_our_page(heads)

    def _need_token(self, given: str) -> None:
        scheme, _, token = given.partition(" ")
        right = hmac.compare_digest(token.strip().encode("utf-8", "surrogateescape"), self._token)
        if not self._token or scheme.lower() != "bearer" or not right:
            raise Refused(
                401,
                "Unauthorised",
                "The token is missing or wrong.",
                f"Send `Authorization: Bearer TOKEN` with the token from the file that {self._told_by} names.",
                {"WWW-Authenticate": "Bearer", "Connection": "close"},
            )


class Heads:
    """The head lines of a request by name; a name that comes twice counts as wrong, since readers would differ."""

    def __init__(self, lines: Iterable[tuple[bytes, bytes]]) -> None:
        self._lines = list(lines)

    def one(self, name: str) -> str:
        """The value under a name; empty if there is none. Raises Refused for two."""
        values = [value for key, value in self._lines if key == name.encode()]
        if len(values) > 1:
            raise Refused(400, "BadRequest", f"The header `{name}` is sent twice.", "Send it once.")
        return values[0].decode("latin-1").strip() if values else ""


def _need_room(heads: Heads) -> None:
    """Let a request pass that is not too large. Raises Refused for any other."""
    length = heads.one("content-length")
    if length.isdigit() and int(length) > BODY_MAX_BYTES:
        raise too_large()


def _need_our_name(host: str, server: tuple[str, int | None] | None) -> None:
    port = server[1] if server else None
    if host.lower() not in {f"{name}:{port}" for name in LOOPBACK}:
        raise Refused(
            403, "ForeignName", "The request was sent to a name that is not ours.", f"Ask http://127.0.0.1:{port}."
        )


def _need_our_page(heads: Heads) -> None:
    origin, host = heads.one("origin"), heads.one("host")
    site = heads.one("sec-fetch-site")
    if (origin and origin.lower() != f"http://{host.lower()}") or (site and site not in {"same-origin", "none"}):
        raise Refused(
            403,
            "ForeignPage",
            "The request comes from a page that is not ours.",
            "Ask from a program of this computer.",
        )


def too_large() -> Refused:
    """A body that is larger than any that makes sense."""
    return Refused(
        413, "TooLarge", f"The request is larger than {BODY_MAX_BYTES:,} bytes.", "Split it into smaller requests."
    )
