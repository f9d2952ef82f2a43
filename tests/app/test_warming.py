"""What a new process loads before anybody asks."""

from __future__ import annotations

import sys
from pathlib import Path

from repos import Repo

from companion import kinds
from companion.app import verbs
from companion.app.scanning.warming import warming
from companion.syntax.languages import grammar_of


def test_all_that_the_first_change_waits_for_is_loaded_one_thing_after_the_other(desk, shop: Repo):
    desk.scan(shop.root)
    companion = desk.open(shop.root)
    grammar_of.cache_clear()
    try:
        loaded = list(warming(companion.runtime))
    finally:
        companion.close()
    assert loaded[0] == "tokens"
    needed = {"companion.app.scanning.refresh", *kinds.modules(), *verbs.modules()}
    assert needed < set(loaded) & set(sys.modules)
    assert "python" in loaded
    assert grammar_of.cache_info().currsize == len(set(loaded) - set(sys.modules) - {"tokens"})


def test_a_store_without_code_is_warmed_too(desk, tmp_path: Path, repo: Repo):
    repo.write("notes.md", "# Nothing\n")
    repo.commit("Begin")
    companion = desk.open(repo.root)
    try:
        assert list(warming(companion.runtime))[-1] in sys.modules
    finally:
        companion.close()
