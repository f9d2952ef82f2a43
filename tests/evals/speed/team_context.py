"""What a team's server costs a context on the laptop: no server, one that is there, busy, silent, gone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from laptops import PROJECT
from lines import line_to
from postgres import Base
from team_records import entry, version

from companion.api import Companion, Order
from companion.client import connect
from companion.ports import Progress
from companion.records import Format, Signals
from evals.speed.generated import paths_of
from evals.speed.inhabited import inhabited
from evals.speed.latency import SEED
from evals.speed.processes import own_home

MEMORIES = 1_000
"""Of the laptop's own store."""
ASKED = 60
"""Contexts in each state, each about another file."""
BUDGET = 4_000
COMING = 3_000
"""Records that a colleague appends at once: taken in while contexts are asked for."""
STATE_S = 60.0
"""The longest that a state is waited for."""


def contexts_by_server(base: Base, folder: Path, bars: Progress) -> dict[str, list[float]]:
    """Seconds of contexts, by the state of the server, all asked of one daemon in one run.

    All but `busy` are of the same store, which has taken in what came.
    """
    root, told = inhabited(folder, MEMORIES, bars), dict[str, list[float]]()
    with own_home(folder / "home"), line_to(base.folder) as line, closing(connect(root, start=True)) as companion:
        url = f"postgresql://bob@127.0.0.1:{line.port}/{base.name}"
        bars.step("contexts beside a server", 0, None)
        _asked(companion)
        companion.team_connect(url, PROJECT)
        _until(lambda: _online(companion) is True)
        colleague = threading.Thread(target=_append, args=(base,))
        colleague.start()
        _until(lambda: not colleague.is_alive())
        told["busy"] = _asked(companion)
        _until(lambda: _read_to(companion) >= COMING)
        told["there"] = _asked(companion)
        line.hold()
        with base.server("ada", PROJECT) as ada:
            ada.push([entry(version("What the silent line does not tell"))], {})
        told["silent"] = _asked(companion)
        line.close()
        _until(lambda: _online(companion) is False)
        told["gone"] = _asked(companion)
        companion.team_disconnect()
        told["none"] = _asked(companion)
    return told


def _append(base: Base) -> None:
    with base.server("ada", PROJECT) as ada:
        ada.push([entry(version(f"Rule {number} of those that come at once")) for number in range(COMING)], {})


def _asked(companion: Companion) -> list[float]:
    times = []
    for path in paths_of(SEED)[:ASKED]:
        begun = time.perf_counter()
        companion.assemble(BUDGET, Signals(current_file=path), Format.MARKDOWN, Order.PEOPLE, count_use=False)
        times.append(time.perf_counter() - begun)
    return times


def _online(companion: Companion) -> bool | None:
    standing = companion.team_server()
    return None if standing is None else standing.online


def _read_to(companion: Companion) -> int:
    standing = companion.team_server()
    return 0 if standing is None else standing.read_to


def _until(holds: Callable[[], bool]) -> None:
    """Raises TimeoutError."""
    until = time.monotonic() + STATE_S
    while not holds():
        if time.monotonic() > until:
            raise TimeoutError("the server's state did not come about")
        time.sleep(0.05)
