"""What a guide asks a change to bring along, and the documents that it sends people to."""

from __future__ import annotations

import pytest

from companion.evidence.guides import LINKED_MOST, brought_along, linked_documents


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
    ],
)
def test_a_paragraph_asks_for_what_a_verb_of_bringing_governs(text: str, sorts: set[str]) -> None:
    assert brought_along(text) == sorts


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
    assert brought_along(text) == frozenset()


PATHS = frozenset({"docs/PULL_REQUESTS.md", "docs/guide/style.rst", "docs/content/contributing/tests.md", "src/a.py"})


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
