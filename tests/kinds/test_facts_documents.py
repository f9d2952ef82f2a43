from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from kinds.worlds import world_of

from companion.kinds.facts import DeclaredFacts, declares
from companion.kinds.facts.rules import is_rule
from companion.records import Draft


def learned(folder: Path, path: str, text: str) -> list[Draft]:
    return list(DeclaredFacts().learn(world_of(folder, {path: text})))


@pytest.mark.parametrize(
    "sentence",
    [
        "Use `util.defineLazy()` for computed properties to avoid circular dependencies.",
        "Do not add unnecessary dependencies.",
        "Add or modify tests to cover your code changes.",
        "All tests must be written in TypeScript - never use JavaScript",
        "Every new function needs a docstring.",
        "Commit messages must be in the imperative mood.",
        "Never edit generated files by hand.",
        "Avoid ternary expressions (`x if cond else y`): coverage cannot measure both branches.",
        "Please follow PEP-8 for naming variables.",
    ],
)
def test_rules_of_the_work_are_kept(sentence: str) -> None:
    assert is_rule(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Please open an issue before you start working on tests.",
        "Fork the repository and run the tests.",
        "Thank you for writing tests.",
        "Flask is a lightweight WSGI web application framework.",
        "You should see the tests pass.",
        "Write documentation",
        "Do you want to add tests?",
        "To run the tests, use:",
        "This must be tested.",
        "See the testing guide.",
        "Commit access is an invitation to the test team.",
        "Use the issue tracker to report a bug in the tests.",
        "Add a ⭐ to the project.",
        "Run it.",
        "Test suites are run by CI on every commit.",
        "Commit your changes (`git commit -m 'Add some feature'`).",
        "Write good commit messages.",
        "Follow the existing code style.",
        "New features should branch off here.",
        "Use the following command to install the development requirements of the tests.",
        "Never delete that file with a force-push to the branch.",
        "Set the variable to make these changes permanent in the tests.",
        "Replace `#123` with the number of your pull request.",
        "For our Git workflow, check out our documentation before you commit.",
    ],
)
def test_courtesy_community_and_prose_are_not_rules(sentence: str) -> None:
    assert not is_rule(sentence)


CONTRIBUTING = """\
# Contributing

Thanks for helping! Please star the project.

![badge](https://example.org/x.svg)

## Reporting bugs

Include the version of your tests and the full error.

## Development

Run the test suite with:

```console
$ pytest -x
```

To run a single test:

    $ pytest tests/test_a.py

- Use **four spaces** for indentation, as in [PEP 8](https://peps.python.org).
  Tabs are not allowed.
- [ ] Format the code by running `ruff format .` before you commit.

```python
# Never do this in tests.
```

| Rule | All tests must pass |
"""


def test_a_contributing_file_gives_rules_and_commands_with_their_lines(tmp_path: Path) -> None:
    drafts = learned(tmp_path, "CONTRIBUTING.md", CONTRIBUTING)
    assert [(d.attribute, d.value, d.evidence[0].line) for d in drafts] == [
        ("test_command", "pytest -x", 13),
        ("single_test_command", "pytest tests/test_a.py", 19),
        ("", "Use four spaces for indentation, as in PEP 8. Tabs are not allowed.", 23),
        ("format_command", "ruff format .", 25),
    ]


def test_facts_of_documents_are_less_sure_than_settings(tmp_path: Path) -> None:
    (draft,) = learned(tmp_path, "README.md", "# X\n\nX requires Python 3.9+.\n")
    assert draft.confidence < 0.9
    assert (draft.subject, draft.attribute, draft.value) == ("python", "min_python", "3.9")


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [
        ("HTTPX requires Python 3.9+.", "min_python", "3.9"),
        ("Slim requires PHP 7.4 or newer.", "min_php", "7.4"),
        ("Requires Node.js >= 18.17.", "min_node", "18"),
        ("The current MSRV is 1.71.", "msrv", "1.71"),
        ("Gin requires Go version 1.24 or above.", "min_go", "1.24"),
        ("JDK 17 or newer is required for building.", "development_min_java", "17"),
    ],
)
def test_a_readme_tells_what_is_needed(tmp_path: Path, text: str, attribute: str, value: str) -> None:
    (draft,) = learned(tmp_path, "README.md", f"# X\n\n{text}\n")
    assert (draft.attribute, draft.value) == (attribute, value)


@pytest.mark.parametrize(
    "text",
    [
        "Support for Python 3.6 was dropped in version 2, which requires newer ones.",
        "If you use Python 3.8 or older, use version 1.",
        "Python 3.12 is supported.",
        "It was tested with Node.js 18 or later before the rewrite and is required.",
    ],
)
def test_history_and_conditions_are_no_requirements(tmp_path: Path, text: str) -> None:
    assert learned(tmp_path, "README.md", f"# X\n\n{text}\n") == []


def test_the_readme_of_a_folder_does_not_speak_for_the_project() -> None:
    assert declares("README.md")
    assert not declares("tests-java8/README.md")


def test_a_readme_speaks_of_work_only_under_such_headings(tmp_path: Path) -> None:
    text = "# X\n\n## Usage\n\nUse `x.run()` to run tests.\n\n## Contributing\n\nAdd tests for every new function.\n"
    assert [d.value for d in learned(tmp_path, "README.md", text)] == ["Add tests for every new function."]


def test_agent_files_weigh_more_and_list_commands(tmp_path: Path) -> None:
    text = "# Agents\n\n- `pnpm test <path>` - Run one test file\n- Ask before generating new files\n"
    drafts = learned(tmp_path, "AGENTS.md", text)
    assert [d.value for d in drafts] == ["pnpm test <path>", "Ask before generating new files"]
    assert drafts[1].importance > 1
    assert "<path>" in drafts[0].levels.full


@pytest.mark.parametrize(
    "path", ["README.ja.md", "README.zh-CN.md", "docs/de/contributing.md", "docs/pt-br/CONTRIBUTING.md"]
)
def test_translations_are_not_read(tmp_path: Path, path: str) -> None:
    assert learned(tmp_path, path, "# X\n\n## Development\n\nAdd tests for every new function.\n") == []


def test_a_text_in_another_script_is_not_read(tmp_path: Path) -> None:
    assert (
        learned(
            tmp_path,
            "CONTRIBUTING.md",
            "# 貢献\n\n`pytest` を使ってテストを実行してください。 Run `pytest -x` to run tests.\n",
        )
        == []
    )


def test_documents_that_copy_one_another_are_heard_once(tmp_path: Path) -> None:
    text = "# X\n\n## Development\n\nAdd tests for every new function.\n"
    drafts = list(DeclaredFacts().learn(world_of(tmp_path, {"CONTRIBUTING.md": text, "docs/contributing.md": text})))
    assert [d.origin for d in drafts] == ["CONTRIBUTING.md"]


def test_a_chapter_is_named_without_its_number(tmp_path: Path) -> None:
    text = "# Guide\n\n## 2. Writing tests\n\n- Put every test in `tests/`.\n"
    drafts = list(DeclaredFacts().learn(world_of(tmp_path, {"AGENTS.md": text})))
    assert [draft.levels.full for draft in drafts] == ["Writing tests: Put every test in `tests/`."]


@pytest.mark.parametrize(
    "text",
    [
        "## Merging\n\nAlways squash the commits of a backport, since that keeps its author.",
        "## Tests\n\nWe recognise the patterns of generated tests. You must be able to explain your tests.",
        "## Tests\n\nYou can now run the tests again. Please follow PEP-8 for naming.",
        "## Tests\n\nSome tests need a proxy, which must be installed in advance.",
        "## Tests\n\nYou need to have Python available. Running the tests is as simple as this command:\n\n    tox",
    ],
    ids=["what maintainers do", "who speaks of themselves", "what is possible", "what is so", "what announces code"],
)
def test_a_paragraph_that_tells_is_no_rule_for_a_duty_in_it(text: str, tmp_path: Path) -> None:
    assert [d for d in learned(tmp_path, "CONTRIBUTING.md", f"# Contributing\n\n{text}\n") if not d.attribute] == []


def test_a_rule_is_told_under_the_heading_for_which_it_holds(tmp_path: Path) -> None:
    text = "# Contributing\n\nWrite a test for every change you make.\n\n## Examples in pages\n\n" + (
        "- Use double quotes for all strings, in output and declarations alike, whatever the code does.\n"
        "- install the tools so that the tests can run;\n"
    )
    assert [draft.levels.summary for draft in learned(tmp_path, "CONTRIBUTING.md", text) if not draft.attribute] == [
        "Write a test for every change you make."
    ]
    other = text.replace("Examples in pages", "Writing pages")
    told = [draft.levels.summary for draft in learned(tmp_path, "CONTRIBUTING.md", other) if not draft.attribute]
    assert told[1].startswith("Writing pages: Use double quotes for all strings")
    assert told[2].endswith("so that the tests can run.")


def test_a_rule_is_taken_whole_with_its_condition_and_what_announces_its_list(tmp_path: Path) -> None:
    text = (
        "# Contributing\n\n## Patches\n\nWell-written patches should:\n\n"
        "- change the documentation in the same patch, unless the API is private.\n  See the policies.\n\n"
        "If you deprecate a function, you must keep its tests until it is removed. Nobody reads the log. "
        "New deprecations are named in the notes.\n"
    )
    told = [(d.levels.full, d.evidence[0].line) for d in learned(tmp_path, "CONTRIBUTING.md", text)]
    assert told == [
        (
            "Patches: Well-written patches should: Change the documentation in the same patch, unless the API is "
            "private. See the policies.",
            7,
        ),
        (
            "Patches: If you deprecate a function, you must keep its tests until it is removed. Nobody reads the log. "
            "New deprecations are named in the notes.",
            10,
        ),
    ]


@pytest.mark.parametrize("path", [".github/PULL_REQUEST_TEMPLATE.md", "docs/contributing/patches.md", "CLAUDE.md"])
def test_templates_pages_on_contributing_and_agents_files_hold_rules(tmp_path: Path, path: str) -> None:
    (draft,) = learned(tmp_path, path, "# Work\n\nEvery fix should come with a test.\n")
    assert (draft.levels.full, draft.origin) == ("Work: Every fix should come with a test.", path)


def test_what_is_announced_without_a_duty_is_no_rule(tmp_path: Path) -> None:
    text = "# Work\n\nThe tests come in two sorts:\n\n- unit tests of functions\n- tests of the whole thing\n"
    assert learned(tmp_path, "CONTRIBUTING.md", text) == []


@pytest.mark.parametrize(
    "offers", ["There are many ways you can contribute to the project:", "You can help:", "Steps to contribute:"]
)
def test_what_one_may_do_and_how_a_request_is_opened_are_no_rules(tmp_path: Path, offers: str) -> None:
    text = f"# Work\n\n{offers}\n\n- Create new pull request\n"
    assert learned(tmp_path, "CONTRIBUTING.md", text) == []
    written = text.replace("Create new pull request", "Write tests")
    assert len(learned(tmp_path, "CONTRIBUTING.md", written)) == offers.startswith("Steps")


@pytest.mark.parametrize(
    ("path", "link"),
    [
        ("CONTRIBUTING.md", "[Write tests for your changes](#tests)"),
        ("CONTRIBUTING.md", "[Write tests for your changes]"),
        ("CONTRIBUTING.rst", "`Write tests for your changes <https://example.org/tests>`_"),
        ("CONTRIBUTING.adoc", "<<tests,Write tests for your changes>>"),
    ],
)
def test_an_entry_of_a_table_of_contents_is_no_rule(tmp_path: Path, path: str, link: str) -> None:
    assert learned(tmp_path, path, f"Your change should:\n\n* {link}\n") == []
    assert len(learned(tmp_path, path, f"Your change should:\n\n* {link} and docs\n")) == 1


def test_the_cases_of_one_rule_are_told_as_one(tmp_path: Path) -> None:
    text = "# Notes\n\nUpdate the changelog if you change any of the following:\n\n- Themes.\n- The syntaxes\n\nNever push.\n"
    (draft,) = learned(tmp_path, "CONTRIBUTING.md", text)
    assert draft.levels.full == "Update the changelog if you change any of the following: Themes; The syntaxes."


def test_the_numbered_steps_of_one_task_are_no_rules(tmp_path: Path) -> None:
    steps = "1. Regenerate the font with `make font`.\n2. Copy the generated files over those in `docs/fonts`.\n"
    text = f"# Work\n\nIf you ever need another icon, you must draw it anew:\n\n{steps}"
    assert not any(draft.levels.full.endswith("`docs/fonts`.") for draft in learned(tmp_path, "CONTRIBUTING.md", text))
    whoever = text.replace("If you ever need another icon, you", "Each of you")
    assert any(draft.levels.full.endswith("`docs/fonts`.") for draft in learned(tmp_path, "CONTRIBUTING.md", whoever))


def test_what_is_tried_by_hand_is_no_test_and_what_a_comment_gives_instead_no_step(tmp_path: Path) -> None:
    tested = "# Tests\n\n## Unit tests\n\nWith Node.js:\n\n```sh\npnpm vitest run\n\n# Or again and again:\npnpm vitest\n```\n"
    tried = "\n## REPL\n\nTo test functions by hand, use `tsx`:\n\n```sh\npnpm tsx\n```\n"
    drafts = learned(tmp_path, "CONTRIBUTING.md", tested + tried)
    assert [draft.levels.full for draft in drafts] == ["The tests are run with `pnpm vitest run`."]


def test_what_a_colon_announces_is_the_command_and_not_the_tool_named_before_it(tmp_path: Path) -> None:
    text = "# Work\n\nYou can build the docs locally using `nox`:\n\n.. code-block:: bash\n\n  $ nox -rs docs\n"
    assert "nox" not in {draft.value for draft in learned(tmp_path, "CONTRIBUTING.md", text)}


def test_a_list_that_an_order_announces_is_one_of_rules(tmp_path: Path) -> None:
    text = "# Pull requests\n\nBefore you submit, check the following:\n\n- What is added is tested and the docs are updated.\n"
    (draft,) = learned(tmp_path, "CONTRIBUTING.md", text)
    assert draft.value.endswith("check the following: What is added is tested and the docs are updated.")
    assert not learned(tmp_path, "CONTRIBUTING.md", text.replace("check the following", "there is this"))


@pytest.mark.parametrize("path", ["docs/Guides/Contributing.md", "docs/contributing.rst", "docs/Contributing/tests.md"])
def test_a_guide_is_known_by_its_name_however_it_is_capitalised(tmp_path: Path, path: str) -> None:
    (draft,) = learned(tmp_path, path, "Create tests for your changes.\n")
    assert draft.value == "Create tests for your changes."


ASKS = "# Requests\n\n## Tests\n\nA change should include tests.\n\n## Speed\n\nNever allocate in the hot function.\n"


def test_of_a_document_that_a_guide_links_to_what_it_asks_of_a_change_is_kept_alone(tmp_path: Path) -> None:
    files = {"CONTRIBUTING.md": "Read [this](docs/REQUESTS.md).\n", "docs/REQUESTS.md": ASKS, "docs/OTHER.md": ASKS}
    drafts = list(DeclaredFacts().learn(world_of(tmp_path, files)))
    assert [(d.origin, d.levels.full) for d in drafts] == [
        ("docs/REQUESTS.md", "Tests: A change should include tests.")
    ]


def test_what_a_project_does_not_want_is_one_rule(tmp_path: Path) -> None:
    text = """\
## What we are not looking for

The library stays small. Therefore, we are **not accepting**:

- New features that widen the surface.
- Bindings for other frameworks.

We are happy about:

- Anything that makes it faster for everybody.
"""
    (rule,) = (draft.value for draft in DeclaredFacts().learn(world_of(tmp_path, {"CONTRIBUTING.md": text})))
    assert rule == (
        "What we are not looking for: Therefore, we are not accepting: "
        "New features that widen the surface; Bindings for other frameworks"
    )


def test_a_document_speaks_for_the_project_no_longer_than_a_guide_links_to_it(tmp_path: Path) -> None:
    files = {"CONTRIBUTING.md": "Read [this](docs/REQUESTS.md).\n", "docs/REQUESTS.md": ASKS}
    said = list(DeclaredFacts().learn(world_of(tmp_path, files)))
    (tmp_path / "CONTRIBUTING.md").write_text("Read nothing.\n")
    world = dataclasses.replace(world_of(tmp_path, {}), said=said)
    assert "docs/REQUESTS.md" in DeclaredFacts().origins(world)
    assert list(DeclaredFacts().learn(world)) == []


def test_a_change_of_a_linked_document_alone_is_seen(tmp_path: Path) -> None:
    files = {"CONTRIBUTING.md": "Read [this](docs/REQUESTS.md).\n", "docs/REQUESTS.md": ASKS}
    world = dataclasses.replace(world_of(tmp_path, files), unchanged=frozenset({"CONTRIBUTING.md"}))
    assert [d.origin for d in DeclaredFacts().learn(world)] == ["docs/REQUESTS.md"]
    assert not list(DeclaredFacts().learn(dataclasses.replace(world, unchanged=frozenset(files))))


def test_what_a_list_item_announces_holds_for_the_items_below_it(tmp_path: Path) -> None:
    text = (
        "## Contribute\n\n- Send it.\n- PR should have:\n  - Test case\n  - Documentation\n- You can also:\n  - Talk\n"
    )
    told = [draft.levels.full for draft in learned(tmp_path, "README.md", text)]
    assert told == ["PR should have: Test case.", "PR should have: Documentation."]


def test_two_colons_stay_in_code(tmp_path: Path) -> None:
    text = "Write tests\n-----------\n\nDocument any change with ``.. versionchanged::`` in the docs.\n"
    told = [draft.levels.full for draft in learned(tmp_path, "CONTRIBUTING.rst", text)]
    assert told == ["Write tests: Document any change with `.. versionchanged::` in the docs."]


@pytest.mark.parametrize(
    "sentence",
    [
        "If an AI tool was used, you must say to what extent it was used.",
        "AI should not be used to write comments when talking with maintainers.",
        "Contributions that are wholly generated by LLMs are not accepted.",
        "As a courtesy to reviewers, please disclose code that a language model wrote.",
        "Note: Before you take the time to open a pull request, please open a ticket first.",
        "If you want to add a large feature, please discuss it in the forum beforehand.",
    ],
)
def test_what_assistants_may_do_and_what_is_talked_over_first_are_rules_whoever_else_they_speak_of(
    tmp_path: Path, sentence: str
) -> None:
    said = [draft.value for draft in learned(tmp_path, "CONTRIBUTING.md", f"# Contributing\n\n{sentence}\n")]
    assert said == [sentence]


@pytest.mark.parametrize(
    "sentence",
    [
        "We have found that language models often fail in subtle ways.",
        "The editor has an AI that completes functions.",
        "Please open an issue first, we read all of them.",
        "Open a discussion before you report a bug.",
        "Note that you have to ask the owners of a module to change its documentation.",
    ],
)
def test_talk_of_assistants_or_of_reports_and_remarks_are_no_rules(tmp_path: Path, sentence: str) -> None:
    assert learned(tmp_path, "CONTRIBUTING.md", f"# Contributing\n\n{sentence}\n") == []


def test_an_announcement_that_names_nothing_is_left_out_of_its_rules(tmp_path: Path) -> None:
    text = "# Patches\n\nHere are some guidelines for your patch:\n\n* Write tests for new functions.\n"
    assert [draft.value for draft in learned(tmp_path, "CONTRIBUTING.md", text)] == [
        "Patches: Write tests for new functions."
    ]


def test_a_guide_about_issues_or_releases_by_its_name_teaches_no_rules(tmp_path: Path) -> None:
    text = "# The basics\n\nEvery new function needs a docstring.\n"
    assert learned(tmp_path, "docs/contributing/issue_triage.md", text) == []
    assert learned(tmp_path, "docs/contributing/getting-started.md", text)


@pytest.mark.parametrize("mark", ["    ", ""], ids=["indented", "fenced"])
def test_a_comment_in_a_block_says_what_the_commands_below_it_are_for(mark: str, tmp_path: Path) -> None:
    block = "# Setup the virtual environment\npython3 -m venv env\npip install -e .\n\n# Run the tests\n./runtests.py\n"
    shown = "".join(f"{mark}{line}\n" for line in block.splitlines()) if mark else f"```sh\n{block}```\n"
    text = f"# Work\n\n## Testing\n\nTo run the tests, clone the repository, and then:\n\n{shown}"
    assert [(draft.attribute, draft.value) for draft in learned(tmp_path, "CONTRIBUTING.md", text)] == [
        ("setup_command", "python3 -m venv env && pip install -e ."),
        ("test_command", "./runtests.py"),
    ]


def test_a_sentence_about_the_command_below_it_is_told_with_it(tmp_path: Path) -> None:
    text = "# Work\n\n## Options\n\nRun the tests in fewer words.\n\n    pytest -q\n\nNever skip a test in a class.\n"
    more = text.replace("in fewer", "quickly, in fewer").partition("## Options")[2]
    told = [draft.levels.full for draft in learned(tmp_path, "CONTRIBUTING.md", f"{text}{more}")]
    assert told == [
        "The tests are run with `pytest -q`.",
        "Options: Never skip a test in a class.",
        "Options: Run the tests quickly, in fewer words: `pytest -q`.",
    ]


def test_a_remark_is_no_rule_for_what_it_says_of_itself(tmp_path: Path) -> None:
    text = "# Style\n\n**Note: `make` mends most of it. This is only here to document the rules for changes.**\n"
    assert learned(tmp_path, "CONTRIBUTING.md", text) == []
    ordered = text.replace("This is only here to document", "Please document")
    assert len(learned(tmp_path, "CONTRIBUTING.md", ordered)) == 1


@pytest.mark.parametrize(
    ("announcement", "item", "told"),
    [
        ("What we look at in a PR :", "Please document the change.", "Please document the change."),
        ("But first, make sure that :", "Don't use tabs in code.", "Don't use tabs in code."),
        ("Make sure that :", "The code has no tabs.", "Make sure that: The code has no tabs."),
        ("If it fixes a bug:", "Add a regression test.", "If it fixes a bug: Add a regression test."),
        ("Rules for the parser:", "Use tabs in code.", "Rules for the parser: Use tabs in code."),
    ],
)
def test_what_announces_a_rule_is_told_where_the_rule_says_less_without_it(
    announcement: str, item: str, told: str, tmp_path: Path
) -> None:
    (draft,) = learned(tmp_path, "CONTRIBUTING.md", f"# Patches\n\n{announcement}\n\n* {item}\n")
    assert draft.value == f"Patches: {told}"


def test_an_announcement_needs_no_colon_and_an_order_of_things_is_one_rule(tmp_path: Path) -> None:
    text = "# Imports\n\nImports must be sorted in the following order\n\n1. `java`\n1. a blank line\n1. `all others`\n"
    (draft,) = learned(tmp_path, "CONTRIBUTING.md", f"{text}1. a blank line\n")
    assert draft.value == (
        "Imports: Imports must be sorted in the following order: `java`; a blank line; `all others`; a blank line"
    )


def test_a_box_that_says_what_was_done_is_told_as_what_a_pull_request_confirms(tmp_path: Path) -> None:
    text = "# Checklist\n\n- [ ] If necessary, new tests have been added\n- [ ] Include tests for every change\n"
    assert [draft.value for draft in learned(tmp_path, "PULL_REQUEST_TEMPLATE.md", text)] == [
        "A pull request must confirm: If necessary, new tests have been added",
        "Checklist: Include tests for every change",
    ]


def test_what_holds_under_a_condition_or_speaks_of_boxes_is_a_rule(tmp_path: Path) -> None:
    text = (
        "# Rules\n\nIf this PR adds or changes a task:\n\n- Add tests for the task\n\n"
        "Never nest boxes in the layout.\n\nFollow the lint rules that apply to public functions.\n\n"
        "Keep these comments up to date.\n"
    )
    assert [draft.value for draft in learned(tmp_path, "AGENTS.md", text)] == [
        "If this PR adds or changes a task: Add tests for the task",
        "Never nest boxes in the layout.",
        "Follow the lint rules that apply to public functions.",
        "Keep these comments up to date.",
    ]


def test_what_a_template_offers_to_tick_and_asks_is_no_rule(tmp_path: Path) -> None:
    text = (
        "Please include tests for what this PR resolves.\n\nPlease place an x in all [ ] that apply.\n\n"
        "This PR contains:\n\n- [ ] bugfix\n- [ ] documentation\n\nKinds of changes:\n\n- [ ] new tests\n\n"
        "Are tests included?\n\n- [ ] yes\n\n- [ ] Have you added tests for the change?\n"
    )
    assert [draft.value for draft in learned(tmp_path, "PULL_REQUEST_TEMPLATE.md", text)] == [
        "Please include tests for what this PR resolves.",
        "A pull request must confirm: Have you added tests for the change?",
    ]


def test_how_a_heading_is_to_be_answered_is_no_part_of_it_and_a_long_one_ends_with_a_word(tmp_path: Path) -> None:
    text = '#### What is the purpose of this pull request? (put an "X" next to an item)\n\n- [ ] Include tests\n'
    (draft,) = learned(tmp_path, "PULL_REQUEST_TEMPLATE.md", text)
    assert draft.subject == "What is the purpose of this pull request?"
    long = "# Whatever a change to one of the published interfaces of this library needs\n\n* Include tests\n"
    (draft,) = learned(tmp_path, "PULL_REQUEST_TEMPLATE.md", long)
    assert draft.subject == "Whatever a change to one of the published interfaces of…"
    (draft,) = learned(tmp_path, "PULL_REQUEST_TEMPLATE.md", f"# Src/{'deep/' * 20}\n\n* Include tests\n")
    assert draft.subject == f"Src/{'deep/' * 20}"[:59] + "…"


def test_no_step_of_a_procedure_is_told_alone(tmp_path: Path) -> None:
    steps = "1. Fork it.\n2. Commit your changes.\n3. Create a new Pull Request.\n"
    assert learned(tmp_path, "README.md", f"# X\n\n## Contributing\n\nTo contribute:\n\n{steps}") == []


@pytest.mark.parametrize("path", ["AI_POLICY.md", "docs/ai-usage-policy.rst", "GENERATIVE_AI_POLICY.md"])
def test_a_policy_on_assistants_is_a_guide_by_its_name(path: str, tmp_path: Path) -> None:
    (draft,) = learned(tmp_path, path, "Policy\n======\n\nAutonomous agents are not allowed to contribute.\n")
    assert draft.value == "Policy: Autonomous agents are not allowed to contribute."


def test_public_parts_are_documented_whatever_the_order_is_called(tmp_path: Path) -> None:
    assert len(learned(tmp_path, "CONTRIBUTING.md", "# Rules\n\n* Document public APIs with examples\n")) == 1


def test_what_only_makes_ready_is_not_what_its_sentence_is_for(tmp_path: Path) -> None:
    text = "# Tests\n\nTo run the tests, first install:\n\n```sh\nnpm install\n```\n\nThen run `npm test`:\n\n```sh\nnpm test\n```\n"
    told = [draft.levels.full for draft in learned(tmp_path, "CONTRIBUTING.md", text)]
    assert [one for one in told if "run with" in one] == ["The tests are run with `npm test`."]


def test_what_stands_below_an_item_holds_for_it_and_the_items_after_keep_what_announced_them(tmp_path: Path) -> None:
    text = (
        "# Checklist\n\nThis pull request must be:\n\n- [ ] A short code fix\n\t- Please include tests.\n"
        "- [ ] If you add a feature\n\t- Update the changelog.\n- [ ] Check that all of it builds\n"
        "\t- with the tests, by `make all`, on every platform\n- [ ] API changes\n\t- Document all of them in the docs.\n"
        "- [ ] Small enough to be reviewed with its tests\n"
    )
    assert [draft.value for draft in learned(tmp_path, "PULL_REQUEST_TEMPLATE.md", text)] == [
        "Checklist: For a short code fix: Please include tests.",
        "Checklist: If you add a feature: Update the changelog.",
        "Checklist: Check that all of it builds: With the tests, by `make all`, on every platform",
        "Checklist: For API changes: Document all of them in the docs.",
        "Checklist: This pull request must be: Small enough to be reviewed with its tests",
    ]


def test_what_points_elsewhere_in_its_document_is_left_out_of_a_rule_or_is_none(tmp_path: Path) -> None:
    text = (
        "# Changes\n\n"
        "- Every change must come with a test. See the section on tests below.\n"
        "- You must run the tests as shown above.\n"
        "- Coverage of the tests must stay above 90 %.\n"
        "- Private methods must be placed below public methods.\n"
        "- Commit messages must reference the issue, for example `Fixes #42`.\n"
        "- You must write tests. The list below is not complete. It grows with each change.\n"
    )
    rules = [draft for draft in learned(tmp_path, "CONTRIBUTING.md", text) if not draft.attribute]
    assert [draft.levels.full for draft in rules] == [
        "Changes: Every change must come with a test.",
        "Changes: Coverage of the tests must stay above 90 %.",
        "Changes: Private methods must be placed below public methods.",
        "Changes: Commit messages must reference the issue, for example `Fixes #42`.",
        "Changes: You must write tests.",
    ]


def test_a_command_that_has_to_be_filled_in_is_not_how_tests_are_run(tmp_path: Path) -> None:
    text = "# Tests\n\nRun the tests with `go test ./<package>`.\n"
    asked = {draft.attribute for draft in learned(tmp_path, "CONTRIBUTING.md", text)}
    plain = {draft.attribute for draft in learned(tmp_path, "CONTRIBUTING.md", text.replace("<package>", "..."))}
    assert plain - asked == {"test_command"}
    single = learned(tmp_path, "CONTRIBUTING.md", "# Tests\n\nRun a single test with `go test -run <Name> ./...`.\n")
    assert "single_test_command" in {draft.attribute for draft in single}


@pytest.mark.parametrize("folder", ["guide/content/en/organization", "devdocs", "docs/dev"])
def test_a_guide_in_a_folder_of_documents_speaks_for_what_lies_beside_that(tmp_path: Path, folder: str) -> None:
    (draft,) = learned(tmp_path, f"{folder}/contributing.md", "# Tests\n\nEvery change must come with a test.\n")
    assert (draft.scope.path, draft.levels.full) == ("", "Tests: Every change must come with a test.")


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        (".prettierrc", '{"singleQuote": true}', ["Strings use single quotes (JavaScript)."]),
        ("ruff.toml", 'line-length = 90\n[format]\nquote-style = "preserve"\n', ["Python lines are at most 90"]),
        (".editorconfig", "[travis.yml]\nindent_size = 2\n", []),
        (".editorconfig", "[{package.json,.travis.yml}]\nindent_size = 2\n", []),
        (".editorconfig", "[*.yml]\nindent_size = 2\n", ["Indent yaml with 2 spaces."]),
    ],
)
def test_a_setting_of_style_is_told_of_what_it_holds_for(tmp_path: Path, path: str, text: str, told: list[str]) -> None:
    style = [draft.levels.full for draft in learned(tmp_path, path, text) if draft.attribute != "formatter"]
    assert [one[: len(said)] for one, said in zip(style, told, strict=True)] == told
