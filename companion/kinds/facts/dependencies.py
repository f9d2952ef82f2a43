"""What a project depends on, with the versions that its manifests ask for; lock files are left to their tools."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from companion.kinds.facts.canonical import requirement
from companion.kinds.facts.located import Node, yaml
from companion.kinds.facts.marked import maven
from companion.kinds.facts.nested import jsonc, toml
from companion.records import FileSeen
from companion.records.declared import Declaration

_BY_LINE: Mapping[str, re.Pattern[str]] = {
    "go.mod": re.compile(
        r"^\s*(?:require\s+)?(?P<name>[\w-]+\.[\w.-]+/\S+)\s+(?P<version>v\d\S*)(?!\S*\s*//\s*indirect)"
    ),
    "Gemfile *.gemspec": re.compile(
        r"""^\s*(?:\w+\.)?(?:gem|add_(?:runtime_|development_)?dependency)[\s(]+["'](?P<name>[^"']+)["']"""
        r"""(?:\s*,\s*["'](?P<version>[^"']+)["'])?"""
    ),
    "build.gradle build.gradle.kts": re.compile(
        r"""^\s*(?:implementation|api|(?P<group>\w*(?:Implementation|Api|Only|[pP]rocessor)|kapt|ksp))[\s(]+["']"""
        r"""(?P<name>[\w.-]+:[\w.-]+)(?::(?P<version>[^"':@]+))?["']"""
    ),
    "*.sbt": re.compile(
        r"""["](?P<name>[\w.-]+)["]\s*%{1,3}\s*["](?P<part>[\w.-]+)["]\s*%\s*["]?(?P<version>[\w.+-]+)["]?"""
        r"""(?:\s*%\s*["]?(?P<group>\w+))?"""
    ),
    "build.sc build.mill": re.compile(
        r"""(?:ivy|mvn)"(?P<name>[\w.-]+):{1,3}(?P<part>[\w.-]+):{1,2}(?P<version>[^"]+)\""""
    ),
    "Package.swift": re.compile(
        r"""url:\s*"https?://[^/"]+/(?P<name>[^"]+?)(?:\.git)?"\s*(?:,\s*(?P<version>[^\s)][^\n)]*))?"""
    ),
    "mix.exs": re.compile(r"""^\s*\{:(?P<name>\w+),\s*"(?P<version>[^"]+)"(?:[^}\n]*only:\s*\[?:(?P<group>\w+))?"""),
    "*.csproj *.fsproj Directory.Packages.props": re.compile(
        r"""<Package(?:Reference|Version)\s+(?:Include|Update)="(?P<name>[^"]+)"[^>\n]*?\sVersion="(?P<version>[^"]+)\""""
    ),
}
"""Manifests whose lines name what they ask for: `name` (with `part`), `version`, and the `group` it is for."""
_TREES = {
    "pyproject.toml": toml,
    "Cargo.toml": toml,
    "package.json": jsonc,
    "composer.json": jsonc,
    "pubspec.yaml": yaml,
}
"""Manifests with tables of dependencies, and what reads them."""
PATTERNS = (
    *("requirements*.txt", "requirements/*.txt", "*.versions.toml", "pom.xml"),
    *_TREES,
    *(pattern for patterns in _BY_LINE for pattern in patterns.split()),
)
ANY, PARENTS = "any version", "the version of the parent"
LINE_CHARS = 500
"""Of a line of a manifest."""

_TABLES = re.compile(r"(?P<group>(?:[\w-]+?[dD]ependencies|dependencies|require(?:-dev)?))$")
"""Tables of a manifest that map names to versions, by their last key."""
_GROUPS = ("optional-dependencies", "dependency-groups")
"""Tables of a pyproject.toml that map a group to its list."""
_PLAIN = ("dependencies", "require")


def read(file: FileSeen) -> Iterator[Declaration]:
    """The dependencies that one manifest names."""
    name = PurePosixPath(file.path).name
    if name.endswith(".txt"):
        yield from _python(file.path, [Node(at, line) for at, line in enumerate(file.text.split("\n"), start=1)], "")
    elif name.endswith(".versions.toml") and (root := toml(file.text)):
        yield from _catalogue(file.path, root)
    elif name == "pom.xml" and (root := maven(file.text)):
        yield from _maven(file.path, root)
    elif name in _TREES and (root := _TREES[name](file.text)):
        yield from _manifest(file.path, root)
    for patterns, asked in _BY_LINE.items():
        if any(fnmatchcase(name, pattern) for pattern in patterns.split()):
            yield from _lines(file, asked)


def _lines(file: FileSeen, pattern: re.Pattern[str]) -> Iterator[Declaration]:
    for number, line in enumerate(file.text.split("\n"), start=1):
        for found in pattern.finditer(line[:LINE_CHARS]):
            of = found.groupdict()
            name = ":".join(filter(None, (of["name"], of.get("part"))))
            yield _row(file.path, number, name, (of["version"] or ANY).strip(), of.get("group") or "")


def _maven(path: str, root: Node) -> Iterator[Declaration]:
    """The dependencies of a pom.xml; one whose version a parent gives has none of its own."""
    for above in (("dependencies",), ("dependencyManagement", "dependencies")):
        below = root.at(*above, "dependency")
        for one in below.each() if below else ():
            group, name, version, scope = (
                (one.at(key) or Node(1, "")).text for key in ("groupId", "artifactId", "version", "scope")
            )
            line = (one.at("artifactId") or one).line
            if group and name and scope != "import":
                yield _row(path, line, f"{group}:{name}", version or PARENTS, "" if scope == "compile" else scope)


def _manifest(path: str, node: Node, above: str = "") -> Iterator[Declaration]:
    """Every table and list of dependencies in a manifest, however deep it stands."""
    for key, below in node.fields().items():
        if above in _GROUPS or (key == "dependencies" and below.items()):
            yield from _python(path, below.items(), "" if key == "dependencies" else key)
        elif key not in _GROUPS and _TABLES.search(key) and below.fields():
            for name, version in below.fields().items():
                asked = version.text or version.fields().get("version", Node(0, ANY)).text
                yield _row(path, version.line, name, asked, "" if key in _PLAIN else key)
        elif below.fields():
            yield from _manifest(path, below, key)


def _catalogue(path: str, root: Node) -> Iterator[Declaration]:
    """The libraries of Gradle's version catalogue: `group:name:version`, or a table that may refer to a version."""
    versions = (root.at("versions") or Node(1, {})).fields()
    for library in (root.at("libraries") or Node(1, {})).fields().values():
        of = {key: below.text for key, below in library.fields().items()}
        module = library.text or of.get("module") or f"{of.get('group')}:{of.get('name')}"
        group, name, version = (*module.split(":"), "", "")[:3]
        referred = library.at("version", "ref")
        asked = versions.get(referred.text) if referred is not None else library.at("version")
        yield _row(path, library.line, f"{group}:{name}", version or (asked.text if asked else "") or ANY, "")


def _python(path: str, nodes: Sequence[Node], group: str) -> Iterator[Declaration]:
    for node in nodes:
        name, version, marker = requirement(node.text)
        if name:
            yield _row(path, node.line, name, " ".join(filter(None, (version or ANY, marker))), group)


def _row(path: str, line: int, name: str, version: str, group: str) -> Declaration:
    of = f" ({group})" if group else ""
    told = version if version in {ANY, PARENTS} else f"version {version}"
    return Declaration(path, line, name, f"dependency{of}, {version}", f"Dependency{of}: {name}, {told}.")
