"""What a pointer of the index says is behind it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.telling.labels import LABEL_CHARS, labels

words = st.text("abcdefgh:.", min_size=1, max_size=12)
sentences = st.lists(words, min_size=1, max_size=30).map(" ".join)


@pytest.mark.parametrize(
    ("title", "text", "told"),
    [
        ("code style", "line length: 88", "code style line length: 88"),
        ("changes that go together", "src/ with tests/", "changes that go together: src/ with tests/"),
        ("code style", "Types are checked by pyright.", "Types are checked by pyright"),
        ("Nested blueprints", "Nested blueprints", "Nested blueprints"),
        ("release", "", "release"),
        ("code style", "lint rules: asciicheck, copyloopvar, dogsled, misspell", "code style lint rules: asciicheck…"),
    ],
)
def test_a_label_tells_what_is_behind_it_and_of_what(title: str, text: str, told: str) -> None:
    (label,) = labels([(title, text)])
    assert label.startswith(told.rstrip("…"))
    assert label.endswith("…") == told.endswith("…")


def test_what_begins_alike_is_told_by_where_it_differs() -> None:
    said = [
        ("Rules", "Never rewrite the history of a branch that others have fetched, in the main repository"),
        ("Rules", "Never rewrite the history of a branch that others have fetched, in a fork of theirs"),
    ]
    one, other = labels(said)
    assert one.startswith("Never rewrite the") and "main repository" in one
    assert other.startswith("Never rewrite the") and "fork of theirs" in other


@given(st.lists(st.tuples(words, sentences), max_size=8))
def test_a_label_is_one_line_of_at_most_50_characters(said: list[tuple[str, str]]) -> None:
    told = labels(said)
    assert len(told) == len(said)
    assert all(len(label) <= LABEL_CHARS and label.splitlines() == [label] for label in told)


@given(sentences, sentences)
def test_two_labels_read_alike_only_where_the_texts_do(one: str, other: str) -> None:
    first, second = labels([("", one), ("", other)])
    assert (first == second) == (one.rstrip(".").split() == other.rstrip(".").split())
