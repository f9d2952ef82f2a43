"""What each sort of file declares, atom by atom, each fact with its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from kinds.declared import CI, EDITORCONFIG, PYPROJECT, learned, said


def test_a_pyproject_is_read_atom_by_atom_each_with_its_line(tmp_path: Path) -> None:
    facts = said(learned(tmp_path, {"pyproject.toml": PYPROJECT}))
    expected = {
        ("python", "min_python"): ("3.9", 8),
        ("project", "licence"): ("MIT", 9),
        ("tests", "property_tests"): ("hypothesis", 20),
        ("project", "command thing"): ("thing.cli:main", 23),
        ("project", "build_backend"): ("flit_core", 3),
        ("code style", "line_length"): ("100", 26),
        ("code style", "lint_rules"): ("E, F", 29),
        ("code style", "imports_one_per_line"): ("true", 32),
        ("code style", "docstring_convention"): ("google", 35),
        ("code style", "formatter"): ("ruff format", 37),
        ("code style", "quotes"): ("single", 38),
        ("code style", "mypy_strict"): ("true", 41),
        ("tests", "test_dir"): ("testing/", 44),
        ("tests", "warnings_are_errors_in_tests"): ("true", 46),
        ("tests", "coverage_minimum"): ("95", 51),
        ("project", "changelog_fragments"): ("changelog/", 54),
    }
    assert {key: facts.get(key) for key in expected} == {
        key: (value, f"pyproject.toml:{line}") for key, (value, line) in expected.items()
    }


def test_names_descriptions_keywords_and_development_lists_are_not_remembered(tmp_path: Path) -> None:
    text = " ".join(draft.levels.full for draft in learned(tmp_path, {"pyproject.toml": PYPROJECT}))
    assert "modern" not in text
    assert "keywords" not in text
    assert "extra `dev`" not in text


def test_conventions_are_labelled_so_that_the_background_finds_them(tmp_path: Path) -> None:
    drafts = learned(tmp_path, {"pyproject.toml": PYPROJECT})
    labelled = {draft.attribute for draft in drafts if draft.label == "convention"}
    assert {"line_length", "formatter", "quotes", "imports_one_per_line", "test_dir", "build_backend"} <= labelled


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pyproject.toml", '[project]\ndependencies = ["click"]\n[dependency-groups]\ndev = ["pytest"]\n'),
        ("package.json", '{"dependencies": {"express": "^4"}, "devDependencies": {"jest": "1", "rspec": "1"}}'),
        ("go.mod", "module a.b/c\nrequire (\n\tgithub.com/x/y v1.2.3\n\tgithub.com/stretchr/testify v1.9.0\n)\n"),
        ("Gemfile", "gem 'rspec-mocks'\ngem 'rspec'\ngem 'rack', '>= 3'\n"),
        ("build.gradle", "dependencies {\n  testImplementation 'junit:junit:4.13'\n}\n"),
        (".github/workflows/test.yml", CI),
        (".travis.yml", "rvm:\n  - 2.7\n  - 3.2\n"),
    ],
)
def test_what_a_project_depends_on_and_its_ci_runs_is_read_there_and_never_says_what_tests_run_with(
    tmp_path: Path, path: str, text: str
) -> None:
    told = [attribute for _, attribute in said(learned(tmp_path, {path: text}))]
    assert not [name for name in told if name.startswith(("dependenc", "tested_", "test_framework", "assertion"))]


def test_tox_tells_the_versions_of_its_environments(tmp_path: Path) -> None:
    facts = said(learned(tmp_path, {"tox.ini": "[tox]\nenvlist = py{39,310}, lint\n"}))
    assert facts["tests", "tested_python tox"][0] == "3.9, 3.10"


def test_editorconfig_tells_indents_by_language_and_sections_inherit(tmp_path: Path) -> None:
    facts = said(learned(tmp_path, {".editorconfig": EDITORCONFIG}))
    assert facts == {
        ("code style", "indent"): ("4 spaces", ".editorconfig:3"),
        ("code style", "line_length"): ("88", ".editorconfig:5"),
        ("code style", "indent_js_css_yaml"): ("2 spaces", ".editorconfig:8"),
        ("code style", "indent_go"): ("tab", ".editorconfig:11"),
    }


def test_a_section_of_editorconfig_holds_for_whatever_language_its_suffix_is_known_by(tmp_path: Path) -> None:
    text = "[*.{ex,exs}]\nindent_size = 2\nindent_style = space\n\n[*.{tsx,cts}]\nindent_style = tab\n"
    facts = said(learned(tmp_path, {".editorconfig": text}))
    assert facts == {
        ("code style", "indent_elixir"): ("2 spaces", ".editorconfig:2"),
        ("code style", "indent_typescript"): ("tab", ".editorconfig:6"),
    }


def test_package_json_tells_platform_and_tools(tmp_path: Path) -> None:
    text = """{
  "name": "x", "description": "Blazing fast", "license": "MIT",
  "type": "module",
  "packageManager": "pnpm@9.1.0+sha512.abc",
  "engines": {
    "node": ">=18.17.0 || >=20"
  },
  "dependencies": {
    "express": "^4.18.0"
  },
  "peerDependencies": {"react": ">=18"},
  "devDependencies": {
    "vitest": "^1", "eslint": "^9", "lodash": "^4"
  },
  "prettier": {"singleQuote": true, "semi": false, "printWidth": 100}
}"""
    facts = said(learned(tmp_path, {"package.json": text}))
    assert facts["node", "min_node"] == ("18", "package.json:6")
    assert facts["project", "package_manager"][0] == "pnpm"
    assert facts["code style", "quotes"][0] == "single"
    assert facts["code style", "semicolons"][0] == "never"
    assert facts["code style", "line_length"][0] == "100"


def test_tsconfig_may_have_comments_and_tells_strictness_and_aliases(tmp_path: Path) -> None:
    text = '{\n  // strict!\n  "compilerOptions": {\n    "strict": true,\n    "paths": {"@/*": ["./src/*"]},\n  },\n}\n'
    facts = said(learned(tmp_path, {"tsconfig.json": text}))
    assert facts["code style", "typescript_strict"] == ("true", "tsconfig.json:4")
    assert facts["project layout", "import_alias @/*"] == ("./src/*", "tsconfig.json:5")


def test_black_in_a_development_list_gives_way_to_ruffs_settings(tmp_path: Path) -> None:
    text = '[dependency-groups]\ndev = ["black", "pytest"]\n[tool.ruff]\nline-length = 90\n'
    assert ("code style", "formatter") not in said(learned(tmp_path, {"pyproject.toml": text}))
