"""A declared file is read by rows of a table: one sort more is a section more, and every row says something."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
from kinds.declared import facts_of
from pathspec import GitIgnoreSpec

from companion.kinds.facts import READERS, said_by
from companion.kinds.facts.formats import FORMATS
from companion.kinds.facts.matches import VALUE_READERS
from companion.kinds.facts.statement import DECLARED, DeclaredStatement
from companion.kinds.facts.table import TABLES, SettingTable, readers
from companion.records import FileSeen

DPRINT = """
[dprint]
files = ["dprint.json"]
subject = "code style"
rows = [
  ["lineWidth", "number", "line_length", "Lines are at most {} characters long."],
  ["*", "as language", { when = ["lineWidth", "there"] }],
  ["plugins -", "text", "project: plugin {name}", "dprint uses {name} {}.", { match = '(?P<name>\\w+)-(?P<value>\\d+)' }],
  ["strict", "on", "strict", "dprint is strict.", { root = true, unless = ["lax", "on"] }],
]

[language]
language = "typescript"
rows = [["quoteStyle", "text", "quotes", "Strings use {} quotes.", { match = "^prefer(.+)", convention = false }]]
"""


def told(text: str, path: str = "dprint.json") -> dict[tuple[str, str], tuple[str, int | None, str]]:
    """What a new section reads of a file: value, line and label, by subject and attribute."""
    (reader,) = SettingTable.of(DPRINT).readers()
    assert reader.patterns == ("dprint.json",)
    drafts = facts_of(reader, FileSeen(path, "", text))
    return {(one.subject, one.attribute): (one.value, one.evidence[0].line, one.label) for one in drafts}


def test_a_new_sort_of_file_is_a_section_and_a_row_is_a_question_with_its_sentence() -> None:
    text = '{\n"lineWidth": 90,\n"typescript": {"quoteStyle": "preferSingle"},\n"plugins": [\n"json-17",\n"x"]}'
    assert told(text) == {
        ("code style", "line_length"): ("90", 2, "convention"),
        ("code style", "quotes"): ("Single", 3, ""),
        ("project", "plugin json"): ("17", 5, "convention"),
    }


@pytest.mark.parametrize(
    ("text", "path", "said"),
    [
        ('{"strict": true}', "dprint.json", True),
        ('{"strict": true, "lax": true}', "dprint.json", False),
        ('{"strict": false}', "dprint.json", False),
        ('{"strict": true}', "packages/a/dprint.json", False),
        ('["strict"]', "dprint.json", False),
        ("{", "dprint.json", False),
    ],
)
def test_a_row_counts_under_its_conditions(text: str, path: str, said: bool) -> None:
    assert (("code style", "strict") in told(text, path)) is said


def test_of_two_paths_the_first_that_leads_somewhere_counts_and_a_key_may_be_missing() -> None:
    table = '[x]\nfiles = ["x.json"]\nrows = [["a? b|c", "text", "it", "It is {}."]]'
    (reader,) = SettingTable.of(table).readers()

    def read(text: str) -> list[str]:
        return [one.value for one in facts_of(reader, FileSeen("x.json", "", text))]

    assert read('{"a": {"b": "1"}, "c": "2"}') == ["1"]
    assert read('{"b": "1", "c": "2"}') == ["1"]
    assert read('{"a": {"d": 1}, "c": "2"}') == ["2"]


def tables() -> dict[str, SettingTable]:
    folder = files("companion.kinds.facts") / "tables"
    return {one.name.removesuffix(".toml"): SettingTable.of(one.read_text("utf-8")) for one in folder.iterdir()}


def test_every_table_is_read_and_every_section_is_of_files_or_sent_to() -> None:
    found = tables()
    assert set(found) == set(TABLES)
    for table in found.values():
        sent_to = {row.sent_to for section in table.sections.values() for row in section.rows} - {""}
        without_files = {name for name, section in table.sections.items() if not section.files}
        assert sent_to <= set(table.sections)
        assert without_files <= sent_to
    names = [reader.name for reader in READERS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", TABLES)
def test_every_row_is_of_words_that_are_known(name: str) -> None:
    for section in tables()[name].sections.values():
        assert set(section.format.split()) <= FORMATS.keys()
        for row in section.rows:
            word = row.at.how.partition(" ")[0]
            assert row.sent_to or word in VALUE_READERS, row
            assert row.sent_to or (row.blank.attribute and row.blank.says.endswith((".", "}"))), row
            re.compile(row.at.match)
            for condition in filter(None, (row.when, row.unless)):
                assert condition.how.partition(" ")[0] in VALUE_READERS, row


SAMPLES = tomllib.loads((Path(__file__).parent / "declared_samples.toml").read_text("utf-8"))["sample"]
SPECS = [(reader, GitIgnoreSpec.from_lines(reader.patterns)) for reader in readers()]


def line_of(one: DeclaredStatement) -> str:
    """A statement as the samples write it."""
    marks = (one.language, one.environment, "" if one.convention else "plain")
    weight = ("" if one.confidence == DECLARED else "inferred",)
    told = f"{one.line} {one.subject}: {one.attribute} = {one.value} | {one.says}"
    return f"{told} | {', '.join(filter(None, (*marks, *weight)))}".removesuffix(" | ")


def read(sample: dict[str, str]) -> list[str]:
    file = FileSeen(sample["path"], "", sample["text"])
    found = [one for reader, spec in SPECS if spec.match_file(file.path) for one in said_by(reader, file)]
    return [line_of(one.statement) for one in found]


@pytest.mark.parametrize("sample", SAMPLES, ids=[one["path"] for one in SAMPLES])
def test_each_sample_says_just_what_stands_beside_it(sample: dict[str, str]) -> None:
    assert read(sample) == sample["said"]


@pytest.mark.parametrize("name", TABLES)
def test_every_sentence_of_a_table_is_said_of_a_sample(name: str) -> None:
    said = "\n".join(line for sample in SAMPLES for line in sample["said"])
    for section in tables()[name].sections.values():
        for row in section.rows:
            asked, told = (
                re.sub(r"\\{[^}]*\\}", ".*", re.escape(text)) for text in (row.blank.attribute, row.blank.says)
            )
            assert row.sent_to or re.search(rf": {asked} = .* \| {told}(?: \||$)", said, re.MULTILINE), row
