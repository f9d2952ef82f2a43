"""JSON that the store keeps, read back to records: quickly, and as far as an earlier version wrote it.

A field that is not known is passed over, one that is missing has its default. Types are trusted: what wrote the
JSON had them checked.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import cache, partial
from typing import Any, get_args

from companion.wire.shapes import TAG, choices, class_of, hints_of, is_record, usual_of

Reading = Callable[[Any], Any]
"""Reads JSON of the one type that it was made for, as far as whoever wrote it checked it."""
_decode = json.JSONDecoder().raw_decode
"""What stands at a place of a text, and where it ends: without the search for white space that we never write, which
took an eighth of the time."""


class Members(dict[object, Enum | None]):
    """The members of an enumeration by their values: looked up, since its own call takes ten times as long."""

    def __init__(self, chosen: type[Enum]) -> None:
        super().__init__((member.value, member) for member in chosen)
        self._chosen = chosen

    def __missing__(self, value: object) -> Enum:
        """The member by another name that it goes by. Raises ValueError."""
        return self._chosen(value)


def kept(declared: object, text: str) -> Any:
    """The value of a type that `keep` wrote. Raises ValueError for JSON that is none of it."""
    try:
        data, end = _decode(text)
        if end != len(text):
            raise ValueError(f"no {getattr(declared, '__name__', 'value')} of ours: there is more")
        read = kept_reading(declared)
        return data if read is None else read(data)
    except (TypeError, KeyError, AttributeError, IndexError) as wrong:
        raise ValueError(f"no {getattr(declared, '__name__', 'value')} of ours: {wrong}") from wrong


@cache
def kept_reading(declared: object) -> Reading | None:
    """How JSON of a type is read; None: it is the value already."""
    if is_record(declared):
        return _record_reading(declared)
    if alternatives := choices(declared):
        return _choice_reading(alternatives, optional=types.NoneType in get_args(declared))
    origin = class_of(declared)
    if issubclass(origin, Enum):
        return Members(origin).__getitem__
    if issubclass(origin, datetime):
        return datetime.fromisoformat
    if issubclass(origin, Mapping):
        return _mapping_reading(get_args(declared))
    if issubclass(origin, Sequence) and origin is not str:
        return _sequence_reading(get_args(declared))
    return None


def _record_reading(record: type) -> Reading:
    by_name = {name: kept_reading(hint) for name, hint in hints_of(record).items()}
    in_order = [(at, read) for at, read in enumerate(by_name.values()) if read is not None]
    usual, width = usual_of(record), len(by_name)

    def read_record(data: Any) -> object:
        if data is None:
            return usual
        if type(data) is list:
            for at, read in in_order if len(data) >= width else [one for one in in_order if one[0] < len(data)]:
                data[at] = read(data[at])
            return record(*data[:width])
        given = {}
        for name, item in data.items():
            if name in by_name:
                by = by_name[name]
                given[name] = item if by is None else by(item)
        return record(**given)

    return read_record


def _choice_reading(alternatives: tuple[object, ...], *, optional: bool) -> Reading | None:
    read = kept_reading(alternatives[0]) if len(alternatives) == 1 else _tagged_reading(alternatives)
    return read if read is None or not optional else partial(_unless_none, read)


def _unless_none(read: Reading, data: object) -> object:
    return None if data is None else read(data)


def _tagged_reading(alternatives: tuple[object, ...]) -> Reading | None:
    reads = {one.__name__: _record_reading(one) for one in map(class_of, alternatives)}
    return lambda data: reads[data[TAG]](data)


def _mapping_reading(arguments: tuple[object, ...]) -> Reading | None:
    read = kept_reading(arguments[1]) if arguments else None
    return None if read is None else lambda data: {key: read(item) for key, item in data.items()}


def _sequence_reading(arguments: tuple[object, ...]) -> Reading:
    if len(arguments) == 1 or arguments[1] is Ellipsis:
        read = kept_reading(arguments[0])
        return tuple if read is None else lambda data: tuple([read(item) for item in data])
    reads = [kept_reading(one) for one in arguments]
    if not any(reads):
        return tuple
    return lambda data: tuple(item if read is None else read(item) for read, item in zip(reads, data, strict=True))
