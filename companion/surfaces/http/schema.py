"""The OpenAPI document: what each verb is asked with and answers, read from the same type hints as the wire."""

from __future__ import annotations

import inspect
import types
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

from companion import wire

Schema = dict[str, Any]

_PLAIN: Mapping[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer", "minimum": -wire.WHOLE_MAX, "maximum": wire.WHOLE_MAX},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    types.NoneType: {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
}

PROBLEM: Schema = {
    "type": "object",
    "description": "What went wrong (RFC 9457): `detail` says what happened, `next_step` what helps.",
    "required": ["type", "title", "status", "detail", "next_step", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "next_step": {"type": "string", "minLength": 1},
        "code": {"type": "string", "description": "The name of the error."},
        "holder_pid": {"type": ["integer", "null"]},
    },
}


class Schemas:
    """Schemas of types; those of records are collected under their names."""

    def __init__(self) -> None:
        self.components: dict[str, Schema] = {"Problem": PROBLEM}
        self._records: dict[str, Any] = {}

    def of(self, declared: Any) -> Schema:
        """The schema of a type, records by reference."""
        if get_origin(declared) is Annotated:
            inner, *limits = get_args(declared)
            return {**self.of(inner), **_limits(inner, limits)}
        if declared in _PLAIN:
            return dict(_PLAIN[declared])
        if is_dataclass(declared):
            return self._named(_name(declared), declared)
        if alternatives := wire.choices(declared):
            return self._choice(alternatives, optional=types.NoneType in get_args(declared))
        return self._compound(get_origin(declared) or declared, get_args(declared))

    def record(self, record: Any, *, without: str = "", tag: str = "") -> Schema:
        """The schema of a record itself: all fields, no others."""
        hints = {name: hint for name, hint in wire.hints_of(record).items() if name != without}
        properties = {name: self.of(hint) for name, hint in hints.items()}
        needed = [name for name in wire.required(record) if name != without]
        if tag:
            properties = {wire.TAG: {"const": tag}, **properties}
            needed = [wire.TAG, *needed]
        said: Schema = {"type": "object", "description": inspect.getdoc(record) or "", "properties": properties}
        if needed:
            said["required"] = needed
        said["additionalProperties"] = False
        return said

    def _named(self, name: str, record: Any, tag: str = "") -> Schema:
        if self._records.setdefault(name, record) is not record:  # two rooms have a record of that name
            name = f"{record.__module__.rpartition('.')[2].title()}{name}"
        if name not in self.components:
            self.components[name] = {}  # a record that holds its own kind finds its name taken
            self.components[name] = self.record(record, tag=tag)
        return {"$ref": f"#/components/schemas/{name}"}

    def _choice(self, alternatives: Sequence[Any], *, optional: bool) -> Schema:
        many = len(alternatives) > 1
        parts = [
            self._named(f"{_name(one)}Tagged", one, one.__name__) if many else self.of(one) for one in alternatives
        ]
        if optional:
            parts.append({"type": "null"})
        return parts[0] if len(parts) == 1 else {"anyOf": parts}

    def _compound(self, origin: Any, arguments: tuple[Any, ...]) -> Schema:
        if issubclass(origin, Enum):
            values = [member.value for member in origin]
            return {"type": "integer" if isinstance(values[0], int) else "string", "enum": values}
        if issubclass(origin, Path):
            return {"type": "string", "description": "An absolute path."}
        if issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(arguments[1])}
        if len(arguments) == 1 or arguments[1] is Ellipsis:
            return {"type": "array", "items": self.of(arguments[0])}
        rows = [self.of(one) for one in arguments]
        return {"type": "array", "prefixItems": rows, "minItems": len(rows), "maxItems": len(rows)}


def _name(record: Any) -> str:
    return str(record.__name__)


def _limits(inner: Any, limits: Sequence[Any]) -> Schema:
    least, most = ("minLength", "maxLength") if inner is str else ("minimum", "maximum")
    said: Schema = {}
    for limit in limits:
        if isinstance(limit, wire.Between):
            said |= {least: limit.least, most: limit.most}
    return said


def answer_schema(schemas: Schemas, result: Any, *, flat: bool) -> Schema:
    """What an answer holds: the result, or its fields, and the notices."""
    notices = {"type": "array", "items": {"type": "string"}, "description": "What the user should know beside it."}
    if flat:
        said = schemas.record(result)
        properties, needed = said["properties"], said["required"]
    else:
        properties, needed = {"result": schemas.of(result)}, ["result"]
    return {
        "type": "object",
        "properties": {**properties, "notices": notices},
        "required": [*needed, "notices"],
        "additionalProperties": False,
    }


def problems() -> Schema:
    """What is answered where something went wrong, whatever the verb."""
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    said = {
        "400": "The request is not one: no JSON, or broken HTTP.",
        "401": "The token is missing or wrong (only on TCP).",
        "403": "The request comes from another user or another page.",
        "404": "There is no such repository, memory or address.",
        "405": "The address has no such method.",
        "408": "The request was not sent in time.",
        "409": "The request was understood, and the state of things forbids it.",
        "413": "The request is too large.",
        "415": "The request is not JSON.",
        "422": "A field of the request is missing, unknown or has the wrong shape.",
        "429": "Too many requests; `Retry-After` says when to go on.",
        "500": "The program failed, or the store is damaged.",
        "503": "Too busy, too slow, or another process holds the store.",
        "507": "The disk is full or read-only.",
    }
    return {status: {"description": what, "content": content} for status, what in said.items()}
