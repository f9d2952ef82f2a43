"""Cargo.toml, rust-toolchain, rustfmt, clippy: what a Rust project needs and obeys."""

from __future__ import annotations

from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.facts.canonical import canonical_version, indent
from companion.kinds.facts.located import Node
from companion.kinds.facts.python_project import licence_fact
from companion.kinds.facts.roles import roles
from companion.kinds.facts.statement import Reader, Statement, Statements, folder_of
from companion.kinds.facts.toml_lines import toml
from companion.records import FileSeen

MAX_FEATURES = 40
"""Features named in the one fact that lists them."""
MAX_LINTS = 15
"""Lints of one table that become facts: workspaces that set more copy whole groups."""

_NOTHING = Node(1, {})


def read(file: FileSeen) -> Statements:
    """Facts of one TOML file of Rust's tools."""
    root = toml(file.text)
    if root is None:
        return
    name = PurePosixPath(file.path).name
    if name == "Cargo.toml":
        nested = bool(folder_of(file.path))
        yield from (t for t in _cargo(root) if not (nested and t.attribute == "licence"))
    elif name in {"rustfmt.toml", ".rustfmt.toml"}:
        yield from _rustfmt(root)
    elif name == "rust-toolchain.toml":
        channel = root.at("toolchain", "channel")
        if channel is not None and channel.text:
            yield _rust("rust_toolchain", channel.text, f"The project builds with Rust {channel.text}.", channel)


def _rust(attribute: str, value: str, says: str, node: Node, subject: str = "rust") -> Statement:
    return Statement(subject, attribute, value, says, node.line, convention=True, language="rust")


def _cargo(root: Node) -> Statements:
    published = root.at("package", "publish")
    if published is not None and published.flag is False and root.at("workspace") is None and root.at("bin") is None:
        return
    for holder in (root.at("package"), root.at("workspace", "package")):
        yield from _package(holder or _NOTHING)
    members = root.at("workspace", "members")
    if members is not None and members.texts():
        listed = ", ".join(members.texts())
        says = f"The repository is a Cargo workspace of {listed}."
        yield Statement(s.LAYOUT, "workspaces", listed, says, members.line, convention=True, language="rust")
    for group in (root.at("dev-dependencies"),):
        names = [Node(node.line, name) for name, node in (group or _NOTHING).fields().items()]
        yield from roles(names, "rust")
    yield from _features(root.at("features"))
    for table in (root.at("lints"), root.at("workspace", "lints")):
        yield from _lints(table or _NOTHING)


def _package(package: Node) -> Statements:
    edition, oldest, licence = package.at("edition"), package.at("rust-version"), package.at("license")
    if edition is not None and edition.text:
        yield _rust(s.EDITION, edition.text, f"The code is Rust edition {edition.text}.", edition)
    if oldest is not None and (version := canonical_version(oldest.text)):
        yield _rust(s.MSRV, version, f"Rust {version} or newer is required (minimum supported version).", oldest)
    if licence is not None and licence.text:
        yield licence_fact(licence.text, licence.line)


def _features(features: Node | None) -> Statements:
    if features is None:
        return
    names = [name for name in features.fields() if name != "default" and not name.startswith("_")]
    if names:
        listed = ", ".join(names[:MAX_FEATURES])
        yield Statement("rust", "features", listed, f"Cargo features: {listed}.", features.line, language="rust")
    default = features.at("default")
    if default is not None:
        listed = ", ".join(default.texts()) or "none"
        says = f"Features on by default: {listed}."
        yield Statement("rust", "default_features", listed, says, default.line, language="rust")


def _lints(table: Node) -> Statements:
    for tool, lints in table.fields().items():
        strict = [
            (n, node) for n, node in lints.fields().items() if (node.at("level") or node).text in {"deny", "forbid"}
        ]
        for name, node in strict[:MAX_LINTS]:
            level = (node.at("level") or node).text
            lint = name if tool == "rust" else f"{tool}::{name}"
            yield _rust(f"lint {lint}", level, f"The lint `{lint}` is an error ({level}).", node, s.CODE_STYLE)


def _rustfmt(root: Node) -> Statements:
    yield _rust(s.FORMATTER, "rustfmt", "Rust code is formatted with rustfmt.", root, s.CODE_STYLE)
    width, tabs, size = root.at("max_width"), root.at("hard_tabs"), root.at("tab_spaces")
    if width is not None and width.text:
        says = f"Rust lines are at most {width.text} characters long."
        yield _rust(s.LINE_LENGTH, width.text, says, width, s.CODE_STYLE)
    if tabs is not None and tabs.flag:
        yield _rust("indent_rust", "tab", "Rust is indented with tabs.", tabs, s.CODE_STYLE)
    elif size is not None and (value := indent("space", size.text)):
        yield _rust("indent_rust", value, f"Rust is indented with {value}.", size, s.CODE_STYLE)
    for option in ("imports_granularity", "group_imports"):
        node = root.at(option)
        if node is not None and node.text:
            yield _rust(option, node.text, f"rustfmt sets {option} = {node.text}.", node, s.CODE_STYLE)


READER = Reader("cargo", ("Cargo.toml", "rustfmt.toml", ".rustfmt.toml", "rust-toolchain.toml"), read)
