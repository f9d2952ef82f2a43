"""go.mod and golangci: what a Go project needs and obeys."""

from __future__ import annotations

from pathlib import PurePosixPath

from companion.kinds import subjects as s
from companion.kinds.facts.canonical import minimum_version
from companion.kinds.facts.located import Node, jsonc, yaml
from companion.kinds.facts.statement import Reader, Statement, Statements
from companion.kinds.facts.toml_lines import toml
from companion.records import FileSeen


def read(file: FileSeen) -> Statements:
    """Facts of one go.mod or golangci file."""
    name = PurePosixPath(file.path).name
    if name == "go.mod":
        yield from _module(file.text)
        return
    parse = {".toml": toml, ".json": jsonc}.get(PurePosixPath(name).suffix, yaml)
    root = parse(file.text)
    if root is not None:
        yield from _golangci(root)


def _go(attribute: str, value: str, says: str, line: int, subject: str = "go") -> Statement:
    return Statement(subject, attribute, value, says, line, convention=True, language="go")


def _module(text: str) -> Statements:
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split("//")[0].split()
        if words[:1] == ["module"] and len(words) == 2:
            says = f"The Go module is `{words[1]}`: imports of its packages begin with it."
            yield Statement("go", "module", words[1], says, number, language="go")
        elif words[:1] == ["go"] and len(words) == 2 and (version := minimum_version(words[1])):
            yield _go("min_go", version, f"Go {words[1]} or newer is required.", number)
        elif words[:1] == ["toolchain"] and len(words) == 2:
            yield _go("go_toolchain", words[1], f"The project builds with the toolchain {words[1]}.", number)


def _golangci(root: Node) -> Statements:
    says = "Go code is linted with golangci-lint."
    yield _go(s.LINTER, "golangci-lint", says, 1, s.CODE_STYLE)
    enabled = root.at("linters", "enable")
    if enabled is not None and enabled.texts():
        listed = ", ".join(enabled.texts())
        yield _go("lint_rules", listed, f"golangci-lint runs {listed}.", enabled.line, s.CODE_STYLE)
    forms = root.at("formatters", "enable")
    if forms is not None and forms.texts():
        listed = ", ".join(forms.texts())
        yield _go(s.FORMATTER, listed, f"Go code is formatted with {listed}.", forms.line, s.CODE_STYLE)
    for holder in ("settings", "linters-settings"):
        table = root.at("linters", holder) or root.at(holder)
        length = table.at("lll", "line-length") if table is not None else None
        if length is not None and length.text:
            says = f"Go lines are at most {length.text} characters long."
            yield _go(s.LINE_LENGTH, length.text, says, length.line, s.CODE_STYLE)


READER = Reader("go", ("go.mod", ".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"), read)
