"""Lines of a client that are no messages: mended where that is safe, refused where somebody waits for an answer.

The protocol's library passes over what it cannot read, and whoever asked would wait for ever. What clients really
send is half a character, where a text was cut in the middle of an emoji, and a mark of byte order at the beginning.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR
from pydantic import ValidationError

if TYPE_CHECKING:  # the library has these to itself
    from mcp.shared._stream_protocols import ReadStream, WriteStream

_ESCAPE = re.compile(
    r"\\(?:(?P<whole>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})|(?P<half>u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
"""Each escape of a JSON text from the left, so that an escaped backslash before `ud800` is none."""
_BYTE_ORDER = "\ufeff"

NOT_JSON = types.JSONRPCError(
    jsonrpc="2.0",
    id=None,
    error=types.ErrorData(code=PARSE_ERROR, message="This line is not JSON. Next: send one JSON-RPC message a line."),
)

Came = SessionMessage | Exception
"""A message, or an error for a line that is none."""


async def mend(
    incoming: ReadStream[Came], mended_too: WriteStream[Came], outgoing: WriteStream[SessionMessage]
) -> None:
    """Pass on what arrives, lines mended and refused as the module says; what else is no message passes as it came."""
    async with mended_too:
        async for came in incoming:
            await mended_too.send(await _looked_at(came, outgoing))


async def _looked_at(came: Came, outgoing: WriteStream[SessionMessage]) -> Came:
    if not isinstance(came, ValidationError):
        return came
    given = [wrong["input"] for wrong in came.errors(include_url=False, include_context=False)]
    if (message := mended(given)) is not None:
        return SessionMessage(message)
    not_json = any(wrong["type"] == "json_invalid" and str(wrong["input"]).strip() for wrong in came.errors())
    if (refused := NOT_JSON if not_json else refusal(given)) is not None:
        await outgoing.send(SessionMessage(refused))
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
