"""What a team's server costs a context on the laptop: no server, one that is there, busy, silent, gone."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from laptops import PROJECT
from lines import line_to
from postgres import Base, running
from team_records import entry, version

from companion.api import Companion, Order
from companion.client import connect
from companion.ports import Progress
from companion.records import Format, Signals
from evals.speed.generated import paths_of
from evals.speed.inhabited import inhabited
from evals.speed.latency import SEED
from evals.speed.processes import own_home
from evals.speed.team_load import milliseconds, prepared

ROUNDS = 6
"""How often a server is connected and disconnected again: contexts with and without one are asked in turns."""
SEEN, LOOK_S = 20, 0.005
"""Changes of a colleague that are waited for, and seconds between two looks."""
BUDGET = 4_000
STATE_S = 300.0
"""The longest that a state is waited for."""


def team_context(memories: int, coming: int, asked: int, bars: Progress) -> dict[str, Any]:
    """Milliseconds of `asked` contexts in each state of the server, all of one daemon.

    `taking_in` is asked while `coming` records of a colleague are taken in; the others of the same store, which has
    them and all their vectors. `seen` are no contexts but changes, from a colleague's push until this laptop has them.
    """
    with running(durable=True) as server, TemporaryDirectory(prefix="companion-team-") as folder:
        base = prepared(server)
        told = _by_state(base, Path(folder), memories, coming, asked, bars)
    return {
        "eval": "team-context",
        "n": memories + coming,
        "by": {f"{name}_ms": milliseconds(times) for name, times in told.items()},
        "settings": {"memories": memories, "coming": coming, "asked": asked, "rounds": min(ROUNDS, asked)},
    }


def _by_state(
    base: Base, folder: Path, memories: int, coming: int, asked: int, bars: Progress
) -> dict[str, list[float]]:
    root, told = inhabited(folder, memories, bars), defaultdict[str, list[float]](list)
    files, rounds = paths_of(SEED, memories)[:asked], min(ROUNDS, asked)
    with own_home(folder / "home"), line_to(base.folder) as line, closing(connect(root, start=True)) as companion:

        def connected() -> None:
            companion.team_connect(f"postgresql://bob@127.0.0.1:{line.port}/{base.name}", PROJECT)
            _until(lambda: _online(companion) is True)

        bars.step("contexts while records come", 0, None)
        _asked(companion, files)
        connected()
        with base.server("ada", PROJECT) as ada:
            ada.push([entry(version(f"Rule {number} of those that come at once")) for number in range(coming)], {})
        told["taking_in"] = _asked(companion, files)
        bars.step("taking in", 0, None)
        _until(lambda: _has(companion, coming) and not companion.stats().readiness.to_embed)
        for part in range(rounds):
            bars.step("contexts with a server and without", part, rounds)
            told["there"] += _asked(companion, files[part::rounds])
            companion.team_disconnect()
            told["none"] += _asked(companion, files[part::rounds])
            connected()
        bars.step("changes of a colleague", 0, None)
        told["seen"] = list(_seen(base, companion, min(SEEN, memories)))
        line.hold()
        with base.server("ada", PROJECT) as ada:
            ada.push([entry(version("What the silent line does not tell"))], {})
        told["silent"] = _asked(companion, files)
        line.close()
        _until(lambda: _online(companion) is False)
        told["gone"] = _asked(companion, files)
        companion.team_disconnect()
        told["none_at_last"] = _asked(companion, files)
    return told


def _seen(base: Base, companion: Companion, changes: int) -> Iterator[float]:
    """From the beginning of a colleague's push until this laptop has what it says."""
    with base.server("ada", PROJECT) as ada:
        first = _read_to(companion) + 1
        for number in range(changes):
            wanted, begun = first + number, time.perf_counter()
            ada.push([entry(version(f"Change {number} that is waited for"))], {})
            _until(partial(_has, companion, wanted), LOOK_S)
            yield time.perf_counter() - begun


def _asked(companion: Companion, files: Sequence[str]) -> list[float]:
    times = []
    for path in files:
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


def _has(companion: Companion, records: int) -> bool:
    return _read_to(companion) >= records


def _until(holds: Callable[[], bool], look_s: float = 0.05) -> None:
    """Look every so many seconds. Raises TimeoutError."""
    until = time.monotonic() + STATE_S
    while not holds():
        if time.monotonic() > until:
            raise TimeoutError("the server's state did not come about")
        time.sleep(look_s)
