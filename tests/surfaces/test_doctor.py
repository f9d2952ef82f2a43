"""`companion doctor`: short when all is well, and a next step to type beside everything that is not."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import companion
from surfaces.shells import Shell

SCREEN = 24, 80
"""The smallest terminal that people have, in lines and columns."""


def test_when_all_is_well_it_fits_a_screen_and_says_so(shop: Shell, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", str(SCREEN[1]))
    said = shop("doctor")
    assert said.code == 0
    assert said.out.rstrip().endswith("All is well.")
    assert len(said.out.splitlines()) < SCREEN[0]


def test_what_is_not_comes_first_with_its_next_step_on_a_line_of_its_own(shop: Shell):
    for copy in (shop.home / "backups").iterdir():
        copy.unlink()
    said = shop("doctor")
    first, second = said.out.splitlines()[:2]
    assert first == "Look: backups. There is no backup yet."
    assert second == "  Next: Run `companion backup`."
    assert "All is well" not in said.out


def test_no_finding_is_made_that_is_not_well_and_has_no_next_step():
    root, found = Path(companion.__file__).parent, 0
    for path in root.rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "Finding":
                found += 1
                assert ast.unparse(call.args[1]) in {"OK", "'ok'"} or len(call.args) == 4, f"{path}:{call.lineno}"
    assert found > 30
