"""Which files speak, and for which folder; and laws of all that is declared."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from kinds.declared import CI, EDITORCONFIG, PYPROJECT, facts_of, learned
from kinds.worlds import FolderWorld, world_of

from companion.kinds.facts import READERS, DeclaredFacts, declares
from companion.records import FileSeen, memory_key


def test_sources_that_disagree_are_two_facts_on_one_question(tmp_path: Path) -> None:
    drafts = learned(
        tmp_path,
        {
            "pyproject.toml": '[project]\nrequires-python = ">=3.11"\n',
            "README.md": "# Thing\n\nThing requires Python 3.9 or newer.\n",
            "setup.py": "setup(python_requires='>=3.10')\n",
        },
    )
    asked = [draft for draft in drafts if draft.attribute == "min_python"]
    assert {draft.origin: draft.value for draft in asked} == {
        "pyproject.toml": "3.11",
        "README.md": "3.9",
        "setup.py": "3.10",
    }
    assert len({memory_key(draft, "p1") for draft in asked}) == 1
    by_origin = {draft.origin: draft.confidence for draft in asked}
    assert by_origin["pyproject.toml"] > by_origin["README.md"]


@pytest.mark.parametrize(
    "folder",
    [
        "examples/a",
        "tests/data",
        "fixtures",
        "vendor/lib",
        "docs",
        "docs_src/x",
        "node_modules/x",
        "templates/app",
        "benchmarks",
        "a/b/c/d/e",
        "test-shrinker",
        "packages/docs-site",
        "third_party/z",
    ],
)
def test_examples_fixtures_and_other_peoples_code_do_not_speak(tmp_path: Path, folder: str) -> None:
    assert (
        learned(tmp_path, {f"{folder}/package.json": '{"engines": {"node": ">=18"}, "dependencies": {"x": "1"}}'}) == []
    )


def test_a_package_of_a_monorepo_speaks_for_itself(tmp_path: Path) -> None:
    drafts = learned(
        tmp_path,
        {
            "tokio-test/Cargo.toml": '[package]\nname = "tokio-test"\nedition = "2021"\n',
            "packages/web/package.json": '{"name": "web", "engines": {"node": ">=18"}}',
        },
    )
    assert {(d.scope.path, d.attribute) for d in drafts} == {
        ("tokio-test", "edition"),
        ("packages/web", "min_node"),
    }


@pytest.mark.parametrize(
    ("path", "known"),
    [
        (".editorconfig", True),
        ("a/pyproject.toml", True),
        ("README.md", True),
        ("src/a.py", False),
        ("logo.svg", False),
    ],
)
def test_it_is_known_which_files_declare_something(path: str, known: bool) -> None:
    assert declares(path) is known


def test_all_that_declares_is_said_anew_where_one_file_of_it_changes(tmp_path: Path) -> None:
    world = world_of(tmp_path, {"pyproject.toml": PYPROJECT, "go.mod": "module a.b/c\n", "src/a.py": "x = 1\n"})
    later = dataclasses.replace(world, unchanged=frozenset({"pyproject.toml"}))
    assert list(DeclaredFacts().origins(later)) == ["go.mod", "pyproject.toml"]
    assert list(DeclaredFacts().learn(later)) == list(DeclaredFacts().learn(world))


def test_where_nothing_changed_that_declares_nothing_is_spoken_for(tmp_path: Path) -> None:
    world = world_of(tmp_path, {"pyproject.toml": PYPROJECT, "src/a.py": "x = 1\n"})
    later = dataclasses.replace(world, unchanged=frozenset({"pyproject.toml"}), gone=["src/b.py"])
    assert list(DeclaredFacts().origins(later)) == []
    assert list(DeclaredFacts().learn(later)) == []


def test_a_file_that_now_says_nothing_is_still_spoken_for(tmp_path: Path) -> None:
    world = world_of(tmp_path, {"go.mod": "nothing of sense\n"})
    assert "go.mod" in DeclaredFacts().origins(world)
    assert list(DeclaredFacts().learn(world)) == []


def test_the_same_folder_teaches_the_same_facts(tmp_path: Path) -> None:
    world = world_of(
        tmp_path, {"pyproject.toml": PYPROJECT, ".editorconfig": EDITORCONFIG, ".github/workflows/t.yml": CI}
    )
    assert list(DeclaredFacts().learn(world)) == list(DeclaredFacts().learn(FolderWorld(tmp_path)))


def test_no_origin_answers_one_question_twice(tmp_path: Path) -> None:
    drafts = learned(
        tmp_path, {"pyproject.toml": PYPROJECT, ".editorconfig": EDITORCONFIG, ".github/workflows/t.yml": CI}
    )
    keys = [(draft.origin, memory_key(draft, "p1")) for draft in drafts]
    assert len(keys) == len(set(keys))


SAMPLES = {
    "pyproject.toml": PYPROJECT,
    "package.json": '{"engines": {"node": ">=18"}}',
    ".editorconfig": EDITORCONFIG,
    ".github/workflows/t.yml": CI,
    "pom.xml": "<project><modules><module>a</module></modules></project>",
    "setup.py": "setup(python_requires='>=3.8')",
    "Cargo.toml": '[package]\nedition="2021"',
    "Gemfile": "gem 'x'\n",
    "Dockerfile": "FROM a:1\n",
    "README.md": "# x\n\nRun `make test` to run the tests.\n",
}


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(SAMPLES)), st.data())
def test_cut_or_mangled_files_never_crash_and_lines_exist(path: str, data: st.DataObject) -> None:
    text = SAMPLES[path]
    at = data.draw(st.integers(0, len(text)))
    text = (
        text[:at]
        + data.draw(st.text(alphabet="{}[]\"'=:\n\t <>&*x\ud800é", max_size=6))
        + text[at + data.draw(st.integers(0, 20)) :]
    )
    file = FileSeen(path, "", text)
    for reader in READERS:
        for draft in facts_of(reader, file):
            assert 1 <= (draft.evidence[0].line or 0) <= text.count("\n") + 1
            assert draft.value
            assert len(draft.levels.index) <= 50
