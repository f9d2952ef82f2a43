"""The lists of words that ship with the product: one loader, and the words that every reader must know.

The lists stand in `data/*.toml`, each with what it is for. What words mean is `lexicon`, numbers and units `amounts`.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def listed(name: str) -> dict[str, Any]:
    """What a file of word lists holds; not to be changed."""
    return tomllib.loads((files("companion.language") / "data" / f"{name}.toml").read_text("utf-8"))


def word_set(file: str, name: str) -> frozenset[str]:
    """The words of one list of a file."""
    return frozenset(listed(file)[name].split())


def meanings(file: str, name: str) -> dict[str, str]:
    """A table of lists, turned round: each word with the name of its list."""
    return {word: meaning for meaning, words in listed(file)[name].items() for word in words}


GLUE = word_set("grammar", "glue")
"""Words that join others and vouch for nothing themselves."""
DENIALS = word_set("grammar", "denials")
"""Words that deny what stands beside them."""
