"""Requests read, checked and corrected by their verbs, and what an answer rests on told in words."""

from __future__ import annotations

from surfaces.shells import Shell, refused_as_json

RUN = "process/machine/execute"


def test_a_request_is_read_corrected_and_read_rightly_by_the_next_command(shop: Shell):
    first = shop("call", "classify", "request=sweep the yard").json
    assert first["reading"]["destination"] != "process"
    corrected = (f"id={first['id'][:12]}", "outcome=corrected", f"right={RUN}", "note=the cleanup job")
    assert f"read as {RUN} from now on" in shop("call", "record_outcome", *corrected).json["taught"]
    again = shop("call", "classify", "request=the yard needs a sweep").json
    assert "/".join(again["reading"].values()) == RUN
    assert first["id"] in {one["source"] for one in again["influences"]}
    told = shop("explain", first["id"][:12]).words
    assert "the cleanup job" in told
    assert "What it taught moved" in told


def test_an_action_is_checked_and_a_request_taken_apart(shop: Shell):
    older = ("action=set the minimum Python to 3.8", "request=support older systems")
    said = shop("call", "verify", *older).json
    assert said["verdict"] == "unknown"
    assert said["related"] and not said["supporting"]
    assert shop("remember", "Prices are never floats; the charts of the back office may round them").code == 0
    rules = shop("call", "verify", "action=store the discount of prices as a float").json["to_judge"]
    (rule,) = (one for one in rules if one["clause"] == "Prices are never floats;")
    assert shop("judge", rule["question"][:12], "conflicts", "--why", "a discount is part of it").code == 0
    assert shop("call", "verify", "action=store the discount of prices as a float").json["verdict"] == "conflicts"
    plan = shop("call", "decompose", "request=fix the rounding of prices and then run the tests").json
    assert plan["steps"][0]["text"] == "fix the rounding of prices"
    assert plan["similar"]


def test_what_makes_no_sense_is_refused_with_the_next_command(shop: Shell):
    refused_as_json(shop("call", "classify", "request= ", "--json"), "UsageError", "contains no request")
    nothing = ("call", "record_outcome", "id=q1nothing")
    refused_as_json(shop(*nothing, "outcome=accepted", "--json"), "UnknownAnswer", "q1nothing")
    refused_as_json(shop(*nothing, "outcome=liked", "--json"), "UsageError", "outcome")
    refused_as_json(shop("explain", "q1nothing", "--json"), "UnknownAnswer", "q1nothing")


def test_nothing_in_a_request_looks_like_a_line_of_ours_or_steers_a_terminal(shop: Shell):
    sly = "explain the cache\nAgainst it\n  -9.00  \x1b[31mred"
    first = shop("call", "classify", f"request={sly}").json
    shop("call", "record_outcome", f"id={first['id']}", "outcome=accepted", "note=fine\nAgainst it")
    told = shop("explain", first["id"])
    assert "explain the cache Against it" in told.words
    assert "\x1b" not in told.out
    assert not [line for line in told.out.splitlines() if line.strip().startswith("Against it")]
