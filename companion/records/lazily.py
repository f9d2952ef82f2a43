"""Names of a package, taken from its modules when they are first used: a process makes only the records it needs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazily(package: str, names: Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of a package; `names` are those of each of its modules, with spaces between.

    What is found may be anything: types read the imports that stand beside it.
    """
    module_of = {name: module for module, words in names.items() for name in words.split()}

    def named(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{module_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return named
