"""Version files of version managers: what developers work with."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.facts.statement import Reader, Statement, Statements
from companion.records import FileSeen

_FILES = {
    ".nvmrc": ("node", "Node.js", "javascript"),
    ".node-version": ("node", "Node.js", "javascript"),
    ".python-version": ("python", "Python", "python"),
    ".ruby-version": ("ruby", "Ruby", "ruby"),
    ".go-version": ("go", "Go", "go"),
    ".java-version": ("java", "Java", "java"),
    "rust-toolchain": ("rust", "Rust", "rust"),
}
_TOOLS = {
    "nodejs": ("node", "Node.js", "javascript"),
    "node": ("node", "Node.js", "javascript"),
    "golang": ("go", "Go", "go"),
    "python": ("python", "Python", "python"),
    "ruby": ("ruby", "Ruby", "ruby"),
    "rust": ("rust", "Rust", "rust"),
    "java": ("java", "Java", "java"),
}
_NAMED = re.compile(r"^(?:ruby-|python-|go|v)?(?P<version>[\w.+/*-]+)$")


def read(file: FileSeen) -> Statements:
    """Facts of one version file."""
    name = PurePosixPath(file.path).name
    for number, line in enumerate(file.text.split("\n"), start=1):
        words = line.split("#")[0].split()
        if not words or words[0].startswith("["):
            continue
        if name == ".tool-versions" and len(words) > 1:
            subject, shown, language = _TOOLS.get(words[0], (words[0], words[0], ""))
            yield _development(subject, shown, words[1], language, number)
        elif name in _FILES and len(words) == 1 and (found := _NAMED.match(words[0])):
            subject, shown, language = _FILES[name]
            yield _development(subject, shown, found["version"], language, number)
            return


def _development(subject: str, shown: str, version: str, language: str, line: int) -> Statement:
    says = f"Development uses {shown} {version}."
    attribute = f"development_{subject}"
    return Statement(s.PROJECT, attribute, version, says, line, convention=True, language=language)


READER = Reader("version files", (*_FILES, ".tool-versions"), read)
