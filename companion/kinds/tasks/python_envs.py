"""tox and nox: environments and sessions, as tasks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from companion.kinds.facts.located import Node, ini
from companion.kinds.facts.nested import toml
from companion.kinds.facts.setup_py import python_tree
from companion.kinds.tasks.task import COMMAND_CHARS, COMMANDS_SHOWN, TaskReader, task_row, whole_lines
from companion.records import FileSeen
from companion.records.declared import Declaration

_NOTHING = Node(1, {})
_BETWEEN = re.compile(r",(?![^{}]*\})")
"""A comma outside of braces."""
_POSARGS = re.compile(
    r"\{env:[^{}]*(?:\{[^{}]*\})?[^{}]*\}|\s*\{(?:posargs|\[)[^{}]*(?:\{[^{}]*\})?[^{}]*\}|\s*\{tty:[^}]*\}|\s*--[\w-]+=\{[^}]*\}"
)
_PARTIAL = re.compile(r"^!?[\w{},.!-]+:\s+|^\{\[")
"""A line that some factors of an environment have, or that goes on with another section's: no command of its own."""


def read(file: FileSeen, paths: Sequence[str]) -> Iterator[Declaration]:
    """The tasks of tox or nox."""
    name = PurePosixPath(file.path).name
    if name == "noxfile.py":
        yield from _nox(file)
        return
    if name == "tox.ini":
        yield from _tox_ini(file)
        return
    root = toml(file.text)
    table = None if root is None else root.at("tool", "tox") or (root if name == "tox.toml" else None)
    if table is not None:
        yield from _tox_toml(file, table)


def _tox_ini(file: FileSeen) -> Iterator[Declaration]:
    for section, table in ini(file.text).fields().items():
        if section != "testenv" and not section.startswith("testenv:"):
            continue
        lines = map(str.strip, whole_lines((table.at("commands") or _NOTHING).text))
        commands = tuple(_plain(line) for line in lines if not _PARTIAL.match(line) and not line.startswith(("#", ";")))
        about = (table.at("description") or Node(1, "")).text.split("\n")[0].rstrip(" \\")
        for name in _envs(section.partition(":")[2]):
            yield from _env(file, name, table.line, commands, about)


def _envs(name: str) -> list[str]:
    """The environments a section names one by one; `py3{10,11}-tests` stands for several and names none."""
    parts = [part.strip() for part in _BETWEEN.split(name)]
    return [part for part in parts if part and "{" not in part] or ([""] if not name else [])


def _tox_toml(file: FileSeen, table: Node) -> Iterator[Declaration]:
    base = table.at("env_run_base") or _NOTHING
    envs = {"": base, **(table.at("env") or _NOTHING).fields()}
    for name, env in envs.items():
        commands = tuple(
            _plain(" ".join(part.text for part in command.items() if part.text))
            for command in (env.at("commands") or Node(1, [])).items()
            if isinstance(command.value, list)
        )
        about = (env.at("description") or Node(1, "")).text
        yield from _env(file, name, env.line, commands, about)


def _env(file: FileSeen, name: str, line: int, commands: tuple[str, ...], about: str) -> Iterator[Declaration]:
    kept = tuple(command for command in commands if command and len(command) <= COMMAND_CHARS)[:COMMANDS_SHOWN]
    if kept:
        yield task_row(file, line, f"tox run -e {name or 'py'}", kept, about)


def _plain(command: str) -> str:
    """A command without what tox fills in from its own command line."""
    return " ".join(_POSARGS.sub("", command).lstrip("-! ").split())


def _nox(file: FileSeen) -> Iterator[Declaration]:
    tree = python_tree(file.text)
    for node in tree.body if tree is not None else ():
        if not isinstance(node, ast.FunctionDef) or not any("session" in ast.unparse(d) for d in node.decorator_list):
            continue
        given = [k.value for d in node.decorator_list if isinstance(d, ast.Call) for k in d.keywords if k.arg == "name"]
        name = next((str(v.value) for v in given if isinstance(v, ast.Constant)), node.name)
        about = (ast.get_docstring(node) or "").split("\n")[0]
        yield task_row(file, node.lineno, f"nox -s {name}", tuple(_session(node))[:COMMANDS_SHOWN], about)


def _session(function: ast.FunctionDef) -> Iterator[str]:
    """What a session runs, where its arguments are plain texts."""
    for call in ast.walk(function):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "run":
            words = [str(a.value) for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            if words:
                yield " ".join(words)


READER = TaskReader(("/tox.ini", "/tox.toml", "/pyproject.toml", "/noxfile.py"), read)
