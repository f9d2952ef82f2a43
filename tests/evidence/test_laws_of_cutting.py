"""Laws: spans lie in the file, texts are its lines, and every line that says anything is in one chunk or passage."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.evidence.cutting import BLANKS_MOST, cut_file
from companion.evidence.lines import MAX_LINE_CHARS, MAX_PASSAGE_CHARS, file_lines, says
from companion.records import ParsedFile, Passage, PassageKind
from companion.syntax import parse

PATHS = (
    "a.md",
    "a.rst",
    "a.adoc",
    "CHANGES",
    "a.py",
    "a.go",
    "a.rs",
    "a.ts",
    "a.rb",
    "a.yaml",
    "a.toml",
    "Makefile",
    "a.sql",
)
PIECES = (
    "# Head", "Head", "====", "----", "- item", "  more of it", "1. one", "```", "::", ".. note::", "|a|b|", "<<<<<<< x",
    "=======", ">>>>>>> y", "def f():", "    return 1", "class A:", '    """Says', '    """', "# one. Two", "// one. Two",
    "fn f() {", "}", "it 'adds' do", "end", "});", "/*", "*/", "# Copyright 2024 A", "// SPDX-License-Identifier: MIT", "[tool.a]", "a = 1  # why", "jobs:", "  test:", "    - run: x", "all: a", "\tgo build",
    "", "   ", "\f", "é\u2028ß", "x" * 300, "\r",
)  # fmt: skip
WHOLE = {PassageKind.CHUNK, PassageKind.DOCUMENT, PassageKind.NOTICE}
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=12), max_size=90).map("\n".join)


def cut(path: str, text: str) -> tuple[Passage, ...]:
    return cut_file(path, text, parse(path, text.encode("utf-8", "replace"), ""))


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(PATHS), texts)
def test_a_passage_is_the_lines_of_its_span_and_those_of_one_kind_never_overlap(path, text):
    lines = file_lines(text)
    seen: set[tuple[PassageKind, int]] = set()
    for passage in cut(path, text):
        first, last = passage.span
        assert 1 <= first <= last <= len(lines)
        assert passage.text == "\n".join(line[:MAX_LINE_CHARS] for line in lines[first - 1 : last])
        end = last
        while passage.kind in WHOLE and end > first and not says(lines[end - 1]):
            end -= 1
        assert says(lines[first - 1]) and says(lines[end - 1])
        assert last - end <= BLANKS_MOST
        assert len(passage.text.rstrip()) <= MAX_PASSAGE_CHARS
        here = {(passage.kind, number) for number in range(first, last + 1)}
        assert not here & seen
        seen |= here


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(PATHS), texts)
def test_every_line_that_says_anything_is_in_a_chunk_or_a_passage_of_the_document(path, text):
    if "\0" in text:
        return
    held = {n for p in cut(path, text) if p.kind in WHOLE for n in range(p.span[0], p.span[1] + 1)}
    assert {number for number, line in enumerate(file_lines(text), 1) if says(line)} <= held


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(PATHS), texts)
def test_the_same_text_is_always_cut_the_same(path, text):
    assert cut(path, text) == cut(path, text)


def calls_to_cut(path: str, text: str, parsed: ParsedFile | None = None) -> int:
    """Functions called while a text is cut, those of the interpreter included: the work, without a clock."""
    count = 0

    def one(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(one)
    try:
        cut_file(path, text, parsed)
    finally:
        sys.setprofile(None)
    return count


UNITS = ("- a\n", "a\n\n", '"""\n', "```\n", "# a\n", "/*\n", "<<<<<<< a\n=======\n", "a: b\n  c: d\n", "[a]\n")


@pytest.mark.parametrize("path", ["a.md", "a.rst", "a.py", "a.rs", "a.yaml"])
def test_a_text_of_four_times_the_length_does_not_take_sixteen_times_the_work(path):
    for unit in UNITS:
        assert calls_to_cut(path, unit * 600) <= 6 * calls_to_cut(path, unit * 150)
    deep = ["\n".join(" " * depth + "a:" for depth in range(most)) for most in (150, 600)]
    assert calls_to_cut(path, deep[1]) <= 6 * calls_to_cut(path, deep[0])


def test_four_times_the_symbols_do_not_take_sixteen_times_the_work():
    class_ = "# Why it is there. It is.\nclass A:\n    def f(self):\n        return 1\n"
    few, many = (parse("a.py", (class_ * count).encode(), "") for count in (100, 400))
    assert calls_to_cut("a.py", class_ * 400, many) <= 6 * calls_to_cut("a.py", class_ * 100, few)
