"""What is shown is made harmless, by the quick way for plain text and by the slow one alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from companion import escape

UNSEEN = "\u200b"
"""Removed wherever it stands; a text with it is never plain, so it takes the slow way."""
TEXTS = st.text(st.one_of(st.sampled_from(" \t\n\r\x1b\x00\x7f[m#>-=|<`~é\u2028\ufe0f"), st.characters()), max_size=60)


@given(TEXTS)
def test_plain_text_comes_out_as_the_slow_way_would_give_it(text: str) -> None:
    assert escape.clean(text) == escape.clean(UNSEEN + text)
    assert escape.one_line(text, 40) == escape.one_line(UNSEEN + text, 40)
    assert escape.markdown_text(text, "  ") == escape.markdown_text(UNSEEN + text, "  ")


@given(TEXTS)
def test_no_line_of_prose_looks_like_markup(text: str) -> None:
    for line in escape.markdown_text(text, "  ").split("\n"):
        assert not line.lstrip().startswith(("# ", "> ", "~~~", "|", "<context"))
