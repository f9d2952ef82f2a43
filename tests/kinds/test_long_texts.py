"""Declared files, records and messages of any length and shape are read in a time that grows with their length alone."""

from __future__ import annotations

import pytest
from kinds.declared import facts_of

from companion.kinds import decisions
from companion.kinds.declared import runnable
from companion.kinds.facts import READERS, dependencies, documents, owners
from companion.kinds.facts.canonical import minimum_version, requirement
from companion.kinds.facts.located import ini, yaml
from companion.kinds.history.failures import failure_fixed
from companion.kinds.levels import episode_levels
from companion.records import FileSeen

LONG = 100_000
"""Characters: what grows with their square takes minutes, and the suite ends a test before."""
BEGINNINGS = (
    "",
    "EXPOSE ",
    "find_package(a ",
    "AS_HELP_STRING([--a],[",
    "option(A ",
    "a: ",
    "[a]\na = 1\n",
    "implementation 'a:",
    "# a",
    "gem '",
    "ruby ",
    "jvmToolchain ",
    "%",
)
PIECES = (" ", "\n", "\n\n", "%\n", "[", "a.", "a ")
NAMES = (
    *("Dockerfile", "Makefile", "justfile", "Gemfile", "x.gemspec", "build.gradle", "CMakeLists.txt", "configure.ac"),
    *(
        "go.mod",
        "setup.cfg",
        "tox.ini",
        ".editorconfig",
        "phpstan.neon",
        "README.md",
        "CONTRIBUTING.md",
        "Taskfile.yml",
    ),
)


def seen(path: str, text: str) -> FileSeen:
    return FileSeen(path, "0" * 40, text)


@pytest.mark.parametrize("name", NAMES)
def test_a_declared_file_with_a_long_run_of_anything_is_read(name: str) -> None:
    for piece in PIECES:
        for beginning in BEGINNINGS:
            file = seen(name, beginning + piece * (LONG // 10 // len(piece)) + "!")
            for reader in READERS:
                if any(name == pattern.rpartition("/")[2].replace("*", "x") for pattern in reader.patterns):
                    assert all(fact.value for fact in facts_of(reader, file))
            assert all(row.value for row in (*runnable(file, ()), *dependencies.read(file), *owners.read(file)))


@pytest.mark.parametrize("piece", ["[", "{", "- ", "? ", "[a, ", '{"a":', "a: [", "\t- "])
def test_yaml_that_nests_without_end_is_refused_and_ends_nothing(piece: str) -> None:
    assert yaml(piece * (LONG // len(piece))) is None


def test_yaml_with_many_brackets_that_do_not_nest_is_read() -> None:
    found = yaml("a: [1, {b: 2}]\n" + "".join(f"k{number}: [1]\n" for number in range(2_000)))
    assert found is not None
    assert len(found.fields()) == 2_001


def test_an_option_of_many_lines_is_read_with_all_of_them() -> None:
    root = ini("[a]\nlist =\n" + "    one\n" * (LONG // 10) + "  # aside\nlast = x : y\n")
    listed, last = root.at("a", "list"), root.at("a", "last")
    assert listed is not None
    assert last is not None
    assert len(listed.lines()) == LONG // 10
    assert (last.text, last.line) == ("x : y", LONG // 10 + 4)


@pytest.mark.parametrize("piece", ["a", " ", "a.", "9", "[", ".x", "(", ">"])
def test_a_long_requirement_is_read(piece: str) -> None:
    text = piece * (LONG // len(piece))
    assert len(requirement(f"a{text}(")) == 3
    assert len(minimum_version(f">={text}1.2 y")) <= LONG + 10


@pytest.mark.parametrize("piece", ["\n", "E", " ", "a.", "Aa", "> ", "thread '\n", "panicked at ", "-", "`a` ", "1 "])
def test_a_message_or_record_with_a_long_run_of_anything_is_read(piece: str) -> None:
    text = piece * (LONG // len(piece))
    assert failure_fixed("Fix the crash", f"{text}: x\n\nKeyError: no such thing\n", "1" * 40) is not None
    assert episode_levels("Fix the crash", text[: LONG // 10]).summary
    record = decisions.read(seen("docs/adr/0001-use-x.md", f"# Use x\n\nStatus: accepted\n\n{text[: LONG // 10]}\n"))
    assert record is None or record.title == "Use x"


def test_of_a_very_long_paragraph_the_beginning_is_read() -> None:
    rule = "Run the tests with pytest before you push."
    text = f"# Contributing\n\n{rule} W" + "ord " * LONG + "\n\nUse ruff to format the code.\n"
    says = " ".join(fact.levels.full for fact in facts_of(documents.READER, seen("CONTRIBUTING.md", text)))
    assert "pytest" in says
    assert "ruff" in says
