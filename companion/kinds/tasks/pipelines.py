"""CI files as chains: jobs in the order that their needs demand, with the commands of each.

Jobs that do not wait for one another are no sequence: they are one step, told with commas.

Chores of the repository itself (labels, stale issues, security scans) are no workflows of the project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from companion.kinds.facts.located import Node, yaml
from companion.kinds.tasks.task import Chain, TaskReader, commands_of, trigger_of
from companion.records import FileSeen

MAX_STEPS = 12
"""Steps of a chain: a longer one is a matrix spelled out, and its first of each sort are shown."""

_NOTHING = Node(1, {})
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
_SETUP = re.compile(
    r"^(?:pip3?|python3? -m pip|pipx|npm|pnpm|yarn|bun|bundle|composer|poetry|pdm|uv(?: pip)?|gem|"
    r"rustup|cargo|go|brew|dotnet)\s+"
    r"(?:install|ci|i|sync|add|require|update|restore|get|uninstall|target|component|toolchain|"
    r"mod download|config)\b|^(?:yarn|bundle)$"
)
"""Commands that make ready: a job of nothing else is no step."""
_CONTAINER = re.compile(
    r"^(?:stages|variables|default|include|workflow|image|services|before_script|after_script|cache|pages)$"
)


def read(file: FileSeen, paths: Sequence[str]) -> Iterator[Chain]:
    """The chain of one CI file, if it tests, builds, documents, releases or deploys."""
    root = yaml(file.text)
    if root is None:
        return
    name = PurePosixPath(file.path).name
    if name == ".gitlab-ci.yml":
        jobs, needs = _gitlab(root)
        yield from _chain(jobs, needs, "ci", "")
    elif ".circleci" in file.path:
        jobs, needs = _circle(root)
        yield from _chain(jobs, needs, "ci", "")
    else:
        title = (root.at("name") or Node(1, "")).text
        stem = PurePosixPath(file.path).stem
        if not _CHORES.search(stem):
            jobs, needs = _github(root)
            if _wanted(root.at("on")):
                yield from _chain(jobs, needs, stem, title)


def _wanted(on: Node | None) -> bool:
    """Whether a change, a release or a person sets it off, not the clock or the talk on issues."""
    events = set(on.fields()) | set(on.texts()) if on is not None else set()
    return bool(events & _EVENTS)


def _github(root: Node) -> tuple[dict[str, Node], dict[str, list[str]]]:
    jobs = dict((root.at("jobs") or _NOTHING).fields())
    needs = {name: (job.at("needs") or Node(1, [])).texts() for name, job in jobs.items()}
    return jobs, needs


def _gitlab(root: Node) -> tuple[dict[str, Node], dict[str, list[str]]]:
    """Jobs need those they name, else all jobs of the stages before."""
    jobs = {
        n: j for n, j in root.fields().items() if not n.startswith(".") and not _CONTAINER.match(n) and j.at("script")
    }
    stages = (root.at("stages") or Node(1, [])).texts() or ["build", "test", "deploy"]
    stage = {
        n: stages.index(t) if (t := (j.at("stage") or Node(1, "test")).text) in stages else 0 for n, j in jobs.items()
    }
    needs = {}
    for name, job in jobs.items():
        told = job.at("needs")
        if told is not None:
            needs[name] = [(item.at("job") or item).text for item in told.items()]
        else:
            needs[name] = [other for other in jobs if stage[other] < stage[name]]
    return jobs, needs


def _circle(root: Node) -> tuple[dict[str, Node], dict[str, list[str]]]:
    jobs = dict((root.at("jobs") or _NOTHING).fields())
    needs: dict[str, list[str]] = {name: [] for name in jobs}
    for flow in (root.at("workflows") or _NOTHING).fields().values():
        for item in (flow.at("jobs") or Node(1, [])).items():
            for name, table in item.fields().items():
                needs.setdefault(name, []).extend((table.at("requires") or Node(1, [])).texts())
    return jobs, needs


def ordered(needs: Mapping[str, Sequence[str]]) -> list[str]:
    """Names so that each comes after what it needs, else in the given order; circles are cut."""
    done: list[str] = []
    visiting: set[str] = set()

    def visit(name: str) -> None:
        if name in done or name in visiting or name not in needs:
            return
        visiting.add(name)
        for needed in needs[name]:
            visit(needed)
        visiting.discard(name)
        done.append(name)

    for name in needs:
        visit(name)
    return done


def _chain(jobs: Mapping[str, Node], needs: Mapping[str, Sequence[str]], stem: str, title: str) -> Iterator[Chain]:
    does = {name: _does(jobs[name]) for name in ordered(needs) if name in jobs}
    telling = {name: commands for name, commands in does.items() if any(not _SETUP.match(c) for c in commands)}
    trigger = _trigger(stem, title, telling)
    if not telling or not trigger:
        return
    if trigger not in _ACTS:
        trigger = f"ci ({stem})" if stem not in {"", "ci"} else "ci"
    line = next(iter(jobs.values())).line
    if len(telling) == 1:
        commands = next(iter(telling.values()))
        yield Chain(trigger, line, commands[:MAX_STEPS], ())
        return
    shown = _bounded(telling)
    details = tuple((name, "; ".join(c for c in telling[name] if not _SETUP.match(c))) for name in shown)
    yield Chain(trigger, line, tuple(", ".join(stage) for stage in staged(shown, needs)), details)


def staged(names: Sequence[str], needs: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Names in stages of which each waits for all of the one before; one stage where they are in no such order."""
    before = {name: _above(name, needs) & set(names) for name in names}
    stages: dict[int, list[str]] = {}
    for name in names:
        stages.setdefault(len(before[name]), []).append(name)
    done: set[str] = set()
    for size in sorted(stages):
        if any(before[name] != done for name in stages[size]):
            return [list(names)]
        done |= set(stages[size])
    return [stages[size] for size in sorted(stages)]


def _above(name: str, needs: Mapping[str, Sequence[str]]) -> set[str]:
    """All that a job waits for, by its own needs and theirs."""
    found: set[str] = set()
    waiting = list(needs.get(name, ()))
    while waiting:
        if (needed := waiting.pop()) not in found:
            found.add(needed)
            waiting += needs.get(needed, ())
    return found


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
            found.extend(command for command in commands_of(run.text) if command not in found)
    return tuple(found)


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
    "ci",
    ("/.github/workflows/*.yml", "/.github/workflows/*.yaml", "/.gitlab-ci.yml", "/.circleci/config.yml"),
    read,
)
