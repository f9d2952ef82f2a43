"""Subjects that say the same sort of thing: by the words, forms and numbers of a sort, before the name of the thing."""

from __future__ import annotations

import pytest

from companion.syntax.alike import FORM, PastSubjects, leading_word, most_alike

CHORES = [f"Tidy part {number}" for number in range(200)]


def best(task: str, *subjects: str) -> str:
    """The subject most alike, of some among chores."""
    given = [*subjects, *CHORES]
    return given[most_alike(task, PastSubjects(given), 10)[0].at]


@pytest.mark.parametrize(
    ("task", "same_sort", "same_thing"),
    [
        ("Remove code deprecated in 2.11", "Remove code deprecated in 2.10", "Mend code of 2.11 in the loader"),
        ("Add a HTTP2_MAX_FRAME_SIZE setting", "Add a LOG_VERSIONS setting", "Fix frame size of HTTP2 answers"),
        ("Deprecate Spider.log()", "Deprecate ScrapyCommand.help()", "Pass arguments of Spider on to its log"),
        ("Add --max-warnings option", "Add --no-fold option", "Count all warnings of the run"),
        ("Drop Python 3.7", "Drop Python 3.6", "Use generics of Python 3.7 in the loader"),
    ],
)
def test_the_same_sort_comes_before_the_same_thing(task: str, same_sort: str, same_thing: str) -> None:
    assert best(task, same_thing, same_sort) == same_sort


def test_the_form_of_a_name_tells_between_changes_that_are_led_by_the_same_word() -> None:
    assert best("Deprecate Spider.log()", "Deprecate the mail module", "Deprecate Command.help()").endswith("help()")
    assert FORM > 0


def test_of_two_that_are_alike_the_newer_comes_first() -> None:
    subjects = ["Add a cache option", *CHORES, "Add a retry option"]
    assert [subjects[one.at] for one in most_alike("Add a delay option", PastSubjects(subjects), 2)] == [
        subjects[0],
        subjects[-1],
    ]


def test_what_shares_no_word_is_not_alike() -> None:
    assert most_alike("Rename everything", PastSubjects(CHORES), 10) == []
    chores = PastSubjects(CHORES)
    assert most_alike("", chores, 10) == most_alike(" ... \n", chores, 10) == []
    assert most_alike("Tidy", PastSubjects([]), 10) == []


def test_the_number_of_a_request_is_no_number() -> None:
    (found,) = most_alike("Tidy (#7)", PastSubjects(["Tidy (#8)"]), 1)
    assert found.words == ("Tidy",)


def test_the_leading_word_stands_behind_the_area() -> None:
    assert leading_word("feat(render): Added a PDF renderer") == leading_word("add x") == "add"
    assert leading_word("tokio-util, sync: add guard") == "add"
    assert leading_word("[ruff] Enable SIM118") == leading_word("fix #12: enabled it") == "enabl"
    assert leading_word("#12") == ""


def test_words_are_told_as_the_task_says_them() -> None:
    (found,) = most_alike("Adding retry_times", PastSubjects(["Add a retry"]), 1)
    assert (found.words, found.same_lead) == (("Adding", "retry_times"), True)
