"""TOML and JSON with lines: the standard library gives the values, one walk over the text the places."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping

from companion.kinds.facts.located import MAX_DEPTH, MAX_NODES, Node, TooMuch

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_GAP = re.compile(r"(?:\s|#[^\n]*|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SPACE = re.compile(r"[ \t]*")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"""{1,3}|' + r"'''.*?'''{1,3}|" + r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'", re.DOTALL
)
_SCALAR = re.compile(r"[^,\]}#/\n]+")
_NOT_JSON = re.compile(
    r'(?P<string>"(?:[^"\\\n]|\\.)*")|//[^\n]*|/\*.*?\*/|,(?=(?:\s|//[^\n]*|/\*.*?\*/)*[\]}])', re.DOTALL
)
"""Comments, and commas with nothing behind them; strings are passed over."""
_NodePath = tuple[str | int, ...]


def toml(text: str) -> Node | None:
    """A TOML document with lines; None where it is not valid."""
    try:
        return _placed(tomllib.loads(text), (), 1, _Lines(text).of_document())
    except (tomllib.TOMLDecodeError, RecursionError, TooMuch):
        return None


def jsonc(text: str) -> Node | None:
    """JSON with lines; comments and trailing commas are allowed. None where it is not valid."""
    text = text.lstrip("\ufeff")
    try:
        value = json.loads(_NOT_JSON.sub(lambda found: found["string"] or " ", text), strict=False)
        return _placed(value, (), 1, _Lines(text).of_value())
    except (ValueError, RecursionError, TooMuch):
        return None


class _Lines:
    """Where each key and element of a valid text stands: one walk, values ignored."""

    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n")
        self.at = 0
        self.line = 1
        self.lines: dict[_NodePath, int] = {}
        self.tables: dict[_NodePath, int] = {}

    def of_document(self) -> Mapping[_NodePath, int]:
        """The lines of TOML: pairs, under headers."""
        prefix: _NodePath = ()
        self._skip(_GAP)
        while self.at < len(self.text):
            if self.text.startswith("[", self.at):
                prefix = self._header()
            else:
                self._pair(prefix)
            self._skip(_GAP)
        return self.lines

    def of_value(self) -> Mapping[_NodePath, int]:
        """The lines of one value, as JSON is."""
        self._skip(_GAP)
        self.lines[()] = self.line
        self._value(())
        return self.lines

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        token = found.group() if found else ""
        self.at += len(token)
        self.line += token.count("\n")
        return token

    def _header(self) -> _NodePath:
        line = self.line
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        path: _NodePath = ()
        for key in self._keys():
            path = (*path, key)
            self.lines.setdefault(path, line)
            if path in self.tables:
                path = (*path, self.tables[path])
        if many:
            bare = path[:-1] if isinstance(path[-1], int) else path
            self.tables[bare] = self.tables.get(bare, -1) + 1
            path = (*bare, self.tables[bare])
        self.lines[path] = line
        self.at += 2 if many else 1
        return path

    def _keys(self) -> Iterator[str]:
        while True:
            self._skip(_SPACE)
            quoted = self._skip(_STRING)
            if quoted:
                yield _unquoted(quoted) if quoted[0] == '"' else quoted[1:-1]
            else:
                bare = self._skip(_BARE)
                if not bare:
                    raise TooMuch
                yield bare
            self._skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return
            self.at += 1

    def _pair(self, prefix: _NodePath) -> None:
        line = self.line
        path = prefix
        for key in self._keys():
            path = (*path, key)
            self.lines.setdefault(path, line)
        self._skip(_GAP)
        self.at += 1
        self._value(path)

    def _value(self, path: _NodePath) -> None:
        if len(path) > MAX_DEPTH or len(self.lines) > MAX_NODES:
            raise TooMuch
        self._skip(_GAP)
        opening = self.text[self.at : self.at + 1]
        if opening in {'"', "'"}:
            self._skip(_STRING)
        elif opening == "[":
            self._sequence(path, "]")
        elif opening == "{":
            self._sequence(path, "}")
        elif not self._skip(_SCALAR):
            raise TooMuch

    def _sequence(self, path: _NodePath, closing: str) -> None:
        self.at += 1
        index = 0
        while True:
            self._skip(_GAP)
            if self.at >= len(self.text):
                raise TooMuch
            if self.text.startswith(closing, self.at):
                self.at += 1
                return
            if self.text.startswith(",", self.at):
                self.at += 1
                continue
            if closing == "]":
                self.lines[(*path, index)] = self.line
                self._value((*path, index))
                index += 1
            else:
                self._pair(path)


def _unquoted(quoted: str) -> str:
    """What a double-quoted text says; escapes that JSON does not know are left as they are."""
    try:
        return str(json.loads(quoted, strict=False))
    except ValueError:
        return quoted[1:-1]


def _placed(value: object, path: _NodePath, line: int, lines: Mapping[_NodePath, int]) -> Node:
    line = lines.get(path, line)
    if isinstance(value, dict):
        return Node(line, {str(k): _placed(v, (*path, str(k)), line, lines) for k, v in value.items()})
    if isinstance(value, list):
        return Node(line, [_placed(v, (*path, i), line, lines) for i, v in enumerate(value)])
    return Node(line, value if value is None or isinstance(value, (str, int, float, bool)) else str(value))
