"""Positions, URIs and settings of an editor become ours and come back the same."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from companion_lsp import convert
from companion_lsp.settings import EditorSettings, with_given
from companion_lsp.shifting import Shift, lines_of
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from companion.records import Hint, Severity

ENCODINGS = ("utf-8", "utf-16", "utf-32")
texts = st.text(st.characters(exclude_characters="\r\n", exclude_categories=["Cs"]), max_size=30)
lines_lists = st.lists(st.sampled_from(["a", "b", "𝔘𝔫𝔦 x", ""]), min_size=1, max_size=12)


@given(texts, st.data())
def test_a_column_goes_to_code_units_and_back_unchanged(text, data):
    column = data.draw(st.integers(1, len(text) + 1))
    for encoding in ENCODINGS:
        position = convert.to_position([text], 1, column, encoding)
        assert convert.from_position([text], position, encoding) == (1, column)


@given(texts, st.integers(0, 100), st.integers(0, 5))
def test_any_position_becomes_one_inside_the_text(text, units, line):
    for encoding in ENCODINGS:
        row, column = convert.from_position([text, text], types.Position(line, units), encoding)
        assert 1 <= row <= 2
        assert 1 <= column <= len(text) + 1


def test_an_astral_character_is_two_units_in_utf_16_and_half_of_it_does_not_count():
    assert convert.units("𝔘x", 1) == 2
    assert convert.characters("𝔘x", 1) == 0
    assert convert.characters("𝔘x", 3) == 2
    assert convert.units("𝔘x", 1, "utf-8") == 4
    assert convert.units("𝔘x", 1, "utf-32") == 1


@given(st.lists(texts, min_size=1, max_size=5), st.sampled_from(["\n", "\r\n", "\r"]))
def test_lines_end_where_the_protocol_says_and_nowhere_else(rows, end):
    assert lines_of(end.join(rows)) == rows


def test_a_form_feed_or_line_separator_ends_no_line():
    assert lines_of("a\x0cb\u2028c\x85d\ne") == ["a\x0cb\u2028c\x85d", "e"]


@given(lines_lists, lines_lists)
def test_a_saved_line_is_found_only_where_the_same_line_stands(saved, edited):
    shift = Shift.between(saved, edited)
    for line in range(1, len(saved) + 1):
        now = shift.to_edited(line)
        if now is not None:
            assert edited[now - 1] == saved[line - 1]
            assert shift.around(now) == (line, line)
    for line in range(1, len(edited) + 3):
        above, below = shift.around(line)
        assert 0 <= above <= below
        assert [shift.to_edited(one) for one in range(above + 1, below)] == [None] * max(0, below - above - 1)


@given(lines_lists)
def test_a_text_that_was_not_edited_is_not_shifted(lines):
    shift = Shift.between(lines, lines)
    assert [shift.to_edited(line) for line in range(1, len(lines) + 1)] == list(range(1, len(lines) + 1))


def test_what_is_inserted_above_moves_a_line_and_what_is_changed_has_none():
    saved = ["import os", "def a():", "    pass"]
    shift = Shift.between(saved, ["import os", "import re", *saved[1:]])
    assert (shift.to_edited(2), shift.around(3)) == (3, (2, 2))
    changed = Shift.between(saved, ["import os", "def b():", "    pass"])
    assert changed.to_edited(2) is None
    assert changed.around(2) == (1, 3)


@pytest.mark.skipif(os.name == "nt", reason="paths of another system")
@given(st.text(st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1, max_size=20))
def test_a_path_goes_to_a_uri_and_back_unchanged(name):
    path = Path("/work") / name
    assert convert.path_of(convert.uri_of(path)) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///a%20b/c.py", "/a b/c.py"),
        ("file:///a/%C3%A9%F0%9D%94%98.py", "/a/é𝔘.py"),
        ("file://localhost/a.py", "/a.py"),
        ("file:///c%3A/Users/x.py", "C:/Users/x.py"),
        ("file:///C:/Users/x.py", "C:/Users/x.py"),
    ],
)
def test_uris_as_editors_write_them_name_their_file(uri, path):
    assert convert.path_of(uri) == Path(path)


@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "vscode-notebook-cell:/a.ipynb#1", "git:/a.py?x", "https://x/a.py", "", "file://",
            "file:///a%00b", "http://[bad"]
)  # fmt: skip
def test_what_is_no_local_file_is_none(uri):
    assert convert.path_of(uri) is None


def test_a_windows_drive_is_written_as_editors_write_it():
    assert convert.uri_of(Path("C:/a b/x.py")) == "file:///c%3A/a%20b/x.py"


def test_a_selection_over_lines_is_joined_and_may_be_the_wrong_way_round():
    lines = ["x = '𝔘'", "second", "third"]
    there = types.Range(types.Position(0, 5), types.Position(2, 2))
    back = types.Range(there.end, there.start)
    assert convert.selected(lines, there) == convert.selected(lines, back) == "𝔘'\nsecond\nth"


def test_a_hint_stands_at_its_range_in_code_units():
    hint = Hint("a.py", 1, 3, 1, 5, "Departs.", "convention", "m1aa")
    told = convert.to_diagnostic(hint, 2, ["", "𝔘 ab"])
    assert (told.range.start, told.range.end) == (types.Position(1, 3), types.Position(1, 5))
    assert (told.severity, told.source, told.code) == (types.DiagnosticSeverity.Hint, "companion", "convention")


def test_diagnostics_of_others_are_read_and_our_own_left_out():
    where = types.Range(types.Position(4, 0), types.Position(4, 1))
    given_ = [
        types.Diagnostic(where, "bad", types.DiagnosticSeverity.Warning, code=7, source="ruff"),
        types.Diagnostic(where, "ours", source=convert.SOURCE),
        types.Diagnostic(where, "unsaid"),
    ]
    first, second = convert.from_diagnostics(given_)
    assert (first.line, first.severity, first.tool, first.code) == (5, Severity.WARNING, "ruff", "7")
    assert second.severity is Severity.ERROR


def test_settings_are_read_nested_or_dotted_and_what_is_wrong_is_said():
    nested, complaints = with_given(EditorSettings(), {"companion": {"hover": {"enabled": False}, "other": 1}})
    assert (nested.hover, complaints) == (False, ())
    dotted, _ = with_given(EditorSettings(), {"companion.codeLens.show": "all"})
    assert dotted.lenses == "all"
    same, complaints = with_given(
        EditorSettings(), {"hover": {"enabled": "no"}, "codeLens": {"show": "some"}, "context": {"budgetTokens": -1}}
    )
    assert same == EditorSettings()
    assert len(complaints) == 3


@settings(max_examples=40)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda s: st.lists(s) | st.dictionaries(st.text(), s)
    )
)
def test_no_settings_that_an_editor_may_send_do_harm(sent):
    settings, _ = with_given(EditorSettings(), sent)
    assert isinstance(settings, EditorSettings)
