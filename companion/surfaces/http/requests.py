"""A request's body and query, read with a limit and a deadline, as the ask of a verb."""

from __future__ import annotations

import asyncio
from typing import TypeVar
from urllib.parse import parse_qs

from starlette.requests import ClientDisconnect, Request

from companion import wire
from companion.errors import UsageError
from companion.surfaces.http.access import BODY_MAX_BYTES, too_large
from companion.surfaces.http.problems import Refused
from companion.surfaces.http.verbs import Verb

Ask = TypeVar("Ask")

BODY_WAIT_S = 10
"""How long a body may take to arrive: it comes from this computer."""


async def ask_in(request: Request, verb: Verb) -> object:
    """What a request asks of a verb. Raises Refused if it is not understood."""
    data = await json_in(request)
    if verb.special.in_path:
        if isinstance(data, dict) and verb.special.in_path in data:
            raise unfit(UsageError(f"`{verb.special.in_path}` is part of the address.", "Leave it out of the body."))
        if isinstance(data, dict):
            data = {**data, verb.special.in_path: request.path_params[verb.special.in_path]}
    return understood(verb.ask, data)


async def json_in(request: Request) -> object:
    """The document a request carries. Raises Refused for any other body."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Refused(415, "NotJson", "The request is not JSON.", "Send `Content-Type: application/json`.")
    try:
        return wire.from_json(await body_of(request))
    except UsageError as wrong:
        raise Refused(400, "UsageError", wrong.what, wrong.next_step) from None


def query_of(request: Request, name: str) -> str:
    """One parameter of a request's query; a path may hold bytes that are no text. Empty if there is none."""
    query = bytes(request.scope["query_string"]).decode("latin-1")
    return parse_qs(query, errors="surrogateescape").get(name, [""])[0]


def understood(declared: type[Ask], data: object) -> Ask:
    """The record that JSON says. Raises Refused, naming the field that is off."""
    try:
        return wire.decode(declared, data)
    except UsageError as wrong:
        raise unfit(wrong) from None


def unfit(wrong: UsageError) -> Refused:
    """A request whose shape is wrong."""
    return Refused(422, type(wrong).__name__, wrong.what, wrong.next_step)


async def body_of(request: Request) -> bytes:
    """The bytes a request carries. Raises Refused if they are too many, too slow or break off."""
    read = bytearray()
    try:
        async with asyncio.timeout(request.scope.get("state", {}).get("patience_s", BODY_WAIT_S)):
            async for piece in request.stream():
                read += piece
                if len(read) > BODY_MAX_BYTES:
                    raise too_large()
    except TimeoutError:
        raise Refused(
            408, "TooSlow", "The request did not arrive in time.", "Send it again.", {"Connection": "close"}
        ) from None
    except ClientDisconnect:
        raise Refused(400, "BadRequest", "The request was cut off.", "Send it again.") from None
    return bytes(read)
