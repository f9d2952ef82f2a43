"""Whoever of editor, language server and daemon is killed first: in the end none of them is left."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path

import psutil
import pytest
from client.houses import House
from waiting import ended, until

from companion.client import daemon_state

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills as POSIX knows them")

IDLE_S = "1"
"""A daemon nobody needs leaves after this; a user's default is a quarter of an hour."""
EDITOR = Path(__file__).with_name("an_editor.py")


@contextmanager
def editor(house: House) -> Iterator[tuple[psutil.Process, psutil.Process, psutil.Process]]:
    """An editor that was answered, its language server, and the daemon the server started."""
    process = subprocess.Popen(
        [sys.executable, str(EDITOR), str(house.root), str(house.root / "shop/price.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        server = psutil.Process(int(process.stdout.readline()))
        until(lambda: (state := daemon_state()) is not None and state.attached)
        daemon = daemon_state()
        assert daemon is not None
        yield psutil.Process(process.pid), server, psutil.Process(daemon.pid)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("order", list(permutations(("editor", "server", "daemon"))), ids=" then ".join)
def test_killed_in_any_order_they_leave_no_process(house: House, order: tuple[str, ...], monkeypatch):
    monkeypatch.setenv("COMPANION_DAEMON_IDLE_S", IDLE_S)
    monkeypatch.setenv("COMPANION_DAEMON", "auto")
    with editor(house) as alive:
        named = dict(zip(("editor", "server", "daemon"), alive, strict=True))
        for name in order:
            if named[name].is_running():
                named[name].kill()
            until(lambda one=named[name]: ended(one))
        until(lambda: not house.processes())


@pytest.mark.parametrize("first", ["editor", "server"])
def test_when_one_is_killed_those_that_served_it_leave_by_themselves(house: House, first: str, monkeypatch):
    monkeypatch.setenv("COMPANION_DAEMON_IDLE_S", IDLE_S)
    monkeypatch.setenv("COMPANION_DAEMON", "auto")
    with editor(house) as (window, server, daemon):
        {"editor": window, "server": server}[first].kill()
        until(lambda: ended(server))
        until(lambda: not daemon.is_running())
