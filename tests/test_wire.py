"""Records come back from JSON as they went in; whatever else comes is refused by the name of its field."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import api, records, wire
from companion.api import Host, Verdict
from companion.api.routes import ROUTES
from companion.errors import UsageError
from companion.records import (
    Decision,
    DecisionStatus,
    Draft,
    Episode,
    Memory,
    Resolution,
    SearchQuery,
    Signals,
    Touched,
)

TEXT = st.text(st.characters(exclude_categories=()), max_size=5)

PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXT,
    int: st.integers(-wire.WHOLE_MAX, wire.WHOLE_MAX),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    types.NoneType: st.none(),
    datetime: st.datetimes(),
    Path: TEXT.filter(lambda text: "\0" not in text).map(Path),
}


def spoken_of(declared: Any, seen: set[type]) -> None:
    """Every record that a type leads to."""
    if wire.is_record(declared):
        if declared not in seen:
            seen.add(declared)
            for hint in typing.get_type_hints(declared).values():
                spoken_of(hint, seen)
        return
    for part in typing.get_args(declared):
        spoken_of(part, seen)


def records_of_the_protocols() -> list[type]:
    seen: set[type] = set()
    hosted = [method for name, method in inspect.getmembers(Host, callable) if not name.startswith("_")]
    for method in (*hosted, *(route.declared for route in ROUTES)):
        for hint in typing.get_type_hints(method).values():
            spoken_of(hint, seen)
    return sorted(seen, key=lambda record: record.__name__)


RECORDS = records_of_the_protocols()


@cache
def values(declared: Any) -> st.SearchStrategy[Any]:
    """Any value of a type."""
    if declared in PLAIN:
        return PLAIN[declared]
    if wire.is_record(declared):
        return st.builds(declared, **{name: values(hint) for name, hint in wire.hints_of(declared).items()})
    if wire.choices(declared):
        return st.one_of(*(values(one) for one in typing.get_args(declared)))
    origin, arguments = typing.get_origin(declared) or declared, typing.get_args(declared)
    if issubclass(origin, Enum):
        return st.sampled_from(list(origin))
    if issubclass(origin, Mapping):
        return st.dictionaries(TEXT, values(arguments[1]), max_size=2)
    assert issubclass(origin, Sequence)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return st.lists(values(arguments[0]), max_size=2).map(tuple)
    return st.tuples(*(values(one) for one in arguments))


def test_the_protocols_speak_of_the_records_we_know():
    names = {record.__name__ for record in RECORDS}
    assert names > {
        "Context",
        "SearchHit",
        "ScanReport",
        "DaemonState",
        "Contradiction",
        "Touched",
        "Episode",
        "Verdict",
    }
    rooms = [import_module(f"{of.__name__}.{one.name}") for of in (api, records) for one in iter_modules(of.__path__)]
    known = {name for room in rooms for name in vars(room) if name in names}
    assert names - known <= {"Kept", "Readiness"}


@settings(max_examples=12, deadline=None)
@given(data=st.data())
@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_a_record_comes_back_as_it_went(record: type, data: st.DataObject):
    value = data.draw(values(record))
    sent = wire.to_json(wire.encode(value))
    assert wire.decode(record, wire.from_json(sent)) == value


@settings(max_examples=50, deadline=None)
@given(st.lists(values(records.Observation), max_size=4).map(tuple))
def test_a_choice_of_records_comes_back_as_it_went(seen: tuple[records.Observation, ...]):
    declared = tuple[records.Observation, ...]
    assert wire.decode_any(declared, wire.from_json(wire.to_json(wire.encode(seen, declared)))) == seen


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(RECORDS),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
        max_leaves=10,
    ),
)
def test_whatever_is_sent_is_understood_or_refused_as_usage(record: type, data: object):
    try:
        assert isinstance(wire.decode(record, data), record)
    except UsageError as wrong:
        assert wrong.next_step


@pytest.mark.parametrize(
    ("record", "data", "said"),
    [
        (Signals, {"errors": ["a", 3]}, "`errors[1]` must be text."),
        (Signals, {"activity": "dancing"}, "`activity` must be one of new-feature, debugging"),
        (Signals, {"currentfile": ""}, "`currentfile` is not a known field."),
        (Signals, [], "What was sent must be an object."),
        (Signals, {"at": "yesterday"}, "`at` must be a moment such as 2026-01-31T12:00:00Z."),
        (Signals, {"at": "2026-02-30T12:00:00Z"}, "`at` must be a moment that the calendar knows."),
        (SearchQuery, {"limit": True}, "`limit` must be a whole number."),
        (SearchQuery, {"limit": 1.5}, "`limit` must be a whole number."),
        (SearchQuery, {"limit": 2**63}, "`limit` must be a whole number."),
        (SearchQuery, {"include_archived": 1}, "`include_archived` must be true or false."),
        (Touched, {"path": "a"}, "`how` is missing."),
        (Verdict, {"resolution": "a_wins", "scope_a": {"path": None}}, "`scope_a.path` must be text."),
        (records.Observation, {"path": "a"}, "`record` must be one of Touched, Diagnosed, Ran."),
        (records.Reason, {"feature": "", "value": 10**400, "weight": 0, "says": ""}, "`value` must be a number that"),
        (Memory, {"tokens": [1, 2, 3]}, "`tokens` must be a list of 4."),
    ],
)
def test_a_wrong_shape_is_refused_by_the_name_of_its_field(record: Any, data: object, said: str):
    with pytest.raises(UsageError) as wrong:
        wire.decode_any(record, data)
    assert wrong.value.what.startswith(said)
    assert wrong.value.next_step


def test_what_was_sent_is_not_repeated_in_the_refusal():
    with pytest.raises(UsageError) as wrong:
        wire.decode(Signals, {"activity": "hunter2-secret"})
    assert "hunter2" not in str(wrong.value)


def test_a_choice_of_records_says_which_it_is():
    bodies = wire.hints_of(Draft)["body"]
    assert wire.encode(Decision("q", "c", "r", DecisionStatus.IN_FORCE), bodies) == {
        "record": "Decision",
        "question": "q",
        "choice": "c",
        "reason": "r",
        "status": "in force",
    }
    assert wire.encode(None, bodies) is None
    assert (
        wire.encode(Episode("t", datetime(2026, 1, 2, 3, 4, 5, 6)), bodies)["occurred_at"]
        == "2026-01-02T03:04:05.000006Z"
    )  # type: ignore[index]


def test_a_moment_with_a_zone_is_read_as_utc():
    assert wire.decode(Signals, {"at": "2026-01-31T12:00:00+02:00"}).at == datetime(2026, 1, 31, 10)


def test_fields_with_defaults_may_be_left_out():
    assert wire.decode(Verdict, {"resolution": "merged"}) == Verdict(Resolution.MERGED)


@pytest.mark.parametrize(
    "text", [b"", b"\xff\xfe", b"{", b"NaN", b'{"a": Infinity}', b"[" * 200_000, b"1" * 5_000, b"\xef\xbb\xbf{}"]
)
def test_what_is_no_json_is_refused(text: bytes):
    with pytest.raises(UsageError):
        wire.from_json(text)


def test_every_field_of_a_record_is_sent():
    sent = wire.encode(Signals())
    assert isinstance(sent, dict)
    assert list(sent) == list(Signals.__struct_fields__)
