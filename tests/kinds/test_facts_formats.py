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


@pytest.mark.parametrize(
    ("path", "text", "question", "answer"),
    [
        (
            "Cargo.toml",
            '[package]\nname="a"\nedition = "2021"\nrust-version = "1.71.0"\n',
            ("rust", "msrv"),
            ("1.71", 4),
        ),
        (
            "Cargo.toml",
            '[workspace.lints.rust]\nunsafe_code = "forbid"\n',
            ("code style", "lint unsafe_code"),
            ("forbid", 2),
        ),
        ("rustfmt.toml", "max_width = 90\n", ("code style", "line_length"), ("90", 1)),
        ("go.mod", "module example.org/a\n\ngo 1.22.0\n", ("go", "min_go"), ("1.22", 3)),
        (".golangci.yml", "linters:\n  enable:\n    - revive\n", ("code style", "lint_rules"), ("revive", 2)),
        (
            "pom.xml",
            "<project>\n<properties>\n<maven.compiler.source>1.8</maven.compiler.source>\n</properties>\n</project>",
            ("java", "min_java"),
            ("8", 3),
        ),
        (
            "build.gradle.kts",
            "java {\n  sourceCompatibility = JavaVersion.VERSION_17\n}\n",
            ("java", "min_java"),
            ("17", 2),
        ),
        ("composer.json", '{"require": {\n"php": "^8.1 || ^8.2",\n"psr/log": "^3"}}', ("php", "min_php"), ("8.1", 2)),
        ("phpcs.xml", '<ruleset>\n<rule ref="PSR12"/>\n</ruleset>', ("code style", "coding_standard"), ("PSR12", 2)),
        ("phpstan.neon", "parameters:\n    level: 8\n", ("code style", "phpstan_level"), ("8", 2)),
        (
            "a.gemspec",
            "Gem::Specification.new do |s|\n  s.required_ruby_version = '>= 2.7.8'\nend\n",
            ("ruby", "min_ruby"),
            ("2.7", 2),
        ),
        (".rubocop.yml", "Layout/LineLength:\n  Max: 100\n", ("code style", "line_length"), ("100", 2)),
        (
            "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.20)\nset(CMAKE_CXX_STANDARD 17)\n",
            ("code style", "language_standard"),
            ("c++17", 2),
        ),
        (
            "configure.ac",
            "AC_ARG_ENABLE([asan],\n  AS_HELP_STRING([--enable-asan],[enable address sanitizer]))\n",
            ("project", "build_option --enable-asan"),
            ("enable address sanitizer", 2),
        ),
        (
            "a.csproj",
            "<Project>\n<PropertyGroup>\n<Nullable>enable</Nullable>\n</PropertyGroup>\n</Project>",
            ("code style", "nullable"),
            ("true", 3),
        ),
        (
            "setup.cfg",
            "[options]\npython_requires = >=3.8\ninstall_requires =\n    attrs>=20\n",
            ("python", "min_python"),
            ("3.8", 2),
        ),
        (
            "setup.py",
            "needs = ['six']\nsetup(\n  name='x',\n  install_requires=needs,\n  python_requires='>=3.7')\n",
            ("python", "min_python"),
            ("3.7", 5),
        ),
        (".flake8", "[flake8]\nmax-line-length = 99\n", ("code style", "line_length"), ("99", 2)),
        (
            "pytest.ini",
            "[pytest]\nfilterwarnings =\n    error\n",
            ("tests", "warnings_are_errors_in_tests"),
            ("true", 3),
        ),
        (
            ".pre-commit-config.yaml",
            "repos:\n- repo: x\n  hooks:\n  - id: black\n",
            ("code style", "formatter"),
            ("black", 4),
        ),
        (
            ".pre-commit-config.yaml",
            "repos:\n- repo: local\n  hooks:\n  - id: mine\n    entry: uv run ruff format\n",
            ("code style", "formatter"),
            ("ruff format", 4),
        ),
        (
            "commitlint.config.js",
            "module.exports = {\n extends: ['@commitlint/config-conventional'] }\n",
            ("commit messages", "conventional_commits"),
            ("true", 2),
        ),
        (".prettierrc", "singleQuote: true\n", ("code style", "quotes"), ("single", 1)),
        ("biome.jsonc", '{\n"formatter": {\n"lineWidth": 120}}', ("code style", "line_length"), ("120", 3)),
        (".clang-format", "BasedOnStyle: LLVM\nColumnLimit: 100\n", ("code style", "line_length"), ("100", 2)),
        (".nvmrc", "v20.11\n", ("project", "development_node"), ("20.11", 1)),
        (".tool-versions", "# tools\npython 3.12.1\n", ("project", "development_python"), ("3.12.1", 2)),
        (
            "Dockerfile",
            "FROM python:3.12-slim AS base\nFROM base\nEXPOSE 8000\n",
            ("project", "container_image Dockerfile"),
            ("python:3.12-slim", 2),
        ),
        (
            "compose.yaml",
            "services:\n  db:\n    image: postgres:16\n",
            ("project", "service db compose.yaml"),
            ("postgres:16", 3),
        ),
        (
            "LICENSE",
            "Some Name\n\nPermission is hereby granted, free of charge, to any person\nobtaining a copy\n",
            ("project", "licence"),
            ("MIT", 3),
        ),
    ],
)
def test_each_family_of_files_tells_its_fact_with_its_line(
    tmp_path: Path, path: str, text: str, question: tuple[str, str], answer: tuple[str, int]
) -> None:
    facts = said(learned(tmp_path, {path: text}))
    assert facts.get(question) == (answer[0], f"{path}:{answer[1]}")


def test_black_in_a_development_list_gives_way_to_ruffs_settings(tmp_path: Path) -> None:
    text = '[dependency-groups]\ndev = ["black", "pytest"]\n[tool.ruff]\nline-length = 90\n'
    assert ("code style", "formatter") not in said(learned(tmp_path, {"pyproject.toml": text}))
