"""What a row of a table finds in a file: the nodes that its path leads to, and the values read from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from companion.kinds.facts.canonical import (
    canonical_version,
    indent,
    java_version,
    licence_id,
    minimum_version,
    requirement,
    version_order,
)
from companion.kinds.facts.located import Node

LIST_SHOWN = 40
"""Keys that a value names: more are not read."""
LICENCE_CHARS = 60
"""A licence's name is shorter: longer ones are its text."""


class NodeMatch(Struct, frozen=True):
    """A node that a path led to, what the path's stars stood for, the named groups of patterns, and its value."""

    node: Node
    keys: tuple[str, ...] = ()
    groups: Mapping[str, str] = field(default_factory=dict)
    value: str = ""

    @property
    def line(self) -> int:
        """Its 1-based line."""
        return self.node.line

    @property
    def text(self) -> str:
        """The text as written; empty for mappings and lists."""
        return self.node.text

    def read_as(self, value: str) -> NodeMatch:
        """A copy with a value."""
        return replace(self, value=value)

    def matched(self, pattern: str) -> Iterator[NodeMatch]:
        """A copy if the text has the pattern; the group `value`, else the first group, becomes its text."""
        parts = [] if self.text or self.node.is_table else self.node.lines()
        if found := re.search(pattern, self.text or " ".join(part.text for part in parts)):
            yield self.taken(found)

    def taken(self, found: re.Match[str]) -> NodeMatch:
        """A copy with the groups of a regular expression's match."""
        named = {name: text or "" for name, text in found.groupdict().items()}
        taken = named.get("value", next((group for group in found.groups() if group is not None), None))
        node = self.node if taken is None else Node(self.line, " ".join(taken.split()))
        return replace(self, node=node, groups={**self.groups, **named})


def leading_to(root: Node, path: str, match: str = "") -> Iterator[NodeMatch]:
    """The nodes at the end of a path whose text has a pattern; of paths between bars, those of the first with any."""
    if isinstance(root.value, str) and path:
        yield from _like(_places_in(root.value, path), match)
        return
    for way in path.split("|"):
        found = list(_like(_walked(NodeMatch(root), way.split()), match))
        if found:
            yield from found
            return


def _like(found: Iterable[NodeMatch], match: str) -> Iterator[NodeMatch]:
    """Those whose text has a pattern, if there is one."""
    yield from (one for each in found for one in each.matched(match)) if match else found


def _places_in(text: str, pattern: str) -> Iterator[NodeMatch]:
    """Each place of a text that a pattern matches."""
    line, at = 1, 0
    for found in re.finditer(pattern, text, re.MULTILINE):
        line, at = line + text.count("\n", at, found.start()), found.start()
        yield NodeMatch(Node(line, found.group())).taken(found)


def _walked(found: NodeMatch, steps: list[str]) -> Iterator[NodeMatch]:
    if not steps:
        yield found
        return
    step, rest = steps[0], steps[1:]
    optional = step.removesuffix("?")
    if optional != step and not any(node.at(optional) for node in found.node.each()):
        yield from _walked(found, rest)
        return
    for node in found.node.each():
        here = replace(found, node=node)
        if step == "**":
            yield from _anywhere(here, rest)
        elif step == "-":
            yield from (below for line in node.lines() for below in _walked(replace(here, node=line), rest))
        elif "*" in step:
            yield from (below for one in _starred(here, step) for below in _walked(one, rest))
        elif (below := node.at(optional)) is not None:
            yield from _walked(replace(here, node=below), rest)


def _anywhere(found: NodeMatch, rest: list[str]) -> Iterator[NodeMatch]:
    yield from _walked(found, rest)
    for below in found.node.fields().values():
        for node in below.each():
            yield from _anywhere(replace(found, node=node), rest)


def _starred(found: NodeMatch, step: str) -> Iterator[NodeMatch]:
    """Every entry whose key is like a step with a star, with what the star stands for."""
    for key, node in found.node.fields().items():
        if like := re.fullmatch(re.escape(step).replace(r"\*", "(.*)"), key):
            yield replace(found, node=node, keys=(*found.keys, like[1]))


def packages(found: Iterable[NodeMatch]) -> Node:
    """The packages that are named somewhere, as keys: of tables the keys, else what lines and elements require."""
    named: dict[str, Node] = {}
    for node in (one.node for one in found):
        lines = [(requirement(part.text)[0], part.line) for part in node.lines()] if not node.is_table else []
        for name, line in [*((key.lower(), below.line) for key, below in node.fields().items()), *lines]:
            named.setdefault(name, Node(line, name))
    return Node(1, named)


# --- how what stands somewhere is read --------------------------------------------------------------

ValueReader = Callable[[Iterable[NodeMatch], str], Iterator[NodeMatch]]


def _each(value: Callable[[Node], str]) -> ValueReader:
    """A reader that takes each match by itself and leaves out those without a value."""

    def read(found: Iterable[NodeMatch], _argument: str) -> Iterator[NodeMatch]:
        yield from (one.read_as(told) for one in found if (told := value(one.node)))

    return read


def _agreed(found: Iterable[NodeMatch], _argument: str) -> Iterator[NodeMatch]:
    """What all matches say alike. Where they differ, a condition decides which of them holds, and none is told."""
    told = [one.read_as(one.text) for one in found if one.text]
    yield from told[:1] if len({one.value for one in told}) == 1 else ()


def _listed(node: Node) -> str:
    return ", ".join(node.texts())


def _first(found: Iterable[NodeMatch], shown: str) -> Iterator[NodeMatch]:
    """The first so many elements of a list, and how many more there are."""
    for one in found:
        texts, most = one.node.texts(), int(shown)
        more = f" and {len(texts) - most} more" if len(texts) > most else ""
        yield from [one.read_as(", ".join(texts[:most]) + more)] if texts else ()


def _joined(found: Iterable[NodeMatch], _argument: str) -> Iterator[NodeMatch]:
    """All matches as one, each text once."""
    told = list(found)
    yield from [told[0].read_as(", ".join(dict.fromkeys(one.text for one in told)))] if told else ()


def _licence(node: Node) -> str:
    text = " OR ".join(node.texts())
    free = not text.startswith(("SEE ", "UNLICENSED")) and "proprietary" not in text
    return licence_id(text) if free and len(text) < LICENCE_CHARS else ""


def _least(found: Iterable[NodeMatch], parts: str) -> Iterator[NodeMatch]:
    """The oldest version that any of the requirements found admits, of so many numbers."""
    lows = [one.read_as(low) for one in found if (low := minimum_version(one.text, int(parts)))]
    yield from sorted(lows, key=lambda one: version_order(one.value))[:1]


def _folders(found: Iterable[NodeMatch], _argument: str) -> Iterator[NodeMatch]:
    """Every folder that is named, in a list or as words."""
    lines = [line for one in found for line in one.node.lines()]
    words = [Node(line.line, word) for line in lines for word in line.text.split()]
    named = dict.fromkeys(f"{word.text.removeprefix('./').strip('/')}/" for word in words)
    if named:
        yield NodeMatch(words[0], value=", ".join(named))


def _keys(found: Iterable[NodeMatch], pattern: str) -> Iterator[NodeMatch]:
    """The keys of a table that are like a pattern."""
    for one in found:
        if names := [key for key in one.node.fields() if re.match(pattern, key)]:
            yield one.read_as(", ".join(names[:LIST_SHOWN]))


def _first_line(found: Iterable[NodeMatch], _argument: str) -> Iterator[NodeMatch]:
    """The file as a whole, by its first line."""
    yield from (replace(one, node=Node(1, "")) for one in found)


def _choice(found: Iterable[NodeMatch], pattern: str) -> Iterator[NodeMatch]:
    """What a rule of ESLint is set to, if it is not off and like a pattern."""
    for one in found:
        level, choice, *_ = (*one.node.items(), Node(1, ""), Node(1, ""))
        text = (choice.at("code") or choice).text
        if level.text not in {"off", "0"} and text and re.fullmatch(pattern or ".+", text):
            yield NodeMatch(Node(one.line, text), value=text)


def _namespace(found: Iterable[NodeMatch], _argument: str) -> Iterator[NodeMatch]:
    """A namespace of PHP and the folders that it lies in."""
    for one in found:
        if where := _listed(one.node):
            yield replace(one, keys=(one.keys[-1].rstrip("\\") or "(root)",), value=where)


def _own_command(found: Iterable[NodeMatch], _argument: str) -> Iterator[NodeMatch]:
    """The command that a package.json names after its package."""
    for one in found:
        command, package = one.node.at("bin"), one.node.at("name")
        if command is not None and package is not None and command.text:
            yield NodeMatch(command, (package.text.rpartition("/")[2],), value=command.text)


_TOX_ENV = re.compile(r"\bpy(?P<major>[23])\.?(?P<minor>\d{1,4})\b")
_TOX_BRACES = re.compile(r"py\{(?P<list>[^}]{0,500})\}")


def _pythons(node: Node) -> str:
    """The versions that tox's environments are named after, if there are several."""
    text = _TOX_BRACES.sub(lambda m: " ".join(f"py{v.strip()}" for v in m["list"].split(",")), node.text)
    found = sorted({(int(m["major"]), int(m["minor"])) for m in _TOX_ENV.finditer(text)})
    return ", ".join(f"{major}.{minor}" for major, minor in found) if len(found) > 1 else ""


def _flake8_width(found: Iterable[NodeMatch], _argument: str) -> Iterator[NodeMatch]:
    """flake8's longest line: with bugbear's B950 in place of E501, a tenth more than is written."""
    for table in (one.node for one in found):
        most = table.at("max-line-length") or table.at("max_line_length")
        chosen = _codes(table, "select", "extend-select", "extend_select") & {"B", "B9", "B950"}
        if most is None or not most.text.isdecimal():
            continue
        if chosen and "E501" in _codes(table, "ignore", "extend-ignore", "extend_ignore") and len(most.text) < 6:
            most = Node(most.line, str(int(most.text) * 11 // 10))
        yield NodeMatch(most, value=most.text)


def _codes(table: Node, *options: str) -> set[str]:
    return {code for key in options if (node := table.at(key)) is not None for code in re.split(r"[\s,]+", node.text)}


VALUE_READERS: Mapping[str, ValueReader] = {
    "there": _each(lambda node: "true"),
    "on": _each(lambda node: "true" if node.flag else ""),
    "off": _each(lambda node: "false" if node.flag is False else ""),
    "text": _each(lambda node: node.text),
    "agreed": _agreed,
    "lower": _each(lambda node: node.text.lower()),
    "number": _each(lambda node: node.text if node.text.isdigit() else ""),
    "spaces": _each(lambda node: indent("space", node.text)),
    "version": _each(lambda node: canonical_version(node.text)),
    "java": _each(lambda node: java_version(node.text)),
    "least": _least,
    "licence": _each(_licence),
    "list": _each(_listed),
    "first": _first,
    "joined": _joined,
    "parts": _each(lambda node: ", ".join(part for part in node.text.split(";") if part)),
    "folders": _folders,
    "keys": _keys,
    "first_line": _first_line,
    "choice": _choice,
    "namespace": _namespace,
    "own_command": _own_command,
    "pythons": _each(_pythons),
    "flake8_width": _flake8_width,
}
"""How a value is read, by the word in a row. A new one is a function and a line."""
