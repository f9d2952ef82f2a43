"""composer.json, PHPUnit, PHPStan, PHP_CodeSniffer: what a PHP project needs and obeys."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.facts.canonical import minimum_version
from companion.kinds.facts.located import Node, jsonc
from companion.kinds.facts.marked import xml
from companion.kinds.facts.python_project import licence_fact
from companion.kinds.facts.roles import roles
from companion.kinds.facts.statement import Reader, Statement, Statements, folder_of
from companion.records import FileSeen

_LEVEL = re.compile(r"^[^\S\n]++level:\s*(?P<level>\w+)", re.MULTILINE)
_NOTHING = Node(1, {})


def read(file: FileSeen) -> Statements:
    """Facts of one file of PHP's tools."""
    name = PurePosixPath(file.path).name
    if name == "composer.json":
        root = jsonc(file.text)
        if root is not None:
            nested = bool(folder_of(file.path))
            yield from (t for t in _composer(root) if not (nested and t.attribute == "licence"))
    elif name.startswith("phpstan"):
        if level := _LEVEL.search(file.text):
            line = file.text[: level.start("level")].count("\n") + 1
            says = f"PHPStan checks at level {level['level']}."
            yield _php("phpstan_level", level["level"], says, line)
    else:
        yield from _phpcs(file.text) if name.startswith(("phpcs", ".phpcs")) else _phpunit(file.text)


def _php(attribute: str, value: str, says: str, line: int, subject: str = s.CODE_STYLE) -> Statement:
    return Statement(subject, attribute, value, says, line, convention=True, language="php")


def _composer(root: Node) -> Statements:
    if (licence := root.at("license")) and licence.texts() and "proprietary" not in licence.texts():
        yield licence_fact(" OR ".join(licence.texts()), licence.line)
    needed = (root.at("require") or _NOTHING).fields()
    for name, version in needed.items():
        if name == "php":
            if oldest := minimum_version(version.text):
                says = f"PHP {oldest} or newer is required ({version.text})."
                yield _php("min_php", oldest, says, version.line, "php")
        elif name.startswith("ext-"):
            says = f"The PHP extension {name[4:]} is required."
            yield Statement("php", f"extension {name[4:]}", "required", says, version.line, language="php")
    development = (root.at("require-dev") or _NOTHING).fields()
    yield from roles([Node(node.line, name) for name, node in development.items()], "php")
    for holder in ("autoload", "autoload-dev"):
        for space, folder in (root.at(holder, "psr-4") or _NOTHING).fields().items():
            where = ", ".join(text or "./" for text in ([folder.text] if not folder.items() else folder.texts()))
            prefix = space.rstrip("\\") or "(root)"
            if where:
                says = f"The namespace `{prefix}` lies in `{where}` (PSR-4)."
                yield Statement(s.LAYOUT, f"namespace {prefix}", where, says, folder.line, language="php")


def _phpcs(text: str) -> Statements:
    root = xml(text)
    if root is None:
        return
    for rule in root.all("rule"):
        ref = rule.attributes.get("ref", "")
        if re.fullmatch(r"PSR-?\d+|PER(-CS[\d.]*)?|Squiz|PEAR|Zend|Symfony|Doctrine|WordPress[\w-]*|Drupal", ref):
            yield _php("coding_standard", ref, f"PHP code follows {ref}.", rule.line)
        limit = [
            p
            for p in rule.all("properties", "property")
            if p.attributes.get("name") in {"lineLimit", "absoluteLineLimit"}
        ]
        for item in limit[:1]:
            value = item.attributes.get("value", "")
            if ref.endswith("LineLength") and value.isdigit() and value != "0":
                yield _php(s.LINE_LENGTH, value, f"PHP lines are at most {value} characters long.", item.line)


def _phpunit(text: str) -> Statements:
    root = xml(text)
    if root is None or root.tag != "phpunit":
        return
    folders = [node for node in root.all("testsuites", "testsuite", "directory") if node.text]
    if folders:
        named = dict.fromkeys(node.text.removeprefix("./").strip("/") + "/" for node in folders)
        value = ", ".join(named)
        yield _php(s.TEST_DIR, value, f"Tests lie in {value}.", folders[0].line, s.TESTS)
    yield _php("test_framework", "phpunit", "Tests run with PHPUnit.", root.line, s.TESTS)
    for option in ("failOnWarning", "convertWarningsToExceptions"):
        if root.attributes.get(option) == "true":
            says = f"A warning fails the tests (PHPUnit {option})."
            yield _php(s.WARNINGS_ARE_ERRORS, s.TRUE, says, root.line, s.TESTS)


READER = Reader(
    "php",
    (
        "composer.json",
        "phpunit.xml",
        "phpunit.xml.dist",
        "phpcs.xml",
        "phpcs.xml.dist",
        ".phpcs.xml",
        ".phpcs.xml.dist",
        "phpstan.neon",
        "phpstan.neon.dist",
    ),
    read,
)
