"""What a memory says at shorter lengths, and what it must not lose on the way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.kinds.levels import (
    INDEX_CHARS,
    episode_levels,
    fact_levels,
    ladder,
    pattern_levels,
    slug,
    survives,
    workflow_levels,
)
from companion.kinds.prose import narrative
from companion.records import Scope

VOCABULARY = """
    the cache is not kept when retry_count exceeds 3 or 4.5 in src/app.py and PostgreSQL never returns JSON without
    a timeout of 30s unless --force is given because Anna chose Redis; parser.load() fails
"""
WORDS = st.sampled_from(VOCABULARY.split())
SENTENCES = st.lists(WORDS, min_size=1, max_size=18).map(" ".join)
TEXTS = st.lists(SENTENCES, min_size=1, max_size=8).map(". ".join)


@given(TEXTS)
def test_each_level_made_by_rules_survives_the_one_above(text: str) -> None:
    levels = ladder(text)
    assert survives(levels.full, levels.summary) == ()
    assert survives(levels.summary, levels.compressed) == ()


@given(st.text(max_size=400))
def test_any_text_gets_four_levels_each_no_longer_than_the_one_above(text: str) -> None:
    levels = ladder(text)
    assert len(levels.full) >= len(levels.summary) >= len(levels.compressed)
    assert 0 < len(levels.index) <= INDEX_CHARS
    assert "\n" not in levels.index


@given(TEXTS, TEXTS)
def test_a_given_level_that_loses_something_is_not_used(full: str, summary: str) -> None:
    levels = ladder(full, summary=summary)
    assert levels.summary == full.strip() or survives(full.strip(), levels.summary) == ()


@given(TEXTS)
def test_a_text_survives_itself_and_its_own_sentences(text: str) -> None:
    assert survives(text, text) == ()
    assert survives(text, text.split(". ", maxsplit=1)[0]) == ()


@given(TEXTS)
def test_the_same_text_gives_the_same_levels(text: str) -> None:
    assert ladder(text) == ladder(text)


@pytest.mark.parametrize(
    ("above", "below", "lost"),
    [
        ("Do not cache the token.", "cache token", "lost negation: not"),
        ("The session never expires.", "session expires", "lost negation: not"),
        ("Sessions can't be shared.", "sessions can be shared", "lost negation: not"),
        ("Use sessions instead of JWT.", "use sessions JWT", "lost negation: instead"),
        ("The timeout is 30 seconds.", "the timeout is 60 seconds", "new number: 60 s"),
        ("The timeout is 30 seconds.", "the timeout in seconds", "lost number: 30 s"),
        ("Call retry_count first.", "call retryCount first", "new identifier: retryCount"),
        ("Read it with parser.load first.", "read it first", "lost identifier: parser.load"),
        ("We asked Anna for the key.", "asked for the key", "lost name: anna"),
        ("Retries stay at three.", "retries do not stay at three", "new negation: not"),
    ],
)
def test_what_was_lost_or_changed_is_named(above: str, below: str, lost: str) -> None:
    assert lost in survives(above, below)


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("The team decided to use PostgreSQL, because of JSON support.", "use PostgreSQL"),
        ("Fix parse() on empty input. It no longer fails. 3 tests.", "fix parse() on empty input"),
        ("database: postgres (JSON support, team expertise)", "database: postgres"),
        ("We moved to Redis.", "moved to redis"),
    ],
)
def test_whole_clauses_may_be_left_out(above: str, below: str) -> None:
    assert survives(above, below) == ()


def test_a_fact_is_an_atom_when_compressed_and_keeps_its_reason_in_full() -> None:
    levels = fact_levels("database", "db", "postgres", Scope(environment="prod"), "JSON support, team expertise.")
    assert levels.compressed == "db: postgres"
    assert levels.summary == "database db: postgres (prod)"
    assert "team expertise" in levels.full


def test_an_episode_is_its_title_when_compressed() -> None:
    levels = episode_levels(
        "Fix KeyError in Config.load when the key is not set",
        "The lookup did not handle missing keys. It returns None now. " + "Later work follows. " * 20,
        [f"src/part_{i}.py" for i in range(20)],
    )
    assert levels.compressed == "Fix KeyError in Config.load when the key is not set"
    assert levels.summary.startswith("Fix KeyError in Config.load when the key is not set. The lookup did not handle")
    assert len(levels.summary) < len(levels.full) / 2
    assert "and 5 more" in levels.full
    assert levels.index == "fix_KeyError_in_Config.load_when_key_not_set"


def test_a_pattern_is_its_hint_and_a_workflow_its_steps() -> None:
    pattern = pattern_levels(
        "endpoint", "endpoint: route→validate→respond", {"route": "{method} /api/{resource}"}, ("4 places.",)
    )
    assert pattern.compressed == "endpoint: route→validate→respond"
    assert "{method} /api/{resource}" in pattern.full
    workflow = workflow_levels("deploy", ("test", "build", "prod"), {"test": "pnpm test"})
    assert workflow.compressed == "deploy: test→build→prod"
    assert "pnpm test" in workflow.full


def test_a_slug_keeps_the_negation_and_the_identifier_of_a_long_clause() -> None:
    made = slug("the background worker for scheduled mail delivery does not honour MAIL_RETRY_LIMIT at all")
    assert len(made) <= INDEX_CHARS
    assert "not" in made.split("_")
    assert "MAIL_RETRY_LIMIT" in made


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

Signed-off-by: Anna Berg <anna@example.org>
Co-authored-by: Bo <bo@example.org>
"""
    assert narrative(body) == "The pool kept closed connections. See the report."


@given(st.text(max_size=600))
def test_any_body_has_a_narrative_no_longer_than_its_limit(body: str) -> None:
    assert len(narrative(body, limit=200)) <= 200 + 20
