"""Which sorts of titles hide nothing, and what makes each of them worth telling all the same."""

from __future__ import annotations

import pytest

from companion.kinds.bare_doubts import doubtful, housekeeping
from companion.kinds.meaning import change_of

KNOWN = frozenset({"pool", "limits", "asyncpool"})


def is_doubtful(title: str, *, tested: bool = True) -> bool:
    return doubtful(title, change_of(title), tested=tested, known=lambda name: name.lower() in KNOWN)


@pytest.mark.parametrize(
    "title",
    [
        "Move the parsing functions to parser",
        "Use constants for the header names",
        "Define the reader as private",
        "Improve error messages",
        "Add nicer output for lists",
        "Make the pool more robust",
        "Pool.close() does not work correctly",
        "Speed up the reader",
        "Add sockets (part 1)",
        "Const-ify the handle argument",
        "Fix types for the callback",
        "Remove the superfluous abstractions",
        "Rename Dispatcher to Transporter",
    ],
)
def test_a_title_about_how_code_is_written_or_worded_hides_nothing(title: str) -> None:
    assert is_doubtful(title)


@pytest.mark.parametrize(
    "title",
    [
        "Move the handshake only after a redirect",
        "Improve error messages when a header is missing",
        "Make the pool robust while the loop is closing",
        "Pool.close() does not work on Windows while reading",
        "Speed up the reader by caching headers",
        "Add sockets",
        "Rename Pools to AsyncPool",
        "Remove the public property `limits`",
    ],
)
def test_the_same_sorts_are_told_as_soon_as_they_say_when_or_how(title: str) -> None:
    assert not is_doubtful(title)


def test_what_a_new_name_is_told_of_stands_in_the_code_or_nothing_of_the_code_is_known() -> None:
    assert is_doubtful("Rename Pool to Basin")
    assert not doubtful("Rename Pool to Basin", "refactor", tested=False)


def test_packing_hides_nothing_unless_a_test_shows_otherwise() -> None:
    assert is_doubtful("Add missing files for the wheel", tested=False)
    assert not is_doubtful("Add missing files for the wheel")


@pytest.mark.parametrize(
    "title", ["Implement suggestions from the code review", "Fix types for the callback", "KeyError"]
)
def test_some_sorts_are_housekeeping_whatever_explains_them(title: str) -> None:
    assert housekeeping(title, tested=True)


def test_a_change_of_behaviour_is_no_housekeeping() -> None:
    assert not housekeeping("Reject empty cookies before they are sent", tested=False)
