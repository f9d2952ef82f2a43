"""What files of settings declare: listed, and no memory that competes with others."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from kinds.worlds import world_of

from companion.kinds.declared import declarations
from companion.kinds.facts import DeclaredFacts, layout
from companion.kinds.facts.owners import MAX_MAINTAINERS
from companion.records.declared import Declaration


def rows(folder: Path, files: Mapping[str, str]) -> list[Declaration]:
    """What a folder of such files declares, the tree aside."""
    return [one for one in declarations(world_of(folder, files)) or () if one.line]


def listed(folder: Path, files: Mapping[str, str]) -> dict[str, str]:
    return {one.subject: one.value for one in rows(folder, files)}


@pytest.mark.parametrize(
    ("path", "text", "typed", "line"),
    [
        ("Makefile", "build:\n\tcc x.c\n\ntest: build ## run tests\n\t./run-tests\n", "make test", 4),
        ("Makefile", "check:\n\t./run-tests\n", "make check", 1),
        ("justfile", "# all of them\ntest *args:\n    pytest {{args}}\n", "just test", 2),
        ("package.json", '{"scripts": {\n"test": "jest",\n"build": "tsc"}}', "npm run build", 3),
        ("package.json", '{"packageManager": "pnpm@9", "scripts": {\n"lint": "eslint ."}}', "pnpm lint", 2),
        ("composer.json", '{"scripts": {\n"test": ["phpunit"]}}', "composer test", 2),
        (
            "tox.ini",
            "[testenv]\ncommands = pytest {posargs}\n[testenv:lint]\ncommands = ruff check\n",
            "tox run -e lint",
            3,
        ),
        ("pyproject.toml", '[tool.tox.env_run_base]\ncommands = [["pytest", "-v"]]\n', "tox run -e py", 1),
        ("pyproject.toml", '[tool.poe.tasks]\nfmt = "ruff format"\n', "poe fmt", 2),
        ("pyproject.toml", '[tool.hatch.envs.default.scripts]\ntest = "pytest"\n', "hatch run test", 2),
        (
            "noxfile.py",
            "import nox\n\n@nox.session\ndef docs(session):\n    session.run('mkdocs', 'build')\n",
            "nox -s docs",
            4,
        ),
        ("Rakefile", "desc 'Run them'\ntask :test do\nend\n", "bundle exec rake test", 2),
        ("Taskfile.yml", "tasks:\n  build:\n    cmds: [go build ./...]\n", "task build", 2),
        (".cargo/config.toml", '[alias]\nlint = "clippy --workspace"\n', "cargo lint", 2),
        ("scripts/test", "#!/bin/sh\nset -e\n${PREFIX}pytest -x\n", "scripts/test", 1),
    ],
)
def test_each_family_of_task_files_tells_what_to_type(
    tmp_path: Path, path: str, text: str, typed: str, line: int
) -> None:
    assert (typed, f"{path}:{line}") in {(one.subject, one.place) for one in rows(tmp_path, {path: text})}


@pytest.mark.parametrize("path", ["MAINTAINERS.txt", "scripts/words.txt", "dev/deno.json"])
def test_only_manifests_tell_dependencies(tmp_path: Path, path: str) -> None:
    text = '{"dependencies": {"left": "1"}}' if path.endswith(".json") else "left\nright==2\n"
    assert [one for one in rows(tmp_path, {path: text}) if one.value.startswith("dependency")] == []
    assert listed(tmp_path, {"requirements.txt": text if text.startswith("left") else "left\n"})["left"]


def test_a_task_says_its_commands(tmp_path: Path) -> None:
    scripts = {"test": "npm run lint && vitest run", "test:watch": "vitest", "lint": "eslint .", "prepare": "husky"}
    assert listed(tmp_path, {"package.json": json.dumps({"scripts": scripts})}) == {
        "npm test": "npm run lint && vitest run",
        "npm run lint": "eslint .",
        "npm run test:watch": "vitest",
        "npm run prepare": "husky",
    }


DEPLOY = """\
name: Deploy
on:
  push: {tags: ['v*']}
jobs:
  stage:
    needs: build
    steps: [{run: make stage}]
  test:
    steps:
      - run: |
          pip install -e .
          echo start
          pytest -x
  build:
    needs: [test]
    steps:
      - run: python -m build
      - uses: actions/upload-artifact@v4
  publish:
    steps:
      - uses: actions/download-artifact@v4
      - uses: pypa/gh-action-pypi-publish@v1
      - uses: pypa/gh-action-pypi-publish@v1
        with: {repository-url: elsewhere}
"""


def test_a_ci_file_gives_a_row_for_each_job_where_it_stands(tmp_path: Path) -> None:
    found = rows(tmp_path, {".github/workflows/deploy.yml": DEPLOY})
    assert [(one.line, one.subject, one.value) for one in found] == [
        (5, "ci (deploy): stage", "make stage"),
        (8, "ci (deploy): test", "pytest -x"),
        (14, "ci (deploy): build", "python -m build"),
        (19, "ci (deploy): publish", "uses pypa/gh-action-pypi-publish"),
    ]


def test_a_ci_file_is_called_ci_however_its_name_is_written(tmp_path: Path) -> None:
    text = "on: [push]\njobs:\n  a: {steps: [{run: make lint}]}\n  b: {steps: [{run: make test}]}\n"
    assert list(listed(tmp_path, {".github/workflows/CI.yml": text})) == ["ci: a", "ci: b"]


def test_of_a_job_the_commands_are_told_that_do_more_than_make_ready(tmp_path: Path) -> None:
    text = "on: [push]\njobs:\n  a:\n    steps:\n    - run: npm ci\n    - run: npm run build\n    - run: npm test\n"
    assert listed(tmp_path, {".github/workflows/ci.yml": text}) == {"ci: a": "npm run build; npm test"}


def test_of_a_script_its_commands_are_told_and_not_what_steers_it(tmp_path: Path) -> None:
    lines = ['SAID="the latest commit"', "continue", 'ssh "$host" bash <<EOF', 'MODE="all tests" make test', "npm ci"]
    script = "".join(f"          {line}\n" for line in lines)
    text = f"on: push\njobs:\n  all:\n    steps:\n      - run: |\n{script}"
    assert listed(tmp_path, {".github/workflows/ci.yml": text}) == {"ci: all": 'MODE="all tests" make test'}


def test_what_a_job_runs_beside_its_check_is_no_step_of_it(tmp_path: Path) -> None:
    steps = "      - run: mkdocs serve &\n      - run: links.py -P http://localhost\n"
    text = f"on: push\njobs:\n  links:\n    steps:\n{steps}  test:\n    steps:\n      - run: tox\n"
    found = listed(tmp_path, {".github/workflows/ci.yml": text})
    assert found == {"ci: links": "links.py -P http://localhost", "ci: test": "tox"}


def test_what_a_job_starts_from_the_repository_itself_is_a_command_of_it(tmp_path: Path) -> None:
    step = '    steps: [{run: ./build.ps1 -Target All}, {run: ./regex-syntax/test}, {run: "./sign `\\n  code\\nX=`date`\\nmake"}]\n'
    found = listed(tmp_path, {".github/workflows/ci.yml": f"on: push\njobs:\n  all:\n{step}"})
    assert found == {"ci: all": "./build.ps1 -Target All; ./regex-syntax/test; ./sign code; make"}


@pytest.mark.parametrize(
    ("path", "text", "jobs"),
    [
        (
            ".gitlab-ci.yml",
            "stages: [build, test]\nunit: {stage: test, script: [pytest]}\npack: {stage: build, script: [make dist]}\n",
            ["ci: unit", "ci: pack"],
        ),
        (
            ".circleci/config.yml",
            "jobs:\n  b: {steps: [{run: make dist}]}\n  a: {steps: [{run: {command: pytest}}]}\n"
            "workflows:\n  w:\n    jobs:\n      - a\n      - b: {requires: [a]}\n",
            ["ci: b", "ci: a"],
        ),
    ],
)
def test_other_ci_files_tell_their_jobs_too(tmp_path: Path, path: str, text: str, jobs: list[str]) -> None:
    assert list(listed(tmp_path, {path: text})) == jobs


def test_a_job_that_only_makes_ready_is_not_listed_and_whatever_another_does_is(tmp_path: Path) -> None:
    steps = {"ready": "{run: npm ci}", "fetch": "{uses: actions/checkout@v4}", "old": "{uses: o/stale@v9}"}
    jobs = "".join(f"  {name}:\n    steps: [{step}]\n" for name, step in steps.items())
    found = listed(tmp_path, {".github/workflows/chores.yml": f"on: schedule\njobs:\n{jobs}"})
    assert found == {"ci (chores): old": "uses o/stale"}


def test_what_make_says_while_it_runs_is_no_command(tmp_path: Path) -> None:
    text = "fmt:\n\t$(info ***** checking *****)\n\tgofmt -l .\n"
    assert listed(tmp_path, {"Makefile": text})["make fmt"] == "gofmt -l ."


def test_what_is_run_in_another_folder_is_a_command(tmp_path: Path) -> None:
    makefile = "lint:\n\tcd rust && cargo clippy\n\tmkdir -p out\n\tcd rust\ntest:\n\tmkdir -p b && cd b && ctest\n"
    script = "#!/bin/sh\ncd rust && cargo clippy\ncd ..\nmkdir -p b && cd b\ncd b && rm -rf c\ncd .. && git pull\n"
    found = listed(tmp_path, {"Makefile": f"{makefile}\tcd b && rm -rf c\n", "scripts/lint": script})
    assert found["make lint"] == found["scripts/lint"] == "cd rust && cargo clippy"
    assert found["make test"] == "mkdir -p b && cd b && ctest"


@pytest.mark.parametrize(
    ("comment", "told"),
    [
        ("# Test it for\n# each target. Slow.\n.PHONY: test", "Test it for each target. "),
        ("# Check all the targets that somebody put into the variable\n# TARGETS.", None),
        ("# Development\n# Run the tests", "Run the tests "),
        ("# ======\n# Testing\n# ======", "Testing "),
        ("# old way:\n#\tpytest -x\n# Run the tests.\n# Slow.", "Run the tests. "),
        ("# API tests", "API tests "),
        ("# NOTE: keep the flags so that\n# the tests compile.", ""),
        ("# What is built.\nAIM = all", ""),
        ("# A licence.\n" * 7, ""),
    ],
)
def test_of_the_comment_above_a_target_the_sentence_that_says_what_it_does_is_told(
    tmp_path: Path, comment: str, told: str | None
) -> None:
    found = listed(tmp_path, {"Makefile": f"{comment}\ntest:\n\tctest\n"})["make test"]
    told = "Check all the targets that somebody put into the variable TARGETS. " if told is None else told
    assert found == (f"{told}(ctest)" if told else "ctest")


def test_whatever_a_script_runs_is_told_and_no_plumbing_and_none_of_its_functions(tmp_path: Path) -> None:
    text = """#!/usr/bin/env bash
upload() {
  twine upload "$1"
}
WHEEL=$(ls dist)
IFS=. read -r major minor <<< "$1"
if [ -z $CI ]; then
    scripts/check
fi
${PREFIX}coverage run $branch -m pytest $@
MODE=fast govulncheck ./...
upload dist/one
"""
    told = 'twine upload "$1"; scripts/check; coverage run $branch -m pytest $@; MODE=fast govulncheck ./...'
    assert listed(tmp_path, {"scripts/test": text})["scripts/test"] == told
    assert listed(tmp_path, {"scripts/test": text.replace("bash", "ruby")}) == {}


def test_rules_that_make_files_are_no_tasks(tmp_path: Path) -> None:
    text = "CC := gcc\n%.o: %.c\n\tcc $<\ntest.txt: x\n\ttouch $@\n.PHONY: all\n"
    assert listed(tmp_path, {"Makefile": text}) == {}


def test_a_target_that_does_nothing_is_no_task_unless_it_needs_others(tmp_path: Path) -> None:
    text = "test: unit\nlint:\nbuild: main.o\n%.x: y\n"
    assert set(listed(tmp_path, {"Makefile": text})) == {"make test"}


def test_broken_files_declare_nothing(tmp_path: Path) -> None:
    files = {"package.json": "{", "noxfile.py": "def (", "pyproject.toml": "[", ".github/workflows/a.yml": "a: ["}
    assert declarations(world_of(tmp_path, files)) == []


def test_nothing_is_read_anew_while_no_such_file_changes(tmp_path: Path) -> None:
    world = world_of(tmp_path, {"Makefile": "test:\n\tpytest\n", "src/a.py": ""})
    assert declarations(dataclasses.replace(world, unchanged=frozenset({"Makefile"}))) is None
    assert declarations(
        dataclasses.replace(world, unchanged=frozenset({"Makefile"}), gone=["tox.ini"])
    ) == declarations(world)


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "pyproject.toml",
            '[project]\ndependencies = ["click>=8"]\n[dependency-groups]\ndev = [\n"ruff"]\n',
            {("click", "dependency, >=8", 2), ("ruff", "dependency (dev), any version", 5)},
        ),
        (
            "pyproject.toml",
            '[tool.poetry.dependencies]\nclick = "^8"\n[tool.poetry.group.docs.dependencies]\nmkdocs = "^1"\n',
            {("click", "dependency, ^8", 2), ("mkdocs", "dependency (docs), ^1", 4)},
        ),
        (
            "Cargo.toml",
            '[target.\'cfg(windows)\'.dependencies]\nwinapi = "0.3"\n[workspace.dependencies]\nserde = "1"\n',
            {("winapi", "dependency (cfg(windows)), 0.3", 2), ("serde", "dependency, 1", 4)},
        ),
        (
            "package.json",
            '{"dependencies": {"ms": "^2"},\n"devDependencies": {"jest": "29"}}',
            {("ms", "dependency, ^2", 1), ("jest", "dependency (devDependencies), 29", 2)},
        ),
        (
            "Cargo.toml",
            '[dependencies]\nmio = { version = "1.2" }\n[dev-dependencies]\nloom = "0.7"\n',
            {("mio", "dependency, 1.2", 2), ("loom", "dependency (dev-dependencies), 0.7", 4)},
        ),
        (
            "go.mod",
            "module x\nrequire (\n\ta.b/c v1.2.0\n\td.e/f v0.1.0 // indirect\n)\n",
            {("a.b/c", "dependency, v1.2.0", 3)},
        ),
        (
            "gradle/libs.versions.toml",
            '[versions]\nbuddy = "1.17"\n[libraries]\nbuddy = { module = "net.bb:buddy", version.ref = "buddy" }\n'
            'junit = "junit:junit:4.13"\nbom = { group = "org.x", name = "bom", version = "3" }\nbare = { module = "a:b" }',
            {
                ("net.bb:buddy", "dependency, 1.17", 4),
                ("junit:junit", "dependency, 4.13", 5),
                ("org.x:bom", "dependency, 3", 6),
                ("a:b", "dependency, any version", 7),
            },
        ),
        ("Gemfile", 'gem "rack", "~> 3"\n', {("rack", "dependency, ~> 3", 1)}),
        ("requirements.txt", "attrs==23.1  # why\n-r other.txt\n", {("attrs", "dependency, ==23.1", 1)}),
        ("composer.json", '{"require": {"psr/log": "^3"}}', {("psr/log", "dependency, ^3", 1)}),
        (
            "pom.xml",
            "<project><properties><guava>33</guava></properties><dependencies>\n<dependency><groupId>com.g</groupId>\n"
            "<artifactId>guava</artifactId><version>${guava}</version>\n<exclusions><exclusion><groupId>d.e/f</groupId>"
            "</exclusion></exclusions></dependency>\n<dependency><groupId>junit</groupId><artifactId>junit</artifactId>"
            "<scope>test</scope></dependency></dependencies></project>",
            {("com.g:guava", "dependency, 33", 3), ("junit:junit", "dependency (test), a version set elsewhere", 5)},
        ),
        (
            "build.gradle.kts",
            'dependencies {\n  implementation("com.sq:okio:3.9.0")\n  testImplementation("junit:junit:4.13")\n'
            "  api project(':d.e/f')\n  api platform('a:bom:1@pom')\n  ksp \"a:b:$v\"\n}\n",
            {
                ("a:bom", "dependency, 1", 5),
                ("a:b", "dependency (ksp), a version set elsewhere", 6),
                ("com.sq:okio", "dependency, 3.9.0", 2),
                ("junit:junit", "dependency (testImplementation), 4.13", 3),
            },
        ),
        (
            "build.sbt",
            'libraryDependencies += "org.typelevel" %% "cats" % "2.1" % Test\n// "d.e/f" %% "gone" % "0.1"\n'
            'libraryDependencies += "org.typelevel" %%% "effect" % catsVersion\n',
            {
                ("org.typelevel:cats", "dependency (Test), 2.1", 1),
                ("org.typelevel:effect", "dependency, a version set elsewhere", 3),
            },
        ),
        ("build.sc", 'def ivyDeps = Agg(ivy"a.b::c:1.2", ivy"d:e:$v")\n', {("a.b:c", "dependency, 1.2", 1)}),
        (
            "Package.swift",
            '  .package(url: "https://github.com/apple/swift-nio.git", from: "2.0.0"),\n  .package(\n'
            '    url: "git@github.com:o/x",\n    .upToNextMajor(from: "5.0")\n  ),\n'
            '  // .package(url: "https://github.com/d.e/f", from: "1"),\n  .binaryTarget(url: "https://a.b/d.e/f.zip")\n',
            {
                ("apple/swift-nio", 'dependency, from: "2.0.0"', 1),
                ("o/x", 'dependency, .upToNextMajor(from: "5.0")', 3),
            },
        ),
        (
            "mix.exs",
            '  {:phoenix, "~> 1.7"},\n  {:credo, "~> 1.6", only: [:dev, :test]},\n',
            {("phoenix", "dependency, ~> 1.7", 1), ("credo", "dependency (dev, test), ~> 1.6", 2)},
        ),
        (
            "Directory.Packages.props",
            '<Project><ItemGroup>\n<PackageVersion Include="MinVer" Version="7.0.0" />\n<!-- <PackageVersion Include="d.e/f" '
            'Version="9" /> -->\n<PackageReference Version="3"\n Include="Refit"/></ItemGroup></Project>\n',
            {("MinVer", "dependency, 7.0.0", 2), ("Refit", "dependency, 3", 4)},
        ),
        (
            "pubspec.yaml",
            "dependencies:\n  http: ^1.2.0\n  flutter:\n    sdk: flutter\n",
            {("http", "dependency, ^1.2.0", 2), ("flutter", "dependency, any version", 3)},
        ),
    ],
)
def test_dependencies_are_listed_with_their_version_and_line(
    tmp_path: Path, path: str, text: str, expected: set[tuple[str, str, int]]
) -> None:
    assert expected <= {(one.subject, one.value, one.line) for one in rows(tmp_path, {path: text})}
    assert not any("d.e/f" in one.subject for one in rows(tmp_path, {path: text}))


CODEOWNERS = """\
# who
*           @org/team
/src/api/   @ann bob@example.org  # the door
docs/*.md   @carol
/src/api/   @dave
no-owner
"""


def test_codeowners_give_owners_by_path_and_the_last_rule_holds(tmp_path: Path) -> None:
    assert [(one.subject, one.value, one.line) for one in rows(tmp_path, {".github/CODEOWNERS": CODEOWNERS})] == [
        ("owner of the whole repository", "@org/team", 2),
        ("owner of docs/*.md", "@carol", 4),
        ("owner of /src/api/", "@dave", 5),
    ]


def test_maintainers_are_names_with_a_handle_or_an_address_that_is_not_shown(tmp_path: Path) -> None:
    text = "# Maintainers\n\nWe merge for others.\n\n- Ann Lee (@ann)\n- Bob Ray <bob@example.org>\n- Release Notes\n"
    assert listed(tmp_path, {"MAINTAINERS.md": text}) == {"maintainer Ann Lee": "@ann", "maintainer Bob Ray": "Bob Ray"}


def test_a_long_list_of_names_is_thanks_not_maintenance(tmp_path: Path) -> None:
    text = "\n".join(f"- Ann Lee{'abcdefghij'[i % 10]}{'klmno'[i // 10]} (@a{i})" for i in range(MAX_MAINTAINERS + 1))
    assert rows(tmp_path, {"MAINTAINERS": text}) == []


def test_owners_files_tell_approvers_of_their_folder(tmp_path: Path) -> None:
    assert listed(tmp_path, {"pkg/api/OWNERS": "approvers:\n- bob\n- ann\n"}) == {"approvers of pkg/api": "ann, bob"}


def test_the_tree_tells_source_layout_and_manager_unless_a_manifest_does(tmp_path: Path) -> None:
    tree = {"src/pkg/__init__.py": "", "poetry.lock": "x", "Makefile": ""}
    found = {(one.subject, one.value) for one in declarations(world_of(tmp_path, tree)) or ()}
    assert {("src layout", "true"), ("package manager", "poetry")} <= found
    places = {one.place for one in declarations(world_of(tmp_path, tree)) or ()}
    assert {"src/pkg/__init__.py", "poetry.lock"} <= places
    assert [one.place for one in layout.told([], "main")] == ["git"]
    named = {"package.json": '{"packageManager": "pnpm@9.1.0"}', "pnpm-lock.yaml": "x"}
    told = [one.path for one in declarations(world_of(tmp_path / "a", named)) or () if one.value == "pnpm"]
    assert told == ["package.json"]


def test_what_only_repeats_a_manifest_is_no_memory_and_how_people_should_work_is_one(tmp_path: Path) -> None:
    text = '[project]\nrequires-python = ">=3.10"\nlicense = "MIT"\n[tool.ruff]\nline-length = 100\n'
    world = world_of(tmp_path, {"pyproject.toml": text, "CONTRIBUTING.md": "Add a test to every fix.\n"})
    learned = {(draft.attribute, draft.value) for draft in DeclaredFacts().learn(world)}
    assert ("line_length", "100") in learned
    assert {"min_python", "licence"}.isdisjoint(attribute for attribute, _ in learned)
    assert any("Add a test" in draft.levels.full for draft in DeclaredFacts().learn(world))
    assert {("min python", "3.10"), ("licence", "MIT")} <= {(one.subject, one.value) for one in rows(tmp_path, {})}


def test_a_document_that_repeats_a_manifest_is_no_memory_and_one_that_denies_it_stands_beside_it(
    tmp_path: Path,
) -> None:
    manifest = {"pyproject.toml": '[project]\nrequires-python = ">=3.10"\n'}

    def asked(folder: str, version: str) -> list[str]:
        readme = {"README.md": f"# Shop\n\nRequires Python {version} or newer.\n"}
        drafts = DeclaredFacts().learn(world_of(tmp_path / folder, {**manifest, **readme}))
        return sorted(draft.value for draft in drafts if draft.attribute == "min_python")

    assert asked("same", "3.10") == []
    assert asked("other", "3.8") == ["3.10", "3.8"]


@pytest.mark.parametrize(("named", "learned"), [("BSD", []), ("MIT", ["BSD-3-Clause", "MIT"])])
def test_a_licence_named_by_its_family_denies_none_of_it(tmp_path: Path, named: str, learned: list[str]) -> None:
    files = {"setup.cfg": f"[metadata]\nlicense = {named}\n", "package.json": '{"license": "BSD-3-Clause"}'}
    drafts = DeclaredFacts().learn(world_of(tmp_path, files))
    assert sorted(draft.value for draft in drafts if draft.attribute == "licence") == learned


@pytest.mark.parametrize("name", ["links", "docs-coverage", "py312-postgres"])
def test_an_environment_is_a_task_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    text = f"[testenv:{name}]\ncommands = pytest\n[testenv:empty]\nextras = docs\n"
    assert set(listed(tmp_path, {"tox.ini": text})) == {f"tox run -e {name}"}


def test_a_command_that_goes_on_with_another_sections_is_none_of_its_own(tmp_path: Path) -> None:
    text = (
        "[testenv]\ncommands = pytest\n[testenv:lint]\ncommands =\n  {[testenv]commands} -p no:twisted\n  ruff check\n"
    )
    assert listed(tmp_path, {"tox.ini": text})["tox run -e lint"] == "ruff check"
