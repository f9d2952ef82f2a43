"""Contradictions, pins and use, as they are typed."""

from __future__ import annotations

import pytest
from waiting import DEADLINE_S

from companion.app.consolidation import opposing
from companion.records import Scope
from companion.surfaces.cli.contradictions import parse_scope
from surfaces.shells import Shell, refused_as_json

BEFORE = '[project]\nname = "shop"\n\n[tool.ruff]\nline-length = 90\n'


@pytest.fixture
def torn(shell: Shell) -> Shell:
    """Somebody whose manifest and editor disagree on the length of a line."""
    import subprocess

    subprocess.run(["git", "init", "-q"], cwd=shell.folder, check=True)
    (shell.folder / "pyproject.toml").write_text(BEFORE)
    (shell.folder / ".editorconfig").write_text("root = true\n\n[*.py]\nmax_line_length = 79\n")
    (shell.folder / "shop.py").write_text("def total(items):\n    return sum(items)\n")
    assert shell("init").code == 0
    return shell


def test_what_is_valid_on_both_sides_is_told_with_where_each_holds_or_that_nothing_says_so(torn: Shell):
    (one,) = torn("contradictions", "--json").json
    id_ = one["id"][:12]
    assert "No scope tells where each holds" in torn("resolve", id_, "both_valid").words
    torn("resolve", id_, "open")
    assert "for generated" in torn("resolve", id_, "both_valid", "--scope-b", "path=generated").words


def test_a_contradiction_is_listed_with_both_sources_and_settled_by_its_id(torn: Shell):
    (one,) = torn("contradictions", "--json").json
    listed = torn("contradictions").words
    assert "pyproject.toml" in listed
    assert ".editorconfig" in listed
    assert f"companion resolve {one['id'][:12]}" in listed
    said = torn("resolve", one["id"][:12], "a_wins", "--note", "the manifest rules")
    assert "a_wins - the manifest rules" in said.words
    assert torn("contradictions").words == "Nothing is open."
    assert "the manifest rules" in torn("contradictions", "--settled").words


def test_both_hold_in_scopes_given_on_the_line(torn: Shell):
    (one,) = torn("contradictions", "--json").json
    said = torn("resolve", one["id"], "both_valid", "--scope-a", "environment=ci", "--scope-b", "environment=editor")
    assert said.code == 0
    found = torn("search", "line length", "--json").json["hits"]
    assert {hit["memory"]["draft"]["scope"]["environment"] for hit in found if hit["memory"]} >= {"ci", "editor"}


def test_wrong_words_are_refused_with_those_there_are(torn: Shell):
    (one,) = torn("contradictions", "--json").json
    refused_as_json(torn("resolve", one["id"], "c_wins", "--json"), "UsageError", "c_wins")
    refused_as_json(torn("resolve", "x1nothing", "a_wins", "--json"), "UsageError", "x1nothing")
    refused_as_json(
        torn("resolve", one["id"], "both_valid", "--scope-a", "planet=mars", "--json"), "UsageError", "mars"
    )


def test_a_pin_is_taken_out_and_what_was_of_no_use_is_noted(torn: Shell):
    kept = torn("remember", "Prices are integers", "--pin", "--json").json
    assert torn("pin", kept["id"], "--off", "--json").json["draft"]["pinned"] is False
    assert torn("downvote", kept["id"][:12]).code == 0
    assert torn("expand", kept["id"], "--json").json["memory"]["usage"]["ignored"] == 1


def test_a_scope_is_read_as_it_is_typed():
    assert parse_scope("deploy") == Scope(path="deploy")
    assert parse_scope("path=a/b, environment=ci") == Scope(path="a/b", environment="ci")


def test_a_question_that_rules_cannot_answer_is_listed_answered_and_taken_back(torn: Shell):
    assert torn("judge").words == "No question waits."
    for note in ("Sessions go to Redis.", "Our sessions are rows of a Postgres table."):
        torn("remember", note)
    torn("consolidate")
    (one,) = torn("judge", "--json").json
    listed = torn("judge").words
    assert "How do the two stand to one another?" in listed
    assert "Our sessions are rows of a Postgres table." in listed
    refused_as_json(torn("judge", one["id"], "--json"), "UsageError", "What is the answer?")
    refused_as_json(torn("judge", one["id"], "yes", "--json"), "UsageError", "contradict, same")
    refused_as_json(torn("judge", "j1nothing", "same", "--json"), "UsageError", "no question that waits")
    done = torn("judge", one["id"][:10], "contradict", "--why", "one store holds them")
    assert "1 change made, 0 still to answer." in done.words
    assert "one store holds them" in torn("contradictions").words
    run = done.words.partition("companion undo ")[2].partition("`")[0]
    assert torn("undo", run).code == 0
    assert "one store holds them" not in torn("contradictions").words


def test_what_is_remembered_says_what_it_became_and_shows_both_sides_of_what_it_contradicts(
    shop: Shell, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(opposing, "ARRIVED_S", DEADLINE_S)
    assert "It is a note for shop." in shop("remember", "Carts are never deleted.", "--scope", "shop").words
    assert "It is a decision for the whole project." in shop("remember", "We decided to use tabs.").words
    told = shop("remember", "Carts are deleted after 90 days.", "--scope", "shop")
    for part in ("It contradicts what is known", "Carts are never deleted.", "a_wins|b_wins|both_valid|merged"):
        assert part in told.words
    kept = shop("remember", "Carts are deleted after 30 days.", "--scope", "shop", "--json").json
    assert (kept["became"], bool(kept["contradicts"])) == ("note", True)
    told = shop("remember", "Carts are deleted after 60 days.", "--scope", "shop")
    for part in ("It takes the place of what was said before", "Carts are deleted after 30 days.", "companion pin"):
        assert part in told.words
