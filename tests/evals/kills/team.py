"""Daemons and their team's server are killed while people share: what was acknowledged, and what became of it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from laptops import PROJECT, repository
from msgspec import Struct
from msgspec.structs import replace
from postgres import Base, kill, running, start_again

from companion.adapters.postgres.preparing import prepare_server
from companion.client.finding import lock_is_held, read_card
from companion.client.starting import stop_daemon
from companion.store.opening import open_store
from companion.store.rows import column
from evals.speed.processes import COMMAND_S, MEASURES

NAMES = ("ada", "bob", "cleo", "dan")
BETWEEN_S = 1.0
"""The longest between two kills."""
_RECORDS = "select id from team_records"
_TEXTS = "select content_full from memories where status = 'active'"
AGAIN_S = 60.0
"""A daemon that is not back by then is not coming."""


class TeamStorm(Struct, frozen=True):
    """What was acknowledged by a daemon as shared, how many records the server has, and which promises were broken.

    `lost` are acknowledged texts that a store does not have, `doubled` what is twice in the log or in a store,
    `unequal` the stores whose records are not those of the server.
    """

    acknowledged: int
    records: int
    lost: list[str]
    doubled: list[str]
    unequal: list[str]
    laptop_kills: int = 0
    server_kills: int = 0
    seconds: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether no promise was broken, and anything was promised."""
        return self.acknowledged > 0 and not (self.lost or self.doubled or self.unequal)


@dataclass
class _Laptop:
    """Somebody's repository and store, and what of theirs was acknowledged."""

    name: str
    folder: Path

    @property
    def root(self) -> Path:
        return self.folder / "repo"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def acknowledged(self) -> list[str]:
        return (self.folder / "acknowledged").read_text().splitlines()

    @property
    def environment(self) -> dict[str, str]:
        return os.environ | {"COMPANION_HOME": str(self.home), "PYTHONPATH": MEASURES}

    def runs(self, *words: str) -> None:
        """Raises OSError for a command that fails."""
        command = [sys.executable, "-m", "companion.surfaces.cli", *words]
        done = subprocess.run(
            command,
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=COMMAND_S,
            check=False,
        )
        if done.returncode:
            raise OSError(f"`companion {' '.join(words)}` ended with {done.returncode}: {done.stderr.strip()[-400:]}")

    def begin(self, end: Path, seed: int) -> subprocess.Popen[bytes]:
        """The person, at work."""
        with (self.folder / "acknowledged").open("wb") as told:
            words = [sys.executable, "-m", "evals.kills.team_person", str(self.root), str(end), str(seed)]
            return subprocess.Popen(words, cwd=self.root, env=self.environment, stdout=told)

    def kill_daemon(self) -> None:
        """Kill the daemon as soon as there is one. Raises TimeoutError."""
        until = time.monotonic() + AGAIN_S
        while time.monotonic() < until:
            card = read_card(self.home)
            if card is not None and lock_is_held(self.home) and psutil.pid_exists(card.pid):
                os.kill(card.pid, signal.SIGKILL)
                psutil.wait_procs([psutil.Process(card.pid)] if psutil.pid_exists(card.pid) else [], AGAIN_S)
                return
            time.sleep(0.01)
        raise TimeoutError(f"{self.name}'s daemon did not come back")

    def holds(self) -> tuple[frozenset[str], Counter[str]]:
        """The ids of all records of the team in the store, and how often each text stands among living memories."""
        database = open_store(self.home, wait_s=5.0, memory_limit="200MB")
        try:
            return frozenset(column(database, _RECORDS)), Counter(column(database, _TEXTS))
        finally:
            database.close()


def team_storm(
    folder: Path, laptop_kills: int, server_kills: int, seed: int, step: Callable[[int, int], None]
) -> TeamStorm:
    """Have four people note and share in an empty folder while their daemons and the server are killed, as drawn.

    Raises OSError, TimeoutError where something does not come back.
    """
    begun = time.monotonic()
    with running(durable=True) as server:
        base = Base(str(server.get_postmaster_info().socket_dir), "postgres")
        prepare_server(base.url())
        laptops = [_Laptop(name, folder / name) for name in NAMES]
        try:
            for one in laptops:
                base.admit(one.name, PROJECT)
                repository(one.root, one.name.title())
                one.runs("init")
                one.runs("team", "connect", base.url(one.name), "--project", PROJECT)
            kills = [True] * laptop_kills + [False] * server_kills
            random.Random(seed).shuffle(kills)
            _kill(laptops, server, kills, random.Random(seed), step, folder / "end")
            for one in (*laptops, *laptops):
                one.runs("team", "sync")
        finally:
            for one in laptops:
                stop_daemon(one.home)
        found = _found(base, laptops)
    return replace(found, laptop_kills=laptop_kills, server_kills=server_kills, seconds=time.monotonic() - begun)


def _kill(
    laptops: Sequence[_Laptop],
    server: Any,
    kills: Sequence[bool],
    draw: random.Random,
    step: Callable[[int, int], None],
    end: Path,
) -> None:
    """Kill daemons (true) and the server (false) in order, while everybody is at work."""
    people = [one.begin(end, number) for number, one in enumerate(laptops)]
    try:
        for number, of_laptop in enumerate(kills):
            step(number, len(kills))
            time.sleep(draw.random() * BETWEEN_S)
            if of_laptop:
                draw.choice(laptops).kill_daemon()
            else:
                _kill_server(server)
    finally:
        end.touch()
        for one in people:
            one.wait(AGAIN_S)


def _kill_server(server: Any) -> None:
    """Kill the server with all its processes at once, and start it again over what is on the disk."""
    kill(server)
    start_again(server)


def _found(base: Base, laptops: Sequence[_Laptop]) -> TeamStorm:
    logged = [str(record) for (record,) in base.run("select record from companion.log")]
    said = [text for one in laptops for text in one.acknowledged]
    held = {one.name: one.holds() for one in laptops}
    return TeamStorm(
        acknowledged=len(said),
        records=len(logged),
        lost=[f"{name}: {text}" for text in said for name, (_, texts) in held.items() if text not in texts],
        doubled=[f"log: {id_}" for id_, many in Counter(logged).items() if many > 1]
        + [f"{name}: {text}" for name, (_, texts) in held.items() for text, many in texts.items() if many > 1],
        unequal=[name for name, (records, _) in held.items() if records != frozenset(logged)],
    )
