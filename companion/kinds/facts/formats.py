"""Declared files parsed into one kind of tree (`located.Node`), by the name of a format or the ending of a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from companion.kinds.facts.located import Node, ini, yaml
from companion.kinds.facts.marked import maven, xml
from companion.kinds.facts.nested import jsonc, toml
from companion.kinds.facts.setup_py import setup_arguments

_ENDINGS = {".toml": "toml", ".json": "json", ".jsonc": "json", ".yml": "yaml", ".yaml": "yaml", ".xml": "xml"}


def parse_declared(text: str, path: PurePosixPath, names: str) -> Node | None:
    """Parse a file by the first of some formats (space-separated) that fits; by its ending where none is given.

    None where it fits none.
    """
    for name in (names or _ENDINGS.get(path.suffix, "")).split():
        root = FORMATS[name](text)
        if root is not None and (root.is_table or name == "lines"):
            return root
    return None


def _lines(text: str) -> Node:
    return Node(1, text)


_FROM = re.compile(r"^\s*FROM\s+(?:--\S+\s+)*(?P<image>\S+)(?:\s+AS\s+(?P<name>\S+))?", re.IGNORECASE)
_EXPOSE = re.compile(r"^\s*+EXPOSE\s++(?P<ports>[\d/a-z][\d/a-z ]*+)$", re.IGNORECASE)


def _dockerfile(text: str) -> Node:
    """The `image` that the last stage is built on, itself no stage, and the `ports` it listens on."""
    stages: dict[str, str] = {}
    found: dict[str, Node] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if stage := _FROM.match(line):
            image = stages.get(stage["image"].lower(), stage["image"])
            stages[(stage["name"] or f"stage {number}").lower()] = image
            if image != "scratch" and "$" not in image:
                found["image"] = Node(number, image)
        elif ports := _EXPOSE.match(line):
            found.setdefault("ports", Node(number, " ".join(ports["ports"].split())))
    return Node(1, found)


FORMATS: Mapping[str, Callable[[str], Node | None]] = {
    "toml": toml,
    "json": jsonc,
    "yaml": yaml,
    "ini": ini,
    "xml": xml,
    "maven": maven,
    "lines": _lines,
    "setup": setup_arguments,
    "dockerfile": _dockerfile,
}
