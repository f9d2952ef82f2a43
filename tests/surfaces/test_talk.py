"""A conversation as it is typed: begun, spoken in, closed, reviewed, and there the next morning."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from surfaces.shells import Shell, refused, refused_as_json

SAID = "We decided to keep prices as integer cents because floats lose digits."
ASKED = "I'm waiting on Alex for the contract feedback. TODO: mend round_total in shop/price.py."


def a_talk(shell: Shell, *texts: str) -> None:
    assert shell("talk", "start", "Prices").code == 0
    for text in texts or (SAID, ASKED):
        assert shell("talk", "add", text, "--reply", "Noted.").code == 0


def test_a_whole_day_from_greeting_to_greeting(shop: Shell):
    assert shop("greeting").words == "Nothing is open, and nothing is due."
    a_talk(shop)
    assert "go on: `companion talk add TEXT`" in shop("greeting").words
    closed = shop("talk", "close").words
    for part in ("For Your Story:", "integer cents", "Decided", "floats lose digits", "companion review confirm"):
        assert part in closed
    assert "companion review" in shop("greeting").words
    assert shop("review").words == closed
    assert "For shop:" in shop("review", "redirect", "shop").words
    assert re.match(r"Remembered: m1\w+ \d{4}-\d\d-\d\d Prices - Decided: ", shop("review", "confirm").words)
    morning = shop("greeting").words
    assert "contract feedback" in morning
    assert "Decided this week" in morning
    assert morning.startswith("Waiting on: - i1")
    source = morning.removeprefix("Waiting on: - ")
    assert "Alex for the contract feedback [Prices, 20" in source
    assert "contract feedback" in shop("expand", source.split()[0]).words
    assert "[shop: Prices, 20" in shop("todo").words
    assert shop("threads").words == "Nothing is open."
    assert "integer cents" in shop("story", "--act", "shop").words
    assert shop("story").words == "Nothing yet."
    assert "integer cents" in shop("search", "integer cents").words
    (one,) = shop("talk", "list", "--json").json
    shown = shop("talk", "show", one["id"][:12]).words
    assert "[1]" in shown
    assert SAID in shown
    assert "Remembered: m1" in shown


def test_what_was_said_is_found_again_in_all_talk_or_in_one(shell: Shell):
    a_talk(shell)
    found = shell("talk", "find", "integer cents").words
    assert SAID in found
    assert ASKED not in found.split("[1]")[0]
    (one,) = shell("talk", "list", "--json").json
    within = shell("talk", "find", "contract feedback", "--in", one["id"][:12], "--json").json
    assert within[0]["turn"]["number"] == 2
    assert shell("talk", "find", "zeppelin").words == "Nothing was said about it."
    refused(shell("talk", "find", " "), "cannot be looked for", "words")
    refused(shell("talk", "find", "cents", "--in", "c2nothing"), "No conversation", "companion talk list")


def test_it_needs_no_repository(shell: Shell):
    a_talk(shell)
    assert shell("talk", "list", "--json").json[0]["project"] == ""
    shell("talk", "close")
    assert "Remembered:" in shell("review", "confirm").words
    assert "integer cents" in shell("story").words
    assert "Waiting on" in shell("todo").words


def test_what_is_said_outside_is_known_in_every_repository(shop: Shell, tmp_path: Path):
    a_talk(shop.at(tmp_path), SAID)
    shop.at(tmp_path)("talk", "close")
    shop.at(tmp_path)("review", "confirm")
    assert "integer cents" in shop("search", "integer cents").words
    assert "integer cents" in shop("context", "--query", "keep prices as integer cents").words


def test_a_review_is_changed_by_numbers_and_names(shell: Shell):
    a_talk(shell)
    shell("talk", "close")
    items = shell("review", "--json").json["extraction"]["items"]
    waiting = next(at for at, item in enumerate(items, 1) if item["type"] == "waiting-on")
    assert "Work" in shell("story", "--new", "Work").words
    split = shell("review", "split", f"Work={waiting}").words
    assert "Part 2 for Work" in split
    edited = shell("review", "edit", "Cents it is.", "--part", "1").words
    assert "Cents it is." in edited
    assert "from now on in cents" in shell("review", "edit", "count from now on in cents", "--item", "1").words
    dropped = shell("review", "drop", str(waiting), "--json").json
    assert len(dropped["extraction"]["items"]) == len(items) - 1
    assert [part["narrative"] for part in dropped["parts"]] == ["Cents it is."]
    done = shell("review", "confirm", "--json").json
    assert done["memories"][0]["draft"]["value"] == "Cents it is."
    acts = shell("story", "--acts", "--json").json
    assert [act["name"] for act in acts] == ["Your Story", "Work"]
    assert "Deleted Work" in shell("story", "--delete", "Work").words


def test_a_review_is_left_and_a_conversation_put_away(shell: Shell):
    a_talk(shell)
    shell("talk", "close")
    assert "going on" in shell("review", "resume").words
    assert "paused" in shell("talk", "pause").words
    assert "going on" in shell("talk", "resume").words
    assert "archived" in shell("talk", "archive").words
    assert shell("threads").words == "Nothing is open."
    assert "2 turns, archived Prices" in shell("talk", "list").words


def test_a_thread_is_settled_and_a_conversation_deleted(shell: Shell):
    a_talk(shell)
    shell("talk", "close")
    shell("review", "confirm")
    (waiting,) = shell("threads", "--type", "waiting-on", "--json").json
    assert "Resolved" in shell("threads", "--settle", waiting["id"][:12]).words
    assert shell("threads", "--type", "waiting-on").words == "Nothing is open."
    (one,) = shell("talk", "list", "--json").json
    refused(shell("talk", "forget", one["id"]), "cannot be undone", "--yes")
    gone = shell("talk", "forget", one["id"], "--yes", "--json").json
    assert gone["turns"] == 2
    assert gone["memories"] >= 2
    assert shell("story").words == "Nothing yet."


def test_a_todo_is_kept_listed_and_done(shell: Shell):
    one = shell("todo", "Send the invoice", "--due", "2999-01-31", "--json").json
    assert "Stretch" in shell("todo", "Stretch", "--as", "habit").words
    assert "Send the invoice (due 2999-01-31)" in shell("todo").words
    assert "Done: Send the invoice" in shell("todo", "--done", one["id"]).words
    assert "invoice" not in shell("todo").words
    refused_as_json(shell("todo", "Sing", "--as", "song", "--json"), "UsageError", "song")


def test_who_the_user_is_is_told(shell: Shell):
    assert shell("story", "--themes").words == "Nothing yet."
    a_talk(shell, "From now on I always count prices in integer cents.")
    shell("talk", "close")
    shell("review", "confirm")
    assert "Said for good From now on I always count" in shell("story", "--themes").words
    assert shell("story", "--themes", "--json").json["anchors"][0]["number"] == 1


def test_what_cannot_be_done_is_refused_with_the_next_command(shell: Shell):
    refused(shell("talk", "add", "Hello"), "No conversation is going on", "companion talk start")
    refused(shell("review"), "There is nothing to review", "companion talk close")
    shell("talk", "start", "Prices")
    refused(shell("talk", "start"), "Prices", "companion talk close")
    refused_as_json(shell("talk", "start", "--json"), "PlaceTaken", "Prices")
    refused(shell("talk", "add", "  "), "nothing said", "companion talk add")
    refused(shell("review"), "nothing to review", "companion talk close")
    refused_as_json(shell("talk", "show", "c2nothing", "--json"), "UnknownConversation", "c2nothing")
    refused_as_json(shell("talk", "list", "--state", "gone", "--json"), "UsageError", "gone")
    refused_as_json(shell("talk", "list", "--limit", "0", "--json"), "UsageError", "limit")
    refused_as_json(shell("threads", "--type", "dream", "--json"), "UsageError", "dream")
    refused_as_json(shell("story", "--act", "Nowhere", "--json"), "UsageError", "Nowhere")
    shell("talk", "add", SAID)
    shell("talk", "close")
    refused_as_json(shell("review", "drop", "9", "--json"), "UsageError", "no item 9")
    refused_as_json(shell("review", "split", "Work", "--json"), "UsageError", "Work")
    refused_as_json(shell("review", "redirect", "Nowhere", "--json"), "UsageError", "Nowhere")


def test_a_long_text_is_read_from_standard_input(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    shell("talk", "start")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(SAID.encode() + b"\n\xff" + b"word " * 200_000)))
    turn = shell("talk", "add", "-", "--json").json
    assert turn["messages"][0]["text"].startswith(SAID)
    assert turn["messages"][0]["text"].endswith("more characters were not kept]")


def test_control_characters_of_a_talk_steer_no_terminal(shell: Shell):
    a_talk(shell, "We decided to \x1b[2Jkeep cents because floats lose digits.")
    assert "\x1b" not in shell("talk", "show").out
    assert "\x1b" not in shell("talk", "close").out
    assert "\x1b" not in shell("review", "confirm").out


@pytest.fixture
def owned(shop: Shell) -> Iterator[Shell]:
    """The same user with a daemon, which commands start."""
    owned = shop.with_(daemon="always")
    yield owned
    assert owned.plainly("stop").code == 0


def test_over_a_daemon_it_is_the_same(owned: Shell, tmp_path: Path):
    a_talk(owned)
    assert "waits for your review" in owned.at(tmp_path)("talk", "close").words
    assert "Remembered:" in owned("review", "confirm").words
    assert "integer cents" in owned.at(tmp_path)("story").words
    assert "integer cents" in owned("search", "integer cents").words


def test_what_was_remembered_is_changed_moved_and_deleted_later(shell: Shell):
    a_talk(shell, SAID)
    shell("talk", "close")
    decision = next(
        one for one in shell("review", "confirm", "--json").json["memories"] if one["draft"]["type"] == "decision"
    )
    new = shell("revise", decision["id"], "Cents, and never floats.", "--json").json
    assert "Cents, and never floats." in shell("story").words
    shell("story", "--new", "Work")
    assert shell("route", new["id"], "Work").code == 0
    assert "never floats" in shell("story", "--act", "Work").words
    gone = shell("forget", new["id"], "--for-good", "--json").json
    assert gone["memories"] >= 1
    assert shell("story", "--act", "Work").words == "Nothing yet."
