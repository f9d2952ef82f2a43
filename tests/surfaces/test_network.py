"""No network connection is ever opened, by any of the program's own code or by the libraries below it."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from surfaces.conftest import NOTE
from surfaces.shells import Shell

REFUSES = """
import socket

def refuse(*given, **named):
    raise AssertionError(f"a network connection: {given}")

socket.create_connection = socket.getaddrinfo = socket.gethostbyname = refuse
socket.socket.connect = socket.socket.connect_ex = socket.socket.sendto = socket.socket.bind = refuse
"""

COMMANDS = (
    ("init", "--full"),
    ("context", "--file", "shop/cart.py", "--query", "rounding of prices"),
    ("search", "rounded"),
    ("predict", "--file", "shop/cart.py"),
)


def test_no_python_code_opens_a_connection_or_keeps_notes_elsewhere(
    shop: Shell, tmp_path: Path, users_own: Path
) -> None:
    (tmp_path / "refuses").mkdir()
    (tmp_path / "refuses/sitecustomize.py").write_text(REFUSES)
    shop = shop.with_(embeddings="minilm-int8")
    probe = [sys.executable, "-c", "import socket; socket.create_connection(('127.0.0.1', 9))"]
    assert "a network connection" in shop.other(probe, tmp_path / "refuses").err
    done = shop.session(*COMMANDS, python_path=tmp_path / "refuses")
    assert done.code == 0, done.err
    assert NOTE in done.out
    assert not list(users_own.iterdir())  # where a library would note down what it means to send later


def test_no_library_opens_a_connection(shop: Shell, tmp_path: Path) -> None:
    """Seen from the system: sockets of the internet are neither made nor written to, by any child either."""
    strace = shutil.which("strace")
    if strace is None:
        pytest.skip("strace is not installed")
    seen = tmp_path / "seen"
    shop = shop.with_(embeddings="minilm-int8")
    tracer = [strace, "-f", "-qq", "-e", "trace=%network", "-o", str(seen)]
    done = shop.session(*COMMANDS, under=tracer)
    if "ptrace" in done.err:
        pytest.skip("strace may not look at processes here")
    assert done.code == 0, done.err
    calls = seen.read_text(errors="replace").splitlines()
    assert not [call for call in calls if re.search(r"AF_(?:INET|INET6|NETLINK|PACKET)", call)]
