"""What a cold command loads: an answer of a daemon takes few files, and one of the store no room that it does not ask."""

from __future__ import annotations

import pytest
from evals.speed.start import OURS, modules_of

from companion.client.starting import start_daemon

from .houses import House

FILES_MOST = 60
"""Of ours, for what a daemon answers: so many can be followed by eye."""
OWN_FILES_MOST = 230
"""Of ours, for a context of the store that this process opens itself; each new one is loaded by every cold shell."""
LIBRARIES = {"duckdb", "numpy", "tantivy", "onnxruntime", "tokenizers", "tree_sitter"}
ELSEWHERE = (
    "judge",
    "kinds",
    "talk",
    "reason",
    "notes",
    "daemon",
    "surfaces.http",
    "store.consolidation",
    "store.care.export",
)
"""Rooms that a context asks nothing."""


def ours(loaded: set[str]) -> set[str]:
    return {name for name in loaded if name.partition(".")[0] in OURS}


@pytest.mark.parametrize(
    "arguments",
    [
        ["context", "--task", "rounding"],
        ["context", "--file", "shop/cart.py"],
        ["search", "prices"],
        ["expand", "file:shop/cart.py"],
        ["remember", "Prices are integers"],
    ],
)
def test_what_a_daemon_answers_takes_few_files_and_none_of_the_stores_libraries(
    kept_house: House, arguments: list[str]
):
    start_daemon(kept_house.home)
    loaded = modules_of(kept_house.root, arguments)
    assert len(ours(loaded)) < FILES_MOST, sorted(ours(loaded))
    assert not loaded & LIBRARIES


def test_a_context_without_a_daemon_loads_no_room_that_it_does_not_ask(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMPANION_DAEMON", "never")
    loaded = modules_of(house.root, ["context", "--task", "rounding"])
    assert {"companion.engine.assemble", "companion.store.library"} < loaded
    assert not {name for name in loaded if name.removeprefix("companion.").startswith(ELSEWHERE)}
    assert not loaded & {"typer", "rich", "pydantic", "onnxruntime", "tokenizers", "tree_sitter"}
    assert not loaded & {
        "companion.language.lexicon",
        "companion.records.tidying",
        "companion.store.memories.detection",
    }
    assert len(ours(loaded)) <= OWN_FILES_MOST, sorted(ours(loaded))
