"""How what a search found is told: plainly where nothing fits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from engine.fake_library import episode

from companion.records import Hit
from companion.surfaces.cli import told
from companion.surfaces.cli.asking import as_said
from companion.surfaces.mcp import answers


@pytest.fixture
def hit() -> Hit:
    return Hit(episode("Fix login loop when the cookie is gone", names=["src/login.py"]), 0.4)


def test_a_search_that_nothing_fits_says_so_and_shows_what_is_nearest(hit: Hit):
    far = replace(hit, fits=False)
    lines = told.hits([as_said(far)]).splitlines()
    assert lines[0] == "Nothing fits that well. What is nearest:"
    assert "hardly fits" in lines[-1]
    answer = answers.found([far])
    assert answers.NOTHING_FITS in answer.text
    assert answer.values is not None
    assert answers.NOTHING_FITS in str(answer.values["note"])


def test_where_something_fits_only_the_others_are_marked(hit: Hit):
    said = told.hits([as_said(hit), as_said(replace(hit, fits=False))])
    assert "Nothing fits" not in said
    assert said.count("hardly fits") == 1
    assert answers.NOTHING_FITS not in answers.found([hit, replace(hit, fits=False)]).text


def test_what_an_older_owner_found_is_taken_to_fit(hit: Hit):
    old = {name: value for name, value in as_said(hit).items() if name != "fits"}
    assert "hardly fits" not in told.hits([old])
