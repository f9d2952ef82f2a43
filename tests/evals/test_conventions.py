from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.errors import UsageError
from companion.records import Draft, Kind, Levels, Scope
from evals.labelled.conventions import Question, answer, evaluate, normalised


def fact(attribute: str, value: str, *, confidence: float = 0.9, path: str = "", language: str = "") -> Draft:
    levels = Levels(value, value, value, attribute[:50])
    scope = Scope(language=language, path=path)
    return Draft(Kind.FACT, "fact", "x", attribute, value, levels, "o", scope=scope, confidence=confidence)


def asked(convention: str) -> Question:
    return Question("config", "owner/tokio", "", convention, "x")


def test_right_wrong_and_withheld_are_counted_apart_for_both_views(tmp_path: Path) -> None:
    rows = [
        {"kind": "config", "repo": "o/a", "sha": "1", "convention": "line_length", "value": 88},
        {"kind": "config", "repo": "o/a", "sha": "1", "convention": "formatter", "value": "black"},
        {"kind": "config", "repo": "o/a", "sha": "1", "convention": "src_layout", "value": True},
        {"kind": "commit_style", "repo": "o/a", "sha": "1", "convention": "conventional_commits", "value": None},
        {"kind": "commit_style", "repo": "o/a", "sha": "1", "convention": "pr_number_suffix", "value": None},
        {"kind": "workflow_rule", "repo": "o/a", "if_touches": "^src/", "then_touches": "^tests/", "test_conf": 0.5},
    ]
    truth = tmp_path / "truth.jsonl"
    truth.write_text("\n".join(json.dumps(row) for row in rows))
    (tmp_path / "a").mkdir()
    asked_for: list[tuple[str, str, bool]] = []

    def learn(repo: Path, sha: str, hide: bool) -> Sequence[Draft]:
        asked_for.append((repo.name, sha, hide))
        seen = [fact("pr_number_suffix", "true"), fact("src/ with tests/", "0.40", confidence=0.4)]
        return seen if hide else [*seen, fact("line_length", "88"), fact("formatter", "ruff format")]

    result = evaluate(truth, tmp_path, learn)
    assert ("a", "1", False) in asked_for
    assert ("a", "1", True) in asked_for
    by = result["by"]
    assert isinstance(by, dict)
    assert by["visible: config"] == {"right": 0.3333, "wrong": 0.3333, "abstained": 0.3333, "n": 3.0}
    assert by["visible: commit_style"] == {"right": 0.5, "wrong": 0.5, "abstained": 0.0, "n": 2.0}
    assert by["visible: workflow_rule"]["right"] == 1.0
    assert by["hidden: config"]["abstained"] == 1.0
    baselines = result["baselines"]
    assert isinstance(baselines, dict)
    assert baselines["always withheld"]["wrong"] == 0.0


def test_a_fact_of_the_whole_project_goes_before_one_of_a_package() -> None:
    drafts = [fact("edition", "2018", path="macros"), fact("edition", "2021")]
    assert answer(drafts, asked("edition"), "owner/tokio") == "2021"


def test_the_package_named_like_the_repository_speaks_for_it() -> None:
    drafts = [fact("msrv", "1.60", path="macros"), fact("msrv", "1.71.0", path="tokio")]
    assert answer(drafts, asked("msrv"), "owner/tokio") == "1.71"


def test_packages_that_disagree_give_no_answer() -> None:
    drafts = [fact("edition", "2018", path="a"), fact("edition", "2021", path="b")]
    assert answer(drafts, asked("edition"), "owner/tokio") is None


def test_the_surest_source_speaks_and_hints_do_not() -> None:
    drafts = [fact("min_python", "3.8", confidence=0.6), fact("min_python", "3.10")]
    assert answer(drafts, asked("min_python"), "o/r") == "3.10"
    assert answer([fact("formatter", "black", confidence=0.3)], asked("formatter"), "o/r") is None


def test_indents_of_all_languages_of_a_name_must_agree() -> None:
    general = fact("indent", "4 spaces")
    web = fact("indent_css_javascript_typescript", "2 spaces")
    assert answer([general], asked("indent_python"), "o/r") == "4 spaces"
    assert answer([general, web], asked("indent_python"), "o/r") == "4 spaces"
    assert answer([general, web], asked("indent_js_css_yaml"), "o/r") is None
    assert (
        answer([general, web, fact("indent", "2 spaces", language="yaml")], asked("indent_js_css_yaml"), "o/r")
        == "2 spaces"
    )


@pytest.mark.parametrize(
    ("convention", "a", "b"),
    [
        ("test_dir", "tests/", "tests"),
        ("msrv", "1.71.0", "1.71"),
        ("formatter", "ruff-format", "ruff format"),
        ("build_backend", "flit_core.buildapi", "flit_core"),
        ("indent_python", "4 space", "4 spaces"),
        ("indent_go", "tabs", "tab"),
        ("docstring_convention", "PEP257", "pep257"),
    ],
)
def test_spellings_of_one_value_are_one(convention: str, a: str, b: str) -> None:
    assert normalised(convention, a) == normalised(convention, b)


def test_a_missing_repository_or_truth_is_told_with_what_to_do(tmp_path: Path) -> None:
    truth = tmp_path / "t.jsonl"
    truth.write_text('{"kind": "config", "repo": "o/gone", "sha": "1", "convention": "x", "value": 1}\n')
    with pytest.raises(UsageError, match="o/gone is not in"):
        evaluate(truth, tmp_path, lambda *_: [])
    truth.write_text("not json")
    with pytest.raises(UsageError, match="not a conventions truth file"):
        evaluate(truth, tmp_path, lambda *_: [])
