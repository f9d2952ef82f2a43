"""Gemfile, gemspec, .rubocop.yml: what a Ruby project needs and obeys; read, never run."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.facts.canonical import minimum_version
from companion.kinds.facts.located import Node, yaml
from companion.kinds.facts.python_project import licence_fact
from companion.kinds.facts.roles import roles
from companion.kinds.facts.statement import Reader, Statement, Statements, folder_of
from companion.records import FileSeen

_TEXT = r"[\"']([^\"']+)[\"']"
_NEEDED = re.compile(r"\.required_ruby_version\s*+=\s*+(?:Gem::Requirement\.new\()?\[?\s*+" + _TEXT)
_LICENCE = re.compile(r"\.licenses?\s*+=\s*+\[?\s*+" + _TEXT)
_DEPENDS = re.compile(r"\.add_(?P<how>runtime_|development_)?dependency[\s(]+" + _TEXT)
_GEM = re.compile(r"^\s*gem[\s(]+" + _TEXT)
_RUBY = re.compile(r"^ruby[\s(]+" + _TEXT)


def read(file: FileSeen) -> Statements:
    """Facts of one file of Ruby's tools."""
    name = PurePosixPath(file.path).name
    if name.endswith(".gemspec"):
        nested = bool(folder_of(file.path))
        yield from (t for t in _gemspec(file.text) if not (nested and t.attribute == "licence"))
    elif name == "Gemfile":
        yield from _gemfile(file.text)
    else:
        root = yaml(file.text)
        if root is not None:
            yield from _rubocop(root)


def ruby_needed(requirement: str, line: int) -> Statements:
    """The oldest Ruby a requirement admits."""
    if oldest := minimum_version(requirement):
        says = f"Ruby {oldest} or newer is required ({requirement})."
        yield Statement("ruby", "min_ruby", oldest, says, line, convention=True, language="ruby")


def _gemspec(text: str) -> Statements:
    development: list[Node] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.lstrip().startswith("#"):
            continue
        if needed := _NEEDED.search(line):
            yield from ruby_needed(needed[1], number)
        if licence := _LICENCE.search(line):
            yield licence_fact(licence[1], number)
        if (depends := _DEPENDS.search(line)) and depends["how"] == "development_":
            development.append(Node(number, depends[2]))
    yield from roles(development, "ruby")


def _gemfile(text: str) -> Statements:
    """The Ruby a Gemfile needs, and the tools among its gems."""
    gems: list[Node] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if ruby := _RUBY.match(line):
            yield from ruby_needed(ruby[1], number)
        elif gem := _GEM.match(line):
            gems.append(Node(number, gem[1]))
    yield from roles(gems, "ruby")


def _rubocop(root: Node) -> Statements:
    says = "Ruby code is linted with RuboCop."
    yield _ruby(s.LINTER, "rubocop", says, 1)
    target = root.at("AllCops", "TargetRubyVersion")
    if target is not None and target.text:
        says = f"RuboCop checks for Ruby {target.text}."
        yield _ruby("rubocop_target_ruby", target.text, says, target.line)
    length = root.at("Layout/LineLength", "Max")
    if length is not None and length.text and not _off(root, "Layout/LineLength"):
        yield _ruby(s.LINE_LENGTH, length.text, f"Ruby lines are at most {length.text} characters long.", length.line)
    quotes = root.at("Style/StringLiterals", "EnforcedStyle")
    if quotes is not None and quotes.text and not _off(root, "Style/StringLiterals"):
        value = quotes.text.removesuffix("_quotes")
        yield _ruby(s.QUOTES, value, f"Ruby strings use {value} quotes.", quotes.line)
    frozen = root.at("Style/FrozenStringLiteralComment", "EnforcedStyle")
    if frozen is not None and frozen.text.startswith("always"):
        says = "Every Ruby file begins with `# frozen_string_literal: true`."
        yield _ruby("frozen_string_literal", s.TRUE, says, frozen.line)


def _off(root: Node, cop: str) -> bool:
    enabled = root.at(cop, "Enabled")
    return enabled is not None and enabled.flag is False


def _ruby(attribute: str, value: str, says: str, line: int) -> Statement:
    return Statement(s.CODE_STYLE, attribute, value, says, line, convention=True, language="ruby")


READER = Reader("ruby", ("*.gemspec", "Gemfile", ".rubocop.yml"), read)
