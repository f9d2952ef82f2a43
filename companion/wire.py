"""Records as JSON and back: the one vocabulary of the HTTP API, whoever speaks it.

What is sent follows from the type hints of a record, read once a class: dataclasses are objects by field,
enums their values, moments ISO 8601 in UTC with a Z, tuples lists. Where a field may hold one of several
records, the object says which: `{"record": "Episode", …}`. What comes back is equal to what was sent.

Reading is strict: a wrong shape, an unknown or a missing field is a UsageError that names the field,
and says what it must be without repeating what it was.
"""

from __future__ import annotations

import json
import math
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, NoReturn, TypeVar, Union, get_args, get_origin

from companion.errors import UsageError

T = TypeVar("T")

TAG = "record"
"""The field that says which record an object is, where there is a choice."""
WHOLE_MAX = 2**63 - 1
"""The largest whole number that is understood: what 64 bits hold, in the store and elsewhere."""
MOMENT = r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})"
"""A moment as it is written: RFC 3339, with its zone."""

Writing = Callable[[Any], object]
Reading = Callable[[object], Any]

_MOMENT = re.compile(MOMENT)
_SEE = "See /openapi.json for what is understood."


@dataclass(frozen=True, slots=True)
class Between:
    """Put beside a number's or text's type: the least and the most, of the value or of its characters."""

    least: int
    most: int


def encode(value: object, declared: Any = None) -> object:
    """A record as JSON can hold it. `declared` is the type it stands under, if that leaves a choice of records."""
    if declared is None and isinstance(value, (tuple, list)):
        return [encode(item) for item in value]
    wanted: Any = type(value) if declared is None else declared
    write = _writing(wanted)
    return value if write is None else write(value)


def decode(declared: type[T], data: object) -> T:
    """The value of a type that JSON says. Raises UsageError, naming the field that is off."""
    wanted: Any = declared
    try:
        return typing.cast(T, _reading(wanted)(data))
    except _Misfit as wrong:
        raise UsageError(wrong.says(), _SEE) from None


def decode_any(declared: Any, data: object) -> Any:
    """The same for what is no class, such as `tuple[Hit, ...]` or a choice of records."""
    return decode(declared, data)


def to_json(value: object) -> bytes:
    """What `encode` gave, as bytes; half characters are kept as escapes."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")


def from_json(data: bytes) -> object:
    """What bytes say in JSON. Raises UsageError for anything else, numbers without a value included."""
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise UsageError("The text is not JSON.", "Send one JSON document in UTF-8.") from None


def hints_of(record: type) -> Mapping[str, Any]:
    """The fields of a record with their types, in order."""
    return _hints(record)


def required(record: type) -> tuple[str, ...]:
    """The fields of a record that have no default."""
    return tuple(f.name for f in fields(record) if f.default is MISSING and f.default_factory is MISSING)


def choices(declared: Any) -> tuple[Any, ...]:
    """The alternatives of a union without None; empty for every other type."""
    if get_origin(declared) in {Union, types.UnionType}:
        return tuple(one for one in get_args(declared) if one is not types.NoneType)
    return ()


# Writing


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
    names = tuple(_hints(record))
    written = [(name, write) for name, hint in _hints(record).items() if (write := _writing(hint)) is not None]
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


# Reading


class _Misfit(Exception):
    """What a value must be; where it stands is added on the way out."""

    def __init__(self, must: str) -> None:
        super().__init__(must)
        self.must = must
        self.where: list[str] = []

    def inside(self, step: str) -> _Misfit:
        """The same, one step further in."""
        self.where.insert(0, step)
        return self

    def says(self) -> str:
        """The sentence for people."""
        name = "".join(self.where).lstrip(".")
        return f"`{name}` {self.must}." if name else f"What was sent {self.must}."


@cache
def _reading(declared: Any) -> Reading:
    """How values of a type are read."""
    if get_origin(declared) is Annotated:
        inner, *limits = get_args(declared)
        return _limited_reading(_reading(inner), limits)
    if declared in _PLAIN:
        return _PLAIN[declared]
    if is_dataclass(declared):
        return _record_reading(typing.cast(type, declared))
    if alternatives := choices(declared):
        return _choice_reading(alternatives, optional=types.NoneType in get_args(declared))
    origin = get_origin(declared) or declared
    if issubclass(origin, Enum):
        return _enum_reading(origin)
    if issubclass(origin, Path):
        return lambda data: Path(_text(data))
    if issubclass(origin, Mapping):
        return _mapping_reading(get_args(declared))
    if issubclass(origin, Sequence):
        return _sequence_reading(get_args(declared))
    raise TypeError(f"{declared} has no form in JSON")


def _record_reading(record: type) -> Reading:
    reads = {name: _reading(hint) for name, hint in _hints(record).items()}
    needed = frozenset(required(record))

    def read_record(data: object) -> object:
        if type(data) is not dict:
            raise _Misfit(f"must be an object, a {record.__name__}")
        given: dict[str, object] = {}
        for name, value in data.items():
            read = reads.get(name)
            if read is None:
                raise _Misfit("is no field that is known").inside(f".{name[:40]}")
            try:
                given[name] = read(value)
            except _Misfit as wrong:
                raise wrong.inside(f".{name}") from None
        if not needed <= given.keys():
            raise _Misfit("is missing").inside(f".{min(needed - given.keys())}")
        return record(**given)

    return read_record


def _choice_reading(alternatives: tuple[Any, ...], *, optional: bool) -> Reading:
    read = _reading(alternatives[0]) if len(alternatives) == 1 else _tagged_reading(alternatives)
    return (lambda data: None if data is None else read(data)) if optional else read


def _tagged_reading(alternatives: tuple[Any, ...]) -> Reading:
    reads = {one.__name__: _reading(one) for one in alternatives}
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
        if not isinstance(data, (str, int)) or (type(data), data) not in known:
            raise _Misfit(must)
        return known[type(data), data]

    return read_enum


def _mapping_reading(arguments: tuple[Any, ...]) -> Reading:
    read = _reading(arguments[1])

    def read_mapping(data: object) -> object:
        if type(data) is not dict:
            raise _Misfit("must be an object")
        return {key: _read_inside(read, value, f".{key[:40]}") for key, value in data.items()}

    return read_mapping


def _sequence_reading(arguments: tuple[Any, ...]) -> Reading:
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


def _limited_reading(read: Reading, limits: list[Any]) -> Reading:
    bounds = [limit for limit in limits if isinstance(limit, Between)]

    def read_limited(data: object) -> object:
        value = read(data)
        for bound in bounds:
            if not bound.least <= (value if isinstance(value, (int, float)) else len(value)) <= bound.most:
                what = "" if isinstance(value, (int, float)) else " long"
                raise _Misfit(f"must be {bound.least:,} to {bound.most:,}{what}")
        return value

    return read_limited


def _read_inside(read: Reading, value: object, step: str) -> object:
    try:
        return read(value)
    except _Misfit as wrong:
        raise wrong.inside(step) from None


def _text(data: object) -> str:
    if type(data) is not str:
        raise _Misfit("must be text")
    return data


def _whole(data: object) -> int:
    if type(data) is float and data.is_integer():
        data = int(data)
    if type(data) is not int or abs(data) > WHOLE_MAX:
        raise _Misfit("must be a whole number")
    return data


def _number(data: object) -> float:
    if type(data) not in {int, float}:
        raise _Misfit("must be a number")
    try:
        number = float(typing.cast(float, data))
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise _Misfit("must be a number that 64 bits hold")
    return number


def _truth(data: object) -> bool:
    if type(data) is not bool:
        raise _Misfit("must be true or false")
    return data


def _nothing(data: object) -> None:
    if data is not None:
        raise _Misfit("must be null")


def _moment(data: object) -> datetime:
    if type(data) is not str or _MOMENT.fullmatch(data) is None:
        raise _Misfit("must be a moment such as 2026-01-31T12:00:00Z")
    try:
        return datetime.fromisoformat(data.upper()).astimezone(UTC).replace(tzinfo=None)
    except (ValueError, OverflowError):
        raise _Misfit("must be a moment that the calendar knows") from None


_PLAIN: Mapping[Any, Reading] = {
    str: _text,
    int: _whole,
    float: _number,
    bool: _truth,
    types.NoneType: _nothing,
    datetime: _moment,
}


@cache
def _hints(record: type) -> Mapping[str, Any]:
    known = typing.get_type_hints(record, include_extras=True)
    return {f.name: known[f.name] for f in fields(record)}


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)
