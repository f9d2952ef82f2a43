"""A document as sentences: where each begins, without its markup, and what is code and no prose."""

from __future__ import annotations

import pytest

from companion.kinds.facts.prose_blocks import plain, sentences


def test_sentences_over_several_lines_know_where_they_begin() -> None:
    found = [(s.line, s.text) for s in sentences("Title\n=====\n\nOne is\nlong. Two e.g. `a. B`\nends. Three.\n")]
    assert found == [(4, "One is long."), (5, "Two e.g. `a. B` ends."), (6, "Three.")]


def test_underlined_titles_with_tildes_are_headings_not_fences() -> None:
    text = "Short\n~~~~~\n\nUse tabs.\n\n~~~\ncode\n~~~\n\nUse ``x``.\n"
    found = [(s.heading, s.text) for s in sentences(text, "CONTRIBUTING.rst")]
    assert found == [("Short", "Use tabs."), ("Short", "Use `x`.")]


def test_markup_goes_and_code_stays_as_it_is() -> None:
    assert plain("**Use** [the `a_b_c<T>` tool](http://x) for *all* `__init__` :func:`run`") == (
        "Use the `a_b_c<T>` tool for all `__init__` `run`"
    )
    assert plain("Changes &mdash; `&mdash;` &lt;T&gt; too &#8211; of AT&T; a&copy=1") == (
        "Changes — `&mdash;` <T> too – of AT&T; a&copy=1"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "Updates must use Sphinx's\n:rst:dir:`versionadded` directives.",
            "Updates must use Sphinx's `versionadded` directives.",
        ),
        ("Name the test after\n:py:meth:`~pool.Pool.take`.", "Name the test after `pool.Pool.take`."),
        (
            "Follow the rules of\n<https://example.org/rules> in tests.",
            "Follow the rules of example.org/rules in tests.",
        ),
        ("Follow the [rules](a.md) and\n[the guide](b.md) in tests.", "Follow the rules and the guide in tests."),
        ("Install with pipx_ or uv_, then run the tests.", "Install with pipx or uv, then run the tests."),
    ],
)
def test_a_sentence_is_not_cut_where_a_line_begins_with_markup(text: str, told: str) -> None:
    assert [sentence.text for sentence in sentences(text)] == [told]


def test_what_restructuredtext_sets_in_below_two_colons_or_a_directive_of_code_is_no_prose() -> None:
    text = """
* Use these names::

   Import the till as t.

   ----

   Never import the rest.

  Then sort them.

* .. note::

     Please sort the rest.

.. code-block:: python
   :linenos:

   Always run this.

.. note::

   Please run the tests.

Put the notes in ``notes/``:

   Add one for each change.
"""
    assert [sentence.text for sentence in sentences(text, "CONTRIBUTING.rst")] == [
        "Use these names::",
        "Then sort them.",
        "Please sort the rest.",
        "Please run the tests.",
        "Put the notes in `notes/`:",
        "Add one for each change.",
    ]


def test_code_below_a_line_of_its_own_belongs_to_no_sentence_above_it() -> None:
    text = "Install the hooks, which will format your files.\n\n::\n\n    $ pre-commit install\n"
    assert [(s.text, s.code) for s in sentences(text, "CONTRIBUTING.rst")] == [
        ("Install the hooks, which will format your files.", "")
    ]


def test_a_fence_over_a_line_of_dashes_is_no_heading() -> None:
    text = "# Contributing\n\n```{toctree}\n---\nhidden:\n---\n\nbasics\n```\n\nAdd tests for new functions.\n"
    assert [(one.heading, one.text) for one in sentences(text)] == [("Contributing", "Add tests for new functions.")]


@pytest.mark.parametrize("mark", ["**", "_", "*"])
def test_what_is_stressed_over_several_sentences_is_told_without_its_marks(mark: str) -> None:
    text = f"{mark}Run `__init__` first. Name it if relevant.{mark} Then `a_b`, {mark}if relevant{mark}.\n"
    assert [(one.line, one.text) for one in sentences(text)] == [
        (1, "Run `__init__` first."),
        (1, "Name it if relevant."),
        (1, "Then `a_b`, if relevant."),
    ]


def test_asciidoc_is_read_with_its_own_lists_links_and_code() -> None:
    text = """= Contributing
:toc: macro
ifdef::env-github[]
:tip-caption: :bulb:
endif::[]

IMPORTANT: Ask in the https://example.org/chat[*chat*] first, see <<rules,the rules>> and {docs}/a[more].

== Build

. Run the tests:
+
[source,shell]
----
$ ./mvnw verify
----
. Use `+main+` as the base. +
Sign off.
** Never squash.

[source,java]
----
// Write a test.
----

|===
|Use tabs
for all files.
a|Never.
|===

____
Quoted words.
____

[.lead]See link:docs/a.adoc[one]

. one
10. ten

.Ideas
****
See link:docs/ideas.adoc[ideas^] and link:docs/empty.adoc[].
****
"""
    found = [(one.line, one.heading, one.text, one.numbered, one.code) for one in sentences(text, "CONTRIBUTING.adoc")]
    assert found == [
        (7, "Contributing", "Ask in the chat first, see the rules and more.", False, ""),
        (11, "Build", "Run the tests:", True, "./mvnw verify"),
        (17, "Build", "Use `main` as the base.", True, ""),
        (18, "Build", "Sign off.", True, ""),
        (19, "Build", "Never squash.", False, ""),
        (36, "Build", "[.lead]See one", False, ""),
        (38, "Build", "one", True, ""),
        (39, "Build", "ten", True, ""),
        (43, "Build", "See ideas and link:docs/empty.adoc[].", False, ""),
    ]


def test_what_has_no_letter_is_no_sentence() -> None:
    assert [one.text for one in sentences("Use tabs.\n\n- !!\n\n- ...\n")] == ["Use tabs."]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[A guide](https://a.b/c),[Second](https://b.c/d) must be read.", "A guide,Second must be read."),
        (
            "Indices are checked, so\nstd::array[i] must be\nused.",
            "Indices are checked, so std::array[i] must be used.",
        ),
        ("Use cat << EOF and x >> file.", "Use cat << EOF and x >> file."),
        ("[Code of Conduct]", "Code of Conduct"),
    ],
)
def test_markdown_is_not_read_by_the_rules_of_asciidoc(text: str, told: str) -> None:
    assert [one.text for one in sentences(text, "CONTRIBUTING.md")] == [told]
