"""Real editors, connected as the README says, show why a place in the code is as it is."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import psutil
import pytest

from editors.conftest import PROGRAM

HERE = Path(__file__).parent


def neovim(desk) -> str | None:
    """Neovim 0.11 or later: the built-in set-up of servers is of that version."""
    beside = Path(sys.executable).with_name("nvim")
    found = str(beside) if beside.exists() else shutil.which("nvim")
    if found is None:
        return None
    said = desk.run(found, "--version").stdout.split()
    version = tuple(int(part) for part in said[1].lstrip("v").split("-")[0].split(".")[:2]) if len(said) > 1 else (0, 0)
    return found if version >= (0, 11) else None


def emacs(desk) -> str | None:
    """Emacs with eglot."""
    found = shutil.which("emacs")
    if found is None:
        return None
    has = [found, "--batch", "--eval", '(progn (package-initialize) (kill-emacs (if (locate-library "eglot") 0 1)))']
    return found if desk.run(*has).returncode == 0 else None


def told(output: str) -> dict[str, object]:
    return {
        name: json.loads(value) for name, _, value in (line.partition("\t") for line in output.splitlines()) if value
    }


LEAVES_S = 20
"""A language server whose editor has gone may take so long to end on a busy machine."""


def left_behind(home: Path) -> list[int]:
    """Language servers of this home that go on running without their editor."""
    servers = []
    for process in psutil.process_iter(["cmdline", "environ"]):
        given = process.info["environ"] or {}
        if given.get("COMPANION_HOME") == str(home / "data") and "lsp" in (process.info["cmdline"] or []):
            servers.append(process)
    return [process.pid for process in psutil.wait_procs(servers, timeout=LEAVES_S)[1]]


def test_neovim_shows_on_hover_why_a_function_is_as_it_is(editing):
    if (editor := neovim(editing)) is None:
        pytest.skip("Neovim 0.11 is not installed")
    assert editing.run(str(PROGRAM), "connect", "neovim", "--yes").returncode == 0
    done = editing.run(editor, "--headless", "-S", str(HERE / "neovim_hover.lua"))
    answers = told(done.stdout)
    assert answers.get("attached") is True, done.stdout + done.stderr
    assert "cent" in str(answers["hover"])
    assert "cent" in str(answers["float"])
    assert left_behind(editing.home) == []


def test_emacs_shows_on_hover_why_a_function_is_as_it_is(editing):
    if (editor := emacs(editing)) is None:
        pytest.skip("Emacs with eglot is not installed")
    assert editing.run(str(PROGRAM), "connect", "emacs", "--yes").returncode == 0
    done = editing.run(editor, "--batch", "-l", str(HERE / "emacs_hover.el"))
    answers = told(done.stdout)
    assert answers.get("attached") is True, done.stdout + done.stderr
    assert "cent" in str(answers["hover"])
    assert left_behind(editing.home) == []
