"""One entry in a JSON file with comments: put in, taken out, and every other byte left as it stands.

Settings of editors and assistants are JSON as people write it: with comments and commas before a closing bracket.
A parser that writes such a file anew would drop both, so only places are looked up here, and text is put between.
What is put in last comes out without a trace.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from companion.errors import UsageError

INDENT = "  "
"""Where a file shows none of its own."""

_STRING = r'("(?:[^"\\\x00-\x1f]|\\.)*")'
_COMMENTS = re.compile(rf"{_STRING}|\ufeff|//[^\n]*|/\*.*?\*/", re.DOTALL)
_LAST_COMMAS = re.compile(rf"{_STRING}|(?<=[^\s{{\[,])\s*,(?=\s*[}}\]])")
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"\s*")
_BROKEN = "It is not valid JSON"


class _Node(Struct):
    """A value and where it stands.

    Of a member `begins` is where its name stands, or itself in a list, and `comma` the place of that behind it, -1 for
    none.
    """

    start: int
    end: int
    value: Any  # whatever JSON holds
    members: dict[str | int, _Node]
    begins: int = 0
    comma: int = -1


class _Places(Struct):
    """Where values stand in a text: in it without comments, and without commas before closing brackets either."""

    bare: str
    strict: str

    def node(self, start: int) -> _Node:
        """The value that begins at a place, with its members: an object's by name, a list's by number."""
        value, end = _DECODER.raw_decode(self.strict, start)
        holds = isinstance(value, (dict, list))
        return _Node(start, end, value, dict(self._members(start + 1, isinstance(value, dict))) if holds else {})

    def _members(self, at: int, named: bool) -> Iterator[tuple[str | int, _Node]]:
        number = 0
        while self.strict[at := _behind_space(self.strict, at)] not in "}]":
            begins, key = at, number
            if named:
                key, at = _DECODER.raw_decode(self.strict, at)
                at = _behind_space(self.strict, _behind_space(self.strict, at) + 1)
            node = self.node(at)
            behind = _behind_space(self.bare, node.end)
            node.begins, node.comma = begins, behind if self.bare[behind] == "," else -1
            yield key, node
            at, number = max(node.end, node.comma + 1), number + 1


def _read(text: str) -> _Node:
    """A text's object. Raises UsageError where it is no JSON, comments and last commas aside."""
    bare = _COMMENTS.sub(_blank, text)
    places = _Places(bare, _LAST_COMMAS.sub(_blank, bare))
    try:
        if isinstance(json.loads(places.strict), dict):
            return places.node(_behind_space(places.strict, 0))
        line = 1
    except json.JSONDecodeError as wrong:
        line = wrong.lineno
    except RecursionError:
        line = 1
    raise UsageError(f"{_BROKEN}, from line {line} on.", "Fix it, or use `--print` and add the entry by hand.")


def _blank(found: re.Match[str]) -> str:
    """A string as it stands, all else as blanks of the same length and lines."""
    return found[1] or re.sub(r"[^\n]", " ", found[0])


def _behind_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()


def with_entry(text: str, keys: Sequence[str], value: object, mark: str = "") -> str:
    """The text with a value under nested names; objects that are missing on the way are made.

    With a `mark` the names lead to a list, in which the value that holds the mark is ours.
    Raises UsageError for a text that is no JSON, or has something else on the way.
    """
    text = text if text.strip() else "{}\n"
    node, missing = _found(_read(text), keys)
    if missing:
        value = [value] if mark else value
        for name in reversed(missing[1:]):
            value = {name: value}
        return _inserted(text, node, missing[0], value)
    if mark:
        _need(node, list, keys[-1])
        ours = _marked(node, mark)
        if ours is None:
            return _inserted(text, node, len(node.value), value)
        node = node.members[ours]
    if node.value == value:
        return text
    written = _written(value, _unit(text), _indent_at(text, node.start), _line_end(text))
    return text[: node.start] + written + text[node.end :]


def without_entry(text: str, keys: Sequence[str], mark: str = "") -> str:
    """The text without the value under nested names, and without what held nothing else.

    With a `mark`, without the value of a list that holds it. The answer is empty where nothing is left. Raises
    UsageError for a text that is no JSON.
    """
    if not text.strip():
        return text
    root = node = _read(text)
    way: list[tuple[_Node, str | int]] = []
    for key in keys:
        if not isinstance(node.value, dict) or key not in node.members:
            return text
        way.append((node, key))
        node = node.members[key]
    if mark:
        ours = _marked(node, mark)
        if ours is None:
            return text
        way.append((node, ours))
    holder, last = way.pop()
    while way and _holds_only(text, holder, last):
        holder, last = way.pop()
    left = _removed(text, holder, last)
    return "" if holder is root and not left.strip().strip("{}").strip() else left


def _found(node: _Node, keys: Sequence[str]) -> tuple[_Node, Sequence[str]]:
    """How far names lead into an object: the value there, and the names that are missing."""
    for place, key in enumerate(keys):
        _need(node, dict, keys[place - 1])
        if key not in node.members:
            return node, keys[place:]
        node = node.members[key]
    return node, ()


def _need(node: _Node, kind: type, name: str) -> None:
    if not isinstance(node.value, kind):
        what = "an object" if kind is dict else "a list"
        raise UsageError(f"`{name}` is not {what} there.", "Fix it, or use `--print`.")


def _marked(node: _Node, mark: str) -> int | None:
    """The number of the value in a list that holds a mark; None where none does."""
    if not isinstance(node.value, list):
        return None
    return next((place for place, value in enumerate(node.value) if mark in json.dumps(value)), None)


def _inserted(text: str, node: _Node, key: str | int, value: object) -> str:
    """A member more, on a line of its own before the closing bracket; a number is no name that is written."""
    closing, end = node.end - 1, _line_end(text)
    before = text[:closing].rstrip()
    gap = text[len(before) : closing]
    outer, unit = _indent_at(text, node.start), _unit(text)
    inner, comma = outer + unit, ""
    if node.members:
        last = max(node.members.values(), key=lambda member: member.begins)
        inner = _own_indent(text, last.begins, inner)
        if last.comma < 0:
            before = f"{before[: last.end]},{before[last.end :]}"
        else:
            comma = ","
    name = f"{json.dumps(key)}: " if isinstance(key, str) else ""
    line = f"{name}{_written(value, unit, inner, end)}{comma}"
    return f"{before}{end}{inner}{line}{gap if chr(10) in gap else end + outer}{text[closing:]}"


def _removed(text: str, node: _Node, key: str | int) -> str:
    """A member less; comments around it stay."""
    member = node.members[key]
    members = sorted(node.members.values(), key=lambda one: one.begins)
    place = members.index(member)
    if place < len(members) - 1:
        rest = text[member.comma + 1 :]
        return text[: member.begins] + rest.lstrip()
    head = text[: member.begins].rstrip()
    if place and member.comma < 0:
        before = members[place - 1].comma
        head = head[:before] + head[before + 1 :]
    tail = max(member.comma, member.end - 1) + 1
    empty = len(members) == 1 and not text[node.start + 1 : member.begins].strip()
    if empty and not text[tail : node.end - 1].strip():
        return head + text[node.end - 1 :]
    return head + text[tail:]


def _holds_only(text: str, node: _Node, key: str | int) -> bool:
    """Whether an object or list has one member and not even a comment beside it."""
    member = node.members[key]
    around = text[node.start + 1 : member.begins] + text[member.end : node.end - 1]
    return len(node.members) == 1 and not around.replace(",", "").strip()


def _written(value: object, unit: str, indent: str, end: str) -> str:
    return json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", end + indent)


def _line_end(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _indent_at(text: str, place: int) -> str:
    """The indentation of the line that a place lies in."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip())]


def _own_indent(text: str, place: int, otherwise: str) -> str:
    """The indentation of what stands at a place, if it begins its line."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return otherwise if line.strip() or text.rfind("\n", 0, place) < 0 else line


def _unit(text: str) -> str:
    """By how much one level is indented: as the first line that is."""
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else INDENT
