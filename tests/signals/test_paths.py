"""Any bytes become one printable name, and the name leads back to them."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from companion.signals.paths import raw_path, shown_path


@given(st.binary())
@example(b"\\x41")
@example(b"\\\\x41\xff")
@example("\u2028\u202e日本".encode())
@example(b"\xed\xa0\x80")
def test_a_name_leads_back_to_its_bytes(raw: bytes):
    assert raw_path(shown_path(raw)) == raw


@given(st.binary())
def test_a_name_is_valid_text_on_one_line(raw: bytes):
    shown = shown_path(raw)
    assert shown.encode("utf-8").decode("utf-8") == shown
    assert len(shown.splitlines()) <= 1


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126, exclude_characters="\\")))
def test_ordinary_names_stay_as_they_are(path: str):
    assert shown_path(path.encode()) == path
