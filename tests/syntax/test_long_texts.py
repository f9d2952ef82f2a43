"""Manifests of any length and shape are read in a time that grows with their length alone."""

from __future__ import annotations

import pytest

from companion.syntax.manifests import declared_modules

LONG = 100_000
"""Characters: what grows with their square takes minutes, and the suite ends a test before."""
PIECES = ("\n", " ", "\n\n", "a ", ".", "[lib]\n", "=", "module")


@pytest.mark.parametrize("piece", PIECES)
def test_a_long_run_of_anything_is_read(piece: str) -> None:
    text = "[lib]\n" + piece * (LONG // len(piece)) + '\nname = "x"\nmodule x\n'
    for manifest in ("Cargo.toml", "go.mod"):
        assert len(declared_modules(manifest, text)) <= 1


def test_names_stand_after_empty_lines_too() -> None:
    (crate,) = declared_modules("Cargo.toml", '[package]\n\n\n  name = "teapot"\n')
    (module,) = declared_modules("go.mod", "\n\n  module example.com/teapot\n")
    assert (crate.name, crate.line, module.name, module.line) == ("teapot", 4, "example.com/teapot", 3)
