"""The lists of words that ship with the product: one loader, and the words that every reader must know.

The lists stand in `data/*.toml`, each with what it is for. What words mean is `lexicon`, numbers and units `amounts`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache, reduce
from importlib.resources import files
from typing import Any

Table = Mapping[str, Any]
"""A table of a file of word lists: what stands under a key, its readers know."""


@cache
def listed(name: str) -> Table:
    """What a file of word lists holds."""
    return tomllib.loads((files("companion.language") / "data" / f"{name}.toml").read_text("utf-8"))


def at(path: str) -> Any:
    """What stands in the files at a path: `times.signs.only` is the list `only` of `signs` in `data/times.toml`."""
    file, *keys = path.split(".")
    return reduce(lambda table, key: table[key], keys, listed(file))


@cache
def word_set(file: str, name: str) -> frozenset[str]:
    """The words of one list of a file."""
    found = at(f"{file}.{name}")
    return frozenset(found.split() if isinstance(found, str) else found)


@cache
def meanings(file: str, name: str) -> dict[str, str]:
    """A table of lists, turned round: each word with the name of its list; not to be changed."""
    return {word: meaning for meaning in at(f"{file}.{name}") for word in word_set(file, f"{name}.{meaning}")}


@cache
def shape(file: str, *names: str) -> re.Pattern[str]:
    """One expression for the shapes of some lists, which are expressions themselves."""
    return re.compile("|".join(one for name in names for one in at(f"{file}.{name}")))


GLUE = word_set("grammar", "glue")
"""Words that join others and vouch for nothing themselves."""
DENIALS = word_set("grammar", "denials")
"""Words that deny what stands beside them."""
