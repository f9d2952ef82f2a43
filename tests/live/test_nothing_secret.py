"""What is typed, printed, named and asked may hold a secret: no byte of one is in the data folder, nor after a crash."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from adapters.issued import WORD
from client.houses import House
from repos import Repo
from waiting import DEADLINE_S, until

from companion.api import Note
from companion.client import connect
from companion.client.starting import start_daemon
from companion.records import Diagnosed, Diagnostic, Profile, SearchQuery, Touch, Touched

SECRET = "ghp_" + "".join(random.Random(3).choices(WORD, k=36))  # a token in the shape of GitHub's, never issued
FAILS = f"raise ValueError('bad token {SECRET}')"


def holding(home: Path, secret: str) -> list[str]:
    """Files of a data folder that hold a text, in UTF-8 or UTF-16."""
    forms = (secret.encode(), secret.encode("utf-16-le"))
    return [str(path) for path in home.rglob("*") if path.is_file() and any(f in path.read_bytes() for f in forms)]


@pytest.mark.skipif(os.name != "posix", reason="a daemon is killed, as POSIX does it")
def test_no_secret_of_commands_outputs_branches_files_diagnostics_or_questions_reaches_the_disk(
    house: House, tmp_path: Path
):
    house = replace(house, root=Path(shutil.copytree(house.root, tmp_path / "shop")))
    repo = Repo(house.root)
    daemon = start_daemon(house.home)
    house.run("init")
    failing = house.begin("run", "--", sys.executable, "-c", FAILS)
    assert SECRET in failing.communicate(timeout=DEADLINE_S)[1]
    assert house.run("run", "--", "sh", "-c", f"echo {SECRET}; exit 3").returncode == 3
    repo.git("checkout", "-q", "-b", f"fix/{SECRET}")
    repo.write(f"shop/{SECRET}.py", f"token = '{SECRET}'\n")
    (house.root / SECRET).mkdir()
    within = replace(house, root=house.root / SECRET)
    assert within.run("run", "--", "sh", "-c", "exit 3").returncode == 3
    companion = connect(house.root)
    companion.refresh(None)
    place = house.root / "shop" / "price.py"
    companion.observe(
        [
            Touched(str(house.root / "shop" / f"{SECRET}.py"), Touch.SAVED),
            Diagnosed(str(place), (Diagnostic(1, f"the token {SECRET} is wrong"),)),
        ]
    )
    repo.commit(f"Use {SECRET}")
    assert within.run("run", "--", "sh", "-c", "exit 0").returncode == 0
    passing = house.begin("run", "--", sys.executable, "-c", FAILS.replace("raise ", ""))
    passing.communicate(timeout=DEADLINE_S)
    companion.refresh(None)
    companion.search(SearchQuery(SECRET, profile=Profile.MEMORY))
    companion.remember(Note(f"The token is {SECRET}."))
    companion.close()
    house.run("context", "--query", f"why is {SECRET} refused")
    house.run("context", "--file", f"shop/{SECRET}.py")
    assert house.run("status").returncode == 0
    assert holding(house.home, SECRET) == []
    os.kill(daemon.pid, signal.SIGKILL)
    until(house.empty)
    assert (house.home / "companion.duckdb.wal").exists()
    assert holding(house.home, SECRET) == []
    assert "[redacted" in house.run("search", "token").stdout
