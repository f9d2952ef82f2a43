"""Workflows: what a person runs to test, build, document, release, from task files and CI.

A task file gives one workflow for each purpose: the task that is nearest to it by name, with the
tasks it sets off and its variants in the details. A CI file gives one: its jobs in the order of their
needs. Files of packages inside a project are read only where the root has none of that name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.kinds.facts.places import nearest, speaks_for_project
from companion.kinds.facts.statement import folder_of, quote
from companion.kinds.levels import workflow_levels
from companion.kinds.tasks import READERS, Chain, Task, TaskReader
from companion.ports import World
from companion.records import (
    Draft,
    Evidence,
    EvidenceKind,
    FileSeen,
    Kind,
    Scope,
    Workflow,
    entity,
)

VARIANTS_SHOWN = 6
"""Other tasks of the same purpose that a workflow's details name."""

NEEDED_SHOWN = 6
"""Tasks that the main one sets off, named in the details: the tool runs them, the person need not."""

DECLARED = 0.95
"""Confidence in a task that a file defines."""


class DeclaredWorkflows:
    """The kind of memory that task files and CI teach."""

    name = "workflows"

    def origins(self, world: World) -> Sequence[str]:
        """The changed task files."""
        return sorted({file.path for _, file in _readable(world)})

    def learn(self, world: World) -> Iterator[Draft]:
        """One workflow for each purpose of each changed file."""
        paths = world.all_paths()
        found: dict[str, dict[str, Draft]] = {}
        for reader, file in _readable(world):
            for draft in workflows_of(reader, file, paths):
                found.setdefault(file.path, {}).setdefault(draft.subject, draft)
        for drafts in found.values():
            yield from drafts.values()


def workflows_of(reader: TaskReader, file: FileSeen, paths: Sequence[str]) -> Iterator[Draft]:
    """The workflows of one task file."""
    tasks: dict[str, list[Task]] = {}
    every: dict[str, Task] = {}
    for item in reader.read(file, paths):
        if isinstance(item, Chain):
            yield _draft(file, item.trigger, item.line, item.steps, dict(item.details))
        else:
            tasks.setdefault(item.trigger, []).append(item)
            every.setdefault(item.name, item)
    for trigger, offered in tasks.items():
        main = min(offered, key=lambda task: (_distance(task, trigger), task.line))
        before = _needed(main, every)
        details = {task.run: _said(task) for task in (main, *before)}
        variants = [task for task in offered if task.run not in details][:VARIANTS_SHOWN]
        details |= {task.run: _said(task) for task in variants}
        yield _draft(file, trigger, main.line, (main.run,), {run: said for run, said in details.items() if said})


def _distance(task: Task, trigger: str) -> int:
    """How far a task's name is from its purpose: the plain name first, then the shortest."""
    if task.name in {trigger, f"{trigger}s", "py"}:
        return 0
    return 1 + len(task.name)


def _needed(task: Task, every: dict[str, Task]) -> list[Task]:
    """The tasks that a task needs, in order, each once; circles are cut."""
    found: list[Task] = []

    def visit(name: str, above: tuple[str, ...]) -> None:
        needed = every.get(name)
        if needed is None or needed in found or name in above or len(found) >= NEEDED_SHOWN:
            return
        for below in needed.needs:
            visit(below, (*above, name))
        found.append(needed)

    for name in task.needs:
        if name != task.name:
            visit(name, (task.name,))
    return [needed for needed in found if needed is not task]


def _said(task: Task) -> str:
    commands = "; ".join(task.commands)
    return f"{task.about} ({commands})" if task.about and commands else task.about or commands


def _draft(file: FileSeen, trigger: str, line: int, steps: tuple[str, ...], details: dict[str, str]) -> Draft:
    where = folder_of(file.path)
    return Draft(
        kind=Kind.WORKFLOW,
        type="",
        subject=trigger,
        attribute=file.path,
        value=" → ".join(steps),
        levels=workflow_levels(trigger, steps, details),
        origin=file.path,
        evidence=(Evidence(EvidenceKind.FILE, file.path, line, quote(file.text, line)),),
        body=Workflow(trigger, steps, details),
        entities=(entity("file", file.path),),
        scope=Scope(path=where),
        confidence=DECLARED,
    )


def _readable(world: World) -> Iterator[tuple[TaskReader, FileSeen]]:
    """Each reader with its changed files, found in one pass."""
    from pathspec import GitIgnoreSpec

    at_root = {path for path in world.all_paths() if "/" not in path}
    specs = [GitIgnoreSpec.from_lines(reader.patterns) for reader in READERS]
    files: list[dict[str, FileSeen]] = [{} for _ in READERS]
    for file in world.changed_texts([pattern for reader in READERS for pattern in reader.patterns]):
        folder, _, name = file.path.rpartition("/")
        nested = folder and not folder.startswith(".") and name in at_root
        if nested or not speaks_for_project(file.path):
            continue
        for spec, found in zip(specs, files, strict=True):
            if spec.match_file(file.path):
                found[file.path] = file
    for reader, found in zip(READERS, files, strict=True):
        for path in nearest(found):
            yield reader, found[path]
