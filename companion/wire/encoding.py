"""Records to JSON: what is sent follows from the type hints of a record, read once a class."""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

from companion.wire.shapes import TAG, Spelling, choices, class_of, hints_of, is_record, usual_of

Writing = Callable[[Any], Any]
"""Writes a value of the one type that it was made for: which one, only the table that it stands in knows."""


def encode(value: object, declared: object = None) -> object:
    """A record as JSON can hold it. `declared` is the type it stands under, if that leaves a choice of records."""
    if declared is None and isinstance(value, (tuple, list)):
        return [encode(item) for item in value]
    write = _writing(type(value) if declared is None else declared, Spelling.SENT)
    return value if write is None else write(value)


def keep(value: object, declared: object, spelling: Spelling = Spelling.KEPT) -> str:
    """A value as JSON that the store keeps; `kept` reads it. The same value gives the same text."""
    write = _writing(declared, spelling)
    return _KEEPER.encode(value if write is None else write(value))


_KEEPER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def to_json(value: object) -> bytes:
    """What `encode` gave, as bytes; half characters are kept as escapes."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")


@cache
def _writing(declared: object, spelling: Spelling) -> Writing | None:
    """How values of a type are written; None: they are JSON already."""
    if get_origin(declared) is Annotated:
        return _writing(get_args(declared)[0], spelling)
    if declared in {str, int, bool, float, types.NoneType}:
        return None
    if is_record(declared):
        return _record_writing(declared, spelling)
    if alternatives := choices(declared):
        return _choice_writing(alternatives, spelling)
    origin = class_of(declared)
    if issubclass(origin, datetime):
        return _moment_text if spelling is Spelling.SENT else datetime.isoformat
    for base, write in _SIMPLE:
        if issubclass(origin, base):
            return write
    if issubclass(origin, Mapping):
        return _mapping_writing(get_args(declared), spelling)
    if issubclass(origin, Sequence):
        return _sequence_writing(get_args(declared), spelling)
    raise TypeError(f"{declared} has no form in JSON")


@cache
def _record_writing(record: type, spelling: Spelling) -> Writing:
    names = tuple(hints_of(record))
    writes = [_writing(hint, spelling) for hint in hints_of(record).values()]
    written = [(at, names[at], write) for at, write in enumerate(writes) if write is not None]
    values: Callable[[object], tuple[object, ...]] = attrgetter(*names) if len(names) > 1 else _only(names[0])

    def write_record(value: object) -> object:
        shown = dict(zip(names, values(value), strict=True))
        for _, name, write in written:
            shown[name] = write(shown[name])
        return shown

    usual = usual_of(record) if spelling is Spelling.PACKED else None

    def write_packed(value: object) -> object:
        if value == usual:
            return None
        shown = list(values(value))
        for at, _, write in written:
            shown[at] = write(shown[at])
        return shown

    return write_packed if spelling is Spelling.PACKED else write_record


def _only(name: str) -> Callable[[object], tuple[object, ...]]:
    value = attrgetter(name)
    return lambda record: (value(record),)


def _choice_writing(alternatives: tuple[object, ...], spelling: Spelling) -> Writing | None:
    if len(alternatives) == 1:
        write = _writing(alternatives[0], spelling)
        return None if write is None else lambda value: None if value is None else write(value)
    records = [one for one in alternatives if is_record(one)]
    if len(records) < len(alternatives):
        raise TypeError(f"a choice of {alternatives} cannot be told apart in JSON")
    writes: dict[type, Writing] = {one: _record_writing(one, min(spelling, Spelling.KEPT)) for one in records}

    def write_choice(value: object) -> object:
        return None if value is None else {TAG: type(value).__name__, **writes[type(value)](value)}

    return write_choice


def _mapping_writing(arguments: tuple[object, ...], spelling: Spelling) -> Writing:
    write = _writing(arguments[1], spelling) if len(arguments) > 1 else None
    if write is None:
        return dict
    return lambda value: {key: write(item) for key, item in value.items()}


def _sequence_writing(arguments: tuple[object, ...], spelling: Spelling) -> Writing:
    if not arguments:
        return lambda value: [encode(item) for item in value]
    if len(arguments) == 1 or arguments[1] is Ellipsis:
        write = _writing(arguments[0], spelling)
        return list if write is None else lambda value: [write(item) for item in value]
    writes = [_writing(one, spelling) for one in arguments]
    return lambda value: [item if write is None else write(item) for write, item in zip(writes, value, strict=True)]


def _moment_text(value: datetime) -> str:
    return value.isoformat() + "Z"


_SIMPLE: tuple[tuple[type, Writing], ...] = ((Enum, attrgetter("value")), (Path, str))
