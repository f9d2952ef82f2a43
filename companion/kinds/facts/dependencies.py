"""What a project depends on, with the versions that its manifests ask for; lock files are left to their tools."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from companion.kinds.facts.canonical import requirement
from companion.kinds.facts.located import Node
from companion.kinds.facts.nested import jsonc, toml
from companion.records import FileSeen
from companion.records.declared import Declaration

PATTERNS = (
    *("pyproject.toml", "requirements*.txt", "requirements/*.txt", "package.json", "composer.json", "Cargo.toml"),
    *("go.mod", "Gemfile", "*.gemspec", "*.versions.toml"),
)
ANY = "any version"

_TABLES = re.compile(r"(?P<group>(?:[\w-]+?[dD]ependencies|dependencies|require(?:-dev)?))$")
"""Tables of a manifest that map names to versions, by their last key."""
_GROUPS = ("optional-dependencies", "dependency-groups")
"""Tables of a pyproject.toml that map a group to its list."""
_PLAIN = ("dependencies", "require")
_GO = re.compile(
    r"^\s*(?:require\s+)?(?P<name>[\w-]+\.[\w.-]+/\S+)\s+(?P<version>v\d\S*)(?P<indirect>\s*//\s*indirect)?"
)
_GEM = re.compile(
    r"""^\s*(?:\w+\.)?(?:gem|add_(?:runtime_|development_)?dependency)[\s(]+["'](?P<name>[^"']+)["']"""
    r"""(?:\s*,\s*["'](?P<version>[^"']+)["'])?"""
)


def read(file: FileSeen) -> Iterator[Declaration]:
    """The dependencies that one manifest names."""
    name = PurePosixPath(file.path).name
    if name.endswith(".txt"):
        yield from _python(file.path, [Node(at, line) for at, line in enumerate(file.text.split("\n"), start=1)], "")
    elif name == "go.mod":
        yield from _lines(file, _GO)
    elif name == "Gemfile" or name.endswith(".gemspec"):
        yield from _lines(file, _GEM)
    elif name.endswith(".versions.toml") and (root := toml(file.text)):
        yield from _catalogue(file.path, root)
    elif name.endswith((".toml", ".json")) and (root := (toml if name.endswith(".toml") else jsonc)(file.text)):
        yield from _manifest(file.path, root)


def _lines(file: FileSeen, pattern: re.Pattern[str]) -> Iterator[Declaration]:
    for number, line in enumerate(file.text.split("\n"), start=1):
        found = pattern.match(line)
        if found is not None and not found.groupdict().get("indirect"):
            yield _row(file.path, number, found["name"], found["version"] or ANY, "")


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
    return Declaration(path, line, name, f"dependency{of}, {version}", f"Dependency{of}: {name}, version {version}.")
