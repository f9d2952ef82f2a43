"""The product's own source, read: its modules, what each imports wherever the import stands, its functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = {
    "companion": "companion",
    "companion_lsp": "lsp/companion_lsp",
    "companion_consolidation": "consolidation/companion_consolidation",
    "companion_schema": "schema/companion_schema",
}
"""The import packages of the product, and where they lie."""


@cache
def modules() -> dict[str, Path]:
    """Every module of the product by its name, a package by its `__init__`."""
    found = {}
    for folder in FOLDERS.values():
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = path.relative_to((ROOT / folder).parent).with_suffix("").parts
            found[".".join(parts).removesuffix(".__init__")] = path
    return found


@cache
def tree(path: Path) -> ast.Module:
    """A file as it is parsed."""
    return ast.parse(path.read_text(encoding="utf-8"))


def functions() -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every function and method of the product, with its file."""
    for path in modules().values():
        for one in ast.walk(tree(path)):
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, one


@cache
def _given_on() -> dict[str, dict[str, str]]:
    """For each package whose names are loaded when they are used, the module that each name comes from."""
    given: dict[str, dict[str, str]] = {}
    for package, path in modules().items():
        for one in tree(path).body:
            if (
                isinstance(one, ast.Assign)
                and isinstance(one.value, ast.Dict)
                and ast.unparse(one.targets[0]) == "_NAMES"
            ):
                names = ast.literal_eval(one.value)
                given[package] = {word: f"{package}.{module}" for module in names for word in names[module].split()}
    return given


def imports(name: str) -> set[str]:
    """The modules of the product that a module imports: at its top, inside functions, for type checkers alone.

    A name that a package only passes on is an import of the module that has it.
    """
    known, found = modules(), set()
    for one in ast.walk(tree(known[name])):
        if isinstance(one, ast.Import):
            found |= {alias.name for alias in one.names}
        elif isinstance(one, ast.ImportFrom) and one.module:
            passed_on = _given_on().get(one.module, {})
            for alias in one.names:
                itself = f"{one.module}.{alias.name}"
                found.add(itself if itself in known else passed_on.get(alias.name, one.module))
    passes_on = set(_given_on().get(name, {}).values())
    return (found & known.keys()) - {name} - passes_on


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules of which each leads to every other one of its group (Tarjan's algorithm)."""
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(one: str) -> None:
        number[one] = low[one] = len(number)
        stack.append(one)
        for other in graph[one]:
            if other not in number:
                visit(other)
            if other in stack:
                low[one] = min(low[one], low[other])
        if low[one] == number[one]:
            group = stack[stack.index(one) :]
            del stack[stack.index(one) :]
            found.extend([sorted(group)] if len(group) > 1 else [])

    for one in graph:
        if one not in number:
            visit(one)
    return found
