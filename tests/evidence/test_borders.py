"""Where a long part is cut, and what a string or a comment belongs to."""

from __future__ import annotations

import pytest
from evidence.test_cutting import told

from companion.evidence.lines import parts_at_borders


@pytest.mark.parametrize(
    ("lines", "parts"),
    [
        (["a"] * 7 + [""] + ["b"] * 7, [(1, 7), (9, 15)]),
        (["{"] + ["  a"] * 7 + ["}"] + ["{"] + ["  b"] * 5 + ["}"], [(1, 9), (10, 16)]),
        (["a"] + ["  a"] * 6 + ["b"] + ["  b"] * 7, [(1, 7), (8, 15)]),
        (["a"] * 9, [(1, 9)]),
        (["", "a", "a", ""], [(2, 3)]),
    ],
)
def test_a_long_part_is_cut_before_what_stands_least_deep_and_never_before_what_closes(
    lines: list[str], parts: list[tuple[int, int]]
) -> None:
    assert list(parts_at_borders(lines, 1, len(lines), 10)) == parts


def test_a_string_within_a_call_is_no_docstring_whatever_comment_stands_between() -> None:
    text = 'run(\n    # It is quoted.\n\n    """\n    This is an argument. It explains nothing.\n    """\n)\n'
    assert not [one for one in told("a.py", text) if one.startswith("docstring")]
    own = '"""\nThis is a module. It explains itself.\n"""\n'
    assert [one for one in told("a.py", own) if one.startswith("docstring")]


def test_a_comment_explains_what_stands_below_it_up_to_the_next_header() -> None:
    text = "[a]\n# The mirror is slow. So we wait.\nretries = 3\nwait = 9\n[b]\nx = 1\n"
    assert "comment 2-4 a > The mirror is slow. So we wait." in told("tox.ini", text)


def test_a_fence_that_nothing_closes_goes_to_the_end_and_its_headings_are_code() -> None:
    text = "# Project\n\nWhat it is.\n\n```sh\n# no heading\nmake test\n"
    assert told("README.md", text) == ["document 1-7 Project"]


def test_a_comment_at_the_very_top_gives_what_follows_it_no_name() -> None:
    tests = "".join(f"  it 'adds {n}' do\n    total = {n}\n    expect(total).to eq({n})\n  end\n\n" for n in range(9))
    text = f"# frozen_string_literal: true\n\nRSpec.describe Sums do\n{tests}end\n"
    names = told("sums_spec.rb", text)
    assert names and not [name for name in names if "frozen" in name]
    assert names[0].startswith("chunk 1-") and "adds 0" in names[0]
