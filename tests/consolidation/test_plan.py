"""Every pass, on an archive in which there is nothing: nothing is planned, and nothing fails."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
PASSES = PROJECT["project"]["entry-points"]["companion.passes"]


class Empty:
    """An archive that has nothing of whatever is asked for."""

    language_model = None
    checker = None

    def __getattr__(self, name: str):
        def nothing(*_: object, **__: object) -> Iterator[object]:
            return iter(())

        return nothing


@pytest.mark.parametrize("name", sorted(PASSES))
def test_an_empty_archive_plans_nothing(name):
    assert list(import_module(PASSES[name]).plan(Empty())) == []


def test_passes_have_names_of_their_own_whatever_their_order():
    names = [name.partition("-")[2] for name in PASSES]
    assert len(set(names)) == len(names)
    assert {"dedupe", "entities"} <= set(names)
