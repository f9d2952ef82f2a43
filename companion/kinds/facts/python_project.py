"""pyproject.toml: what a Python project needs, offers and obeys."""

from __future__ import annotations

from companion.kinds import subjects as s
from companion.kinds.facts import python_tools
from companion.kinds.facts.canonical import licence_id, minimum_version, requirement
from companion.kinds.facts.located import Node
from companion.kinds.facts.places import named
from companion.kinds.facts.roles import roles
from companion.kinds.facts.statement import Reader, Statement, Statements, folder_of
from companion.kinds.facts.toml_lines import toml
from companion.records import FileSeen

MAX_ENTRY_POINTS = 12
"""Commands or plugins of one project that are worth a fact each: a longer list is a registry."""

_CLASSIFIER = "Programming Language :: Python :: "
_LICENCE_CLASSIFIER = "License :: OSI Approved :: "

_BACKENDS = {
    "hatchling": "hatchling",
    "setuptools": "setuptools",
    "flit_core": "flit_core",
    "flit": "flit",
    "poetry": "poetry-core",
    "pdm": "pdm-backend",
    "maturin": "maturin",
    "mesonpy": "meson-python",
    "scikit_build_core": "scikit-build-core",
    "uv_build": "uv_build",
    "whey": "whey",
}
"""Names of build backends by the first part of their import path."""


def read(file: FileSeen) -> Statements:
    """Facts of one pyproject.toml."""
    root = toml(file.text)
    if root is None:
        return
    if project := root.at("project"):
        yield from _project(project, nested=bool(folder_of(file.path)))
    if poetry := root.at("tool", "poetry"):
        yield from _poetry(poetry)
    for group in (root.at("dependency-groups") or Node(1, {})).fields().values():
        yield from _tools(group, root)
    if backend := root.at("build-system", "build-backend"):
        yield from _backend(backend)
    yield from _version_source(root)
    for keys, tool in python_tools.TOML_TOOLS:
        table = root.at("tool", *keys)
        if table is not None and table.fields():
            yield from tool(table)
    if not folder_of(file.path):
        yield from _manager(root)


def _project(project: Node, *, nested: bool) -> Statements:
    requires = project.at("requires-python")
    if requires is not None:
        yield from python_needed(requires)
    if (licence := project.at("license")) is not None and not nested:
        told = licence.at("text") or licence
        if told.text and len(told.text) < 60:
            yield licence_fact(told.text, told.line)
    for group in (project.at("optional-dependencies") or Node(1, {})).fields().values():
        yield from roles(_names(group), "python")
    yield from _commands(project.at("scripts"))
    yield from _commands(project.at("gui-scripts"))
    yield from _plugins(project.at("entry-points"))
    yield from _classified(project, nested=nested)


def python_needed(requires: Node) -> Statements:
    """The oldest Python a requirement admits."""
    if oldest := minimum_version(requires.text):
        says = f"Python {oldest} or newer is required ({requires.text})."
        yield Statement("python", s.MIN_PYTHON, oldest, says, requires.line, convention=True, language="python")


def licence_fact(text: str, line: int) -> Statement:
    """The licence the project is under."""
    spdx = licence_id(text)
    return Statement(s.PROJECT, "licence", spdx, f"The project is licensed under {spdx}.", line)


def _tools(group: Node, root: Node) -> Statements:
    """The chores of a group's packages; black is left over where ruff has settings."""
    has_ruff = root.at("tool", "ruff") is not None
    yield from roles([node for node in _names(group) if not (has_ruff and node.text == "black")], "python")


def _names(group: Node) -> list[Node]:
    return [Node(item.line, requirement(item.text)[0]) for item in group.items() if requirement(item.text)[0]]


def _commands(scripts: Node | None) -> Statements:
    for name, target in list((scripts or Node(1, {})).fields().items())[:MAX_ENTRY_POINTS]:
        callee = (target.at("callable") or target).text
        if callee:
            yield command_fact(name, callee, target.line)


def command_fact(name: str, target: str, line: int) -> Statement:
    """A command that installing the project brings."""
    return Statement(s.PROJECT, f"command {name}", target, f"The command `{name}` runs `{target}`.", line)


def _plugins(points: Node | None) -> Statements:
    for group, members in (points or Node(1, {})).fields().items():
        for name, target in list(members.fields().items())[:MAX_ENTRY_POINTS]:
            says = f"`{target.text}` is registered as `{name}` under the entry point `{group}`."
            yield Statement(s.PROJECT, f"entry_point {group} {name}", target.text, says, target.line, language="python")


def _classified(project: Node, *, nested: bool) -> Statements:
    """What trove classifiers say where no field does."""
    classifiers = (project.at("classifiers") or Node(1, [])).items()
    versions = [c for c in classifiers if c.text.startswith(_CLASSIFIER) and "." in c.text[len(_CLASSIFIER) :]]
    if versions and project.at("requires-python") is None:
        oldest = min(versions, key=lambda c: [int(p) for p in c.text[len(_CLASSIFIER) :].split(".") if p.isdigit()])
        yield from python_needed(Node(oldest.line, ">=" + oldest.text[len(_CLASSIFIER) :]))
    if project.at("license") is None and not nested:
        for item in classifiers:
            if item.text.startswith(_LICENCE_CLASSIFIER):
                yield licence_fact(item.text[len(_LICENCE_CLASSIFIER) :], item.line)


def _poetry(poetry: Node) -> Statements:
    if (python := poetry.at("dependencies", "python")) is not None:
        yield from python_needed(Node(python.line, (python.at("version") or python).text))
    for holder in (
        poetry.at("group"),
        Node(1, {"dev": Node(1, {"dependencies": poetry.at("dev-dependencies") or Node(1, {})})}),
    ):
        for group in (holder or Node(1, {})).fields().values():
            members = (group.at("dependencies") or Node(1, {})).fields()
            yield from roles([Node(node.line, name.lower()) for name, node in members.items()], "python")
    if (licence := poetry.at("license")) is not None and licence.text:
        yield licence_fact(licence.text, licence.line)
    yield from _commands(poetry.at("scripts"))


def _backend(backend: Node) -> Statements:
    first = backend.text.split(".")[0].split(":")[0]
    name = _BACKENDS.get(first, first)
    if name:
        says = f"Packages are built with {name}."
        yield Statement(s.PROJECT, s.BUILD_BACKEND, name, says, backend.line, convention=True, language="python")


def _version_source(root: Node) -> Statements:
    """Where the version number is kept: what a release changes."""
    for keys, wording in (
        (("tool", "hatch", "version", "path"), "{}"),
        (("tool", "setuptools", "dynamic", "version", "attr"), "{}"),
        (("tool", "setuptools", "dynamic", "version", "file"), "{}"),
        (("tool", "pdm", "version", "path"), "{}"),
        (("tool", "setuptools_scm"), "git tags"),
        (("tool", "hatch", "version", "source"), "{}"),
    ):
        node = root.at(*keys)
        if node is None or (not node.texts() and wording != "git tags"):
            continue
        told = wording.format(", ".join(node.texts()))
        if keys[-1] == "source":
            if told not in {"vcs", "code", "regex"}:
                continue
            told = "git tags" if told == "vcs" else told
        says = "The version comes from git tags." if told == "git tags" else f"The version number is kept in `{told}`."
        yield Statement(s.PROJECT, "version_source", told, says, node.line)
        return


def _manager(root: Node) -> Statements:
    for tool, managing in _MANAGERS:
        table = root.at("tool", tool)
        if table is not None and (set(table.fields()) & managing if managing else table.fields()):
            says = f"Dependencies are managed with {tool}."
            yield Statement(s.PROJECT, "package_manager", tool, says, table.line, convention=True, language="python")
            return


_MANAGERS = (
    ("uv", frozenset[str]()),
    ("poetry", named("dependencies group dev-dependencies")),
    ("pdm", named("dev-dependencies scripts source resolution overrides options plugins lock")),
    ("pixi", frozenset[str]()),
    ("rye", frozenset[str]()),
)
"""Package managers, and the settings that tell they manage: some are used only to build, and have others."""


READER = Reader("pyproject", ("pyproject.toml",), read)
