"""package.json: what a JavaScript or TypeScript package needs, offers and obeys."""

from __future__ import annotations

from companion.kinds import subjects as s
from companion.kinds.facts.canonical import minimum_version
from companion.kinds.facts.located import Node, jsonc
from companion.kinds.facts.node_tools import eslint, jest, prettier
from companion.kinds.facts.python_project import command_fact, licence_fact
from companion.kinds.facts.roles import roles
from companion.kinds.facts.statement import Reader, Statement, Statements, folder_of
from companion.records import FileSeen

LISTED = 12
"""Peers and commands of a package that are told one by one."""

_NOTHING = Node(1, {})


def read(file: FileSeen) -> Statements:
    """Facts of one package.json."""
    root = jsonc(file.text)
    if root is None or not root.fields():
        return
    nested = bool(folder_of(file.path))
    yield from _platform(root)
    private = root.at("private")
    if nested and private is not None and private.flag:
        return
    if (
        not nested
        and (licence := root.at("license"))
        and 0 < len(licence.text) < 60
        and not licence.text.startswith(("SEE ", "UNLICENSED"))
    ):
        yield licence_fact(licence.text, licence.line)
    if (kind := root.at("type")) and kind.text == "module":
        says = "Modules are ES modules (`type: module`)."
        yield Statement(s.CODE_STYLE, "module_system", "esm", says, kind.line, convention=True, language="javascript")
    yield from _peers(root)
    development = [Node(node.line, name) for name, node in (root.at("devDependencies") or _NOTHING).fields().items()]
    if not nested:
        yield from roles(development, "javascript")
    yield from _commands(root)
    for key, tool in (("prettier", prettier), ("eslintConfig", eslint), ("jest", jest)):
        table = root.at(key)
        if table is not None and table.fields():
            yield from tool(table)


def _platform(root: Node) -> Statements:
    for engine, shown in (("node", "Node.js"), ("bun", "Bun"), ("deno", "Deno")):
        node = root.at("engines", engine)
        oldest = minimum_version(node.text, 1) if node is not None else ""
        if node is not None and oldest:
            says = f"{shown} {oldest} or newer is required ({node.text})."
            yield Statement(engine, f"min_{engine}", oldest, says, node.line, convention=True, language="javascript")
    manager = root.at("packageManager")
    if manager is not None and manager.text:
        name, _, version = manager.text.partition("@")
        exact = version.split("+")[0]
        says = f"Dependencies are managed with {name}{f' {exact}' if exact else ''}."
        yield Statement(s.PROJECT, "package_manager", name, says, manager.line, convention=True, language="javascript")
    spaces = root.at("workspaces", "packages") or root.at("workspaces")
    if spaces is not None and spaces.texts():
        listed = ", ".join(spaces.texts())
        says = f"The repository is a workspace of packages: {listed}."
        yield Statement(s.LAYOUT, "workspaces", listed, says, spaces.line, convention=True, language="javascript")


def _peers(root: Node) -> Statements:
    for name, version in list((root.at("peerDependencies") or _NOTHING).fields().items())[:LISTED]:
        says = f"Users must bring {name} {version.text} themselves (peer dependency)."
        yield Statement(s.PROJECT, f"peer_dependency {name}", version.text, says, version.line, language="javascript")


def _commands(root: Node) -> Statements:
    commands = root.at("bin")
    if commands is None:
        return
    package = root.at("name")
    if commands.text and package is not None:
        yield command_fact(package.text.rpartition("/")[2], commands.text, commands.line)
    for name, target in list(commands.fields().items())[:LISTED]:
        if target.text:
            yield command_fact(name, target.text, target.line)


READER = Reader("package.json", ("package.json",), read)
