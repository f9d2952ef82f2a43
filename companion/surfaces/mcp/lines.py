"""Lines of a client that are no messages: mended where that is safe, refused where somebody waits for an answer.

The protocol's library passes over what it cannot read, and whoever asked would wait for ever. What clients really
send is half a character, where a text was cut in the middle of an emoji, and a mark of byte order at the beginning.
"""

from __future__ import annotations

import re
from types import TracebackType
from typing import Protocol

import mcp_types as types
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST
from pydantic import ValidationError

_ESCAPE = re.compile(
    r"\\(?:(?P<whole>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
"""Each escape of a JSON text from the left, so that an escaped backslash before `ud800` is none."""
_BYTE_ORDER = "\ufeff"


class _Read(Protocol):
    """What arrives: messages, and an error for each line that is none."""

    async def receive(self) -> SessionMessage | Exception: ...
    async def aclose(self) -> None: ...
    def __aiter__(self) -> _Read: ...
    async def __anext__(self) -> SessionMessage | Exception: ...


class Write(Protocol):
    """Where answers go."""

    async def send(self, item: SessionMessage, /) -> None: ...


class MendedLines:
    """What arrives, with lines mended and refused as the module says; what else is no message passes as it came."""

    def __init__(self, incoming: _Read, outgoing: Write) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    @property
    def last_context(self) -> object:
        """The library's own note of who sent what came last."""
        return getattr(self._incoming, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        """The next that arrived."""
        return await self._looked_at(await self._incoming.receive())

    async def aclose(self) -> None:
        """Take nothing more."""
        await self._incoming.aclose()

    def __aiter__(self) -> MendedLines:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        return await self._looked_at(await self._incoming.__anext__())

    async def __aenter__(self) -> MendedLines:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _looked_at(self, came: SessionMessage | Exception) -> SessionMessage | Exception:
        if not isinstance(came, ValidationError):
            return came
        given = [wrong["input"] for wrong in came.errors(include_url=False, include_context=False)]
        if (message := mended(given)) is not None:
            return SessionMessage(message)
        if (refused := refusal(given)) is not None:
            await self._outgoing.send(SessionMessage(refused))
        return came


def mended(given: list[object]) -> types.JSONRPCMessage | None:
    """The message of a line that only half a character or a mark of byte order kept from being one."""
    line = next((one for one in given if isinstance(one, str)), "")
    whole = _ESCAPE.sub(_without_halves, line.removeprefix(_BYTE_ORDER))
    if whole == line:
        return None
    try:
        return types.jsonrpc_message_adapter.validate_json(whole, by_name=False)
    except ValidationError:
        return None


def refusal(given: list[object]) -> types.JSONRPCError | None:
    """The answer to what names itself a question and is put together wrongly; None where no answer is waited for."""
    for one in given:
        asked = one.get("id") if isinstance(one, dict) and "method" in one else None
        if isinstance(asked, (int, str)) and not isinstance(asked, bool):
            said = 'This is not a JSON-RPC 2.0 request. Next: give `jsonrpc` as "2.0", and `params` as an object.'
            return types.JSONRPCError(
                jsonrpc="2.0", id=asked, error=types.ErrorData(code=INVALID_REQUEST, message=said)
            )
    return None


def _without_halves(escape: re.Match[str]) -> str:
    return r"\ufffd" if escape["half"] else escape[0]
