"""What a project depends on, with the versions that its manifests ask for; lock files are left to their tools."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from msgspec import Struct

from companion.kinds.facts.canonical import requirement
from companion.kinds.facts.located import Node, yaml
from companion.kinds.facts.marked import maven, xml
from companion.kinds.facts.nested import jsonc, toml
from companion.records import FileSeen
from companion.records.declared import Declaration

_FORMS: Mapping[str, tuple[str, ...]] = {
    "go.mod": (
        r"^[ \t]*(?:require\s+)?(?P<name>[\w-]+\.[\w.-]+/\S+)\s+(?P<version>v\d\S*)",
        r"(?!\S*\s*//\s*indirect)",
    ),
    "Gemfile *.gemspec": (
        r"^[ \t]*(?:\w+\.)?(?:gem|add_(?:runtime_|development_)?dependency)[ \t(]+",
        r"""["'](?P<name>[^"'\n]+)["'](?:\s*,\s*["'](?P<version>[^"'\n]+)["'])?""",
    ),
    "build.gradle build.gradle.kts": (
        r"^[ \t]*(?:implementation|api|(?P<group>\w*(?:Implementation|Api|Only|[pP]rocessor)|kapt|ksp|classpath))",
        r"""[ \t(]+(?:platform\()?["'](?P<name>[\w.-]+:[\w.-]+)(?::(?P<version>[^"':@$\n]+))?[^"'\n]*["']""",
    ),
    "*.sbt": (
        r""""(?P<name>[\w.-]+)"\s*%{1,3}\s*"(?P<part>[\w.-]+)"\s*%\s*(?:"(?P<version>[^"\n]+)"|[\w.("')$]+)""",
        r"""(?:\s*%\s*"?(?P<group>[\w,>-]+))?""",
    ),
    "build.sc build.mill": (
        r"""(?:ivy|mvn)"(?P<name>[\w.-]+):{1,3}(?P<part>[\w.-]+):{1,2}""",
        r"""(?:(?P<version>[^"$\n]+)")?""",
    ),
    "Package.swift": (
        r"""\.package\(\s*(?:name:\s*"[^"\n]*"\s*,\s*)?url:\s*"(?:https?://[^/"\n]+/|git@[^:"\n]+:)""",
        r"""(?P<name>[^"\n]+?)(?:\.git)?"\s*,\s*(?P<version>[^()\n]*(?:\([^()\n]*\))?)""",
    ),
    "mix.exs": (
        r"""^[ \t]*\{:(?P<name>\w+),\s*"(?P<version>[~<>=! ]*\d[^"/\n]*)\"""",
        r"""(?:[^}\n]*only:\s*(?P<group>:\w+|\[[^\]\n]+\]))?""",
    ),
}
"""What names a dependency in a manifest: `name` (with `part`), `version`, and the `group` it is for."""
_WRITTEN = {patterns: re.compile("".join(form), re.MULTILINE) for patterns, form in _FORMS.items()}
_NOT_MEANT = re.compile(r"//|mimaPrevious")
"""What before it on the line says that it is none: a comment, or what is compared with."""
_TREES = {
    **dict.fromkeys(("pyproject.toml", "Cargo.toml"), toml),
    **dict.fromkeys(("package.json", "composer.json"), jsonc),
    "pubspec.yaml": yaml,
}
"""Manifests with tables of dependencies, and what reads them."""
_PACKAGES = ("PackageReference", "PackageVersion", "GlobalPackageReference")
PATTERNS = (
    *("requirements*.txt", "requirements/*.txt", "*.versions.toml", "pom.xml", "*.csproj", "*.fsproj"),
    *("Directory.Packages.props", *_TREES, *(pattern for patterns in _FORMS for pattern in patterns.split())),
)
ANY, ELSEWHERE = "any version", "a version set elsewhere"

_TABLES = re.compile(r"(?P<group>(?:[\w-]+?[dD]ependencies|dependencies|require(?:-dev)?))$")
"""Tables of a manifest that map names to versions, by their last key."""
_GROUPS = ("optional-dependencies", "dependency-groups")
"""Tables of a pyproject.toml that map a group to its list."""
_PLAIN = ("dependencies", "require")
_NAMED = ("group", "target")
"""Tables whose keys tell what the dependencies below are for: `tool.poetry.group.test`, `target.'cfg(unix)'`."""


def read(file: FileSeen) -> Iterator[Declaration]:
    """The dependencies that one manifest names."""
    name = PurePosixPath(file.path).name
    if name.endswith(".txt"):
        yield from _python(file.path, [Node(at, line) for at, line in enumerate(file.text.split("\n"), start=1)], "")
    elif name.endswith(".versions.toml") and (root := toml(file.text)):
        yield from _catalogue(file.path, root)
    elif name == "pom.xml" and (root := maven(file.text)):
        yield from _maven(file.path, root)
    elif name.endswith(("proj", ".props")) and (root := xml(file.text)):
        yield from _nuget(file.path, root)
    elif name in _TREES and (root := _TREES[name](file.text)):
        yield from _manifest(file.path, root)
    for patterns, form in _WRITTEN.items():
        if any(fnmatchcase(name, pattern) for pattern in patterns.split()):
            yield from _written(file, form, ANY if patterns.startswith("Gemfile") else ELSEWHERE)


def _written(file: FileSeen, form: re.Pattern[str], unsaid: str) -> Iterator[Declaration]:
    """What a form finds in a manifest; `unsaid` is told where it gives no version."""
    line, upto = 1, 0
    for found in form.finditer(file.text):
        of, at = found.groupdict(), found.start("name")
        line, upto = line + file.text.count("\n", upto, at), at
        if not _NOT_MEANT.search(file.text[file.text.rfind("\n", 0, found.start()) + 1 : found.start()]):
            name = ":".join(filter(None, (of["name"], of.get("part"))))
            group = re.sub(r"[\[\]:]", "", of.get("group") or "")
            yield _row(file.path, line, name, (of["version"] or unsaid).strip(" ,"), group)


class _Artifact(Struct, frozen=True):
    """A dependency of Maven; its version is empty where it is said elsewhere, its scope for the usual one."""

    line: int
    name: str
    version: str
    scope: str


def _maven(path: str, root: Node) -> Iterator[Declaration]:
    """The dependencies of a pom.xml, and those whose version it only manages."""
    managed = {one.name: one for one in _artifacts(root, root.at("dependencyManagement", "dependencies", "dependency"))}
    for one in _artifacts(root, root.at("dependencies", "dependency")):
        by = managed.pop(one.name, one)
        yield _row(path, one.line, one.name, one.version or by.version or ELSEWHERE, one.scope)
    for one in managed.values():
        yield _row(path, one.line, one.name, one.version or ELSEWHERE, "managed")


def _artifacts(root: Node, found: Node | None) -> Iterator[_Artifact]:
    own = {f"${{project.{key}}}": root.at(key) or root.at("parent", key) for key in ("groupId", "version")}
    for one in found.each() if found else ():
        texts = {key: (own.get(below.text) or below).text for key, below in one.fields().items()}
        group, name, version = (texts.get(key, "") for key in ("groupId", "artifactId", "version"))
        if group and name and texts.get("scope") != "import":
            scope = texts.get("scope", "").replace("compile", "")
            line = one.fields()["artifactId"].line
            yield _Artifact(line, f"{group}:{name}", "" if "${" in version else version, scope)


def _nuget(path: str, root: Node) -> Iterator[Declaration]:
    """The packages of a project of .NET with their versions; where another file gives these, that one tells them."""
    for group in (root.at("ItemGroup") or Node(1, [])).each():
        for one in (one for tag in _PACKAGES if (found := group.at(tag)) for one in found.each()):
            name, version = one.at("@Include") or one.at("@Update"), one.at("@Version") or one.at("Version")
            if name and version:
                yield _row(path, name.line, name.text, version.text, "")


def _manifest(path: str, node: Node, above: str = "", over: str = "") -> Iterator[Declaration]:
    """Every table and list of dependencies in a manifest, however deep it stands.

    `above` is the key of the table that is read, `over` that of the table around it.
    """
    plain = above if over in _NAMED else ""
    for key, below in node.fields().items():
        if above in _GROUPS or (key == "dependencies" and below.items()):
            yield from _python(path, below.items(), "" if key == "dependencies" else key)
        elif key not in _GROUPS and _TABLES.search(key) and below.fields():
            for name, version in below.fields().items():
                asked = version.text or version.fields().get("version", Node(0, ANY)).text
                yield _row(path, version.line, name, asked, plain if key in _PLAIN else key)
        elif below.fields():
            yield from _manifest(path, below, key, above)


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
    told = version if version in {ANY, ELSEWHERE} else f"version {version}"
    return Declaration(path, line, name, f"dependency{of}, {version}", f"Dependency{of}: {name}, {told}.")
