"""setup.py, read and never run: what stands in it as plain values."""

from __future__ import annotations

import ast
import warnings

from companion.kinds.facts.located import Node


def python_tree(text: str) -> ast.Module | None:
    """A Python file as its syntax tree; None where it is not valid."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def setup_arguments(text: str) -> Node | None:
    """The arguments of a setup.py's call of `setup` that are plain values; None where there is no such call."""
    tree = python_tree(text)
    if tree is None:
        return None
    names = {
        target.id: statement.value
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and getattr(call.func, "id", getattr(call.func, "attr", "")) == "setup":
            given = {keyword.arg: _plain(keyword.value, names) for keyword in call.keywords if keyword.arg}
            return Node(call.lineno, {name: node for name, node in given.items() if node is not None})
    return None


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
