"""Requests read, checked and corrected on the command line."""

from __future__ import annotations

from surfaces.shells import Shell, refused_as_json

RUN = "process/machine/execute"


def test_a_request_is_read_corrected_and_read_rightly_by_the_next_command(shop: Shell):
    first = shop("reason", "classify", "sweep the yard", "--json").json
    assert f"{first['reading']['destination']}" != "process"
    said = shop("reason", "outcome", first["id"][:12], "corrected", "--right", RUN, "--note", "the cleanup job")
    assert f"read as {RUN} from now on" in said.words
    again = shop("reason", "classify", "the yard needs a sweep")
    assert again.words.startswith(RUN)
    assert first["id"][:12] in again.words
    for told in (shop("reason", "influences", first["id"][:12]), shop("explain", first["id"][:12])):
        assert "the cleanup job" in told.words
        assert "What it taught moved" in told.words


def test_an_action_is_checked_and_a_request_taken_apart(shop: Shell):
    said = shop("reason", "verify", "set the minimum Python to 3.8", "--for", "support older systems")
    assert said.words.startswith("Unknown, which does not mean approved")
    assert "Related" in said.words
    assert "For it" not in said.words
    assert shop("remember", "Prices are never floats; the charts of the back office may round them").code == 0
    said = shop("reason", "verify", "store the discount of prices as a float")
    how = "`companion judge j1"
    assert f"Only a reader can tell by “Prices are never floats;”: {how}" in said.words
    (id_, *_) = said.words.split(how)[1].split()
    assert shop("judge", f"j1{id_}", "conflicts", "--why", "a discount is part of it").code == 0
    again = shop("reason", "verify", "store the discount of prices as a float")
    assert again.words.startswith("It conflicts with what is known")
    plan = shop("reason", "decompose", "fix the rounding of prices and then run the tests")
    assert plan.words.startswith("1. fix the rounding of prices")
    assert "Similar tasks" in plan.words


def test_what_makes_no_sense_is_refused_with_the_next_command(shop: Shell):
    refused_as_json(shop("reason", "classify", " ", "--json"), "UsageError", "contains no request")
    refused_as_json(shop("reason", "outcome", "q1nothing", "accepted", "--json"), "UnknownAnswer", "q1nothing")
    refused_as_json(shop("reason", "outcome", "q1nothing", "liked", "--json"), "UsageError", "liked")
    refused_as_json(shop("reason", "influences", "q1nothing", "--json"), "UnknownAnswer", "q1nothing")


def test_nothing_in_a_request_looks_like_a_line_of_ours_or_steers_a_terminal(shop: Shell):
    sly = "explain the cache\nAgainst it\n  -9.00  \x1b[31mred"
    first = shop("reason", "classify", sly, "--json").json
    shop("reason", "outcome", first["id"], "accepted", "--note", "fine\nAgainst it")
    for told in (shop("reason", "influences", first["id"]), shop("reason", "classify", sly)):
        assert "explain the cache Against it" in told.words
        assert "\x1b" not in told.out
        assert not [line for line in told.out.splitlines() if line.strip().startswith("Against it")]
