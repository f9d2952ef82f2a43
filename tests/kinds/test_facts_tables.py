"""A declared file is read by rows of a table: one sort more is a section more, and every row leads somewhere."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from kinds.declared import facts_of

from companion.kinds.facts import READERS
from companion.kinds.facts.formats import FORMATS
from companion.kinds.facts.found import HOWS
from companion.kinds.facts.table import TABLES, Table
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
    (reader,) = Table.of(DPRINT).readers()
    assert reader.patterns == ("dprint.json",)
    drafts = facts_of(reader, FileSeen(path, "", len(text), 0, text))
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
    (reader,) = Table.of(table).readers()

    def read(text: str) -> list[str]:
        return [one.value for one in facts_of(reader, FileSeen("x.json", "", 0, 0, text))]

    assert read('{"a": {"b": "1"}, "c": "2"}') == ["1"]
    assert read('{"b": "1", "c": "2"}') == ["1"]
    assert read('{"a": {"d": 1}, "c": "2"}') == ["2"]


def tables() -> dict[str, Table]:
    folder = files("companion.kinds.facts") / "tables"
    return {one.name.removesuffix(".toml"): Table.of(one.read_text("utf-8")) for one in folder.iterdir()}


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
        assert set(section.format.split()) <= {*FORMATS, "versions"}
        for row in section.rows:
            word = row.place.how.partition(" ")[0]
            assert row.sent_to or word in HOWS, row
            assert row.sent_to or (row.blank.attribute and row.blank.says.endswith((".", "}"))), row
            re.compile(row.place.match)
            for condition in filter(None, (row.when, row.unless)):
                assert condition.how.partition(" ")[0] in HOWS, row
