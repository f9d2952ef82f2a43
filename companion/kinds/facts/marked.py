"""XML with lines: Maven, MSBuild, PHPUnit and their like."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

MAX_ELEMENTS = 20_000
"""Elements of one file: build files stay under 5,000; more is data."""


@dataclass(slots=True)
class Element:
    """An element with the line of its start tag; names are without namespace."""

    tag: str
    line: int
    attributes: dict[str, str]
    children: list[Element] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text directly inside, trimmed."""
        return "".join(self.words).strip()

    def first(self, *path: str) -> Element | None:
        """The first element down a path of tags."""
        found: Element | None = self
        for tag in path:
            found = next((c for c in found.children if c.tag == tag), None) if found is not None else None
        return found

    def all(self, *path: str) -> Iterator[Element]:
        """Every element at the end of a path of tags."""
        if not path:
            yield self
            return
        for child in self.children:
            if child.tag == path[0]:
                yield from child.all(*path[1:])

    def anywhere(self, tag: str) -> Iterator[Element]:
        """Every element of that tag below, in the order of the file."""
        for child in self.children:
            if child.tag == tag:
                yield child
            yield from child.anywhere(tag)


class _Refused(Exception):
    """The document defines entities, or is too large."""


def xml(text: str) -> Element | None:
    """The root element; None where the file is not well-formed, defines entities or is data."""
    parser = expat.ParserCreate()
    root = Element("", 1, {})
    open_elements = [root]
    count = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MAX_ELEMENTS or len(open_elements) > 60:
            raise _Refused
        element = Element(tag.rpartition(":")[2], parser.CurrentLineNumber, dict(attributes))
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(_tag: str) -> None:
        open_elements.pop()

    def words(data: str) -> None:
        open_elements[-1].words.append(data)

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
    return root.children[0] if root.children else None
