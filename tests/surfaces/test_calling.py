"""Any verb of the API, asked by its name on the command line."""

from __future__ import annotations

from surfaces.shells import Shell, refused


def test_any_verb_is_asked_by_its_name_and_answers_as_the_api_does(visited_shop: Shell) -> None:
    (found,) = visited_shop("call", "search", 'query={"text": "rounding", "limit": 1}').json
    (hit,) = visited_shop("search", "rounding", "--limit", "1", "--json").json["hits"]
    assert (found["id"], found["text"]) == (hit["id"], hit["text"])
    assert visited_shop("call", "pending-judgements", "limit=3").json == []
    assert visited_shop("call", "predict", "file_opened=shop/cart.py").json["predicted_files"]


def test_what_no_verb_understands_is_refused_with_what_there_is(visited_shop: Shell) -> None:
    refused(visited_shop("call", "accurate"), "no verb 'accurate'", "accuracy")
    refused(visited_shop("call", "accuracy", "weeks"), "'weeks' says no value", "limit=5")
    refused(visited_shop("call", "accuracy", "months=3"), "months", "takes weeks, repo")
    refused(visited_shop("call", "accuracy", "weeks=four"), "weeks", "")
