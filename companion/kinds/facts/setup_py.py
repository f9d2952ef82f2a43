"""setup.py, read and never run: what stands in it as plain values."""

from __future__ import annotations

import ast
import warnings

from companion.kinds.facts.canonical import requirement
from companion.kinds.facts.located import Node
from companion.kinds.facts.python_project import command_fact, licence_fact, python_needed
from companion.kinds.facts.roles import roles
from companion.kinds.facts.statement import Reader, Statements
from companion.records import FileSeen


def read(file: FileSeen) -> Statements:
    """Facts of one setup.py: the arguments of its call of `setup`."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(file.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    names = {
        target.id: statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and _called(call) == "setup":
            given = {k.arg: _plain(k.value, names) for k in call.keywords if k.arg}
            yield from _arguments({key: node for key, node in given.items() if node is not None})
            return


def _called(call: ast.Call) -> str:
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def _plain(value: ast.expr, names: dict[str, ast.expr], depth: int = 0) -> Node | None:
    """A literal, or a name of the module that holds one, with its line."""
    if depth > 10:
        return None
    if isinstance(value, ast.Name) and value.id in names:
        return _plain(names[value.id], names, depth + 1)
    if isinstance(value, ast.Constant) and isinstance(value.value, (str, bool, int)):
        return Node(value.lineno, value.value)
    if isinstance(value, (ast.List, ast.Tuple)):
        items = [_plain(item, names, depth + 1) for item in value.elts]
        return Node(value.lineno, [item for item in items if item is not None])
    if isinstance(value, ast.Dict):
        found: dict[str, Node] = {}
        for key, item in zip(value.keys, value.values, strict=True):
            node = _plain(item, names, depth + 1)
            if isinstance(key, ast.Constant) and node is not None:
                found[str(key.value)] = Node(key.lineno, node.value)
        return Node(value.lineno, found)
    return None


def _arguments(given: dict[str, Node]) -> Statements:
    if requires := given.get("python_requires"):
        yield from python_needed(requires)
    if (licence := given.get("license")) and 0 < len(licence.text) < 60:
        yield licence_fact(licence.text, licence.line)
    for group in (given.get("extras_require") or Node(1, {})).fields().values():
        names = [Node(i.line, requirement(i.text)[0]) for i in group.items() if requirement(i.text)[0]]
        yield from roles(names, "python")
    points = given.get("entry_points") or Node(1, {})
    for item in (points.at("console_scripts") or Node(1, [])).items():
        command, _, target = item.text.partition("=")
        if target.strip():
            yield command_fact(command.strip(), target.strip(), item.line)


READER = Reader("setup.py", ("setup.py",), read)
