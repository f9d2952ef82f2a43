"""CI files: their jobs, with the commands of each.

Chores of the repository itself (labels, stale issues, security scans) are no workflows of the project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from companion.kinds.facts.located import Node, yaml
from companion.kinds.facts.rules import makes_ready
from companion.kinds.tasks.task import TaskReader, commands_of, trigger_of
from companion.records import FileSeen
from companion.records.declared import Declaration

MAX_STEPS = 12
"""Jobs of a file, or commands of one: more are a matrix spelled out, and the first of each sort are shown."""

_CHORES = re.compile(
    r"stale|lock|label|sponsor|notify|issue|triage|welcome|greet|codeql|scorecard|zizmor|dependabot|"
    r"fuzz|trivy|audit|topic|"
    r"assign|conflict|latest-changes|smokeshow|people|translate|add-to-project|cla\b|semantic-pr|"
    r"pr-title|claude|review|scan|"
    r"guard|backport|cherry|milestone|pullfrog|bot|close|cache|sync|mirror|update-|bump-",
    re.IGNORECASE,
)
_PUBLISHING = re.compile(
    r"(?P<name>gh-action-pypi-publish|action-gh-release|goreleaser-action|deploy-pages|"
    r"actions-gh-pages|build-push-action|"
    r"npm-publish|changesets/action|release-please\S*|create-release|upload-release-asset|semantic-release\S*)"
)
_EVENTS = frozenset(
    {"push", "pull_request", "release", "workflow_dispatch", "merge_group", "create", "deployment", "workflow_call"}
)
_ACTS = frozenset({"release", "deploy", "docs"})
"""Purposes a person sets off; the rest of CI checks what was pushed."""


def read(file: FileSeen, paths: Sequence[str]) -> Iterator[Declaration]:
    """The jobs of one CI file, if it tests, builds, documents, releases or deploys: a row each."""
    root = yaml(file.text)
    path = PurePosixPath(file.path)
    if root is None:
        return
    if path.name == ".gitlab-ci.yml":
        jobs = {name: job for name, job in root.fields().items() if _is_job(name, job)}
        yield from _rows(file, jobs, "ci", "")
    elif ".circleci" in file.path:
        yield from _rows(file, _jobs(root), "ci", "")
    elif not _CHORES.search(path.stem) and _wanted(root.at("on")):
        yield from _rows(file, _jobs(root), path.stem, (root.at("name") or Node(1, "")).text)


def _wanted(on: Node | None) -> bool:
    """Whether a change, a release or a person sets it off, not the clock or the talk on issues."""
    events = set(on.fields()) | set(on.texts()) if on is not None else set()
    return bool(events & _EVENTS)


def _jobs(root: Node) -> Mapping[str, Node]:
    return (root.at("jobs") or Node(1, {})).fields()


def _is_job(name: str, job: Node) -> bool:
    """Whether an entry of GitLab's file is a job, and no part that jobs share."""
    return not name.startswith(".") and job.at("script") is not None


def _rows(file: FileSeen, jobs: Mapping[str, Node], stem: str, title: str) -> Iterator[Declaration]:
    """A row for each job that does more than make ready; of a single one the commands in their order."""
    does = {name: _does(job) for name, job in jobs.items()}
    telling = {name: commands for name, commands in does.items() if any(not makes_ready(c) for c in commands)}
    trigger = _trigger(stem, title, telling)
    if not telling or not trigger:
        return
    if trigger not in _ACTS:
        trigger = f"ci ({stem})" if stem.lower() not in {"", "ci"} else "ci"
    if len(telling) == 1:
        ((name, commands),) = telling.items()
        steps = " → ".join(commands[:MAX_STEPS])
        yield Declaration(file.path, jobs[name].line, trigger, steps, f"{trigger} runs {steps}")
        return
    for name in _bounded(telling):
        said = "; ".join(command for command in telling[name] if not makes_ready(command))
        yield Declaration(file.path, jobs[name].line, f"{trigger}: {name}", said, f"{trigger} runs {name}: {said}")


def _trigger(stem: str, title: str, telling: Mapping[str, Sequence[str]]) -> str:
    """What a CI file is for: by its name, else `ci` where a job of it tests or builds."""
    if any(
        pages in command
        for commands in telling.values()
        for command in commands
        for pages in ("deploy-pages", "gh-pages")
    ):
        return "docs"
    plain = re.sub(r"[-_]", " ", stem)
    if re.fullmatch(
        r"(?:ci|main|build|checks?|pr|pull request|continuous integration|test suite|push)", plain, re.IGNORECASE
    ):
        return "ci"
    told = trigger_of(stem, title)
    if told:
        return told
    jobs = {trigger_of(name, *commands) for name, commands in telling.items()}
    return "ci" if jobs & {"test", "lint", "build"} else ""


def _does(job: Node) -> tuple[str, ...]:
    found: list[str] = []
    for step in (job.at("steps") or job.at("script") or Node(1, [])).items():
        uses = step.at("uses")
        run = step.at("run", "command") or step.at("run") or (step if step.text else None)
        if uses is not None and (published := _PUBLISHING.search(uses.text)):
            found.append(f"uses {published['name']}")
        if run is not None:
            found.extend(commands_of(run.text))
    return tuple(dict.fromkeys(found))


def _bounded(telling: Mapping[str, Sequence[str]]) -> list[str]:
    """At most `MAX_STEPS` jobs: where there are more, those of a command already shown are left out first."""
    names = list(telling)
    if len(names) <= MAX_STEPS:
        return names
    seen: set[str] = set()
    kept = []
    for name in names:
        kind = " ".join(telling[name][0].split()[:2])
        if kind not in seen:
            seen.add(kind)
            kept.append(name)
    return kept[:MAX_STEPS]


READER = TaskReader(
    ("/.github/workflows/*.yml", "/.github/workflows/*.yaml", "/.gitlab-ci.yml", "/.circleci/config.yml"),
    read,
)
