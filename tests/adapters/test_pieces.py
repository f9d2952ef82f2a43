"""Without its library the vocabulary counts the same, or says that it cannot tell."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.adapters.pieces import PIECE_BYTES, Pieces
from companion.adapters.tokens import QuickTokens

SIGNS = "aAbBzZ09 '\"\n\r\t/_.-=sStTlLvVeErRdDmM“…·€\x0b\x0c\x1c\x7f"
"""Where the pattern's cases meet: beginnings and endings of words, numbers, blanks, line ends, and signs beyond ASCII."""


@cache
def pieces() -> Pieces:
    return Pieces()


@cache
def library() -> Any:
    return QuickTokens()._tokenizer


@given(st.text(alphabet=SIGNS, max_size=24))
def test_a_text_of_plain_signs_counts_as_in_the_library(text: str) -> None:
    assert pieces().count(text) == library().count(text)


@pytest.mark.parametrize("path", ["pieces.py", "secrets/looks.py", "tokens.py"])
def test_source_counts_as_in_the_library(path: str) -> None:
    text = (Path(__file__).parents[2] / "companion/adapters" / path).read_text(encoding="utf-8")
    assert pieces().count(text) == library().count(text)


@pytest.mark.parametrize("text", ["naïve", "x²", "a\u00a0b", "다국어", "=" * 3 * PIECE_BYTES + "-+" * PIECE_BYTES])
def test_what_is_not_certain_is_left_to_the_library(text: str) -> None:
    assert pieces().count(text) is None
    assert QuickTokens().count(text) == library().count(text)


def test_the_library_is_loaded_for_what_needs_it_alone() -> None:
    counter = QuickTokens()
    assert counter.count("def run() -> None:") == library().count("def run() -> None:")
    assert "_tokenizer" not in vars(counter)
    counter.count("naïve")
    assert "_tokenizer" in vars(counter)
