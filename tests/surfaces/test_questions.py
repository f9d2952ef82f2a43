"""Questions as people put them: without quotes, too long, about a file that is not there yet or an act that nobody made."""

from __future__ import annotations

import json

import pytest

from companion.records.search import QUERY_CUT, QUERY_MAX_CHARACTERS
from surfaces.assistants import called, in_memory, says
from surfaces.conftest import NOTE

LONG = "prices are rounded half to even " * (QUERY_MAX_CHARACTERS // 20)


@pytest.fixture(autouse=True)
def _no_daemon(monkeypatch):
    monkeypatch.setenv("COMPANION_DAEMON", "never")
    monkeypatch.setenv("COMPANION_EMBEDDINGS", "off")


def test_words_need_no_quotes_and_options_may_stand_anywhere(shop):
    whole = json.loads(shop("search", "prices rounded even", "--limit", "3", "--json").out)["hits"]
    assert whole[0]["memory"]["draft"]["levels"]["full"] == NOTE
    for given in (
        ("search", "prices", "rounded", "even", "--limit", "3", "--json"),
        ("search", "--limit", "3", "prices", "rounded", "--json", "even"),
        ("search", "--json", "prices", "-l", "3", "rounded even"),
    ):
        assert json.loads(shop(*given).out)["hits"] == whole


@pytest.mark.parametrize("command", [("search",), ("context", "--query"), ("predict", "--query"), ("talk", "find")])
def test_a_question_that_is_too_long_is_cut_and_that_is_said(shop, command):
    answer = shop(*command, LONG)
    assert answer.code == 0
    assert QUERY_CUT in " ".join(answer.err.split())
    assert QUERY_CUT not in " ".join(shop(*command, LONG[:QUERY_MAX_CHARACTERS].strip()).err.split())


@pytest.mark.parametrize("tool", ["context", "predict", "search_memory"])
def test_an_assistants_question_is_cut_and_it_is_told_beside_the_answer(shop, monkeypatch, tool):
    monkeypatch.setenv("COMPANION_HOME", str(shop.home))
    answer = in_memory(called(tool, query=LONG), shop.folder)
    assert not answer.is_error
    assert [part.text for part in answer.content][1:] == [QUERY_CUT]
    if answer.structured_content:
        assert answer.structured_content["said"] == QUERY_CUT
    assert says(in_memory(called(tool, query="prices"), shop.folder))


@pytest.mark.parametrize("path", ["shop/refund.py", "new/folder/thing.py", "shop/pric.py"])
@pytest.mark.parametrize("command", ["context", "predict"])
def test_a_file_that_is_not_there_yet_is_answered_by_its_name_and_folder(shop, command, path):
    answer = shop(command, "--file", path)
    assert answer.code == 0
    told = " ".join((answer.out + answer.err).split())
    if command == "context":
        assert f"There is no file `{path}` yet" in told
        assert "Did you mean shop/price.py" in told or path != "shop/pric.py"
    assert "cart.py" in told or path.startswith("new")


def test_a_file_that_git_does_not_know_yet_is_answered(shop, new_repo):
    repo = new_repo("fresh")
    repo.write("shop/price.py", "def total():\n    return 1\n")
    repo.commit("Add prices")
    here = type(shop)(shop.home, repo.root)
    assert here("init").code == 0
    repo.write("shop/refund.py", "from shop.price import total\n")
    answer = here("context", "--file", "shop/refund.py")
    assert answer.code == 0
    assert "is imported by this file" in " ".join((answer.out + answer.err).split())


def test_a_file_elsewhere_is_still_refused(shop):
    assert "is outside the repository" in shop("context", "--file", "/etc/passwd").err
    assert "is a folder" in shop("context", "--file", "shop").err


def test_an_act_that_nobody_made_is_said_with_those_there_are(shop):
    assert shop("story", "--new", "Checkout").code == 0
    refused = shop("search", "prices", "--act", "Chekout")
    assert refused.code != 0
    told = " ".join(refused.err.split())
    assert "There is no one act 'Chekout'" in told
    assert "Checkout" in told
    assert "companion story" in told
    assert shop("search", "prices", "--act", "checkout").code == 0
