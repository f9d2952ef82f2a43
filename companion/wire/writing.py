"""Records to JSON: what is sent follows from the type hints of a record, read once a class."""

from __future__ import annotations

import json
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

from companion.wire.shapes import TAG, choices, hints_of

Writing = Callable[[Any], object]


def encode(value: object, declared: Any = None) -> object:
    """A record as JSON can hold it. `declared` is the type it stands under, if that leaves a choice of records."""
    if declared is None and isinstance(value, (tuple, list)):
        return [encode(item) for item in value]
    wanted: Any = type(value) if declared is None else declared
    write = _writing(wanted)
    return value if write is None else write(value)


def to_json(value: object) -> bytes:
    """What `encode` gave, as bytes; half characters are kept as escapes."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")


@cache
def _writing(declared: Any) -> Writing | None:
    """How values of a type are written; None: they are JSON already."""
    if get_origin(declared) is Annotated:
        return _writing(get_args(declared)[0])
    if declared in {str, int, bool, float, types.NoneType}:
        return None
    if is_dataclass(declared):
        return _record_writing(typing.cast(type, declared))
    if alternatives := choices(declared):
        return _choice_writing(alternatives)
    origin = get_origin(declared) or declared
    for base, write in _SIMPLE:
        if issubclass(origin, base):
            return write
    if issubclass(origin, Mapping):
        return _mapping_writing(get_args(declared))
    if issubclass(origin, Sequence):
        return _sequence_writing(get_args(declared))
    raise TypeError(f"{declared} has no form in JSON")


@cache
def _record_writing(record: Any) -> Writing:
    names = tuple(hints_of(record))
    written = [(name, write) for name, hint in hints_of(record).items() if (write := _writing(hint)) is not None]
    values = attrgetter(*names) if len(names) > 1 else None

    def write_record(value: object) -> object:
        shown = dict(zip(names, values(value), strict=True)) if values else {n: getattr(value, n) for n in names}
        for name, write in written:
            shown[name] = write(shown[name])
        return shown

    return write_record


def _choice_writing(alternatives: tuple[Any, ...]) -> Writing | None:
    if len(alternatives) == 1:
        write = _writing(alternatives[0])
        return None if write is None else lambda value: None if value is None else write(value)
    if not all(is_dataclass(one) for one in alternatives):
        raise TypeError(f"a choice of {alternatives} cannot be told apart in JSON")

    def write_choice(value: object) -> object:
        return None if value is None else {TAG: type(value).__name__, **_record_of(value)}

    return write_choice


def _record_of(value: object) -> dict[str, object]:
    record: Any = type(value)
    return typing.cast(dict[str, object], _record_writing(record)(value))


def _mapping_writing(arguments: tuple[Any, ...]) -> Writing:
    write = _writing(arguments[1]) if len(arguments) > 1 else None
    if write is None:
        return dict
    return lambda value: {key: write(item) for key, item in value.items()}


def _sequence_writing(arguments: tuple[Any, ...]) -> Writing:
    if not arguments:
        return lambda value: [encode(item) for item in value]
    if len(arguments) == 1 or arguments[1] is Ellipsis:
        write = _writing(arguments[0])
        return list if write is None else lambda value: [write(item) for item in value]
    writes = [_writing(one) for one in arguments]
    return lambda value: [item if write is None else write(item) for write, item in zip(writes, value, strict=True)]


def _moment_text(value: datetime) -> str:
    return value.isoformat() + "Z"


_SIMPLE: tuple[tuple[type, Writing], ...] = ((Enum, attrgetter("value")), (datetime, _moment_text), (Path, str))
