"""What a text is found by, and which words of a question are told to have been found."""

from __future__ import annotations

import pytest

from companion.store.text import analysis


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("parseHTTPRequest", ["parsehttprequest", "pars", "http", "request"]),
        ("parse_http_request2", ["parse_http_request2", "pars", "http", "request"]),
        ("JObject 14c561bd v2 0.5 1.25.3", ["jobject", "object", "14c561bd", "bd", "v2", "0.5", "1.25.3", "25"]),
        ("großen", ["großen"]),
        ("Größe naïveBayes", ["größe", "naïvebayes", "naïve", "bay"]),
        ("日本語", ["日本", "本語"]),
        ("log日本", ["log日本", "log", "日本"]),
        ("API를", ["api를", "api", "를"]),
        ("GRÖSSE_MAX", ["grösse_max", "grösse", "max"]),
    ],
)
def test_names_are_split_and_words_of_every_script_are_not(text: str, terms: list[str]) -> None:
    assert analysis.terms(text) == terms


def test_of_a_name_only_what_was_found_is_told() -> None:
    spoken = analysis.spoken("why is defaultIdleTimeout so long")
    assert analysis.as_asked(["defaultidletimeout", "idl", "long"], spoken) == ("defaultIdleTimeout", "long")
    assert analysis.as_asked(["idl", "timeout"], spoken) == ("Idle", "Timeout")
    both = analysis.spoken("the port of an export")
    assert analysis.as_asked(both, both) == ("port", "export")


@pytest.mark.parametrize(
    ("task", "area"),
    [
        ("SCSS: keep blank lines", ["scss"]),
        ("fix(http): honor abort", ["http"]),
        ("feat(http)!: honor abort", ["http"]),
        ("[lint] check more", ["lint"]),
        ("fix: keep blank lines", []),
        ("Note that this: is no area", []),
        ("keep blank lines", []),
    ],
)
def test_the_area_that_a_task_begins_with_counts_more(task: str, area: list[str]) -> None:
    assert analysis.weights(task) == dict.fromkeys(area, analysis.AREA)
