"""setup.cfg, tox.ini, pytest.ini, .flake8, ruff.toml and their like."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.facts import python_tools
from companion.kinds.facts.canonical import requirement
from companion.kinds.facts.located import Node, ini
from companion.kinds.facts.python_project import command_fact, licence_fact, python_needed
from companion.kinds.facts.roles import roles
from companion.kinds.facts.statement import Reader, Statement, Statements
from companion.kinds.facts.toml_lines import toml
from companion.records import FileSeen

_ENV = re.compile(r"\bpy(?P<major>[23])\.?(?P<minor>\d{1,4})\b")
_BRACES = re.compile(r"py\{(?P<list>[^}]{0,500})\}")


def read(file: FileSeen) -> Statements:
    """Facts of one settings file of Python tools."""
    name = PurePosixPath(file.path).name
    if name in {"ruff.toml", ".ruff.toml"}:
        table = toml(file.text)
        if table is not None:
            yield from python_tools.ruff(table)
        return
    root = ini(file.text)
    if name == "setup.cfg":
        yield from _setup(root)
    for section, tool in python_tools.INI_TOOLS:
        table = root.at(section)
        if table is None or (section in _ONLY_IN and name not in _ONLY_IN[section]):
            continue
        yield from tool(table)
    if name == "tox.ini" and (envs := root.at("tox", "envlist") or root.at("tox", "env_list")):
        yield from _tested(envs)


_ONLY_IN = {
    "settings": {".isort.cfg"},
    "report": {".coveragerc"},
    "FORMAT": {".pylintrc", "pylintrc"},
    "MASTER": {".pylintrc", "pylintrc"},
}
"""Sections whose name means something in their tool's own file only."""


def _setup(root: Node) -> Statements:
    options = root.at("options") or Node(1, {})
    if requires := options.at("python_requires"):
        yield from python_needed(requires)
    if (licence := root.at("metadata", "license")) and 0 < len(licence.text) < 60:
        yield licence_fact(licence.text, licence.line)
    for group in (root.at("options.extras_require") or Node(1, {})).fields().values():
        names = [Node(i.line, requirement(i.text)[0]) for i in group.lines() if requirement(i.text)[0]]
        yield from roles(names, "python")
    for item in (root.at("options.entry_points", "console_scripts") or Node(1, None)).lines():
        command, _, target = item.text.partition("=")
        if target.strip():
            yield command_fact(command.strip(), target.strip(), item.line)


def _tested(envs: Node) -> Statements:
    text = _BRACES.sub(lambda m: " ".join(f"py{v.strip()}" for v in m["list"].split(",")), envs.text)
    found = sorted({(int(m["major"]), int(m["minor"])) for m in _ENV.finditer(text)})
    if len(found) > 1:
        versions = ", ".join(f"{major}.{minor}" for major, minor in found)
        says = f"tox runs the tests on Python {versions}."
        yield Statement(s.TESTS, "tested_python tox", versions, says, envs.line, language="python")


READER = Reader(
    "python settings",
    (
        "setup.cfg",
        "tox.ini",
        "pytest.ini",
        ".pytest.ini",
        ".flake8",
        "mypy.ini",
        ".mypy.ini",
        ".isort.cfg",
        ".coveragerc",
        ".pylintrc",
        "pylintrc",
        ".pydocstyle",
        "ruff.toml",
        ".ruff.toml",
    ),
    read,
)
