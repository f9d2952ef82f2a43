"""CI files: on which versions and systems the project is tested.

The jobs themselves are workflows and are learned as such; here only what they say of the project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.facts.canonical import version_order
from companion.kinds.facts.located import Node, yaml
from companion.kinds.facts.statement import INFERRED, Reader, Statement, Statements
from companion.records import FileSeen

FROM_A_MATRIX = 0.6
"""Confidence that the oldest version tested is the oldest supported: projects test newer ones only at times."""


@dataclass(frozen=True, slots=True)
class _Platform:
    """A language as CI sets it up: action, its input, and how the version is told."""

    language: str
    name: str
    action: str
    option: str
    minimum: str = ""


_PLATFORMS = (
    _Platform("python", "Python", "setup-python", "python-version", s.MIN_PYTHON),
    _Platform("python", "Python", "setup-uv", "python-version", s.MIN_PYTHON),
    _Platform("javascript", "Node.js", "setup-node", "node-version"),
    _Platform("go", "Go", "setup-go", "go-version"),
    _Platform("java", "Java", "setup-java", "java-version"),
    _Platform("ruby", "Ruby", "setup-ruby", "ruby-version", "min_ruby"),
    _Platform("php", "PHP", "setup-php", "php-version", "min_php"),
    _Platform("csharp", ".NET", "setup-dotnet", "dotnet-version"),
)
"""Only interpreters that users run the project on tell a minimum: Go and Node.js projects test newer ones."""

_SYSTEMS = (("ubuntu", "Linux"), ("linux", "Linux"), ("windows", "Windows"), ("macos", "macOS"), ("mac", "macOS"))
_MATRIX = re.compile(r"matrix\.([\w-]+)")
_EXPRESSION = re.compile(r"\$\{\{[^}]{0,500}\}\}")
_TESTS = re.compile(r"(?:^|[-_ ])tests?(?:$|[-_ ])", re.IGNORECASE)
"""A job that tests by its name."""
_FALLBACK = re.compile(r"\|\|\s*'([^']+)'")
_RELEASES = re.compile(r"release|publish|deploy|wheel|package|binar", re.IGNORECASE)
"""Files that build for systems without testing on them."""
_ASIDE = re.compile(r"release|publish|deploy|fuzz|docs?\b|lint|bench|diff|coverage|wheel|nightly", re.IGNORECASE)
"""Files that test on some versions only: their oldest is not the project's."""
_NUMERIC = re.compile(r"\d+(?:\.\d+)*$")


def read(file: FileSeen) -> Statements:
    """Facts of one CI file."""
    root = yaml(file.text)
    if root is None:
        return
    name = PurePosixPath(file.path).name
    if name == ".travis.yml":
        yield from _travis(root)
    elif file.path.startswith(".github/"):
        yield from _actions(root, PurePosixPath(file.path).stem)
    else:
        yield from _anywhere(root, _OTHERS.get(name, "circleci"))


def _actions(root: Node, name: str) -> Statements:
    found: dict[str, tuple[_Platform, list[Node]]] = {}
    systems: list[Node] = []
    for job_name, job in (root.at("jobs") or Node(1, {})).fields().items():
        tested = bool(_TESTS.search(job_name))
        for step in (job.at("steps") or Node(1, [])).items():
            uses = step.at("uses")
            for platform in _PLATFORMS:
                versions = step.at("with", platform.option) or step.at("with", f"{platform.option}s")
                if uses is None or versions is None or platform.action not in uses.text:
                    continue
                values = list(_values(versions, job))
                found.setdefault(platform.language, (platform, []))[1].extend(values)
                tested = tested or len({v.text for v in values}) > 1
        runs_on = job.at("runs-on")
        if runs_on is not None and (tested or "matrix." in runs_on.text):
            systems.extend(_values(runs_on, job))
    for platform, nodes in found.values():
        yield from _tested(platform, nodes, name)
    if not _RELEASES.search(name):
        yield from _on_systems(systems, name)


def _values(node: Node, job: Node) -> Iterator[Node]:
    """What an input may be: itself, or each value of the matrix it names."""
    for item in node.lines() if not isinstance(node.value, list) else node.items():
        keys = _MATRIX.findall(item.text)
        if "${{" not in item.text:
            if item.text:
                yield item
            continue
        yield from (Node(item.line, fallback) for fallback in _FALLBACK.findall(item.text))
        matrix = job.at("strategy", "matrix") or Node(1, {})
        around = _EXPRESSION.split(item.text) if len(keys) == 1 else ["", ""]
        for key in keys:
            found = list((matrix.at(key) or Node(1, [])).items())
            extra = (one.at(key) for one in (matrix.at("include") or Node(1, [])).items())
            found.extend(value for value in extra if value is not None)
            yield from (_within(value, around) for value in found)


def _within(value: Node, around: list[str]) -> Node:
    """A value of a matrix with what stands around it where it is used: `1.${{ matrix.go }}.x` makes 17 to 1.17."""
    if len(around) != 2 or not any(around):
        return value
    return Node(value.line, f"{around[0]}{value.text}{around[1]}".removesuffix(".x"))


def _tested(platform: _Platform, nodes: list[Node], where: str) -> Statements:
    numeric = {n.text: n for n in nodes if _NUMERIC.match(n.text)}
    if len(numeric) < 2:
        return
    ordered = sorted(numeric, key=version_order)
    listed = ", ".join(ordered)
    line = numeric[ordered[0]].line
    says = f"CI ({where}) tests {platform.name} {listed}."
    attribute = f"tested_{platform.language} {where}"
    yield Statement(s.TESTS, attribute, listed, says, line, language=platform.language)
    if platform.minimum and not _ASIDE.search(where):
        oldest = ".".join(ordered[0].split(".")[:2])
        says = f"{platform.name} {oldest} is the oldest version that CI ({where}) tests."
        yield Statement(
            platform.language,
            platform.minimum,
            oldest,
            says,
            line,
            convention=True,
            language=platform.language,
            confidence=FROM_A_MATRIX,
        )


def _on_systems(nodes: list[Node], where: str) -> Statements:
    lines: dict[str, int] = {}
    for node in nodes:
        for part, name in _SYSTEMS:
            if part in node.text.lower():
                lines.setdefault(name, node.line)
                break
    if len(lines) > 1:
        listed = ", ".join(sorted(lines))
        says = f"CI ({where}) tests on {listed}."
        yield Statement(s.TESTS, f"tested_systems {where}", listed, says, min(lines.values()), confidence=INFERRED)


def _travis(root: Node) -> Statements:
    for key, language, name, minimum in (
        ("python", "python", "Python", s.MIN_PYTHON),
        ("rvm", "ruby", "Ruby", "min_ruby"),
        ("php", "php", "PHP", "min_php"),
        ("node_js", "javascript", "Node.js", ""),
        ("go", "go", "Go", ""),
        ("jdk", "java", "Java", ""),
    ):
        node = root.at(key)
        if node is not None:
            yield from _tested(_Platform(language, name, "", "", minimum), list(node.items()), "travis")


_OTHERS = {".gitlab-ci.yml": "gitlab", "azure-pipelines.yml": "azure", "azure-pipelines.yaml": "azure"}
_NAMED_VERSION = re.compile(r"^(?P<name>python|node|go|ruby|php|java|jdk)[-_.]?versions?$", re.IGNORECASE)
_IMAGE = re.compile(r"(?:^|/)(?P<name>python|node|golang|go|ruby|php|openjdk):(?P<version>\d+(?:\.\d+)*)")
_SAME = {"golang": "go", "jdk": "java", "openjdk": "java", "node": "javascript"}


def _anywhere(root: Node, where: str) -> Statements:
    """Versions of systems without setup steps: keys named for them, and container images."""
    found: dict[str, list[Node]] = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for key, value in node.fields().items():
            if named := _NAMED_VERSION.match(key):
                found.setdefault(named["name"].lower(), []).extend(value.items())
            waiting.append(value)
        for item in node.items():
            if item is not node:
                waiting.append(item)
            elif image := _IMAGE.search(node.text):
                found.setdefault(image["name"], []).append(Node(node.line, image["version"]))
    for name in sorted(found):
        language = _SAME.get(name, name)
        platform = next((p for p in _PLATFORMS if p.language == language), None)
        if platform is not None:
            yield from _tested(platform, found[name], where)


READER = Reader(
    "ci",
    (
        "/.github/workflows/*.yml",
        "/.github/workflows/*.yaml",
        "/.travis.yml",
        "/.gitlab-ci.yml",
        "/.circleci/config.yml",
        "/azure-pipelines.yml",
        "/azure-pipelines.yaml",
    ),
    read,
)
