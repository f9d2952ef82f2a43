"""Fields of the status: each set on its own line, with its time, and no other byte changed."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import UsageError
from companion.notes.status import STATUS_MAX_BYTES, VALUE_MAX, checked, fields_of, with_fields
from companion.records.notes import StatusField

NOON = datetime(2026, 1, 5, 12, 0)
WRITTEN = (
    b"\xef\xbb\xbf# Mine\r\n\r\n* **Water**: 3\r\n- meds : yes (2026-01-04 08:00 UTC)\r\n\r\nProse: not a field.\r\n"
)


def test_a_status_begins_with_its_first_field():
    assert with_fields(b"", {"water": "24 oz"}, NOON) == b"# Status\n\n- water: 24 oz (2026-01-05 12:00 UTC)\n"


def test_a_field_that_is_there_is_set_on_its_line_as_it_is_written():
    now = with_fields(WRITTEN, {"water": "4"}, NOON)
    assert now == WRITTEN.replace(b"**Water**: 3", b"**Water**: 4 (2026-01-05 12:00 UTC)")


def test_a_new_field_comes_after_the_last_with_the_line_end_in_use():
    now = with_fields(WRITTEN, {"branch": "money"}, NOON)
    line = b"- branch: money (2026-01-05 12:00 UTC)\r\n"
    assert now == WRITTEN.replace(b"UTC)\r\n", b"UTC)\r\n" + line)


def test_an_empty_value_takes_a_field_out_and_one_that_is_not_there_is_no_error():
    assert with_fields(WRITTEN, {"meds": ""}, NOON) == WRITTEN.replace(b"- meds : yes (2026-01-04 08:00 UTC)\r\n", b"")
    assert with_fields(WRITTEN, {"nothing": ""}, NOON) == WRITTEN


def test_each_field_tells_when_it_was_set():
    assert fields_of(WRITTEN.decode("utf-8-sig")) == (
        StatusField("Water", "3"),
        StatusField("meds", "yes", datetime(2026, 1, 4, 8, 0)),
    )
    assert fields_of("- due: soon (2026-99-01 08:00 UTC)\n") == (StatusField("due", "soon"),)


def test_what_stands_in_a_block_of_code_is_no_field():
    text = "```\n- water: 3\n```\n"
    assert fields_of(text) == ()
    assert with_fields(text.encode(), {"water": "4"}, NOON).startswith(text.encode())


@pytest.mark.parametrize("malformed", [b'{"water": 3', b"water = 3", b"- : x", b"- a: 1\n# b"])
def test_a_status_in_another_form_keeps_every_byte(malformed: bytes):
    now = with_fields(malformed, {"branch": "money"}, NOON)
    for line in malformed.splitlines():
        assert line in now.splitlines()
    assert b"- branch: money (2026-01-05 12:00 UTC)\n" in now


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"\x00\x01\x02", "not UTF-8 text"),
        (b"\xff\xfe\x00", "not UTF-8 text"),
        (b"caf\xe9", "not UTF-8 text"),
        (b"x" * (STATUS_MAX_BYTES + 1), "bytes"),
        (b"- water: 3\n- Water: 4\n", "lines 1, 2"),
    ],
)
def test_what_cannot_be_set_without_harm_is_refused(content: bytes, what: str):
    with pytest.raises(UsageError, match=what):
        with_fields(content, {"water": "5"}, NOON)


@pytest.mark.parametrize("name", ["", "a: b", "x" * 61, "- x", "\x1b[2J", "# heading", "(x)"])
def test_a_name_that_could_be_taken_for_something_else_is_refused(name: str):
    with pytest.raises(UsageError, match="No field"):
        checked({name: "1"})


def test_a_value_is_one_line_and_not_too_long():
    assert checked({"next": " a\n- b: c\r\n d "}) == {"next": "a - b: c d"}
    with pytest.raises(UsageError, match="journal"):
        checked({"next": "x" * (VALUE_MAX + 1)})
    with pytest.raises(UsageError, match="cannot be set at once"):
        checked({})


WORDS = st.text(st.sampled_from("ab :(-*#`\r\n2é"), max_size=40)
NAMES = st.sampled_from(["water", "next step", "a"])


@settings(max_examples=60, deadline=None)
@given(text=WORDS, name=NAMES, value=st.text(st.sampled_from("xy :(-)"), min_size=1, max_size=10))
def test_after_setting_a_field_it_says_so_and_every_other_line_is_as_it_was(text: str, name: str, value: str):
    (wanted,) = checked({name: value}).values()
    before = text.encode()
    if not wanted or [one.name.casefold() for one in fields_of(text)].count(name) > 1:
        return
    after = with_fields(before, {name: wanted}, NOON)
    open_fence = sum(line.lstrip(" \t").startswith("```") for line in text.split("\n")) % 2
    if not open_fence:
        assert (wanted, NOON) in [
            (one.value, one.at) for one in fields_of(after.decode()) if one.name.casefold() == name
        ]
    left = after.split(b"\n")
    for line in before.split(b"\n"):
        if not fields_of(line.decode()) and line.strip():
            assert any(line.rstrip(b"\r") == one.rstrip(b"\r") for one in left)
    if not open_fence:
        assert with_fields(after, {name: wanted}, NOON) == after
