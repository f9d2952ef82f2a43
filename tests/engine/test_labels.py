"""What a pointer of the index says is behind it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion import escape
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


@pytest.mark.parametrize("hidden", ["\x1b]0;", "\x1b[31m", "\x1b", "\u202e", "\u200b", "\x9b"])
def test_nothing_that_cannot_be_seen_is_in_a_label_or_swallows_what_stands_behind_it(hidden: str) -> None:
    (label,) = labels([("note", f"Mind the {hidden}colour of all that is printed to a terminal by us")])
    assert "Mind the" in label
    assert escape.one_line(f"{label} m1123f94a0", 80) == f"{label} m1123f94a0"


def test_what_differs_in_the_end_of_a_long_word_alone_is_told_by_that_end() -> None:
    path = f"docs/{'very' * 12}/"
    said = [("", f"{path}a.md is old"), ("", f"{path}b.md is old"), ("", f"{path}a.md")]
    one, other = labels(said[:2])
    assert one.endswith("a.md is old") and other.endswith("b.md is old")
    assert len(set(labels(said))) == 3


def test_texts_that_differ_in_case_alone_are_told_whole() -> None:
    assert labels([("", "Fix the flag"), ("", "fix the flag")]) == ["Fix the flag", "fix the flag"]


def test_of_texts_that_go_on_where_another_ends_each_is_told_apart() -> None:
    text = "Never rewrite the history of a branch that others have"
    assert len(set(labels([("", text), ("", f"{text} fetched"), ("", f"{text} fetched or seen")]))) == 3


def test_a_sentence_with_a_colon_is_told_from_its_beginning_and_not_as_a_property() -> None:
    (label,) = labels([("Code Style", "Avoid ternary expressions of any sort wherever you can: use plain branches")])
    assert label.startswith("Avoid ternary")
