"""Laws: spans lie in the file, texts are its lines, and every line that says anything is in one chunk or passage."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.evidence import cut_file
from companion.evidence.lines import MAX_LINE_CHARS, MAX_PASSAGE_CHARS, file_lines, says
from companion.records import Passage, PassageKind
from companion.syntax import parse

PATHS = ("a.md", "a.rst", "a.adoc", "CHANGES", "a.py", "a.go", "a.rs", "a.ts", "a.yaml", "a.toml", "Makefile", "a.sql")
PIECES = (
    "# Head", "Head", "====", "----", "- item", "  more of it", "1. one", "```", "::", ".. note::", "|a|b|", "<<<<<<< x",
    "=======", ">>>>>>> y", "def f():", "    return 1", "class A:", '    """Says', '    """', "# one. Two", "// one. Two",
    "fn f() {", "}", "/*", "*/", "[tool.a]", "a = 1  # why", "jobs:", "  test:", "    - run: x", "all: a", "\tgo build",
    "", "   ", "\f", "é\u2028ß", "x" * 300, "\r",
)  # fmt: skip
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
        assert says(lines[first - 1]) and says(lines[last - 1])
        assert len(passage.text) <= MAX_PASSAGE_CHARS
        here = {(passage.kind, number) for number in range(first, last + 1)}
        assert not here & seen
        seen |= here


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(PATHS), texts)
def test_every_line_that_says_anything_is_in_a_chunk_or_a_passage_of_the_document(path, text):
    if "\0" in text:
        return
    whole = {PassageKind.CHUNK, PassageKind.DOCUMENT}
    held = {n for p in cut(path, text) if p.kind in whole for n in range(p.span[0], p.span[1] + 1)}
    assert {number for number, line in enumerate(file_lines(text), 1) if says(line)} <= held


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(PATHS), texts)
def test_the_same_text_is_always_cut_the_same(path, text):
    assert cut(path, text) == cut(path, text)
