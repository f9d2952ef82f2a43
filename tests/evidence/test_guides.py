"""What a guide asks a change to bring along, and the documents that it sends people to."""

from __future__ import annotations

import pytest

from companion.evidence.guides import LINKED_MOST, brought_along, concerns_everyone, linked_documents

GUIDE, TEMPLATE = "CONTRIBUTING.md", ".github/PULL_REQUEST_TEMPLATE.md"


@pytest.mark.parametrize(
    ("text", "sorts"),
    [
        ("In both cases, the pull request should include one or more tests.", {"tests"}),
        ("PR should have: Test case", {"tests"}),
        ("Added/updated documentation", {"documents"}),
        ("New features must be tested and documented, and need a changelog entry.", {"tests", "note"}),
        (
            "Consider whether additional tests or documentation should also be added with your change.",
            {"tests", "documents"},
        ),
        ("Any breaking change must be announced one release before.", {"compatibility"}),
        ("Please add yourself to AUTHORS.", {"names"}),
        ("If your fix changes a signature, update the type stubs.", {"types"}),
        ("I’ve added tests to confirm my change works.", {"tests"}),
        ("If you've found a bug, please contribute a failing test case.", {"tests"}),
        ("Describe your changes in a file in `changelog_unreleased`.", {"note"}),
        ("If you fix a bug, don't forget to add a test.", {"tests"}),
    ],
)
def test_a_paragraph_asks_for_what_a_verb_of_bringing_governs(text: str, sorts: set[str]) -> None:
    assert brought_along(text, GUIDE) == sorts


@pytest.mark.parametrize(
    "text",
    [
        "Well-written patches pass all tests.",
        "Make sure that the tests pass before you open a pull request.",
        "Tests include unit tests and benchmarks.",
        "Should a bug fix have a test?",
        "While writing documentation for a feature, use example.com in links.",
        "Thank you for your pull request.",
        "The team added a feature. Tests run at night.",
    ],
)
def test_steps_descriptions_and_questions_ask_for_nothing(text: str) -> None:
    assert brought_along(text, GUIDE) == frozenset()


def test_what_is_said_of_the_case_that_something_is_not_so_is_asked_of_no_other() -> None:
    skipped = "I added `[ci skip]` to the title."
    assert brought_along(f"If this PR doesn’t need tests (docs change), {skipped}", TEMPLATE) == frozenset()
    assert brought_along("If your change has no effect, add the label `no changelog`.", GUIDE) == frozenset()
    assert brought_along("If nobody sees your change, skip the news. Every change needs a test.", GUIDE) == {"tests"}


def test_the_name_of_a_file_is_read_to_its_end() -> None:
    assert brought_along('`CHANGELOG.md`\'s "Unreleased" section has been updated, if applicable.', TEMPLATE) == {
        "note"
    }
    assert brought_along("HISTORY.md must be updated with each change.", GUIDE) == {"note"}


def test_a_question_asks_for_something_in_the_template_of_a_request_alone() -> None:
    assert brought_along("Is the new or changed code fully tested?", TEMPLATE) == {"tests"}
    assert brought_along("Did you update the docs?", TEMPLATE) == {"documents"}
    assert brought_along("Did you update the docs?", GUIDE) == frozenset()


def test_what_stands_under_the_name_of_a_thing_concerns_those_who_change_that() -> None:
    headings = ("Pull Requests", "Before you submit", "Testing", "Updating highlight.js", "Footer")
    assert [concerns_everyone(heading) for heading in headings] == [True, True, True, False, False]


PATHS = frozenset({"docs/PULL_REQUESTS.md", "docs/guide/style.rst", "docs/content/contributing/tests.md", "NEWS.md"})


@pytest.mark.parametrize(
    ("text", "path", "found"),
    [
        ("See [requests](./docs/PULL_REQUESTS.md#tests).", "CONTRIBUTING.md", ["docs/PULL_REQUESTS.md"]),
        ("[pr]: ../docs/PULL_REQUESTS.md", ".github/CONTRIBUTING.md", ["docs/PULL_REQUESTS.md"]),
        (
            "Read :doc:`guide/style` and :doc:`the style </guide/style>`.",
            "docs/contributing.rst",
            ["docs/guide/style.rst"],
        ),
        (
            "[Tests](https://docs.example.org/x/contributing/tests/)",
            "CONTRIBUTING.md",
            ["docs/content/contributing/tests.md"],
        ),
        ("Assistants read `docs/PULL_REQUESTS.md`; see [news](NEWS.md).", "AGENTS.md", ["docs/PULL_REQUESTS.md"]),
        ("`Style <guide/style.rst>`_", "docs/contributing.rst", ["docs/guide/style.rst"]),
        (
            "[code](src/a.py), [home](https://example.org/tests), [gone](docs/gone.md), [up](#top)",
            "CONTRIBUTING.md",
            [],
        ),
    ],
)
def test_a_guide_sends_people_to_documents_of_the_repository(text: str, path: str, found: list[str]) -> None:
    assert list(linked_documents(text, path, PATHS)) == found


def test_a_table_of_contents_is_followed_a_little_way() -> None:
    paths = [f"docs/{n:02}.md" for n in range(40)]
    text = " ".join(f"[{path}]({path})" for path in paths)
    assert list(linked_documents(text, "CONTRIBUTING.md", frozenset(paths))) == paths[:LINKED_MOST]


@pytest.mark.parametrize(
    "text", ["[\n" * 300_000, "](" * 300_000, "`a" * 300_000, ":doc:`" * 100_000, "https://x/" * 90_000]
)
def test_a_guide_made_to_be_slow_is_read(text: str) -> None:
    assert list(linked_documents(text, "CONTRIBUTING.md", PATHS)) == []
    assert brought_along(f"is {text}"[:10_000] * 3, TEMPLATE) == frozenset()
