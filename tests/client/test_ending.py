"""A background service that is ending still has the store: whoever comes then waits for it, and is told who it is."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest
from waiting import DEADLINE_S

from companion.client import connect, finding, starting
from companion.errors import StoreHeld

from .houses import House

ENDING = """
import duckdb, os, sys
from companion.client.finding import LOCK_NAME, sign_lock, try_lock
handle = os.open(os.path.join(sys.argv[1], LOCK_NAME), os.O_RDWR | os.O_CREAT, 0o600)
assert try_lock(handle)
sign_lock(handle)
held = duckdb.connect(os.path.join(sys.argv[1], "companion.duckdb"))
print("held", flush=True)
sys.stdin.readline()
"""
"""A process with the service's lock and the store, which listens to nobody any more."""


@pytest.fixture
def ending(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[subprocess.Popen[str]]:
    monkeypatch.setenv("COMPANION_STORE_WAIT_S", "0.1")
    command = [sys.executable, "-c", ENDING, str(house.home)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_whoever_comes_then_waits_until_it_has_ended(
    house: House, ending: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
):
    real = finding.lock_holder

    def ended_meanwhile(home: object) -> int:
        found = real(house.home)
        ending.kill()
        ending.wait(DEADLINE_S)
        return found

    monkeypatch.setattr(finding, "lock_holder", ended_meanwhile)
    companion = connect(house.root)
    assert companion.stats().commits == 1
    companion.close()


def test_one_that_goes_on_and_on_is_told_by_what_it_is(
    house: House, ending: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(starting, "STOP_WAIT_S", 0.1)
    with pytest.raises(StoreHeld) as told:
        connect(house.root)
    assert told.value.what.startswith(f"The background service, process {ending.pid}, is ending")
