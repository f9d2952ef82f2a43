"""JSON to records, strictly: a wrong shape, an unknown or a missing field is an error that names the field."""

from __future__ import annotations

import json
import math
import re
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar, get_args, get_origin

from companion.errors import UsageError
from companion.wire.shapes import (
    MOMENT,
    TAG,
    WHOLE_MAX,
    Among,
    Between,
    choices,
    class_of,
    hints_of,
    is_record,
    required,
)

T = TypeVar("T")
Reading = Callable[[object], Any]
"""Reads values of the one type that it was made for: which one, only the table that it stands in knows."""
_MOMENT = re.compile(MOMENT)
_SEE = "See /openapi.json for what is understood."


def decode(declared: type[T], data: object) -> T:
    """The value of a type that JSON says. Raises UsageError, naming the field that is off."""
    found: T = decode_any(declared, data)
    return found


def decode_any(declared: object, data: object) -> Any:
    """As `decode`, for a declared type that is no class, such as a choice of records: what it makes has no name."""
    try:
        return _reading(declared)(data)
    except _Misfit as wrong:
        raise UsageError(wrong.says(), _SEE) from None


def from_json(data: bytes) -> object:
    """What bytes say in JSON. Raises UsageError for anything else, numbers without a value included."""
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise UsageError("The text is not JSON.", "Send one JSON document in UTF-8.") from None


class _Misfit(Exception):
    """What a value must be; where it stands is added on the way out."""

    def __init__(self, must: str) -> None:
        super().__init__(must)
        self.must = must
        self.where: list[str] = []

    def inside(self, step: str) -> _Misfit:
        """This misfit as seen from one step further out: `step` leads to where it is."""
        self.where.insert(0, step)
        return self

    def says(self) -> str:
        """The sentence for people."""
        name = "".join(self.where).lstrip(".")
        return f"`{name}` {self.must}." if name else f"What was sent {self.must}."


@cache
def _reading(declared: object) -> Reading:
    """How values of a type are read."""
    if get_origin(declared) is Annotated:
        inner, *limits = get_args(declared)
        return _limited_reading(_reading(inner), limits)
    if declared in _PLAIN:
        return _PLAIN[declared]
    if is_record(declared):
        return _record_reading(declared)
    if alternatives := choices(declared):
        return _choice_reading(alternatives, optional=types.NoneType in get_args(declared))
    origin = class_of(declared)
    if issubclass(origin, Enum):
        return _enum_reading(origin)
    if issubclass(origin, Path):
        return lambda data: Path(_PLAIN[str](data))
    if issubclass(origin, Mapping):
        return _mapping_reading(get_args(declared))
    if issubclass(origin, Sequence):
        return _sequence_reading(get_args(declared))
    raise TypeError(f"{declared} has no form in JSON")


def _record_reading(record: type) -> Reading:
    reads = {name: _reading(hint) for name, hint in hints_of(record).items()}
    needed = frozenset(required(record))

    def read_record(data: object) -> object:
        if type(data) is not dict:
            raise _Misfit("must be an object")
        given: dict[str, object] = {}
        for name, value in data.items():
            read = reads.get(name)
            if read is None:
                raise _Misfit("is not a known field").inside(f".{name[:40]}")
            try:
                given[name] = read(value)
            except _Misfit as wrong:
                raise wrong.inside(f".{name}") from None
        if not needed <= given.keys():
            raise _Misfit("is missing").inside(f".{min(needed - given.keys())}")
        return record(**given)

    return read_record


def _choice_reading(alternatives: tuple[object, ...], *, optional: bool) -> Reading:
    read = _reading(alternatives[0]) if len(alternatives) == 1 else _tagged_reading(alternatives)
    return (lambda data: None if data is None else read(data)) if optional else read


def _tagged_reading(alternatives: tuple[object, ...]) -> Reading:
    reads = {one.__name__: _reading(one) for one in map(class_of, alternatives)}
    must = f"must be one of {', '.join(reads)}"

    def read_choice(data: object) -> object:
        if type(data) is not dict:
            raise _Misfit("must be an object")
        tag = data.get(TAG)
        if not isinstance(tag, str) or tag not in reads:
            raise _Misfit(must).inside(f".{TAG}")
        return reads[tag]({name: value for name, value in data.items() if name != TAG})

    return read_choice


def _enum_reading(chosen: type[Enum]) -> Reading:
    known = {(type(member.value), member.value): member for member in chosen}
    must = f"must be one of {', '.join(str(member.value) for member in chosen)}"

    def read_enum(data: object) -> object:
        if not isinstance(data, (str, int)):
            raise _Misfit(must)
        if (member := known.get((type(data), data))) is not None:
            return member
        if isinstance(data, str):
            with suppress(ValueError):
                return chosen(data)  # by another name that it goes by
        raise _Misfit(must)

    return read_enum


def _mapping_reading(arguments: tuple[object, ...]) -> Reading:
    read = _reading(arguments[1])

    def read_mapping(data: object) -> object:
        if type(data) is not dict:
            raise _Misfit("must be an object")
        return {key: _read_inside(read, value, f".{key[:40]}") for key, value in data.items()}

    return read_mapping


def _sequence_reading(arguments: tuple[object, ...]) -> Reading:
    if len(arguments) == 1 or arguments[1] is Ellipsis:
        read = _reading(arguments[0])

        def read_items(data: object) -> object:
            if type(data) is not list:
                raise _Misfit("must be a list")
            return tuple(_read_inside(read, item, f"[{place}]") for place, item in enumerate(data))

        return read_items
    reads = [_reading(one) for one in arguments]

    def read_row(data: object) -> object:
        if type(data) is not list or len(data) != len(reads):
            raise _Misfit(f"must be a list of {len(reads)}")
        return tuple(_read_inside(read, item, f"[{n}]") for n, (read, item) in enumerate(zip(reads, data, strict=True)))

    return read_row


def _limited_reading(read: Reading, limits: list[object]) -> Reading:
    bounds = [limit for limit in limits if isinstance(limit, Between)]
    allowed = [limit for limit in limits if isinstance(limit, Among)]

    def read_limited(data: object) -> object:
        value = read(data)
        if any(value not in one.members for one in allowed):
            raise _Misfit("must be of another type")
        for bound in bounds:
            if not bound.least <= (value if isinstance(value, (int, float)) else len(value)) <= bound.most:
                fits = f"{bound.least:,} to {bound.most:,}" if bound.most < sys.maxsize else f"at least {bound.least:,}"
                raise _Misfit(f"must be {fits}{'' if isinstance(value, (int, float)) else ' long'}")
        return value

    return read_limited


def _read_inside(read: Reading, value: object, step: str) -> object:
    try:
        return read(value)
    except _Misfit as wrong:
        raise wrong.inside(step) from None


def _exactly(kind: type, must: str) -> Reading:
    def read_exactly(data: object) -> object:
        if type(data) is not kind:
            raise _Misfit(must)
        return data

    return read_exactly


def _whole(data: object) -> int:
    if type(data) is float and data.is_integer():
        data = int(data)
    if type(data) is not int or abs(data) > WHOLE_MAX:
        raise _Misfit("must be a whole number")
    return data


def _number(data: object) -> float:
    if not isinstance(data, (int, float)) or type(data) is bool:
        raise _Misfit("must be a number")
    try:
        number = float(data)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise _Misfit("must be a number that 64 bits hold")
    return number


def _moment(data: object) -> datetime:
    if type(data) is not str or _MOMENT.fullmatch(data) is None:
        raise _Misfit("must be a moment such as 2026-01-31T12:00:00Z")
    try:
        return datetime.fromisoformat(data.upper()).astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        raise _Misfit("must be a moment that the calendar knows") from None


_PLAIN: Mapping[object, Reading] = {
    str: _exactly(str, "must be text"),
    int: _whole,
    float: _number,
    bool: _exactly(bool, "must be true or false"),
    types.NoneType: _exactly(types.NoneType, "must be null"),
    datetime: _moment,
}


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)
