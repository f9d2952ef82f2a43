"""Scripts that a manifest names: package.json, composer.json, pyproject.toml, Taskfile, cargo aliases, deno."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import PurePosixPath

from companion.kinds.facts.formats import parse_declared
from companion.kinds.facts.layout import LOCKS
from companion.kinds.facts.located import Node
from companion.kinds.facts.matches import leading_to
from companion.kinds.tasks.task import COMMAND_CHARS, TaskReader, task_row
from companion.records import FileSeen
from companion.records.declared import Declaration

_NAMED = (
    ("package.json", "scripts *", "{manager} {key}", ""),
    ("composer.json", "scripts *", "composer {key}", ""),
    ("pyproject.toml", "tool poe tasks *", "poe {key}", ""),
    ("pyproject.toml", "tool pdm scripts *", "pdm run {key}", ""),
    ("pyproject.toml", "tool taskipy tasks *", "task {key}", ""),
    ("pyproject.toml", "tool hatch envs * scripts *", "hatch run {env}{key}", ""),
    ("deno.json*", "tasks *", "deno task {key}", ""),
    ("Taskfile.y*", "tasks *", "task {key}", ""),
    ("config.toml", "alias *", "cargo {key}", "cargo "),
)
"""File, where its scripts stand (as paths of `facts.table`), what one types, and how what they do begins."""
_COMMANDS = ("cmds", "cmd", "shell", "sequence", "command")
"""Where a script that is a table has what it does."""


def read(file: FileSeen, paths: Sequence[str]) -> Iterator[Declaration]:
    """The scripts of one manifest."""
    path = PurePosixPath(file.path)
    root = parse_declared(file.text, path, "") or Node(1, {})
    for name, where, typed, begins in _NAMED:
        for found in leading_to(root, where) if fnmatch(path.name, name) else ():
            env, key = "" if found.keys[0] == "default" else f"{found.keys[0]}:", found.keys[-1]
            run = typed.format(env=env, key=key, manager=_manager(root, key, paths))
            about = (found.node.at("desc") or Node(1, "")).text
            yield task_row(file, found.line, run, _commands(found.node, begins), about)


def _manager(root: Node, name: str, paths: Sequence[str]) -> str:
    """What runs a script of a package: by the manager that it names, else by the one whose lock lies at the root."""
    told = root.at("packageManager")
    locked = (manager for lock, manager, of in LOCKS if of == "javascript" and lock in paths)
    manager = (told.text.partition("@")[0] if told is not None else "") or next(locked, "npm")
    return manager if manager in {"pnpm", "yarn"} or name in {"test", "start"} else f"{manager} run"


def _commands(node: Node, begins: str) -> list[str]:
    """What a script does, a command each; an alias that is a list is one."""
    told = next((below for key in _COMMANDS if (below := node.at(key)) is not None), node)
    parts = [" ".join(told.texts())] if begins else [(part.at("cmd") or part).text for part in told.items()]
    commands = [begins + part for part in parts if part and not part.endswith("--ansi")]
    return [one if len(one) <= COMMAND_CHARS else one[:COMMAND_CHARS].rsplit(" ", 1)[0] + " …" for one in commands]


READER = TaskReader(
    (
        *("package.json", "composer.json", "pyproject.toml", "/deno.json", "/deno.jsonc", "/Taskfile.yml"),
        *("/Taskfile.yaml", "/.cargo/config.toml"),
    ),
    read,
)
