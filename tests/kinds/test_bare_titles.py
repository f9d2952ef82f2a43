"""Which titles say of themselves what happened, with nothing below them."""

from __future__ import annotations

import pytest

from companion.kinds.bare_titles import says_enough
from companion.kinds.meaning import change_of
from companion.records import ChangeStatus, FileChange

SOURCE = (FileChange(ChangeStatus.MODIFIED, "src/pool.py"),)
TESTED = (*SOURCE, FileChange(ChangeStatus.MODIFIED, "tests/test_pool.py"))
WIDE = tuple(FileChange(ChangeStatus.MODIFIED, f"src/{name}.py") for name in ("pool", "client", "config"))


def told(title: str, changes: tuple[FileChange, ...] = SOURCE) -> bool:
    return says_enough(title, change_of(title), changes)


@pytest.mark.parametrize(
    "title",
    [
        "Reject negative timeouts before a socket opens",
        "Fixed redirect loop",
        "Rename PoolLimits to Limits",
        "Add `max_age` to the cookie settings",
        "endpoint is optional for modules",
        "watch: fix spurious wakeup",
        "Drop support for Python 3.7",
        "basic auth: fix timing oracle",
        'Revert "Raise TypeError on invalid query params"',
        'Revert "Update mio to 0.8"',
        "Un-deprecate Request.json",
        "Refactor the reader to use memory maps instead of buffers",
    ],
)
def test_a_title_that_names_what_changed_is_told(title: str) -> None:
    assert told(title)


@pytest.mark.parametrize(
    "title",
    [
        "Refactor session handling",
        "Simplify dispatch",
        "Base URL improvements",
        "Clean up jsonify()",
        "Fix json",
        "Fix bundle error",
        "Restored 2.5 compatibility",
        "Fix typing of jinja decorators",
        "Fix missing quotes in the key message",
        "Change _cv_req -> _cv_request",
        "Remove the final keyword from private methods",
        "Support HTTPCore 0.13",
        'Revert "Merge pull request #12 from someone/bug"',
        "Http interface",
        "FMC",
    ],
)
def test_a_title_that_only_says_where_or_that_it_is_better_is_not(title: str) -> None:
    assert not told(title)


def test_a_test_or_an_issue_proves_what_few_words_say() -> None:
    assert not told("Reject empty cookies")
    assert told("Reject empty cookies", TESTED)
    assert told("Reject empty cookies #12")


@pytest.mark.parametrize("title", ["Fix shape caching", "Fix condition in HelpFunc", "Fix error in `send_file` helper"])
def test_a_fix_that_only_names_its_place_is_not_told_even_if_a_test_came_with_it(title: str) -> None:
    assert not told(title, TESTED)


@pytest.mark.parametrize("title", ["Fix IndexError in `send_file`", "Fix session lost after a redirect"])
def test_a_fix_that_says_what_was_wrong_is_told(title: str) -> None:
    assert told(title, TESTED)


@pytest.mark.parametrize(
    "title",
    [
        "Delete print statement",
        "Remove stray `dbg!` from the loader",
        "Fix type annotation for MockTransport",
        "Fix trailing whitespace in the completion script",
        "Add `pragma: no branch` in the middleware",
    ],
)
def test_what_only_tidies_the_text_of_the_code_is_not_told_even_if_a_test_came_with_it(title: str) -> None:
    assert not told(title, TESTED)


def test_a_test_does_not_prove_a_title_that_ends_before_it_says_what_was_wrong() -> None:
    assert not told("Fixed discriminated union bug", TESTED)


def test_a_heading_is_told_only_where_it_says_as_much_as_a_sentence() -> None:
    assert not told("Connection pooling", WIDE)
    assert not told("Immutable QueryParams", TESTED)
    assert told("SameSite support for session cookies")
    assert told("Pooled keep-alive connections per origin and proxy")


def test_what_type_checkers_see_is_told_once_a_test_shows_a_difference() -> None:
    assert not told("Fix return type inference of lazy schemas")
    assert told("Fix return type inference of lazy schemas", TESTED)


def test_files_named_in_a_title_say_nothing_but_members_of_classes_do() -> None:
    assert not told("Refactor httpx/_utils.py")
    assert told("Deprecate Request.json")
