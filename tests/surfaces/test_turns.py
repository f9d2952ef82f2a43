"""What was said, handed back as it is typed: history, sessions, the whole; and what hosts ask for by the verb."""

from __future__ import annotations

from surfaces.shells import Shell, refused, refused_as_json

SAID = "We decided to keep prices as integer cents because floats lose digits."


def a_talk(shell: Shell, *texts: str) -> None:
    assert shell("talk", "start", "Prices").code == 0
    for text in texts:
        assert shell("talk", "add", text, "--reply", "Noted.").code == 0


def test_history_is_handed_back_within_its_budget_and_says_why_it_looked_back(shell: Shell):
    assert "Nothing was said yet." in shell("talk", "history").words
    a_talk(shell, SAID, "Look at cart.py now.")
    told = shell("talk", "history", "What did we decide about prices?").words
    for part in ("<history", SAID, "Looked back: it says", "of 4,400 tokens"):
        assert part in told
    assert "Looked back" not in shell("talk", "history", "Run the tests.").words
    found = shell("talk", "history", "--budget", "90", "--json").json
    assert found["tokens"] <= 90
    assert [turn["number"] for turn in found["turns"]] == [2]
    assert shell("talk", "history", "--budget", "0", "--json").json["text"] == ""
    refused(shell("talk", "history", "--budget", "-1"), "makes no sense", "Give 0 to")
    refused_as_json(shell("talk", "history", "--in", "c2nothing", "--json"), "UnknownConversation", "No conversation")


def test_a_turn_of_long_ago_the_array_and_the_moves_are_shown(shell: Shell):
    a_talk(shell, SAID, "Look at cart.py now.")
    assert shell("talk", "archive").code == 0
    one = shell("call", "running").json
    assert [message["role"] for message in one["messages"]] == ["user", "assistant"] * 2
    turn = one["messages"][0]["turn"]
    assert shell("call", "recall_turn", f"id={turn[:12]}").json["messages"][0]["text"] == SAID
    moves = {(one["before"], one["after"], one["why"]) for one in shell("call", "turn_moves").json}
    assert {("cold", "warm", "asked for"), ("hot", "cold", "archived")} <= moves
    assert one["turns"] == 2
    refused(shell("call", "recall_turn", "id=t1nothing"), "No turn begins with", "companion talk find")


def test_older_turns_are_summed_up_when_that_is_asked_for(shell: Shell):
    assert shell("call", "compact").json["turns"] == 0
    a_talk(shell, SAID, *(f"Look at cart_{number}.py and then tell me what it does." for number in range(7)))
    assert shell("call", "compact").json["turns"] == 0
    done = shell("call", "compact", "now_at_once=true").json
    assert (done["turns"], done["block"]["made_by"]) == (3, "rules")
    first, *_ = shell("call", "running").json["messages"]
    assert first["role"] == "system"
    assert first["text"].startswith("So far:") and "integer cents" in first["text"]


def test_sessions_and_the_whole_are_shown(shell: Shell):
    assert shell("talk", "sessions").words == "Nothing was said yet."
    assert "There is no summary yet" in shell("talk", "whole").words
    a_talk(shell, SAID, "Look at cart.py.", "And at price.py.", "Thanks!")
    told = shell("talk", "sessions").words
    assert "4 turns, going on" in told and "integer cents" in told and "4 turns in 1 session" in told
    (session,) = shell("talk", "sessions", "--json").json["sessions"]
    assert [one["turns"] for one in session["rolling"]] == [4]
    refused(shell("talk", "whole", "--version", "9"), "no version 9", "companion talk whole")
