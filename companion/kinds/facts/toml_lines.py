"""TOML with lines: `tomllib` gives the values, one walk over the text the places."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping

from companion.kinds.facts.located import MAX_DEPTH, Node, TooMuch, json_text

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"""{1,3}|' + r"'''.*?'''{1,3}|" + r'"(?:[^"\\\n]|\\.)*"|' + r"'[^'\n]*'", re.DOTALL
)
_SCALAR = re.compile(r"[^,\]}#\n]+")
_TomlPath = tuple[str | int, ...]


class _TomlLines:
    """Where each key and element of valid TOML stands: one walk over the text, values ignored."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.lines: dict[_TomlPath, int] = {}
        self.tables: dict[_TomlPath, int] = {}

    def read(self) -> dict[_TomlPath, int]:
        prefix: _TomlPath = ()
        self._skip(_GAP)
        while self.at < len(self.text):
            if self.text.startswith("[", self.at):
                prefix = self._header()
            else:
                self._pair(prefix)
            self._skip(_GAP)
        return self.lines

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        token = found.group() if found else ""
        self.at += len(token)
        self.line += token.count("\n")
        return token

    def _header(self) -> _TomlPath:
        line = self.line
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        path: _TomlPath = ()
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
                yield json_text(quoted) if quoted[0] == '"' else quoted[1:-1]
            else:
                bare = self._skip(_BARE)
                if not bare:
                    raise TooMuch
                yield bare
            self._skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return
            self.at += 1

    def _pair(self, prefix: _TomlPath) -> None:
        line = self.line
        path = prefix
        for key in self._keys():
            path = (*path, key)
            self.lines.setdefault(path, line)
        self.at += 1
        self._value(path)

    def _value(self, path: _TomlPath) -> None:
        if len(path) > MAX_DEPTH:
            raise TooMuch
        self._skip(_SPACE)
        opening = self.text[self.at : self.at + 1]
        if opening in {'"', "'"}:
            self._skip(_STRING)
        elif opening == "[":
            self._sequence(path, "]")
        elif opening == "{":
            self._sequence(path, "}")
        elif not self._skip(_SCALAR):
            raise TooMuch

    def _sequence(self, path: _TomlPath, closing: str) -> None:
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


def toml(text: str) -> Node | None:
    """A TOML document with lines; None where it is not valid."""
    try:
        values = tomllib.loads(text)
        lines = _TomlLines(text.replace("\r\n", "\n")).read()
        return _placed(values, (), 1, lines)
    except (tomllib.TOMLDecodeError, RecursionError, TooMuch):
        return None


def _placed(value: object, path: _TomlPath, line: int, lines: Mapping[_TomlPath, int]) -> Node:
    line = lines.get(path, line)
    if isinstance(value, dict):
        return Node(line, {str(k): _placed(v, (*path, str(k)), line, lines) for k, v in value.items()})
    if isinstance(value, list):
        return Node(line, [_placed(v, (*path, i), line, lines) for i, v in enumerate(value)])
    return Node(line, value if isinstance(value, (str, int, float, bool)) else str(value))
