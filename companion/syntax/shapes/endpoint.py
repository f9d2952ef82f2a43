"""Endpoints: where a route is declared, by decorator, annotation, call or block."""

from __future__ import annotations

import re
from collections.abc import Iterator

from companion.records import FileRole, ReferenceKind, Shape, ShapeFamily
from companion.syntax.captures import ShapePart
from companion.syntax.shapes.ground import Ground, short, unquoted
from companion.syntax.words import words

_METHODS = words(
    """
    get post put patch delete head options any all trace websocket link unlink
    """
)
_METHOD_WORD = re.compile(r"get|post|put|patch|delete|head|options", re.IGNORECASE)
# Objects that ask rather than answer: HTTP clients, maps, responses.
_ASKING = re.compile(
    r"client|session|request|httpx|axios|fetch|agent|response|\bres\b|header|cache|config|params|environ|cookie|"
    r"storage|\bhttp\b|\bself\.get|\bcy\b|browser|driver|nock|mock|server\.inject|^…$|^this$",
    re.IGNORECASE,
)
_MARKS = {"/", "^", "*"}


def endpoint(ground: Ground) -> Iterator[Shape]:
    """Route declarations; slots: method, path, handler."""
    decorated = {reference.line: reference for _, reference in ground.uses(ReferenceKind.DECORATE)}
    for event, line, inside in ground.events("route"):
        mark = decorated.get(line)
        if mark is None and not _declares(event, ground.role):
            continue
        verb = event.parts.get("verb", "")
        method = verb.lower() if verb.lower() in _METHODS else ""
        slots = {
            "method": method or _method_in(verb, event.parts.get("path", "")),
            "path": short(unquoted(event.parts.get("path", ""))),
            "handler": short(event.parts.get("handler", "")),
        }
        key = _key(event, "{method}" if method else verb, decorated=mark is not None)
        slots = {name: value for name, value in slots.items() if value}
        yield Shape(ShapeFamily.ENDPOINT, key, line, mark.inside if mark else inside, slots)


def _declares(event: ShapePart, role: FileRole) -> bool:
    """Whether a call declares a route: it names a path and what answers, and its object is no client."""
    via = event.parts.get("via", "")
    path = unquoted(event.parts.get("path", ""))
    if via in {"Route", "…"} or not event.parts.get("verb"):
        return via == "Route"
    if event.parts["verb"].startswith("Handle"):
        return "handler" in event.parts
    if _ASKING.search(via) or (via.startswith("$this") and role is FileRole.TEST):
        return False
    if via:
        return path[:1] in _MARKS and "handler" in event.parts
    return "handler" in event.parts or path[:1] in _MARKS or path.startswith(":")


def _key(event: ShapePart, verb: str, *, decorated: bool) -> str:
    via = event.parts.get("via", "")
    joint = "::" if via == "Route" else "->" if via.startswith("$") else "."
    called = f"{via}{joint}{verb}" if via else verb
    return f"@{called}" if decorated else called


def _method_in(verb: str, path: str) -> str:
    """`GetMapping`, `HttpPost`, `GET /path`: the method inside a name."""
    found = _METHOD_WORD.search(verb) or _METHOD_WORD.match(unquoted(path))
    return found[0].lower() if found else ""
