"""What a memory says at shorter lengths, and what it must not lose on the way."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.kinds.levels import (
    INDEX_CHARS,
    episode_levels,
    fact_levels,
    ladder,
    opening,
    pattern_levels,
    pointer,
    workflow_levels,
)
from companion.kinds.prose import narrative, sentences
from companion.records import Scope

VOCABULARY = """
    the cache is not kept when retry_count exceeds 3 or 4.5 in src/app.py and PostgreSQL never returns JSON without
    a timeout of 30s unless --force is given because Anna chose Redis; parser.load() fails
"""
WORDS = st.sampled_from(VOCABULARY.split())
SENTENCES = st.lists(WORDS, min_size=1, max_size=18).map(lambda words: " ".join(words).capitalize())
TEXTS = st.lists(SENTENCES, min_size=1, max_size=30).map(". ".join)
PLAIN_TEXTS = st.text(max_size=400)


def said(text: str) -> list[str]:
    """The sentences of a text without the stop at their end."""
    return [sentence.rstrip(" .,;") for sentence in sentences(text)]


def words(text: str) -> list[str]:
    """The words of a text, whatever stands between them."""
    return re.findall(r"\w+", text)


@given(st.one_of(TEXTS, PLAIN_TEXTS))
def test_every_sentence_of_a_level_is_a_whole_sentence_of_the_full_text(text: str) -> None:
    levels = ladder(text, beside="Files: a.py")
    for level in (levels.summary, levels.compressed):
        assert level == levels.full or said(level) == said(text)[: len(said(level))]


@given(SENTENCES, TEXTS, st.lists(st.sampled_from(["a.py", "b.py"]), max_size=20))
def test_a_story_told_shorter_is_how_it_begins_word_for_word(title: str, story: str, files: list[str]) -> None:
    levels = episode_levels(title, story, files)
    every = words(levels.full)
    for level in (levels.summary, levels.compressed):
        assert words(level) == every[: len(words(level))]
    assert words(levels.summary)[: len(words(title))] == words(title)


@given(PLAIN_TEXTS)
def test_any_text_gets_four_levels_each_no_longer_than_the_one_above(text: str) -> None:
    levels = ladder(text)
    assert len(levels.full) >= len(levels.summary) >= len(levels.compressed)
    assert 0 < len(levels.index) <= INDEX_CHARS
    assert "\n" not in levels.index


@given(PLAIN_TEXTS)
def test_an_index_entry_is_how_its_text_begins_and_says_where_it_goes_on(text: str) -> None:
    line, entry = " ".join(text.split()), pointer(text)
    assert not line or line.startswith(entry.removesuffix("…"))
    assert entry.endswith("…") or not line or entry == line.rstrip(".") or entry == line


@given(TEXTS)
def test_the_same_text_gives_the_same_levels(text: str) -> None:
    assert ladder(text) == ladder(text)


def test_a_summary_does_not_end_with_what_announces_the_rest() -> None:
    text = f"Tests run before a push. The steps are these:\n{'Run all of them with care. ' * 30}"
    assert opening(text, 50) == "Tests run before a push."


def test_a_fact_has_its_value_and_scope_at_each_level() -> None:
    levels = fact_levels("database", "db", "postgres", Scope(environment="prod"))
    assert levels.compressed == levels.summary == levels.full == "database db: postgres (prod)"


def test_an_episode_is_its_title_when_compressed_and_names_its_files_in_full_alone() -> None:
    levels = episode_levels(
        "Fix KeyError in Config.load when the key is not set",
        "The lookup did not handle missing keys. It returns None now. " + "Later work follows. " * 60,
        [f"src/part_{i}.py" for i in range(20)],
    )
    assert levels.compressed == "Fix KeyError in Config.load when the key is not set"
    assert levels.summary.startswith("Fix KeyError in Config.load when the key is not set. The lookup did not handle")
    assert "part_1" not in levels.summary
    assert "and 5 more" in levels.full
    assert levels.index == "Fix KeyError in Config.load when the key is not…"


def test_a_pattern_is_its_hint_and_a_workflow_its_steps() -> None:
    pattern = pattern_levels(
        "endpoint", "endpoint: route→validate→respond", {"route": "{method} /api/{resource}"}, ("4 places.",)
    )
    assert pattern.compressed == "endpoint: route→validate→respond."
    assert pattern.summary == "endpoint: route→validate→respond. 4 places."
    assert "{method} /api/{resource}" in pattern.full
    short = pattern_levels("class", "class: in the root", {}, ("Each file has a test.", "8 places."))
    assert short.full.split() == "class: in the root. Each file has a test. 8 places.".split()
    workflow = workflow_levels("deploy", ("test", "build", "prod"), {"test": "pnpm test"})
    assert workflow.compressed == workflow.summary == "deploy: test→build→prod"
    assert "pnpm test" in workflow.full


def test_a_message_body_is_told_without_trailers_templates_and_quotes() -> None:
    body = """<!-- describe your change -->
## Checklist
- [ ] tests
- [x] docs

The pool kept closed
connections. See [the report](https://example.org/1).

> quoted mail
Fixes #12
Closes: #13, #14
https://ci.example.org/build/9
Merge pull request 8620

Signed-off-by: Anna Berg <anna@example.org>
Co-authored-by: Bo <bo@example.org>
"""
    assert narrative(body) == "The pool kept closed connections. See the report."


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("It failed.\n\n![image](https://example.org/1.png)\n\nIt works.", "It failed.\n…\nIt works."),
        ("It failed.\n\n[A word about\nit](https://example.org/1)\n", "It failed."),
        (
            "It failed (see https://example.org/1). It works now ([#7](https://example.org/7)).",
            "It failed. It works now.",
        ),
        ("~It fails\nat times.~\n\nIt failed in ~/a and ~/b.", "It failed in ~/a and ~/b."),
        ("The refactor-\nthen-change order holds.", "The refactor-then-change order holds."),
        (
            "Since `!` binds tighter than `=~`, that fails (`a =~ b`).",
            "Since `!` binds tighter than `=~`, that fails (`a =~ b`).",
        ),
        ("It failed.\n\n~~~python\ncode\n~~~\nThat was wrong.", "It failed.\n…\nThat was wrong."),
        ("Follow-up to https://example.org/1\n\nIt failed.", "It failed."),
        ("Accept the formats of\n[ISO 8601](https://example.org/1).", "Accept the formats of ISO 8601."),
        ("We see ![x](https://example.org/1.png) here.\n\nIt failed.", "It failed."),
        ("It failed (as of #12 for one). fix: nothing (#2)", "It failed (as of #12 for one). fix: nothing (#2)"),
        ("It is two-\nand three-way.", "It is two- and three-way."),
        ("- [x] done\n## Description\nThe pool closes.", "The pool closes."),
        ("## `--endian` flag for `format bits`\nIt fails.", "It fails."),
        ("There is\nnone.", "There is none."),
        ("BREAKING-CHANGE: idle pools are closed.", "BREAKING-CHANGE: idle pools are closed."),
        ("-----------\nIt failed.", "It failed."),
        ("It failed.\n\n## Tests\n    make test\n\n## Result\nIt works.", "It failed.\nIt works."),
        ("# Description\nIt failed.\n\n# Tests + Formatting\n\nNone were made.\n\nIt works.", "It failed.\nIt works."),
        ("It failed.\n- [x] `make fmt`\n(that applies it)\n\nN/A\n", "It failed."),
    ],
)
def test_what_a_request_shows_strikes_out_or_ticks_off_is_not_told(body: str, told: str) -> None:
    assert narrative(body) == told


def test_a_setting_on_a_line_is_no_prose_unless_the_sentence_goes_on_there() -> None:
    assert narrative("It fails with this.\n\nRUST_LOG=debug cargo run\n") == "It fails with this."
    assert narrative("Without it the usual is\nTERM=dumb, which has no colour.") == (
        "Without it the usual is TERM=dumb, which has no colour."
    )


@given(st.text(max_size=600))
def test_any_body_has_a_narrative_no_longer_than_its_limit(body: str) -> None:
    assert len(narrative(body, limit=200)) <= 200 + 20
