"""Types as JSON schema, read from the same type hints as the wire; and forms that a language model fills in.

A form is a record, its limits beside the types of its fields; a reply that names them all, and no others, is one.
"""

from __future__ import annotations

import json
import types
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin

from companion.errors import UsageError
from companion.wire.decoding import decode
from companion.wire.shapes import TAG, WHOLE_MAX, Among, Between, choices, class_of, hints_of, is_record, required

T = TypeVar("T")
Schema = dict[str, Any]
"""A JSON schema: what stands under a key depends on the key."""

_PLAIN: Mapping[object, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer", "minimum": -WHOLE_MAX, "maximum": WHOLE_MAX},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    types.NoneType: {"type": "null"},
    datetime: {"type": "string", "format": "date-time"},
}


def form_of(record: type) -> Schema:
    """The schema of a form."""
    return _Whole().record(record)


def filled(form: type[T], reply: str) -> T | None:
    """The form that a reply has filled in; None for any other reply."""
    try:
        return filled_from(form, json.loads(reply))
    except (ValueError, RecursionError):
        return None


def filled_from(form: type[T], told: object) -> T | None:
    """The form that JSON fills in; None for any other."""
    if not isinstance(told, dict) or told.keys() != hints_of(form).keys():
        return None
    try:
        return decode(form, told)
    except UsageError:
        return None


class Forms:
    """Schemas of types; records stand where they are used."""

    def of(self, declared: object) -> Schema:
        """The schema of a type."""
        if get_origin(declared) is Annotated:
            inner, *limits = get_args(declared)
            return {**self.of(inner), **_limits(inner, limits)}
        if declared in _PLAIN:
            return dict(_PLAIN[declared])
        if is_record(declared):
            return self._named(declared.__name__, declared)
        if alternatives := choices(declared):
            return self._choice(alternatives, optional=types.NoneType in get_args(declared))
        return self._compound(class_of(declared), get_args(declared))

    def record(self, record: type, *, without: str = "", tag: str = "") -> Schema:
        """The schema of a record itself: all fields (but one), no others."""
        properties = {name: self.of(hint) for name, hint in hints_of(record).items() if name != without}
        needed = [name for name in required(record) if name != without]
        if tag:
            properties = {TAG: {"const": tag}, **properties}
            needed = [TAG, *needed]
        wanted = {"required": needed} if needed else {}
        return {"type": "object", "properties": properties, **wanted, "additionalProperties": False}

    def _named(self, name: str, record: type, tag: str = "") -> Schema:
        """The schema of a record that is a part of another."""
        return self.record(record, tag=tag)

    def _choice(self, alternatives: Sequence[object], *, optional: bool) -> Schema:
        if len(alternatives) == 1:
            parts = [self.of(alternatives[0])]
        else:
            records = map(class_of, alternatives)
            parts = [self._named(f"{one.__name__}Tagged", one, one.__name__) for one in records]
        if optional:
            parts.append({"type": "null"})
        return parts[0] if len(parts) == 1 else {"anyOf": parts}

    def _compound(self, origin: type, arguments: tuple[object, ...]) -> Schema:
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


class _Whole(Forms):
    """Schemas of forms: every field is to be named, whatever its default."""

    def record(self, record: type, *, without: str = "", tag: str = "") -> Schema:
        """The schema of a form, or of a part of one."""
        return super().record(record) | {"required": list(hints_of(record))}


def _limits(inner: object, limits: Sequence[object]) -> Schema:
    sort = "Length" if inner is str else "imum" if inner in (int, float) else "Items"
    said: Schema = {}
    for limit in limits:
        if isinstance(limit, Between):
            said |= {f"min{sort}": limit.least, f"max{sort}": limit.most}
        elif isinstance(limit, Among):
            said["enum"] = [one.value for one in limit.members]
    return said
