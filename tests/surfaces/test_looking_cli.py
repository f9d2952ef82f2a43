"""Looking back, as it is typed: what happened, how well prediction did, and what one change of a run moved."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from waiting import DEADLINE_S

from surfaces.conftest import Template
from surfaces.shells import Shell, refused, refused_as_json


@pytest.fixture(scope="module")
def told_shop(template: Template, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """The shop, with two things that happened in it."""
    home = shutil.copytree(template.home, tmp_path_factory.mktemp("told") / "home")
    shell = Shell(Path(home), template.repo.root)
    for text in ("Rounding in shop/cart.py lost a cent.", "The till was slow on Fridays."):
        assert shell("remember", text, "--kind", "episode").code == 0
    return shell


def test_what_happened_is_listed_and_narrowed(told_shop: Shell):
    told = told_shop("timeline", "--json").json
    assert told["happened"]
    assert all(one["memory"]["draft"]["kind"] == "episode" for one in told["happened"])
    newest = told["happened"][0]
    assert newest["memory"]["id"][:12] in told_shop("timeline").words
    assert told_shop("timeline", "--before", "2001-01-01", "--json").json["happened"] == []
    assert len(told_shop("timeline", "--after", "1d", "--json").json["happened"]) == 2
    assert told_shop("timeline", "--change", "feature", "--person", "Nobody").words == "Nothing that fits happened."
    assert "goes on" in told_shop("timeline", "--limit", "1").words


def test_what_is_archived_is_listed_with_the_reason_and_explained_by_it(shop: Shell):
    happened = shop("timeline", "--json").json["happened"]
    id_ = happened[0]["memory"]["id"]
    assert shop("context", "--file", "shop/cart.py").code == 0
    assert shop("forget", id_).code == 0
    assert "(archived: forgotten by hand)" in shop("timeline", "--archived").words
    assert "Archived: forgotten by hand" in shop("expand", id_).words
    refused(shop("explain", id_), "is archived: forgotten by hand", f"companion expand {id_}")


def test_a_file_that_is_there_is_meant_as_it_is_typed(told_shop: Shell):
    whole = told_shop("timeline", "--json").json
    by_name = told_shop("timeline", "--path", "shop/cart.py", "--json").json
    assert by_name == told_shop("timeline", "--path", str(told_shop.folder / "shop" / "cart.py"), "--json").json
    assert 0 < len(by_name["happened"]) <= len(whole["happened"])


def test_wrong_words_are_refused_with_those_there_are(told_shop: Shell):
    refused_as_json(told_shop("timeline", "--type", "party", "--json"), "UsageError", "party")
    refused_as_json(told_shop("timeline", "--before", "yesterdayish", "--json"), "UsageError", "yesterdayish")
    refused_as_json(told_shop("call", "accuracy", "weeks=0", "--json"), "UsageError", "0 weeks")


def test_accuracy_is_told_with_what_it_was_measured_on(told_shop: Shell):
    told = told_shop("call", "accuracy").json
    assert told["overall"]["commits"] == 3
    assert [one["commits"] for one in told["replayed"]] == [3]
    assert 0 <= told["overall"]["recent"] <= 1
    assert told["weeks"] == []


def test_a_settlement_and_a_change_of_a_run_are_told_and_taken_back(shop: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        "companion.app.consolidation.opposing.ARRIVED_S", DEADLINE_S
    )  # a busy machine would break it off
    for version in ("3.9", "3.12"):
        shop("remember", f"The minimum supported Python version is {version}.")
    done = shop("consolidate", "--json").json
    number = str(done["changes"][0]["number"])
    rows = shop("reports", "last", "--change", number, "--json").json
    assert rows
    assert "before" in shop("reports", done["run"][:12], "--change", number).words
    assert shop("reports", "last", "--change", "99999").words == "It has moved nothing (yet)."
    for said in ("Sessions are kept on the server", "Sessions are not kept on the server"):
        shop("remember", said)
    one, *_ = shop("contradictions", "--json").json
    assert shop("resolve", one["id"], "a_wins").code == 0
    assert "companion resolve" in shop("resolve", one["id"], "open").words
