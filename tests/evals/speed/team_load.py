"""A team's server under load, on this machine: what synchronising, hearing of a change and searching take."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from laptops import PROJECT, laptop
from postgres import Base, running
from team_records import entry, version

from companion.adapters.postgres.preparing import prepare_server
from companion.adapters.postgres.server import DIMENSION
from companion.ports import LogPlace, Progress
from companion.team.text import record_id

BATCH = 500
"""Records appended together when the log is filled."""
WORDS, WORDS_A_TEXT = 20_000, 25
"""Of the generated texts: a vocabulary, drawn from as language does (few words often), and words in a memory."""
HEARD = 30
"""Changes whose way to a colleague is timed."""
SEARCHES = 10
"""Asked by each who searches."""
SEARCHING = 50
"""Who search at once."""
FILLED = 8
"""Numbers of a random vector that are not 0: the index has as much to do, and less is sent."""


def team_load(members: int, memories: int, changes: int, seed: int, bars: Progress, *, vectors: bool) -> dict[str, Any]:
    """Seconds to synchronise `changes` between two laptops; milliseconds of hearing, and of searching all memories."""
    with running(durable=True) as server, TemporaryDirectory(prefix="companion-team-") as folder:
        base = Base(str(server.get_postmaster_info().socket_dir), "postgres")
        prepare_server(base.url())
        for login in ("ada", "bob"):
            base.admit(login, PROJECT)
        synchronised = _synchronised(base, Path(folder), changes, bars)
        heard = _heard(base, members, bars)
        filled_s = _filled(base, memories, seed, bars, vectors=vectors)
        searched = _searched(base, seed, bars, vectors=vectors)
        (size,) = base.run("select pg_database_size(current_database())")
    return {
        "eval": "team",
        "n": memories,
        "ours": synchronised | {"filled_s": filled_s, "database_bytes": size[0]},
        "by": {"heard_ms": heard, "search_ms": searched},
        "settings": {"members": members, "changes": changes, "searching": SEARCHING, "vectors": vectors},
    }


def _synchronised(base: Base, folder: Path, changes: int, bars: Progress) -> dict[str, float]:
    with laptop(folder / "ada", "Ada") as ada, laptop(folder / "bob", "Bob") as bob:
        bars.step("making changes", 0, None)
        ada.make(*(version(f"Rule {number} of the shop") for number in range(changes)))
        bars.step("pushing", 0, None)
        begun = time.perf_counter()
        ada.sync(base.url("ada"))
        pushed = time.perf_counter()
        bars.step("pulling", 0, None)
        bob.sync(base.url("bob"))
        assert ada.known == bob.known
        return {"pushed_s": pushed - begun, "pulled_s": time.perf_counter() - pushed}


def _heard(base: Base, members: int, bars: Progress) -> dict[str, float]:
    """From the beginning of a push until a colleague has pulled it, while all members listen."""
    times = []
    with ExitStack() as open_:
        for _ in range(members):
            open_.enter_context(base.server("bob", PROJECT, listens=True)).check()
        ada = open_.enter_context(base.server("ada", PROJECT))
        bob = open_.enter_context(base.server("bob", PROJECT, listens=True))
        place = LogPlace()
        while (pulled := bob.pull(place, 1_000)).more:
            place = pulled.place
        place = pulled.place
        for number in range(HEARD):
            bars.step("hearing", number, HEARD)
            one = entry(version(f"Heard {number}"))
            begun = time.perf_counter()
            pushing = threading.Thread(target=ada.push, args=([one], {}))
            pushing.start()
            while one.id not in (pulled := bob.pull(place, 10)).texts:
                place = pulled.place
                bob.wait(None)
            times.append(time.perf_counter() - begun)
            place = pulled.place
            pushing.join()
    return _milliseconds(times)


def _filled(base: Base, memories: int, seed: int, bars: Progress, *, vectors: bool) -> float:
    draw, begun = random.Random(seed), time.perf_counter()
    with base.server("ada", PROJECT) as ada:
        for first in range(0, memories, BATCH):
            bars.step("filling", first, memories)
            records = [version(f"{number} {text}") for number, text in enumerate(_texts(draw, BATCH), first)]
            given = {record_id(one): _vector(draw) for one in records} if vectors else {}
            ada.push([entry(one) for one in records], given)
    base.run("vacuum analyze")
    return time.perf_counter() - begun


def _searched(base: Base, seed: int, bars: Progress, *, vectors: bool) -> dict[str, float]:
    """Two words of a memory, as many at once as search at once."""
    bars.step("searching", 0, None)

    def ask(number: int) -> list[float]:
        draw, times = random.Random(seed + number), []
        with base.server("bob", PROJECT) as one:
            one.check()
            for text in _texts(draw, SEARCHES):
                words = " ".join(draw.sample(text.split(), 2))
                begun = time.perf_counter()
                one.search(words, _vector(draw) if vectors else None, 10)
                times.append(time.perf_counter() - begun)
        return times

    with ThreadPoolExecutor(SEARCHING) as pool:
        return _milliseconds([one for times in pool.map(ask, range(SEARCHING)) for one in times])


def _texts(draw: random.Random, number: int) -> Iterator[str]:
    for _ in range(number):
        yield " ".join(f"w{int(WORDS ** draw.random())}" for _ in range(WORDS_A_TEXT))


def _vector(draw: random.Random) -> list[float]:
    vector = [0.0] * DIMENSION
    for _ in range(FILLED):
        vector[draw.randrange(DIMENSION)] = 1.0
    return vector


def _milliseconds(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds)
    return {"p50": ordered[len(ordered) // 2] * 1e3, "p95": ordered[int(len(ordered) * 0.95)] * 1e3}
