"""XML as a tree with lines: Maven, MSBuild, PHPUnit and their like."""

from __future__ import annotations

import re
from xml.parsers import expat

from msgspec import Struct, field

from companion.kinds.facts.located import Node

MAX_ELEMENTS = 20_000
"""Elements of one file: build files stay under 5,000; more is data."""
MAX_DEPTH = 60
"""Elements inside one another: build files stay under 15; more exhausts the stack."""


class _Element(Struct):
    """An element while it is open: its line, attributes, children by their tags without namespace, and words."""

    line: int
    below: dict[str, list[Node]] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)

    def closed(self) -> Node:
        """A table of attributes (`@name`) and children, a list of those of one tag; a text where it has no children."""
        text = "".join(self.words).strip()
        if not self.below or (text and all(key.startswith("@") for key in self.below)):
            return Node(self.line, text)
        nodes = {key: ones[0] if len(ones) == 1 else Node(ones[0].line, ones) for key, ones in self.below.items()}
        return Node(self.line, nodes)


class _Refused(Exception):
    """The document defines entities, or is too large."""


def xml(text: str) -> Node | None:
    """The root element; None where the file is not well-formed, defines entities or is data."""
    parser = expat.ParserCreate()
    opened = [_Element(1)]
    count = 0

    def start(_tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MAX_ELEMENTS or len(opened) > MAX_DEPTH:
            raise _Refused
        line = parser.CurrentLineNumber
        opened.append(_Element(line, {f"@{name}": [Node(line, value)] for name, value in attributes.items()}))

    def end(tag: str) -> None:
        node = opened.pop().closed()
        opened[-1].below.setdefault(tag.rpartition(":")[2], []).append(node)

    def words(data: str) -> None:
        opened[-1].words.append(data)

    def entity(*_declared: object) -> None:
        raise _Refused

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = words
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(text.lstrip("\ufeff").encode("utf-8", "replace"), True)
    except (expat.ExpatError, _Refused, ValueError):
        return None
    return next((ones[0] for ones in opened[0].below.values()), None)


_PROPERTY = re.compile(r"\$\{([^}]+)\}")


def maven(text: str) -> Node | None:
    """The root of a pom.xml with its own properties put in where they are named."""
    root = xml(text)
    properties = root.at("properties") if root is not None else None
    return root if properties is None or root is None else _filled(root, properties)


def _filled(node: Node, properties: Node) -> Node:
    if isinstance(node.value, dict):
        return Node(node.line, {key: _filled(below, properties) for key, below in node.value.items()})
    if isinstance(node.value, list):
        return Node(node.line, [_filled(below, properties) for below in node.value])
    text = _PROPERTY.sub(lambda found: (properties.at(found[1]) or Node(1, found[0])).text, node.text)
    return Node(node.line, text)
