"""Settings with their lines: YAML and INI read into one kind of tree, as `nested` reads TOML and JSON.

A fact must say where it stands, and the usual readers throw that away. Here every value keeps the
1-based line of its key (of itself, in a list). Broken files give None: nothing half-read is believed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import ModuleType

from msgspec import Struct

Plain = str | int | float | bool | None

MAX_NODES = 20_000
"""Values of one file: the largest hand-written settings have some 3,000; more is generated data,
or YAML aliases that unfold without end."""

NESTED_AT_ONCE = 1_000
"""Signs that may open a level, up to which YAML is composed at once. The composer goes down by recursion in C, which
nothing stops, and looks at each open bracket for every word: of more it is asked first how deep they nest."""
_NESTING = "[{-?:"
MAX_DEPTH = 40
"""Nesting of one file: hand-written settings stay under 12; more exhausts the stack."""


class Node(Struct, frozen=True):
    """A value and the line it stands on."""

    line: int
    value: Plain | dict[str, Node] | list[Node]

    def at(self, *keys: str) -> Node | None:
        """The value under a path of keys, None where any of them is missing."""
        node: Node | None = self
        for key in keys:
            node = node.fields().get(key) if node is not None else None
        return node

    def fields(self) -> Mapping[str, Node]:
        """The entries of a mapping; empty for anything else."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def is_table(self) -> bool:
        """Whether it is a mapping, be it empty."""
        return isinstance(self.value, dict)

    def each(self) -> Sequence[Node]:
        """The elements of a list; anything else by itself."""
        return self.value if isinstance(self.value, list) else [self]

    def items(self) -> Sequence[Node]:
        """The elements of a list; a single value counts as a list of one."""
        if isinstance(self.value, list):
            return self.value
        return [] if isinstance(self.value, dict) or self.value is None else [self]

    @property
    def text(self) -> str:
        """A single value as text (`true`, `false` for booleans); empty for containers."""
        if isinstance(self.value, bool):
            return "true" if self.value else "false"
        return "" if self.value is None or isinstance(self.value, (dict, list)) else str(self.value).strip()

    @property
    def flag(self) -> bool | None:
        """A yes or no, also where a format writes it as text."""
        return {"true": True, "yes": True, "on": True, "1": True}.get(
            self.text.lower(),
            False if self.text.lower() in {"false", "no", "off", "0"} else None,
        )

    def texts(self) -> list[str]:
        """The elements as texts, empty ones left out."""
        return [item.text for item in self.items() if item.text]

    def lines(self) -> list[Node]:
        """A text of several lines as one node a line: how INI writes lists."""
        if isinstance(self.value, list):
            return list(self.value)
        found = []
        for offset, part in enumerate(str(self.value or "").split("\n")):
            if part.strip() and not part.strip().startswith(("#", ";")):
                found.append(Node(self.line + offset, part.strip()))
        return found


class TooMuch(Exception):
    """The file is not valid, or holds more than settings do."""


# --- YAML ---------------------------------------------------------------------------------------


def yaml(text: str) -> Node | None:
    """The first YAML document with lines; None where it is not valid.

    Scalars stay as written (`3.10` is not 3.1), only booleans and null are understood.
    """
    import yaml as pyyaml

    loader = getattr(pyyaml, "CSafeLoader", pyyaml.SafeLoader)
    try:
        _refuse_depth(pyyaml, text, loader)
        reader = loader(text)
        try:
            root = reader.get_node() if reader.check_node() else None
        finally:
            reader.dispose()
        return None if root is None else _Composed(pyyaml).node(root, root.start_mark.line + 1, 0)
    except (pyyaml.YAMLError, ValueError, RecursionError, TooMuch):
        return None


def _refuse_depth(pyyaml: ModuleType, text: str, loader: object) -> None:
    """Raise TooMuch for what nests deeper than `MAX_DEPTH`, having read no further."""
    if sum(map(text.count, _NESTING)) <= NESTED_AT_ONCE:
        return
    depth = 0
    for event in pyyaml.parse(text, Loader=loader):
        depth += isinstance(event, pyyaml.CollectionStartEvent) - isinstance(event, pyyaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise TooMuch


class _Composed:
    """PyYAML's node graph as a bounded tree."""

    def __init__(self, pyyaml: object) -> None:
        self.yaml = pyyaml
        self.count = 0

    def node(self, raw: object, line: int, depth: int) -> Node:
        self.count += 1
        if self.count > MAX_NODES or depth > MAX_DEPTH:
            raise TooMuch
        tag = str(getattr(raw, "tag", ""))
        value = getattr(raw, "value", None)
        if tag.endswith(":map") and isinstance(value, list):
            return Node(line, self._mapping(value, depth))
        if isinstance(value, list):
            return Node(line, [self.node(v, _line(v), depth + 1) for v in value if not isinstance(v, tuple)])
        if tag.endswith(":null"):
            return Node(line, None)
        if tag.endswith(":bool"):
            return Node(line, str(value).lower() in {"true", "yes", "on", "y"})
        return Node(line, str(value))

    def _mapping(self, pairs: list[tuple[object, object]], depth: int) -> dict[str, Node]:
        found: dict[str, Node] = {}
        for key, raw in pairs:
            name = getattr(key, "value", "")
            if name == "<<":
                merged = self.node(raw, _line(key), depth + 1)
                for part in [merged, *merged.items()]:
                    found = {**part.fields(), **found}
            elif isinstance(name, str):
                found[name] = self.node(raw, _line(key), depth + 1)
        return found


def _line(raw: object) -> int:
    mark = getattr(raw, "start_mark", None)
    return int(getattr(mark, "line", 0)) + 1


# --- INI ----------------------------------------------------------------------------------------

_SECTION = re.compile(r"\[(?P<name>[^\]]+)\]\s*(?:[#;].*)?$")
_OPTION = re.compile(r"(?P<key>[^=:\s][^=:]*+)[=:]\s*+(?P<value>.*)$")


def ini(text: str) -> Node:
    """Sections of keys, each text with its lines; options before any section stand under ''.

    Indented lines belong to the value above, as configparser has it. What is neither is passed over.
    """
    current: dict[str, tuple[int, list[str]]] = {}
    sections = {"": (1, current)}
    last = ""
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.rstrip("\r")
        stripped = line.strip()
        if last and line[:1] in {" ", "\t"} and not (stripped and stripped[0] in "#;"):
            current[last][1].append(stripped)
        elif stripped.startswith(("#", ";")):
            if last:
                current[last][1].append("")
        elif section := _SECTION.match(stripped):
            current = {}
            sections[section["name"].strip()] = (number, current)
            last = ""
        elif option := _OPTION.match(stripped):
            last = option["key"].strip()
            current[last] = (number, [option["value"]])
        elif not stripped and last:
            current[last][1].append("")
    return Node(1, {name: Node(at, _joined(options)) for name, (at, options) in sections.items()})


def _joined(options: Mapping[str, tuple[int, list[str]]]) -> dict[str, Node]:
    """Each option with all lines of its value."""
    return {key: Node(at, "\n".join(lines)) for key, (at, lines) in options.items()}
