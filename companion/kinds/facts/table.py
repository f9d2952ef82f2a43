"""Declared settings, by table: where something stands in a file, which question it answers, in which sentence.

The tables lie in `tables/`, a file a family of languages, listed in `TABLES`. A section is a sort of file, or what the
settings of one tool say:

    [rustfmt]
    files = ["rustfmt.toml", ".rustfmt.toml"]
    language = "rust"
    rows = [["max_width", "text", "line_length", "Rust lines are at most {} characters long."]]

`files` are gitignore-style; a section without them is read where a row of another sends it. `format` names those of
`formats.FORMATS` to try where the files' ending does not tell it; `comment` is a pattern that is taken out first. What
holds for its rows: `subject` (else code style), `language`, `convention` (else true), `confidence`, `environment`.

A row is path, how, attribute, sentence, and options:

- The path is keys down the tree, separated by spaces; `|` stands between paths of which the first counts that leads to
  what is looked for. A key may hold a star, or end with `?` where it may be missing; `**` is anywhere below, `-` each
  line of a text. Lists are gone through. In the format `lines` it is a pattern for the whole text, whose first group
  is taken.
- How is a word of `matches.VALUE_READERS`; or `as SECTION`, which reads what stands there; or `names SECTION`, which
  reads the packages that are named there.
- The attribute has its subject before it where that is not the section's: `tests: test_dir`.
- In the sentence `{}` is the value, `{text}` what was written, `{key}` what the last star stood for, `{keys[0]}` the
  first, `{file}` the file's name; a group of a pattern goes by its name. Attributes and values may hold them too.
- Options: `value`; `match`, a pattern that the text must have, of which a group becomes the text; `when` and `unless`,
  a path, how and match from where the section begins; `most`, the answers of a row; `root`, for files at the root
  alone; `file`, a name; `language` and `convention`.

Of rows that answer one question of a file the first that finds something holds (`facts.said_by`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatch
from functools import partial
from importlib.resources import files
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from companion.kinds import subjects as s
from companion.kinds.facts.formats import parse_declared
from companion.kinds.facts.located import Node
from companion.kinds.facts.matches import VALUE_READERS, NodeMatch, leading_to, packages
from companion.kinds.facts.statement import DECLARED, INFERRED, DeclaredStatement, FactReader, Statements, folder_of
from companion.records import FileSeen

TABLES = ("python", "javascript", "rust_and_go", "java_and_dotnet", "php_and_ruby", "c_and_cpp", "every_language")
"""The files of `tables/`. Where two files of a folder say the same, the one of the first table gives the words."""

MOST_ANSWERS = 12
"""Answers of a row that may have several, as commands or peers: a longer list is a registry."""


class Selector(Struct, frozen=True):
    """A path, how a value is read from what it leads to, and a pattern that its text must have."""

    path: str
    how: str
    match: str = ""

    def nodes(self, root: Node) -> Iterator[NodeMatch]:
        """The nodes that the path leads to and whose text has the pattern."""
        yield from leading_to(root, self.path, self.match)

    def answers(self, root: Node) -> Iterator[NodeMatch]:
        """Those nodes with their values; nodes without a value are left out."""
        word, _, argument = self.how.partition(" ")
        yield from VALUE_READERS[word](self.nodes(root), argument)

    def tables(self, root: Node) -> Iterator[Node]:
        """Those nodes that another section can read: the mappings, or one mapping of the packages they name."""
        if self.how.startswith("names "):
            yield packages(self.nodes(root))
        else:
            yield from (node for found in self.nodes(root) for node in found.node.each() if node.is_table)


class SettingRow(Struct, frozen=True):
    """One row: where to look, under which conditions, and the statement to fill in with what was found."""

    at: Selector
    blank: DeclaredStatement
    when: Selector | None = None
    unless: Selector | None = None
    most: int = MOST_ANSWERS
    root: bool = False
    file: str = "*"

    @property
    def sent_to(self) -> str:
        """The name of the section that reads what stands there; empty where the row makes a statement."""
        word, _, section = self.at.how.partition(" ")
        return section if word in {"as", "names"} else ""

    def counts(self, root: Node, file: FileSeen) -> bool:
        """Whether the row is for this file and its conditions hold."""
        if (self.root and folder_of(file.path)) or not fnmatch(PurePosixPath(file.path).name, self.file):
            return False
        needed = self.when is None or any(self.when.answers(root))
        return needed and not (self.unless is not None and any(self.unless.answers(root)))

    def filled(self, found: NodeMatch, file: FileSeen) -> DeclaredStatement:
        """The statement of a match: attribute, value and sentence filled in, with its line."""
        name, key = PurePosixPath(file.path).name, found.keys[-1] if found.keys else ""
        words = {"file": name, "keys": found.keys, "key": key, "text": found.text, **found.groups}
        value = self.blank.value.format(**words) if self.blank.value else found.value
        attribute, says = (text.format(value, **words) for text in (self.blank.attribute, self.blank.says))
        return replace(self.blank, attribute=attribute, value=value, says=says.strip(), line=found.line)


class SettingSection(Struct, frozen=True):
    """The rows for one sort of file, or for the settings of one tool wherever they stand."""

    rows: tuple[SettingRow, ...]
    files: tuple[str, ...] = ()
    format: str = ""
    comment: str = ""
    environment: str = ""


class SettingTable(Struct, frozen=True):
    """The sections of one TOML file by name; rows may send settings from one to another."""

    sections: Mapping[str, SettingSection]

    @classmethod
    def of(cls, text: str) -> SettingTable:
        """Parse a table; see the module for the format."""
        return cls({name: _section(told) for name, told in tomllib.loads(text).items()})

    def readers(self) -> Iterator[FactReader]:
        """A reader for each section that names files, in their order."""
        for name, section in self.sections.items():
            if section.files:
                yield FactReader(name, section.files, partial(self.read, section))

    def read(self, section: SettingSection, file: FileSeen) -> Statements:
        """What a file says by the rows of a section."""
        text = re.sub(section.comment, "", file.text, flags=re.MULTILINE) if section.comment else file.text
        root = parse_declared(text, PurePosixPath(file.path), section.format)
        for statement in self._said(section, root, file) if root is not None else ():
            yield replace(statement, environment=section.environment)

    def _said(self, section: SettingSection, root: Node, file: FileSeen) -> Statements:
        """What stands under a node by the rows of a section."""
        for row in section.rows:
            if not row.counts(root, file):
                continue
            if row.sent_to:
                under = self.sections[row.sent_to]
                for node in row.at.tables(root):
                    yield from self._said(under, node, file)
            else:
                yield from (row.filled(found, file) for found in islice(row.at.answers(root), row.most))


def readers() -> tuple[FactReader, ...]:
    """The readers of every table."""
    tables = files("companion.kinds.facts") / "tables"
    return tuple(
        one for name in TABLES for one in SettingTable.of((tables / f"{name}.toml").read_text("utf-8")).readers()
    )


def _section(told: Mapping[str, Any]) -> SettingSection:
    """Parse a section of a table, which is ours: what stands under each key is known."""
    blank = DeclaredStatement(
        told.get("subject", s.CODE_STYLE),
        "",
        "",
        "",
        line=1,
        convention=told.get("convention", True),
        language=told.get("language", ""),
        confidence=INFERRED if told.get("confidence") == "inferred" else DECLARED,
    )
    of_files = {key: told[key] for key in ("format", "comment", "environment") if key in told}
    return SettingSection(tuple(_row(row, blank) for row in told["rows"]), tuple(told.get("files", ())), **of_files)


def _row(told: Sequence[Any], blank: DeclaredStatement) -> SettingRow:
    """Parse a row: path, how, attribute and sentence, then options."""
    options = dict(told[-1]) if isinstance(told[-1], dict) else {}
    path, how, question, says = (*(text for text in told if isinstance(text, str)), "", "")[:4]
    subject, _, attribute = question.rpartition(": ")
    changed = {key: options.pop(key) for key in ("value", "language", "convention") if key in options}
    blank = replace(blank, subject=subject or blank.subject, attribute=attribute, says=says, **changed)
    for key in ("when", "unless"):
        if key in options:
            options[key] = Selector(*options[key])
    return SettingRow(Selector(path, how, options.pop("match", "")), blank, **options)
