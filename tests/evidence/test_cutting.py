"""What a file is cut into, by examples: each passage as `kind lines [headings >] title`."""

from __future__ import annotations

from textwrap import dedent

import pytest

from companion.evidence.blocks import Markup, read_blocks
from companion.evidence.cutting import cut_file
from companion.records import Passage, PassageKind
from companion.syntax import parse


def cut(path: str, text: str) -> tuple[Passage, ...]:
    text = dedent(text).lstrip("\n")
    return cut_file(path, text, parse(path, text.encode(), ""))


def told(path: str, text: str) -> list[str]:
    return [f"{p.kind} {p.span[0]}-{p.span[1]} {' > '.join((*p.headings, p.title))}".rstrip() for p in cut(path, text)]


LONG = "It is told at length why this is so and what would happen if it were done in some other way by somebody else. "


def test_markdown_is_cut_at_headings_and_a_heading_stands_with_what_follows_it():
    assert told(
        "README.md",
        """
        # Project

        What it is.

        ## Running `tests`

        Run them with:

        ```sh
        # no heading
        make test
        ```

        Setext
        ------
        - one
        - two
          goes on

        <h2 align="center">Licence</h2>
        MIT.
        """,
    ) == [
        "document 1-4 Project",
        "document 5-13 Project > Running tests",
        "document 14-19 Project > Setext",
        "document 20-21 Project > Licence",
    ]


def test_small_neighbours_are_joined_and_items_stay_whole_with_their_continuation():
    item = "- " + LONG * 2 + "\n\n  " + LONG
    text = "Short.\n\nShort too.\n\n" + LONG * 2 + "\n\n" + "\n".join([item] * 3)
    assert told("a.md", text) == ["document 1-6", "document 7-9", "document 10-12", "document 13-15"]


def test_a_long_paragraph_is_cut_where_a_sentence_ends():
    lines = [LONG.strip() if number % 2 else LONG.strip(". ") for number in range(24)]
    spans = [p.span for p in cut("a.md", "\n".join(lines))]
    assert len(spans) > 2
    assert all(lines[last - 1].endswith(".") for _, last in spans)


def test_restructuredtext_levels_follow_the_order_of_their_marks_and_labels_go_with_their_heading():
    assert told(
        "docs/a.rst",
        """
        =====
        Title
        =====

        Text.

        .. _below:

        Section
        =======

        Text.

        Part
        ----

        .. code-block:: python

            run()

        Other
        =====
        Text.
        """,
    ) == [
        "document 1-6 Title",
        "document 7-13 Title > Section",
        "document 14-20 Title > Section > Part",
        "document 21-23 Title > Other",
    ]


def test_asciidoc_and_plain_texts_have_headings_too():
    assert told("a.adoc", "= Book\n\nText.\n\n== Part\n\n----\n== no heading\n----\n") == [
        "document 1-4 Book",
        "document 5-9 Book > Part",
    ]
    assert told("CHANGES", "1.0\n===\n\n- a fix\n\n0.9\n===\n\n- a start\n") == ["document 1-5 1.0", "document 6-9 0.9"]


def test_what_stands_above_code_in_asciidoc_is_no_text_around_it():
    text = "= Book\n\nRun it:\n[source,bash]\n.In a shell\n----\n# a comment\n\n== no heading\n----\n\n[TIP]\n====\nBe quick.\n====\n"
    found = [(b.sort.value, b.first, b.last) for b in read_blocks(text.splitlines(), Markup.ASCIIDOC)]
    assert found == [
        ("heading", 1, 1),
        ("text", 3, 3),
        ("label", 4, 4),
        ("label", 5, 5),
        ("code", 6, 10),
        ("label", 12, 12),
        ("rule", 13, 13),
        ("text", 14, 14),
        ("rule", 15, 15),
    ]


def test_an_item_of_asciidoc_is_as_deep_as_its_marks():
    blocks = read_blocks(["* one", "** below", "*** deeper", ". first", ".. a step"], Markup.ASCIIDOC)
    assert [(b.sort.value, b.indent) for b in blocks] == [
        ("item", 0),
        ("item", 1),
        ("item", 2),
        ("item", 0),
        ("item", 1),
    ]


def test_the_marks_of_a_conflict_are_no_headings():
    text = "# A\n\n<<<<<<< ours\nOne line\n=======\nOther line\n>>>>>>> theirs\n"
    assert told("a.md", text) == ["document 1-7 A"]


PYTHON = '''
"""The module.

It does things.
"""

import os
from sys import path

# Half a minute: what a slow disk needs.
LIMIT = 30
OTHER = 2


@cached
@also(
    1,
)
def load(name):
    """Load it. Raise if it is not there.

    The order of look-ups is kept.
    """
    return os.path.join(name, *path)


class Store:
    """Holds things."""

    size = 0

    def get(self, key):
        """One sentence."""
        if key:
            return key

        return None

    # Nobody must call this twice:
    # the second call would find
    # the lock taken.
    def put(self, key):
        self.size += 1
        self.size += 1
        self.size += 1
        self.size += 1
        self.size += 1
        self.size += 1
        self.size += 1
        self.size += 1
        return key
'''


def test_python_is_cut_by_symbols_with_decorators_and_comments_and_imports_apart():
    assert told("a.py", PYTHON) == [
        "chunk 1-5 The module.",
        "chunk 6-8",
        "chunk 9-13 LIMIT = 30; OTHER = 2",
        "chunk 14-25 def load(name)",
        "chunk 26-30 class Store",
        "chunk 31-37 Store > def get(self, key)",
        "chunk 38-50 Store > def put(self, key)",
        "docstring 1-4 The module.",
        "docstring 19-22 load > Load it. Raise if it is not there.",
        "docstring 38-40 Store > put > Nobody must call this twice:",
    ]
    assert [p.symbol for p in cut("a.py", PYTHON)][3:7] == ["load", "Store", "Store.get", "Store.put"]


def test_terraform_is_cut_by_blocks_and_its_lock_as_settings():
    body = "".join(f"  key{n} = {n}\n" for n in range(6))
    heads = ['resource "aws_eip" "till"', 'variable "zone"', 'output "address"']
    text = "# Who comes in.\n// Ask\n/* at\nthe door. */\n" + "\n".join(f"{head} {{\n{body}}}\n" for head in heads)
    assert told("main.tf", text) == [
        'chunk 1-13 aws_eip > resource "aws_eip" "till"',
        'chunk 14-22 var > variable "zone"',
        'chunk 23-30 output > output "address"',
        "docstring 1-2 aws_eip > till > Who comes in.",
    ]
    assert [p.symbol for p in cut("main.tf", text)][:3] == ["aws_eip.till", "var.zone", "output.address"]
    assert told(".terraform.lock.hcl", '# Written.\nprovider "aws" {\n  version = 1\n}\n')[0] == "chunk 1-4 provider"


def test_a_long_function_is_given_in_parts_each_under_its_signature():
    body = "\n\n".join("    if value == 1:\n" + "        value += 1\n" * 12 + "        value += 2" for _ in range(12))
    parts = [p for p in cut("a.py", f"def long(value):\n{body}\n") if p.kind is PassageKind.CHUNK]
    assert len(parts) > 2
    assert {(p.title, p.symbol) for p in parts} == {("def long(value)", "long")}
    assert all(p.text.lstrip().startswith(("def", "if")) for p in parts)
    assert all(40 <= len(p.text.split("\n")) <= 80 for p in parts)


def test_blocks_without_a_name_are_cut_as_definitions_are_and_stand_under_what_they_begin_with():
    asks = "\n".join(f"      check({n})" for n in range(9))
    cases = "\n\n".join(f"    it('takes {n}', function () {{\n{asks}\n    }})" for n in range(3))
    text = f"const a = require('a')\n\n// What it gives.\ndescribe('sums', () => {{\n  describe(\"of two\", () => {{\n{cases}\n  }})\n}})\n"
    assert told("a.spec.js", text) == [
        "chunk 1-2 a = require('a')",
        "chunk 3-17 describe 'sums' > describe \"of two\" > it 'takes 0'",
        "chunk 18-29 describe 'sums' > describe \"of two\" > it 'takes 1'",
        "chunk 30-42 describe 'sums' > describe \"of two\" > it 'takes 2'",
    ]


def test_a_brace_on_a_line_of_its_own_and_lines_for_the_preprocessor_name_no_block():
    asks = "\n".join(f"        CHECK(sum({n}) == {n});" for n in range(9))
    cases = "\n\n".join(f'    SECTION("takes {n}")\n    {{\n{asks}\n    }}' for n in range(3))
    text = f'#include "sums.hpp"\n\n#if SUMS\nTEST_CASE("sums")\n{{\n{cases}\n}}\n#endif\n'
    assert told("sums_test.cpp", text) == [
        "chunk 1-2",
        'chunk 3-18 TEST_CASE "sums" > SECTION "takes 0"',
        'chunk 19-31 TEST_CASE "sums" > SECTION "takes 1"',
        'chunk 32-45 TEST_CASE "sums" > SECTION "takes 2"',
    ]


def test_a_comment_that_quotes_a_word_is_told_as_it_is_written():
    asks = "\n".join(f" *    go({n});" for n in range(20))
    text = (
        f"/**\n * Go to the given `url` with a status.\n *\n{asks}\n */\n\nres.go = function go(url) {{\n{asks}\n}};\n"
    )
    assert "Go to the given `url` with a status." in [one.title for one in cut("a.js", text)]


def test_tests_with_a_title_in_a_class_are_cut_by_their_titles_whether_it_has_a_method_or_not():
    asks = "\n".join(f"    check({n})" for n in range(9))
    cases = "\n\n".join(f"  test 'takes {n}' do\n{asks}\n  end" for n in range(3))
    tests = [
        "chunk 1-13 SumsTest > class SumsTest < Base; test 'takes 0'",
        "chunk 14-25 SumsTest > test 'takes 1'",
        "chunk 26-37 SumsTest > test 'takes 2'",
    ]
    assert told("sums_test.rb", f"class SumsTest < Base\n{cases}\nend\n") == tests
    beside = f"class SumsTest < Base\n{cases}\n\n  def given\n{asks}\n  end\nend\n"
    assert told("sums_test.rb", beside) == [*tests, "chunk 38-49 SumsTest > def given"]


def test_what_a_block_of_tests_imports_leaves_it_a_block_of_tests():
    asks = "\n".join(f"      check({n})" for n in range(9))
    cases = "\n\n".join(f'    test "takes {n}" do\n{asks}\n    end' for n in range(3))
    text = f'defmodule SumsTest do\n  describe "of two" do\n    import Sums\n\n{cases}\n  end\nend\n'
    assert told("sums_test.exs", text)[-2:] == [
        'chunk 17-28 SumsTest > describe "of two" > test "takes 1"',
        'chunk 29-41 SumsTest > describe "of two" > test "takes 2"',
    ]


def test_a_definition_in_a_block_does_not_end_it():
    asks = "\n".join(f"    check({n})" for n in range(20))
    text = f"describe('sums', () => {{\n  function given(a) {{\n{asks}\n  }}\n\n  it('adds', () => {{\n{asks}\n  }})\n}})\n"
    assert told("a.spec.js", text) == [
        "chunk 1-24 describe('sums', () => {; function given(a)",
        "chunk 25-47 describe 'sums' > it 'adds'",
    ]


def test_a_block_is_whole_whatever_blank_lines_it_has_unless_it_is_a_list_of_others():
    steps = "\n\n".join(f"    run {n}\n    wait {n}" for n in range(9))
    text = f"namespace :db do\n  task :load do\n{steps}\n  end\nend\n\nx = 1\ny = 2\n\nz = 3\n"
    assert told("Rakefile", text) == ["chunk 1-31 namespace :db do", "chunk 32-35 x = 1"]


def test_go_methods_stand_under_their_receiver_with_the_comment_above():
    text = """
    package store

    import "fmt"

    // Open opens it. It fails
    // where nothing is.
    func (s *Store) Open() error {
    PRINTS
    \treturn nil
    }

    const (
    \tA = 1
    \tB = 2
    )
    """
    assert told("a.go", text.replace("    PRINTS\n", "    \tfmt.Println(s)\n" * 14)) == [
        "chunk 1-4 package store",
        "chunk 5-24 Store > func (s *Store) Open() error",
        "chunk 25-28 const (; A = 1; B = 2",
        "docstring 5-6 Store > Open > Open opens it. It fails",
    ]


def test_a_file_of_few_lines_is_one_chunk():
    assert told("a.py", "import os\n\n\ndef one():\n    return 1\n\n\ndef two():\n    return os\n") == [
        "chunk 1-9 def one(); def two()"
    ]


def test_rust_impl_heads_go_with_their_first_method_and_closing_brackets_with_the_last():
    body = "        one();\n" * 8
    text = f"impl Sink for File {{\n    fn put(&self) {{\n{body}    }}\n\n    fn get(&self) {{\n{body}    }}\n}}\n\nimpl Drop for File {{\n    fn drop(&mut self) {{\n{body}    }}\n}}\n"
    assert told("a.rs", text) == [
        "chunk 1-12 File > impl Sink for File {; fn put(&self)",
        "chunk 13-24 File > fn get(&self)",
        "chunk 25-36 File > impl Drop for File {; fn drop(&mut self)",
    ]


def test_typescript_types_are_cut_into_head_and_methods():
    methods = "\n".join(f"  method{n}(): void {{\n" + "    work();\n" * 8 + "  }\n" for n in range(3))
    text = f"import {{ a }} from './a';\n\n/** A thing. It works. */\nexport class Thing {{\n  private x = 1;\n  private y = 2;\n  private z = 3;\n\n{methods}}}\n"
    assert told("a.ts", text) == [
        "chunk 1-2",
        "chunk 3-8 class Thing",
        "chunk 9-19 Thing > method0(): void",
        "chunk 20-30 Thing > method1(): void",
        "chunk 31-41 Thing > method2(): void",
        "docstring 3-3 Thing > A thing. It works.",
    ]


def test_workflows_give_their_jobs_and_each_comment_with_what_it_explains():
    steps = "".join(f"      - run: step {n}\n        if: always()\n" for n in range(14))
    text = f"name: CI\non: push\n\njobs:\n  test:\n    # Windows is slow here, so it has longer.\n    timeout-minutes: 40\n    steps:\n{steps}  lint:\n    steps:\n{steps}"
    assert told(".github/workflows/ci.yml", text) == [
        "chunk 1-3 name, on",
        "chunk 4-36 jobs > test",
        "chunk 37-66 jobs > lint",
        "comment 6-7 jobs > test > Windows is slow here, so it has longer.",
    ]


def test_toml_gives_its_tables_and_comments_behind_a_value_keep_it():
    text = """
    [tool.ruff]
    line-length = 120  # two panes on a screen

    # Tests may do
    # what code may not.
    [tool.ruff.lint]
    select = ["E"]
    """
    assert told("pyproject.toml", text) == [
        "chunk 1-3 tool.ruff",
        "chunk 4-7 tool.ruff.lint",
        "comment 2-2 tool.ruff > two panes on a screen",
        "comment 4-7 tool.ruff.lint > Tests may do",
    ]


def test_makefiles_give_their_targets():
    targets = "".join(f"target{n}: dep\n" + "\tgo build ./...\n" * 28 + "\n" for n in range(2))
    assert told("Makefile", "# How it is built.\nGO = go\n\n" + targets) == [
        "chunk 1-3 GO",
        "chunk 4-33 target0",
        "chunk 34-63 target1",
        "comment 1-2 GO > How it is built.",
    ]


def test_notebooks_are_cut_by_cells_without_what_they_printed():
    text = """
    {
     "cells": [
      {
       "cell_type": "markdown",
       "source": [
        "# Loading\\n",
        "How it is loaded."
       ]
      },
      {
       "cell_type": "code",
       "outputs": [{"text": "printed"}],
       "source": [
        "a = 1\\n",
        "print(\\"a\\")"
       ]
      }
     ]
    }
    """
    found = cut("a.ipynb", text)
    assert [(p.kind, p.title, p.text) for p in found] == [
        (PassageKind.DOCUMENT, "Loading", "# Loading\nHow it is loaded."),
        (PassageKind.CHUNK, "", 'a = 1\nprint("a")'),
    ]


def test_an_empty_file_and_a_binary_one_have_no_passages():
    assert cut_file("a.py", "", None) == ()
    assert cut_file("a.md", "a\0b", None) == ()


def test_minified_code_and_endless_lines_are_few_passages_of_bounded_length():
    assert len(cut_file("a.js", "function a(b){return b+1};" * 20_000, None)) == 1
    assert len(cut_file("a.json", '{"a": 1},\n' * 20_000, None)) <= 60
    assert max(len(p.text) for p in cut_file("a.js", ("var a=1;" * 60 + "\n") * 200, None)) <= 8_000


def test_lines_that_end_the_way_of_windows_are_cut_as_others():
    text = "# A\r\n\r\nText.\r\n"
    assert [(p.title, p.text) for p in cut_file("a.md", text, None)] == [("A", "# A\n\nText.")]


LICENCE = """
    // Copyright 2024 The Shop
    //
    // Use of this source code is governed by a licence.
"""


def test_a_notice_of_copyright_is_a_passage_of_its_own_beside_what_a_source_says():
    source = (
        LICENCE
        + "\n    package till\n\n    // Sum adds prices.\n    func Sum(prices []int) int {\n        return 0\n    }\n"
    )
    assert told("till/sum.go", source) == ["chunk 5-10 package till; func Sum(prices []int) int", "notice 1-3"]
    close = LICENCE.replace("//", "#") + "    class Sum\n    end\n"
    assert told("till/sum.rb", close) == ["chunk 4-5 class Sum", "notice 1-3"]


def test_a_notice_may_stand_below_a_line_of_code_and_in_several_comments():
    php = "<?php\n\n/*\n * This file is part of Till.\n *\n * For the license see LICENSE.\n */\n\nnamespace Till;\n\nclass A {}\n"
    assert told("src/A.php", php)[-1] == "notice 1-7"
    yaml = "# SPDX-License-Identifier: MIT\n\n# Copyright 2024 The Shop\n\n# Why: it is slow.\njobs:\n  test: 1\n"
    assert told("ci.yml", yaml)[-1] == "notice 1-3"


def test_what_is_no_comment_at_the_head_is_no_notice():
    late = "a = 1\nb = 2\nc = 3\n# The license key is asked for once.\nd = 4\n"
    document = "# License\n\nMIT.\n"
    assert all(not one.startswith("notice") for one in (*told("keys.py", late), *told("README.md", document)))


def test_entries_of_a_list_are_called_as_they_say_and_lines_that_steer_a_template_name_nothing():
    task = "- name: {}\n  package:\n    name: docker\n" + "    state: present\n" * 12
    tasks = "---\n" + "\n".join(task.format(name) for name in ("Install Docker.", '"Start it"'))
    assert told("tasks/main.yml", tasks + "\n" * 2 + task.format("Stop it") * 2) == [
        "chunk 1-17 Install Docker.",
        "chunk 18-34 Start it",
        "chunk 35-64 Stop it",
    ]
    keys = "".join(f"{{{{- with .Values.{key} }}}}\n{key}: {{{{ . }}}}\n{{{{- end }}}}\n" for key in ("image", "ports"))
    assert (
        told("templates/pod.yaml", f"kind: Pod\n{keys}" + "labels: {}\n" * 40)[0]
        == "chunk 1-24 kind, image, ports, labels"
    )


def test_what_a_tool_writes_into_a_document_is_a_notice_and_an_open_mark_is_none():
    said = "Words that people wrote here. " * 10
    text = f"# Title\n\n{said}\n\n<!-- BEGIN_TF_DOCS -->\n## Inputs\n\n{said}\n<!-- END_TF_DOCS -->\n\n## Licence\n\n{said}\n"
    assert told("README.md", text) == [
        "document 1-5 Title",
        "notice 6-9 Title > Inputs",
        "document 11-13 Title > Licence",
    ]
    assert "notice" not in " ".join(told("README.md", text.replace("<!-- END_TF_DOCS -->", "")))


@pytest.mark.parametrize(
    ("opening", "ending"),
    [
        ("<!-- GETTING STARTED -->", "<!-- THE END -->"),
        ("<!-- BEGIN one -->", "<!-- END two -->"),
        ("<!-- BEGIN version -->1.2<!-- END version -->", "<!-- END help -->"),
        ("<!-- START -->", "<!-- END -->"),
    ],
)
def test_comments_that_are_no_pair_of_a_tool_hide_nothing(opening: str, ending: str):
    said = "Words that people wrote here. " * 10
    text = f"# Title\n\n{said}\n\n{opening}\n\n## Rules\n\n{said}\n\n{ending}\n"
    assert "notice" not in " ".join(told("README.md", text))


def test_a_tool_may_say_more_where_it_begins():
    said = "- someone who helped a lot\n" * 30
    text = f"# Title\n\n<!-- ALL-CONTRIBUTORS-LIST:START - Do not remove -->\n## People\n\n{said}<!-- ALL-CONTRIBUTORS-LIST:END -->\n"
    assert "notice" in " ".join(told("README.md", text))
