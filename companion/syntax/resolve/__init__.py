"""Imports to the files they mean: a function a family of languages in `RESOLVERS`, and one for all others."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.records import Import
from companion.syntax.definitions import Definitions, family_of
from companion.syntax.resolve.ecmascript import ecmascript
from companion.syntax.resolve.go import go
from companion.syntax.resolve.meaning import NOWHERE, Meant
from companion.syntax.resolve.packages import csharp, dart, elixir, haskell, jvm, php
from companion.syntax.resolve.paths import bash, by_ending, c, ruby, terraform
from companion.syntax.resolve.python import python
from companion.syntax.resolve.rust import rust

Resolver = Callable[[Definitions, str, Import], Iterator[tuple[str, Meant]]]
RESOLVERS: dict[str, Resolver] = {
    "python": python,
    "ecmascript": ecmascript,
    "go": go,
    "rust": rust,
    "jvm": jvm,
    "c": c,
    "csharp": csharp,
    "dart": dart,
    "elixir": elixir,
    "haskell": haskell,
    "php": php,
    "ruby": ruby,
    "bash": bash,
    "terraform": terraform,
}


def resolve(definitions: Definitions, path: str, language: str, imported: Import) -> list[tuple[str, Meant]]:
    """What one import of the file at `path` means: each name (or '' for the whole) and where it leads.

    What comes from another project leads `NOWHERE`.
    """
    means = list(RESOLVERS.get(family_of(language), by_ending)(definitions, path, imported))
    return means or [(name, NOWHERE) for name in imported.names or ("",)]


__all__ = ["RESOLVERS", "Meant", "resolve"]
