"""Scripts that a manifest names: package.json, composer.json, pyproject.toml, Taskfile, cargo aliases, deno."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from companion.kinds.facts.located import Node, jsonc, yaml
from companion.kinds.facts.toml_lines import toml
from companion.kinds.tasks.task import COMMAND_CHARS, Task, TaskReader, trigger_of
from companion.records import FileSeen

_NOTHING = Node(1, {})
_LOCKS = (("pnpm-lock.yaml", "pnpm"), ("yarn.lock", "yarn"), ("bun.lock", "bun"), ("bun.lockb", "bun"))
_HOOK = re.compile(
    r"^(?:pre|post)(?:install|publish|pack|build|test|version|prepare|start|commit)|^prepare$|^(?:pre|post)-"
)
_CALLED = re.compile(r"(?:npm|pnpm|yarn|bun|composer)\s+(?:run\s+)?(?:-r\s+)?(?P<name>[\w:.-]+)|^@(?P<ref>[\w:.-]+)$")


def read(file: FileSeen, paths: Sequence[str]) -> Iterator[Task]:
    """The scripts of one manifest."""
    name = PurePosixPath(file.path).name
    if name == "package.json":
        yield from _package(file, paths)
    elif name in {"deno.json", "deno.jsonc"}:
        yield from _simple(jsonc(file.text), ("tasks",), "deno task {}")
    elif name == "composer.json":
        yield from _simple(jsonc(file.text), ("scripts",), "composer {}")
    elif name == "pyproject.toml":
        yield from _python(toml(file.text))
    elif name == "config.toml":
        yield from _simple(toml(file.text), ("alias",), "cargo {}", prefix="cargo ")
    else:
        yield from _taskfile(yaml(file.text))


def _package(file: FileSeen, paths: Sequence[str]) -> Iterator[Task]:
    root = jsonc(file.text)
    if root is None:
        return
    told = root.at("packageManager")
    manager = told.text.partition("@")[0] if told is not None else ""
    if not manager:
        manager = next((manager for lock, manager in _LOCKS if lock in paths), "npm")
    for name, node in (root.at("scripts") or _NOTHING).fields().items():
        short = manager in {"pnpm", "yarn"} or name in {"test", "start"}
        yield from _task(name, f"{manager} {name}" if short else f"{manager} run {name}", node)


def _simple(root: Node | None, keys: tuple[str, ...], run: str, prefix: str = "") -> Iterator[Task]:
    for name, node in ((root.at(*keys) if root is not None else None) or _NOTHING).fields().items():
        yield from _task(name, run.format(name), node, prefix)


def _python(root: Node | None) -> Iterator[Task]:
    if root is None:
        return
    yield from _simple(root, ("tool", "poe", "tasks"), "poe {}")
    yield from _simple(root, ("tool", "pdm", "scripts"), "pdm run {}")
    yield from _simple(root, ("tool", "taskipy", "tasks"), "task {}")
    for env, table in (root.at("tool", "hatch", "envs") or _NOTHING).fields().items():
        for name, node in (table.at("scripts") or _NOTHING).fields().items():
            yield from _task(name, f"hatch run {name}" if env == "default" else f"hatch run {env}:{name}", node)


def _taskfile(root: Node | None) -> Iterator[Task]:
    for name, node in ((root.at("tasks") if root is not None else None) or _NOTHING).fields().items():
        needs = tuple((need.at("task") or need).text for need in (node.at("deps") or Node(1, [])).items())
        about = (node.at("desc") or Node(1, "")).text
        for task in _task(name, f"task {name}", node.at("cmds") or node.at("cmd") or node):
            yield Task(task.name, task.trigger, task.run, node.line, task.commands, needs, about)


def _task(name: str, run: str, node: Node, prefix: str = "") -> Iterator[Task]:
    trigger = trigger_of(name)
    if not trigger or _HOOK.match(name):
        return
    told = node.at("cmd") or node.at("shell") or node.at("sequence") or node.at("command") or node
    parts = [prefix + (part.at("cmd") or part).text for part in told.items()]
    if prefix and isinstance(told.value, list):
        parts = [prefix + " ".join(told.texts())]
    commands = tuple(part for part in (p.strip() for p in parts) if part and not part.endswith("--ansi"))
    needs = tuple(
        (found["name"] or found["ref"])
        for part in commands
        for found in _CALLED.finditer(part)
        if found["name"] != "run"
    )
    shown = tuple(
        part if len(part) <= COMMAND_CHARS else part[:COMMAND_CHARS].rsplit(" ", 1)[0] + " …" for part in commands
    )
    yield Task(name, trigger, run, node.line, shown, needs)


READER = TaskReader(
    "scripts",
    (
        "package.json",
        "composer.json",
        "pyproject.toml",
        "/deno.json",
        "/deno.jsonc",
        "/Taskfile.yml",
        "/Taskfile.yaml",
        "/.cargo/config.toml",
    ),
    read,
)
