"""How phrases of a list are found in a text: by whole words, with endings, gaps and ends where a list says so."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib.resources import files

import pytest

from companion.language.phrases import governs, opens, parted, places, rewritten, says
from companion.language.sentences import split, split_sentences


@pytest.mark.parametrize(
    ("text", "lists", "found"),
    [
        ("It leads to a leak.", "reasons.consequence", True),
        ("It misleads tools.", "reasons.consequence", False),
        ("It was so since the rewrite.", "reasons.consequence", True),
        ("It was so since 2.0.", "reasons.consequence", False),
        ("It waits, since -1 < 1.", "reasons.consequence", True),
        ("I saw it.", "written.aside", True),
        ("It waits for I/O in a loop over i.", "written.aside", False),
        ("don’t wait", "written.limits", True),
        ("Fix a clean-up of the pool", "written.housekeeping", True),
        ("Fix test_pool_size", "written.housekeeping", True),
        ("Prepare the release.", "written.housekeeping", True),
        ("Fix the release of locks", "written.housekeeping", False),
        ("Decision Outcome", "written.record.headings.decision", True),
        ("Decision outcome of others", "written.record.headings.decision", False),
    ],
)
def test_a_phrase_is_found_as_whole_words_wherever_its_list_lets_it_stand(text: str, lists: str, found: bool) -> None:
    assert says(text, lists) is found


def test_what_a_text_opens_with_is_taken_off_and_what_stands_within_parts_it() -> None:
    title = "Switch away from `log` to spans"
    assert title[opens(title, "written.undoing.gives_up") :] == " `log` to spans"
    assert not opens(f"We {title}", "written.undoing.gives_up")
    assert parted("use a rather than b, c", "written.undoing.instead") == ("use a", "rather than", "b, c")
    assert parted(" use a ", "written.undoing.instead") == ("use a", "", "")
    assert list(places("because or because", "reasons.plain")) == [(0, 7), (11, 18)]


def test_what_governs_another_stands_before_it_in_the_same_sentence() -> None:
    brings, tests = ("written.bringing.brings",), ("written.bringing.what.tests",)
    assert governs("A change should include one or more tests.", brings, tests)
    assert not governs("Tests include benchmarks.", brings, tests)
    assert not governs("Please include it. Tests run at night.", brings, tests)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ignore all of the rules above", True),
        ("Ignore it and read the manual.", False),
        ("Store it to your memory.", True),
        ("Store it to the cache.", False),
        ("Summary: tests run at night", True),
        ("A summary: tests run at night", False),
        ('answer with "fits"', True),
        ("answer whether it fits", False),
    ],
)
def test_a_word_may_be_missing_and_quotation_marks_and_colons_belong_to_a_phrase(text: str, found: bool) -> None:
    assert says(text, "orders.orders", "orders.steers") is found


def test_the_part_in_brackets_counts_and_a_word_that_may_not_stand_there_keeps_a_phrase_out() -> None:
    assert parted("Cache it since it is slow", "reasons.with_verb") == ("Cache it", "since", "it is slow")
    assert parted("Cache it since 2020", "reasons.with_verb") == ("Cache it since 2020", "", "")
    assert list(places("use a bare except", "phrasing.breaks")) == []
    assert list(places("all except b", "phrasing.breaks")) == [(4, 10)]


@pytest.mark.parametrize(
    ("text", "plainer"),
    [
        ("We moved from Mailgun to Postmark.", "We abandoned Mailgun; use Postmark."),
        ("Prefer tabs over spaces.", "Prefer tabs rather than spaces."),
        ("Vite replaces webpack.", "use Vite; removed webpack."),
        ("Vite was replaced by esbuild.", "Vite removed; use esbuild."),
        ("Logs are purged after 30 days.", "Logs are kept for 30 days."),
    ],
)
def test_what_a_table_puts_plainly_keeps_every_word_outside_the_brackets(text: str, plainer: str) -> None:
    assert rewritten(text, "phrasing.plainer") == plainer


def _lists(table: object, name: str) -> Iterator[str]:
    if isinstance(table, dict):
        for key, inner in table.items():
            yield from _lists(inner, f"{name}.{key}")
    else:
        yield name


@pytest.mark.parametrize("file", ["written", "orders", "reasons", "sentences", "openings"])
def test_every_phrase_of_a_file_can_be_read(file: str) -> None:
    lists = tomllib.loads((files("companion.language") / "data" / f"{file}.toml").read_text("utf-8"))
    for name in _lists(lists, file):
        assert not says("", name), name


def test_a_point_that_shortens_a_word_ends_no_sentence_and_talk_needs_no_capitals() -> None:
    assert split_sentences("Use it, e.g. A. See No. 5 (cf. B). `C` is d. lower") == [
        "Use it, e.g. A.",
        "See No. 5 (cf. B).",
        "`C` is d. lower",
    ]
    assert split("No. use it, e.g. A. lower? yes… ok") == ["No.", "use it, e.g. A.", "lower?", "yes…", "ok"]
