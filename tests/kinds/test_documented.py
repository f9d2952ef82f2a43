"""What documents claim meets what is declared: under the same names, with the line, and only where it is sure."""

from __future__ import annotations

import pytest
from kinds.declared import facts_of

from companion.judge.rules import RulesJudge
from companion.kinds.facts import READERS, documented, documents
from companion.records import FileSeen, Statement


def claims(text: str, path: str = "README.md") -> dict[str, tuple[str, int]]:
    file = FileSeen(path, "", text)
    needed = [draft for draft in facts_of(documents.READER, file) if draft.attribute.startswith("min_")]
    drafts = [*facts_of(documented.READER, file), *needed]
    return {draft.attribute: (draft.value, draft.evidence[0].line) for draft in drafts}


@pytest.mark.parametrize(
    ("sentence", "path", "attribute", "value"),
    [
        ("This project is licensed under the MIT license.", "README.md", "licence", "MIT"),
        ("Released under the terms of the BSD 3-Clause licence.", "README.rst", "licence", "BSD-3-Clause"),
        ("Cobra is released under the Apache 2.0 license.", "README.md", "licence", "Apache-2.0"),
        ("Lines must not be longer than 100 characters.", "CONTRIBUTING.md", "line_length", "100"),
        ("We use a maximum line length of 88 characters.", "CONTRIBUTING.md", "line_length", "88"),
        ("Test coverage must be at least 95%.", "CONTRIBUTING.md", "coverage_minimum", "95"),
        ("The default branch is `develop`.", "CONTRIBUTING.md", "default_branch", "develop"),
        ("Open pull requests against the `main` branch.", "CONTRIBUTING.md", "default_branch", "main"),
        ("Requires Node.js 18.", "README.md", "min_node", "18"),
        ("Flask supports Python 3.10 and newer.", "docs/installation.rst", "min_python", "3.10"),
        ("Run `yarn install` first.", "CONTRIBUTING.md", "package_manager", "yarn"),
        ("Then run `make lint` and `make test`.", "CONTRIBUTING.md", "make_targets", "lint test"),
        ("Check it with `npm run typecheck`.", "CONTRIBUTING.md", "package_scripts", "typecheck"),
    ],
)
def test_a_claim_is_read_under_the_name_of_the_declared_fact_with_its_line(sentence, path, attribute, value):
    assert claims(f"# Title\n\n{sentence}\n", path)[attribute] == (value, 3)


def test_an_item_of_the_requirements_is_a_claim():
    assert claims("## Requirements\n\n- python (3.5+)\n- pip\n")["min_python"] == ("3.5", 3)


@pytest.mark.parametrize(
    "sentence",
    [
        "The documentation is licensed under the MIT license.",
        "Licensed under either of the MIT license or Apache 2.0.",
        "Contributions are licensed under the MIT license.",
        "The subject line of a commit is at most 72 characters.",
        "Each line of the log has 120 characters.",
        "Docstrings keep lines under 79 characters.",
        "We have 100% test coverage of the sample application.",
        "Tests should ideally cover all code, i.e. coverage should be at 100%.",
        "Coverage was at least 80% last year.",
        "It's OK to use lines longer than 79 chars if it improves the code.",
        "Bugfixes go to the `stable` branch, so open such pull requests against the `stable` branch for a release.",
        "Support for Python 3.7 was dropped.",
        "If you use Node.js 16, requires Node.js 16 flags.",
        "You need to have Python 2.7, 3.4, 3.5 installed.",
        "Run `npm install left-pad` to use it.",
        "Run `cd docs && make html` to build them.",
    ],
)
def test_the_past_a_part_an_example_and_a_condition_claim_nothing(sentence):
    for path in ("README.md", "CONTRIBUTING.md"):
        found = claims(f"{sentence}\n", path)
        assert set(found) <= {"make_targets"}, found
        assert "html" not in str(found)


def test_a_document_that_claims_two_things_claims_neither():
    text = "This is licensed under the MIT license.\n\nIt is released under the Apache 2.0 license.\n"
    assert "licence" not in claims(text)


def test_a_translation_claims_nothing():
    assert claims("Requires Node.js 18.\n", "README.de.md") == {}


def targets(text: str, path: str = "Makefile") -> dict[str, str]:
    read = [reader for reader in READERS if f"/{path}" in reader.patterns]
    return {d.attribute: d.value for reader in read for d in facts_of(reader, FileSeen(path, "", text))}


def test_a_makefile_that_says_all_its_targets_is_one_fact():
    text = ".PHONY: test\nNAME := shop\nall: build\nbuild test: deps\n\tgo test ./...\ndeps:\n"
    assert targets(text) == {"make_targets": "all build deps test"}


@pytest.mark.parametrize("line", ["include common.mk", "-include x.mk", "%.o: %.c", "$(TARGETS): deps", "-sinclude y"])
def test_a_makefile_whose_targets_cannot_all_be_read_says_nothing(line):
    assert targets(f"all:\n\ttrue\n{line}\n") == {}


def test_scripts_of_a_package_are_one_fact():
    assert targets('{"scripts": {"test": "vitest", "lint": "biome check"}}', "package.json") == {
        "package_scripts": "lint test"
    }


@pytest.mark.parametrize("build", ["pnpm -r --filter='./packages/*' run build", "turbo build", "npm run build -w core"])
def test_scripts_of_a_package_of_packages_are_not_all_there_are(build):
    assert targets(f'{{"scripts": {{"test": "vitest", "build": "{build}"}}}}', "package.json") == {}


def ruled(attribute: str, documented_value: str, declared: str) -> bool | None:
    one = Statement("doc", subject="x", attribute=attribute, value=documented_value)
    two = Statement("set", subject="x", attribute=attribute, value=declared)
    return RulesJudge().rule(one, two).contradict


def test_versions_are_compared_as_ranges():
    assert ruled("min_python", "3.9", "3.11")
    assert not ruled("min_python", "3.9", "3.9")


def test_a_target_that_does_not_exist_contradicts_and_one_of_many_does_not():
    assert ruled("make_targets", "check test", "all build test")
    assert not ruled("make_targets", "test", "all build test")


def test_a_licence_named_loosely_is_the_exact_one_and_two_ways_to_test_are_no_contradiction():
    assert not ruled("licence", "BSD", "BSD-3-Clause")
    assert ruled("licence", "MIT", "BSD-3-Clause")
    assert not ruled("test_command", "tox", "pytest")
