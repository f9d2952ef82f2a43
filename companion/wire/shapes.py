"""What the vocabulary is made of: a record's fields with their types, and the limits that stand beside a type."""

from __future__ import annotations

import types
from collections.abc import Mapping
from enum import Enum, IntEnum
from functools import cache
from typing import TypeGuard, Union, get_args, get_origin

from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

TAG = "record"
"""The field that says which record an object is, where there is a choice."""
WHOLE_MAX = 2**63 - 1
"""The largest whole number that is understood: what 64 bits hold, in the store and elsewhere."""
MOMENT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"
"""A moment as it is written: RFC 3339, with its zone."""


class Spelling(IntEnum):
    """How records are spelled in JSON."""

    SENT = 0
    """Objects by field, moments with their zone: what is spoken."""
    KEPT = 1
    """Objects by field, moments in UTC without a zone: a column of the store."""
    PACKED = 2
    """Arrays in the order of the fields, else as kept: what is read by the thousand."""


class Between(Struct, frozen=True):
    """Put beside a number's or text's type: the least and the most, of the value or of its characters."""

    least: int
    most: int


class Among(Struct, frozen=True):
    """Put beside an enumeration: the members that are allowed."""

    members: tuple[Enum, ...]


def is_record(declared: object) -> TypeGuard[type[Struct]]:
    """Whether a type is that of a record."""
    return isinstance(declared, type) and issubclass(declared, Struct)


def hints_of(record: type) -> Mapping[str, object]:
    """The fields of a record with their types, in order."""
    return _hints(record)


@cache
def defaults_of(record: type) -> Mapping[str, object]:
    """What a field is where nothing is said, for those that have a default; what is made anew was made once here."""
    fresh = ((one.name, one.default, one.default_factory) for one in fields(record) if not one.required)
    return {name: default if make is NODEFAULT else make() for name, default, make in fresh}


def required(record: type) -> tuple[str, ...]:
    """The fields of a record that have no default."""
    return tuple(name for name in hints_of(record) if name not in defaults_of(record))


@cache
def usual_of(record: type) -> object:
    """The record that says nothing but its defaults, one for all; None where a field has none."""
    return None if required(record) else record()


def choices(declared: object) -> tuple[object, ...]:
    """The alternatives of a union without None; empty for every other type."""
    if get_origin(declared) in {Union, types.UnionType}:
        return tuple(one for one in get_args(declared) if one is not types.NoneType)
    return ()


def class_of(declared: object) -> type:
    """The class that a type is, or is a generic of. Raises TypeError for what is neither."""
    found = get_origin(declared) or declared
    if not isinstance(found, type):
        raise TypeError(f"{declared} has no form in JSON")
    return found


@cache
def _hints(record: type) -> Mapping[str, object]:
    return {one.name: one.type for one in fields(record)}
