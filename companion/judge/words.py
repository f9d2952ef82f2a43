"""The word lists that ship with the product, read once: one loader, and the words that every reader must know.

Meanings of words are `lexicon`, numbers and units `amounts`; the lists themselves stand in `data/*.toml`.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def listed(name: str) -> dict[str, Any]:
    """What a file of word lists holds; not to be changed."""
    return tomllib.loads((files("companion.judge") / "data" / f"{name}.toml").read_text("utf-8"))


GLUE = frozenset(listed("grammar")["glue"].split())
"""Words that join others and vouch for nothing themselves."""
DENIALS = frozenset(listed("grammar")["denials"].split())
"""Words that deny what stands beside them."""
