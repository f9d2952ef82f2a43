""".editorconfig: indent and line length, for all files and by language."""

from __future__ import annotations

import re

from companion.kinds import subjects as s
from companion.kinds.facts.canonical import indent
from companion.kinds.facts.located import Node, ini
from companion.kinds.facts.statement import DeclaredStatement, FactReader, Statements
from companion.kinds.languages import language_of_suffix
from companion.records import FileSeen

_SUFFIX = re.compile(r"\.(?:\{(?P<many>[^}]{0,500})\}|(?P<one>\w+))$")
_TOGETHER = frozenset({"javascript", "css", "yaml"})
"""Languages of the web that most projects indent alike: one name for the lot."""


def read(file: FileSeen) -> Statements:
    """Facts of one .editorconfig; a section inherits what `[*]` says."""
    root = ini(file.text)
    general = root.at("*") or Node(1, {})
    for glob, table in root.fields().items():
        languages = _languages(glob)
        if glob != "*" and not languages:
            continue
        yield from _indent(table, general, languages, glob)
        yield from _width(table, languages)


def _languages(glob: str) -> tuple[str, ...]:
    """The languages a glob of suffixes names; none for paths and for what is no language.

    A single file (`.travis.yml`) tells of none.
    """
    found: set[str] = set()
    for part in re.split(r",(?![^{]*\})", glob.strip("{}") if "{" in glob and not glob.startswith("*") else glob):
        if "/" in part.removeprefix("**/"):
            return ()
        if (suffix := _SUFFIX.search(part.strip())) and ("*" in part or "?" in part):
            named = (suffix["many"] or suffix["one"]).split(",")
            found |= {known for one in named if (known := language_of_suffix(one.strip()))}
    return tuple(sorted(found))


def _indent(table: Node, general: Node, languages: tuple[str, ...], glob: str) -> Statements:
    kind = table.at("indent_style")
    size = table.at("indent_size") or table.at("tab_width")
    if kind is None and size is None:
        return
    told = kind or general.at("indent_style")
    width = size or general.at("indent_size")
    value = indent(told.text if told is not None else "space", width.text if width is not None else "")
    if not value:
        return
    line = min(node.line for node in (kind, size) if node is not None)
    if not languages:
        says = f"Files are indented with {value} unless a language has its own rule."
        yield _style(s.INDENT, value, says, line, "")
        return
    named = ", ".join(languages)
    attribute = s.INDENT_JS_CSS_YAML if set(languages) >= _TOGETHER else "indent_" + "_".join(languages)
    language = languages[0] if len(languages) == 1 else ""
    says = f"Indent {named} with {value}."
    yield _style(
        attribute, value, says if len(languages) < 5 else f"Indent files matching {glob} with {value}.", line, language
    )


def _width(table: Node, languages: tuple[str, ...]) -> Statements:
    width = table.at("max_line_length")
    if width is None or not width.text.isdigit():
        return
    if not languages:
        yield _style(s.LINE_LENGTH, width.text, f"Lines are at most {width.text} characters long.", width.line, "")
    for language in languages[:3]:
        says = f"Lines of {language} are at most {width.text} characters long."
        yield _style(s.LINE_LENGTH, width.text, says, width.line, language)


def _style(attribute: str, value: str, says: str, line: int, language: str) -> DeclaredStatement:
    return DeclaredStatement(s.CODE_STYLE, attribute, value, says, line, convention=True, language=language)


READER = FactReader("editorconfig", (".editorconfig",), read)
