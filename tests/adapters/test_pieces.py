"""Without its library the vocabulary counts the same, or says that it cannot tell."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.adapters.pieces import PIECE_BYTES, Pieces
from companion.adapters.tokens import QuickTokens

SIGNS = "aAbBzZ09 '\"\n\r\t/_.-=sStTlLvVeErRdDmM“…·€\x0b\x0c\x1c\x7f"
"""Where the pattern's cases meet: beginnings and endings of words, numbers, blanks, line ends, and signs beyond ASCII."""
BEYOND = "äÄǅʰあ\u0301\ufe0f٣²Ⅷ\u00a0\u2028🚀"
"""A sign of each class beyond ASCII: both cases, a title's, letters without case, marks, digits, numbers, blanks."""


@cache
def pieces() -> Pieces:
    return Pieces()


@cache
def library() -> Any:
    return QuickTokens()._tokenizer


@given(st.text(alphabet=SIGNS, max_size=24))
def test_a_text_of_plain_signs_counts_as_in_the_library(text: str) -> None:
    assert pieces().count(text) == library().count(text)


@example("--\u0301-a")  # a mark is no letter where it follows other signs
@given(st.text(alphabet=f"{BEYOND}aA'sS0 \n/_.", max_size=24))
def test_letters_numbers_and_blanks_beyond_ascii_count_as_in_the_library(text: str) -> None:
    assert pieces().count(text) == library().count(text)


@given(st.text(alphabet="=-ab", min_size=1, max_size=3), st.integers(1, PIECE_BYTES // 3))
def test_a_long_piece_counts_as_in_the_library(signs: str, times: int) -> None:
    assert pieces().count(signs * times) == library().count(signs * times)


@pytest.mark.parametrize("path", ["pieces.py", "secrets/looks.py", "tokens.py"])
def test_source_counts_as_in_the_library(path: str) -> None:
    text = (Path(__file__).parents[2] / "companion/adapters" / path).read_text(encoding="utf-8")
    assert pieces().count(text) == library().count(text)


@pytest.mark.parametrize("text", ["'\u017f", "\u0560", "a\x85b", "=" * 3 * PIECE_BYTES + "-+" * PIECE_BYTES])
def test_what_is_not_certain_is_left_to_the_library(text: str) -> None:
    assert pieces().count(text) is None
    assert QuickTokens().count(text) == library().count(text)


def test_the_library_is_loaded_for_what_needs_it_alone() -> None:
    counter = QuickTokens()
    assert counter.count("def run() -> None:") == library().count("def run() -> None:")
    assert "_tokenizer" not in vars(counter)
    assert counter.count("naïve ℹ\ufe0f 다국어") == library().count("naïve ℹ\ufe0f 다국어")
    assert "_tokenizer" not in vars(counter)
    counter.count("'\u017f")
    assert "_tokenizer" in vars(counter)
