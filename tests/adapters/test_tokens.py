"""Tokens are counted exactly, whether a text is new, comes again or is long."""

from __future__ import annotations

import gc
import weakref

import pytest
from waiting import until

from companion.adapters.tokens import ALONE_CHARACTERS, REMEMBERED_CHARACTERS, QuickTokens
from companion.errors import UsageError


@pytest.mark.parametrize("text", ["", "a", "def run() -> None:", "naïve \ud800 text", "word " * REMEMBERED_CHARACTERS])
def test_a_text_that_comes_again_counts_the_same(text: str) -> None:
    counter = QuickTokens()
    first = counter.count(text)
    assert counter.count(text) == first == QuickTokens().count(text)
    assert (first == 0) == (text == "")


@pytest.mark.parametrize("encoding", ["o200k", "cl100k"])
def test_a_vocabulary_that_was_let_go_of_is_gone_and_counts_the_same_again(encoding: str) -> None:
    counter = QuickTokens(encoding)
    first = counter.count("where prices are rounded")
    held = weakref.ref(counter._pieces if counter._pieces is not None else counter._tokenizer)
    gc.disable()  # what only a search for cycles finds stays in an owner for good
    try:
        counter.unload()
        assert held() is None
    finally:
        gc.enable()
    assert counter.count("where prices are rounded, once more") == first + counter.count(", once more")


def test_a_count_stays_the_same_while_the_library_takes_over_and_after() -> None:
    counter, said = QuickTokens(), [f"def run_{number}(naïve: str) -> None:\n" * 40 for number in range(3)]
    before = counter.count(said[0])
    counter.count("Über den Fluss / 渡河\n" * (ALONE_CHARACTERS // 20))
    meanwhile = counter.count(said[1])
    until(lambda: counter._pieces is None)
    assert before == meanwhile == counter.count(said[2]) == QuickTokens().count(said[2])


def test_each_encoding_keeps_its_own_counts() -> None:
    text = "다국어 текст" * 20
    assert QuickTokens("o200k").count(text) != QuickTokens("cl100k").count(text)


def test_an_unknown_encoding_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match="latin"):
        QuickTokens("latin")
