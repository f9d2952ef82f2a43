"""Packages of this repository that build on each other: its layout shows that, so no fact tells it.

A dependency is told because a developer has to know what comes from elsewhere, and in which version.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator

from companion.kinds.facts.located import jsonc
from companion.kinds.facts.roles import FROM_HERE
from companion.kinds.facts.statement import Statement
from companion.records import FileSeen

_JSON = ("package.json", "composer.json")
_TOML = ("pyproject.toml", "Cargo.toml")
_SECTION = re.compile(r"^\[(?P<section>[^\]\n]+)\]", re.MULTILINE)
_NAME = re.compile(r"""^name\s*=\s*["'](?P<name>[^"'\n]+)["']""", re.MULTILINE)
_NAMING = frozenset({"project", "package", "tool.poetry"})
"""Tables of a TOML manifest that name the package."""
_ONE = "dependency "
_LISTED = "dependencies"


def names_of(files: Iterable[FileSeen]) -> frozenset[str]:
    """The names that the manifests among some files give their packages."""
    return frozenset(name for file in files for name in _names(file))


def _names(file: FileSeen) -> Iterator[str]:
    last = file.path.rpartition("/")[2]
    if last in _JSON:
        root = jsonc(file.text)
        node = root.at("name") if root is not None else None
        if node is not None and node.text:
            yield node.text
    elif last in _TOML:
        parts = _SECTION.split(file.text)
        for section, body in zip(parts[1::2], parts[2::2], strict=False):
            if section.strip() in _NAMING and (found := _NAME.search(body)):
                yield found["name"]


def on_others(statement: Statement, own: Container[str]) -> bool:
    """Whether a statement is anything but a dependency on packages of this repository alone."""
    if statement.attribute.startswith(_ONE):
        return statement.attribute.removeprefix(_ONE) not in own and FROM_HERE not in statement.value
    if statement.attribute == _LISTED:
        return not all(name in own for name in statement.value.split(", "))
    return True
