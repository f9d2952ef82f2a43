from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kinds.worlds import world_of

from companion.kinds.tasks.pipelines import ordered
from companion.kinds.workflows import DeclaredWorkflows
from companion.records import Draft, Kind, Workflow


def learned(folder: Path, files: Mapping[str, str]) -> dict[str, Draft]:
    return {draft.subject: draft for draft in DeclaredWorkflows().learn(world_of(folder, files))}


def flow(draft: Draft) -> Workflow:
    assert draft.kind is Kind.WORKFLOW
    assert isinstance(draft.body, Workflow)
    return draft.body


@pytest.mark.parametrize(
    ("path", "text", "trigger", "steps", "line"),
    [
        ("Makefile", "build:\n\tcc x.c\n\ntest: build ## run tests\n\t./run-tests\n", "test", ("make test",), 4),
        ("Makefile", "check:\n\t./run-tests\n", "test", ("make check",), 1),
        ("justfile", "# all of them\ntest *args:\n    pytest {{args}}\n", "test", ("just test",), 2),
        ("package.json", '{"scripts": {\n"test": "jest",\n"build": "tsc"}}', "build", ("npm run build",), 3),
        ("package.json", '{"packageManager": "pnpm@9", "scripts": {\n"lint": "eslint ."}}', "lint", ("pnpm lint",), 2),
        ("composer.json", '{"scripts": {\n"test": ["phpunit"]}}', "test", ("composer test",), 2),
        (
            "tox.ini",
            "[testenv]\ncommands = pytest {posargs}\n[testenv:lint]\ncommands = ruff check\n",
            "lint",
            ("tox run -e lint",),
            3,
        ),
        ("pyproject.toml", '[tool.tox.env_run_base]\ncommands = [["pytest", "-v"]]\n', "test", ("tox run -e py",), 1),
        ("pyproject.toml", '[tool.poe.tasks]\nfmt = "ruff format"\n', "format", ("poe fmt",), 2),
        ("pyproject.toml", '[tool.hatch.envs.default.scripts]\ntest = "pytest"\n', "test", ("hatch run test",), 2),
        (
            "noxfile.py",
            "import nox\n\n@nox.session\ndef docs(session):\n    session.run('mkdocs', 'build')\n",
            "docs",
            ("nox -s docs",),
            4,
        ),
        ("Rakefile", "desc 'Run them'\ntask :test do\nend\n", "test", ("bundle exec rake test",), 2),
        ("Taskfile.yml", "tasks:\n  build:\n    cmds: [go build ./...]\n", "build", ("task build",), 2),
        (".cargo/config.toml", '[alias]\nlint = "clippy --workspace"\n', "lint", ("cargo lint",), 2),
        ("scripts/test", "#!/bin/sh\nset -e\n${PREFIX}pytest -x\n", "test", ("scripts/test",), 1),
    ],
)
def test_each_family_of_task_files_tells_what_to_type(
    tmp_path: Path, path: str, text: str, trigger: str, steps: tuple[str, ...], line: int
) -> None:
    draft = learned(tmp_path, {path: text})[trigger]
    assert flow(draft).steps == steps
    assert draft.evidence[0].label() == f"{path}:{line}"
    assert draft.levels.compressed == f"{trigger}: {steps[0]}"


def test_details_name_the_commands_and_the_variants(tmp_path: Path) -> None:
    scripts = {"test": "npm run lint && vitest run", "test:watch": "vitest", "lint": "eslint .", "prepare": "husky"}
    text = json.dumps({"scripts": scripts})
    drafts = learned(tmp_path, {"package.json": text})
    assert flow(drafts["test"]).details == {
        "npm test": "npm run lint && vitest run",
        "npm run lint": "eslint .",
        "npm run test:watch": "vitest",
    }
    assert set(drafts) == {"test", "lint"}


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
      - uses: pypa/gh-action-pypi-publish@v1
"""


def test_ci_jobs_come_in_the_order_of_their_needs(tmp_path: Path) -> None:
    draft = learned(tmp_path, {".github/workflows/deploy.yml": DEPLOY})["deploy"]
    assert flow(draft).steps == ("test", "build", "stage")
    assert flow(draft).details == {
        "test": "pytest -x",
        "build": "python -m build; uses gh-action-pypi-publish",
        "stage": "make stage",
    }
    assert draft.levels.compressed == "deploy: test→build→stage"


def test_a_ci_file_of_one_job_tells_its_commands(tmp_path: Path) -> None:
    text = "on: [push]\njobs:\n  a:\n    steps:\n    - run: npm ci\n    - run: npm run build\n    - run: npm test\n"
    draft = learned(tmp_path, {".github/workflows/ci.yml": text})["ci"]
    assert flow(draft).steps == ("npm ci", "npm run build", "npm test")


def test_gitlab_stages_order_their_jobs(tmp_path: Path) -> None:
    text = "stages: [build, test]\nunit: {stage: test, script: [pytest]}\npack: {stage: build, script: [make dist]}\n"
    assert flow(learned(tmp_path, {".gitlab-ci.yml": text})["ci"]).steps == ("pack", "unit")


def test_circleci_requirements_order_their_jobs(tmp_path: Path) -> None:
    text = (
        "jobs:\n  b: {steps: [{run: make dist}]}\n  a: {steps: [{run: {command: pytest}}]}\n"
        "workflows:\n  w:\n    jobs:\n      - a\n      - b: {requires: [a]}\n"
    )
    assert flow(learned(tmp_path, {".circleci/config.yml": text})["ci"]).steps == ("a", "b")


@pytest.mark.parametrize(
    ("name", "on"),
    [("stale", "push"), ("labeler", "pull_request"), ("codeql", "push"), ("test", "schedule"), ("lock", "push")],
)
def test_chores_of_the_repository_are_no_workflows(tmp_path: Path, name: str, on: str) -> None:
    text = f"on: [{on}]\njobs:\n  a:\n    steps: [{{run: pytest}}]\n"
    assert learned(tmp_path, {f".github/workflows/{name}.yml": text}) == {}


def test_what_make_says_while_it_runs_is_no_command(tmp_path: Path) -> None:
    text = "fmt:\n\t$(info ***** checking *****)\n\tgofmt -l .\n"
    assert flow(learned(tmp_path, {"Makefile": text})["format"]).details == {"make fmt": "gofmt -l ."}


def test_a_gem_that_installs_itself_sets_nothing_up(tmp_path: Path) -> None:
    text = "desc 'Install the gem'\ntask 'install:all' do\nend\ntask :setup do\nend\n"
    assert flow(learned(tmp_path, {"Rakefile": text})["setup"]).steps == ("bundle exec rake setup",)


def test_rules_that_make_files_are_no_tasks(tmp_path: Path) -> None:
    text = "CC := gcc\n%.o: %.c\n\tcc $<\ntest.txt: x\n\ttouch $@\n.PHONY: all\n"
    assert learned(tmp_path, {"Makefile": text}) == {}


def test_files_inside_packages_are_read_only_where_the_root_has_none(tmp_path: Path) -> None:
    script = '{"scripts": {"test": "jest"}}'
    both = learned(tmp_path, {"package.json": script, "frontend/package.json": script})
    assert {d.origin for d in both.values()} == {"package.json"}
    alone = learned(tmp_path / "alone", {"go.mod": "module x\n", "frontend/package.json": script})
    assert {(d.origin, d.scope.path) for d in alone.values()} == {("frontend/package.json", "frontend")}


def test_broken_task_files_teach_nothing_and_are_spoken_for(tmp_path: Path) -> None:
    files = {"package.json": "{", "noxfile.py": "def (", "pyproject.toml": "[", ".github/workflows/a.yml": "a: ["}
    world = world_of(tmp_path, files)
    assert list(DeclaredWorkflows().learn(world)) == []
    assert list(DeclaredWorkflows().origins(world)) == sorted(files)


names = st.sampled_from("abcdef")


@given(st.dictionaries(names, st.lists(names, max_size=3)))
def test_order_keeps_every_job_once_and_no_job_before_its_need_unless_in_a_circle(needs: dict[str, list[str]]) -> None:
    order = ordered(needs)
    assert sorted(order) == sorted(needs)

    def reaches(start: str, goal: str, seen: frozenset[str] = frozenset()) -> bool:
        return any(n == goal or (n not in seen and reaches(n, goal, seen | {n})) for n in needs.get(start, []))

    for job, wanted in needs.items():
        for need in wanted:
            if need in needs and not reaches(need, job) and need != job:
                assert order.index(need) < order.index(job)


def test_jobs_that_do_not_wait_for_one_another_are_no_sequence(tmp_path: Path) -> None:
    def job(name: str, needs: str = "") -> str:
        waits = f"    needs: [{needs}]\n" if needs else ""
        return f"  {name}:\n{waits}    steps:\n    - run: make {name}\n"

    head = "on: push\njobs:\n"
    alternatives = head + job("build") + job("publish", "build") + job("publish-test", "build")
    aside = head + job("package") + job("test") + job("coverage", "test")
    told = {
        name: flow(draft).steps
        for name, text in (("release", alternatives), ("ci", aside))
        for draft in learned(tmp_path / name, {f".github/workflows/{name}.yml": text}).values()
    }
    assert told == {"release": ("build", "publish, publish-test"), "ci": ("package, test, coverage",)}


@pytest.mark.parametrize("name", ["no-reactor-extra-deps", "docs-coverage", "docs-tests", "docs-links"])
def test_an_environment_whose_name_says_nothing_plain_is_no_task(tmp_path: Path, name: str) -> None:
    text = f"[testenv:{name}]\ncommands = pytest\n[testenv:docs]\ncommands = sphinx-build docs\n"
    assert set(learned(tmp_path, {"tox.ini": text})) == {"docs"}


def test_a_command_that_goes_on_with_another_sections_is_none_of_its_own(tmp_path: Path) -> None:
    text = (
        "[testenv]\ncommands = pytest\n[testenv:lint]\ncommands =\n  {[testenv]commands} -p no:twisted\n  ruff check\n"
    )
    assert dict(flow(learned(tmp_path, {"tox.ini": text})["lint"]).details) == {"tox run -e lint": "ruff check"}
