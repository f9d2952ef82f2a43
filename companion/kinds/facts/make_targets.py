"""Makefile and package.json: which targets and scripts can be run, so that a document can be held against them."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.facts.located import jsonc
from companion.kinds.facts.statement import INFERRED, VALUE_CHARS, Reader, Statement, Statements
from companion.records import FileSeen, Importance

_TARGET = re.compile(r"^(?P<names>[A-Za-z][\w.-]*(?:[ \t]+[A-Za-z][\w.-]*)*)\s*::?(?!=)")
_NOT_ALL = re.compile(
    r"^[^\S\n]*+-?s?include\s|^[^#\t\n]{0,300}%[^=\n]{0,300}:(?!=)|^\$[({]|\$\(eval|^\.DEFAULT\s*:", re.MULTILINE
)
"""What brings targets that cannot be read here: other files, patterns, names that are computed."""


def read(file: FileSeen) -> Statements:
    """One fact of a file: all that can be run. None where that cannot be told for sure."""
    if PurePosixPath(file.path).name == "package.json":
        yield from _scripts(file.text)
    elif not _NOT_ALL.search(file.text):
        names: dict[str, int] = {}
        for number, line in enumerate(file.text.split("\n"), start=1):
            if found := _TARGET.match(line):
                for name in found["names"].split():
                    names.setdefault(name, number)
        yield from _listed(s.MAKE_TARGETS, "The Makefile has the targets", names)


def _scripts(text: str) -> Statements:
    root = jsonc(text)
    scripts = root.at("scripts") if root is not None else None
    names = {name: node.line for name, node in scripts.fields().items()} if scripts is not None else {}
    yield from _listed(s.PACKAGE_SCRIPTS, "package.json has the scripts", names)


def _listed(attribute: str, says: str, names: dict[str, int]) -> Statements:
    value = " ".join(sorted(names))
    if names and len(value) <= VALUE_CHARS:
        yield Statement(
            s.PROJECT,
            attribute,
            value,
            f"{says} {', '.join(sorted(names))}.",
            min(names.values()),
            confidence=INFERRED,
            importance=Importance.TRIVIAL,
        )


READER = Reader("targets", ("/Makefile", "/makefile", "/GNUmakefile", "/package.json"), read)
