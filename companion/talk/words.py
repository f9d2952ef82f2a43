"""The word lists of this room, read once; they stand in `data/*.toml`, each with what it is for."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


def listed(name: str, of: str = "words") -> frozenset[str]:
    """The words of one list."""
    return frozenset(str(_read(of)[name]).split())


def paired(name: str) -> dict[str, str]:
    """A table of lists, turned round: each word with the name of its list."""
    return {word: meaning for meaning, words in _read("words")[name].items() for word in words}


@cache
def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((files("companion.talk") / "data" / f"{name}.toml").read_text("utf-8"))
