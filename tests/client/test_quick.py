"""The quick way prints what the whole command line prints, and leaves everything unusual to it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from companion.client.starting import start_daemon
from companion.surfaces.cli import quick

from .houses import House

WHOLE = """
import sys
sys.argv[0] = "companion"
from companion.surfaces.cli.main import main
main()
"""
QUICK = """
import sys
from companion.surfaces.cli.quick import answered
assert answered(sys.argv[1:]), "left to the whole command line"
heavy = {"typer", "rich", "duckdb", "numpy"} & set(sys.modules)
assert not heavy, heavy
assert "dataclasses" not in sys.modules or "--budget" not in sys.argv
"""


def said(house: House, program: str, *arguments: str) -> tuple[bytes, bytes]:
    done = subprocess.run([sys.executable, "-c", program, *arguments], cwd=house.root, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


PLAIN = (
    ["context", "--file", "shop/cart.py", "--budget", "2000"],
    ["context", "-f", "shop/cart.py", "-q", "prices – in cents", "-n", "500", "--order=assistants"],
    [*["context", "--task=rounding", "--format", "xml", "-a", "debugging"], *["--collaborator", "Ann"] * 2],
    ["context", "--file", "cart.py", "-C", "shop", "--format=json", "--budget", "0"],
    ["context"],
    ["search", "prices"],
    ["search", "prices", "-l", "1", "--kind", "episode", "--scope=shop", "-C", "shop"],
    ["search", "walrus"],
    ["expand", "file:shop/cart.py"],
)
NOTES = (("Prices are integers", "fact"), ("A walrus \x1b]0;title\x07 is no price", "episode"))
UNUSUAL = (
    ["context", "--explain"],
    ["context", "--json"],
    ["context", "--help"],
    ["context", "--error", "-"],
    ["context", "--at", "3d"],
    ["context", "--file"],
    ["context", "--file", "--query"],
    ["context", "--file", "../elsewhere.py"],
    ["context", "--file", "nowhere.py"],
    ["context", "--budget", "-5"],
    ["context", "--budget", "many"],
    ["context", "--order", "upside-down"],
    ["context", "--format", "html"],
    ["context", "--activity", "sleeping"],
    ["context", "--budget", ""],
    ["context", "stray"],
    ["context", "task", "rounding"],
    ["search"],
    ["search", "price", "--archived"],
    ["search", "price", "--limit", "0"],
    ["search", "price", "--kind", "rumour"],
    ["expand"],
    ["expand", "nowhere"],
    ["expand", "file:shop/cart.py", "--json"],
    ["remember", "price"],
    [],
)


def test_the_quick_way_prints_the_same_bytes(house: House):
    start_daemon(house.home)
    kept = [house.run("remember", text, "--kind", kind).stdout for text, kind in NOTES]
    remembered = [line.split()[1].rstrip(":") for line in kept]
    for arguments in (*PLAIN, *(["expand", id_] for id_ in remembered)):
        printed = said(house, QUICK, *arguments)
        assert printed == said(house, WHOLE, *arguments)
        assert b"\x1b" not in printed[0]


def test_what_is_unusual_is_left_to_the_whole_command_line(house: House, capsys: pytest.CaptureFixture[str]):
    start_daemon(house.home)
    for arguments in UNUSUAL:
        assert not quick.answered(arguments)
    assert capsys.readouterr().out == ""


def test_without_a_daemon_it_is_left_to_the_whole_command_line(house: House, capsys: pytest.CaptureFixture[str]):
    assert not quick.answered(["context"])
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("arguments", [["lsp"], ["lsp", "--stdio"]])
def test_an_editor_does_not_wait_for_the_whole_command_line(house: House, arguments: list[str]):
    program = [sys.executable, "-X", "importtime", "-m", "companion.surfaces.cli", *arguments]
    done = subprocess.run(program, cwd=house.root, input=b"", capture_output=True, check=False)
    loaded = {line.rpartition(b"|")[2].strip().decode() for line in done.stderr.splitlines()}
    assert "companion_lsp.server" in loaded
    assert not {"companion.surfaces.cli.main", "pydantic", "duckdb", "numpy"} & loaded
