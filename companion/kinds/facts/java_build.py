"""pom.xml, build.gradle, .csproj: what a project of the Java or .NET family needs."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.facts.canonical import canonical_version
from companion.kinds.facts.marked import Element, xml
from companion.kinds.facts.python_project import licence_fact
from companion.kinds.facts.statement import Reader, Statement, Statements, folder_of
from companion.records import FileSeen

_PROPERTY = re.compile(r"\$\{([^}]+)\}")
_JAVA_PROPERTIES = ("maven.compiler.release", "maven.compiler.target", "maven.compiler.source", "java.version")

_FORMATTERS = {
    "spotless-maven-plugin": "spotless",
    "fmt-maven-plugin": "google-java-format",
    "com.diffplug.spotless": "spotless",
    "formatter-maven-plugin": "formatter-maven-plugin",
}
_LINTERS = {"maven-checkstyle-plugin": "checkstyle", "maven-pmd-plugin": "pmd", "spotbugs-maven-plugin": "spotbugs"}


def read(file: FileSeen) -> Statements:
    """Facts of one build file."""
    name = PurePosixPath(file.path).name
    if name == "pom.xml":
        root = xml(file.text)
        if root is not None and root.tag == "project":
            nested = bool(folder_of(file.path))
            yield from (t for t in _maven(root) if not (nested and t.attribute == "licence"))
    elif name.startswith("build.gradle"):
        yield from _gradle(file.text)
    else:
        root = xml(file.text)
        if root is not None and root.tag == "Project":
            yield from _dotnet(root)


def _java(attribute: str, value: str, says: str, line: int, subject: str = "java") -> Statement:
    return Statement(subject, attribute, value, says, line, convention=True, language="java")


def java_version(text: str) -> str:
    """`1.8` and `8` are the same Java."""
    version = canonical_version(text, 1)
    return version[2:] if version.startswith("1.") else version


def _maven(root: Element) -> Statements:
    properties = {p.tag: p for holder in root.all("properties") for p in holder.children}
    yield from _maven_java(root, properties)
    modules = list(root.all("modules", "module"))
    if modules:
        listed = ", ".join(module.text for module in modules)
        yield _java("workspaces", listed, f"Maven modules: {listed}.", modules[0].line, s.LAYOUT)
    licence = root.first("licenses", "license", "name")
    if licence is not None and licence.text:
        yield licence_fact(licence.text, licence.line)
    for plugin in root.all("build", "plugins", "plugin"):
        artifact = plugin.first("artifactId")
        name = artifact.text if artifact is not None else ""
        if artifact is not None and name in _FORMATTERS:
            tool = _FORMATTERS[name]
            yield _java(s.FORMATTER, tool, f"Java code is formatted with {tool}.", artifact.line, s.CODE_STYLE)
        if artifact is not None and name in _LINTERS:
            tool = _LINTERS[name]
            yield _java(f"{s.LINTER} {tool}", tool, f"Java code is checked by {tool}.", artifact.line, s.CODE_STYLE)
    needed = next(root.anywhere("requireJavaVersion"), None)
    version = needed.first("version") if needed is not None else None
    if version is not None and version.text:
        says = f"Building needs a JDK in the range {version.text}."
        yield _java("build_jdk", version.text, says, version.line)


def _maven_java(root: Element, properties: dict[str, Element]) -> Statements:
    for name in _JAVA_PROPERTIES:
        if name in properties and (version := java_version(properties[name].text)):
            says = f"The code must run on Java {version} ({name})."
            yield _java("min_java", version, says, properties[name].line)
            return
    for plugin in root.anywhere("plugin"):
        artifact = plugin.first("artifactId")
        if artifact is None or artifact.text != "maven-compiler-plugin":
            continue
        for option in ("release", "target", "source"):
            node = plugin.first("configuration", option)
            if node is not None and (version := java_version(_resolved(node.text, properties))):
                says = f"The code must run on Java {version} (compiler {option})."
                yield _java("min_java", version, says, node.line)
                return


def _resolved(text: str, properties: dict[str, Element]) -> str:
    return _PROPERTY.sub(lambda m: properties[m[1]].text if m[1] in properties else m[0], text)


_GRADLE_JAVA = re.compile(
    r"(?:sourceCompatibility|targetCompatibility|jvmTarget|languageVersion|options\.release|jvmToolchain)"
    r"[^\n\d]{0,100}?(?:VERSION_|JVM_|\(|=|\s)\s{0,20}+[\"']?(?P<version>1[._]\d+|\d+)"
)
"""The version is the first number on the line, near the word; without a bound, each word is looked from to the end."""


def _gradle(text: str) -> Statements:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.lstrip().startswith(("//", "*", "/*")):
            continue
        if (found := _GRADLE_JAVA.search(line)) and (version := java_version(found["version"].replace("_", "."))):
            says = f"The code must run on Java {version}."
            yield _java("min_java", version, says, number)
        if "com.diffplug.spotless" in line and "apply false" not in line:
            says = "Java code is formatted with spotless."
            yield _java(s.FORMATTER, "spotless", says, number, s.CODE_STYLE)
        if "useJUnitPlatform" in line:
            says = "Tests run with JUnit 5."
            yield _java("test_framework", "junit 5", says, number, s.TESTS)


def _dotnet(root: Element) -> Statements:
    for tag in ("TargetFramework", "TargetFrameworks"):
        for node in root.all("PropertyGroup", tag):
            if node.text and "$(" not in node.text:
                value = ", ".join(part for part in node.text.split(";") if part)
                says = f"The code is built for {value}."
                yield Statement(
                    "dotnet", "target_framework", value, says, node.line, convention=True, language="csharp"
                )
    for tag, on, says in (
        ("Nullable", "enable", "Nullable reference types are on: say `?` where null is meant."),
        ("TreatWarningsAsErrors", "true", "Compiler warnings are errors."),
        ("ImplicitUsings", "enable", "Common namespaces are imported implicitly (ImplicitUsings)."),
    ):
        for node in root.all("PropertyGroup", tag):
            if node.text.lower() == on:
                yield Statement(s.CODE_STYLE, _snake(tag), s.TRUE, says, node.line, convention=True, language="csharp")
    for node in root.all("PropertyGroup", "LangVersion"):
        if node.text:
            says = f"The code is written in C# {node.text}."
            yield Statement(
                "dotnet", "language_version", node.text, says, node.line, convention=True, language="csharp"
            )


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


READER = Reader(
    "java and .net builds",
    ("pom.xml", "build.gradle", "build.gradle.kts", "*.csproj", "Directory.Build.props"),
    read,
)
