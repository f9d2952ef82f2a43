"""A team's server under load, on this machine: what synchronising, hearing of a change and searching take."""

from __future__ import annotations

import random
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
from laptops import PROJECT, laptop
from postgres import Base, running
from team_records import entry, version

from companion.adapters.postgres.preparing import prepare_server
from companion.ports import LogPlace, Progress
from companion.team.text import record_id
from evals.speed.team_asking import asked_together, texts, vector

BATCH = 500
"""Records appended together when the log is filled."""
HEARD = 30
"""Changes whose way to a colleague is timed."""
SEARCHING, SEARCHES = 50, 10
"""Members that search at once, and how often each."""
TOGETHER = 3
"""How often each member pushes, pulls and searches while all others do."""
INDEX_MEMORY = "4GB"
"""For making the index of vectors at the end of the filling, as an administrator would."""
BUFFERS = 0.25
"""Of the machine's memory, for the server's own pages: what its manual advises a dedicated server."""
MAX_BUFFERS_MB = 8_192
"""Enough for two million memories and their indexes."""


def team_load(
    members: int, memories: int, changes: int, seed: int, bars: Progress, *, vectors: bool, keep: Path | None = None
) -> dict[str, Any]:
    """Seconds to synchronise `changes` between two laptops; milliseconds of hearing, searching and of all together.

    With `keep` the server that is filled stays there, and is gone on with the next time.
    """
    buffers = min(int(psutil.virtual_memory().total * BUFFERS / 2**20), MAX_BUFFERS_MB)
    settings = {
        "max_connections": str(members + 100),
        "maintenance_work_mem": INDEX_MEMORY,
        "shared_buffers": f"{buffers}MB",
    }
    with running(durable=True) as server, TemporaryDirectory(prefix="companion-team-") as folder:
        base = prepared(server)
        synchronised = _synchronised(base, Path(folder), changes, bars)
    with running(durable=True, settings=settings, keep=keep) as server:
        base = prepared(server)
        filled = _filled(base, memories, seed, bars, vectors=vectors)
        heard = _heard(base, server.get_postmaster_info().pid, members, bars)
        bars.step("searching", 0, None)
        searching = min(SEARCHING, members)
        asked = asked_together(base, searching, ["search"], SEARCHES, seed, vectors=vectors)
        by = {f"{name}_ms": milliseconds(times) for name, times in asked.items()}
        bars.step("all together", 0, None)
        asked = asked_together(base, members, ["push", "pull", "search"], TOGETHER, seed + 1, vectors=vectors)
        by |= {f"{name}_together_ms": milliseconds(times) for name, times in asked.items()}
        (size,) = base.run("select pg_database_size(current_database())")
    return {
        "eval": "team",
        "n": memories,
        "ours": synchronised | filled | {"bytes_a_memory": int(str(size[0])) // memories} | heard.pop("memory"),
        "by": {"heard_ms": heard} | by,
        "settings": {"members": members, "changes": changes, "searching": searching, "vectors": vectors},
    }


def prepared(server: Any) -> Base:
    """Its database with the tables, of which Ada and Bob are members."""
    base = Base(str(server.get_postmaster_info().socket_dir), "postgres")
    prepare_server(base.url())
    for login in ("ada", "bob"):
        if not base.run("select 1 from companion.members where login = %(login)s", login=login):
            base.admit(login, PROJECT)
    return base


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


def _heard(base: Base, postmaster: int, members: int, bars: Progress) -> dict[str, Any]:
    """From the beginning of a push until a colleague has pulled it, while all members listen; what each costs."""
    times = []
    with ExitStack() as open_:
        for _ in range(members):
            open_.enter_context(base.server("bob", PROJECT, listens=True)).check()
        backends = [one.memory_full_info().uss for one in psutil.Process(postmaster).children()]
        ada = open_.enter_context(base.server("ada", PROJECT))
        bob = open_.enter_context(base.server("bob", PROJECT, listens=True))
        place = LogPlace()
        while (pulled := bob.pull(place, 10_000)).more:
            place = pulled.place
        place = pulled.place
        for number in range(HEARD):
            bars.step("hearing", number, HEARD)
            one = entry(version(f"Heard {number} of {time.time()}"))
            begun = time.perf_counter()
            pushing = threading.Thread(target=ada.push, args=([one], {}))
            pushing.start()
            while one.id not in (pulled := bob.pull(place, 10)).texts:
                place = pulled.place
                bob.wait(None)
            times.append(time.perf_counter() - begun)
            place = pulled.place
            pushing.join()
    return milliseconds(times) | {"memory": {"bytes_a_connection": sorted(backends)[len(backends) // 2]}}


def _filled(base: Base, memories: int, seed: int, bars: Progress, *, vectors: bool) -> dict[str, float]:
    """Push until the log has as many; the index of vectors is made at the end, where there are none yet."""
    ((there,),) = base.run("select count(*) from companion.log")
    draw, begun, first = random.Random(seed), time.perf_counter(), int(str(there))
    if not first:
        base.run("drop index companion.meanings_near")
    with base.server("ada", PROJECT) as ada:
        for number in range(first, memories, BATCH):
            bars.step("filling", number, memories)
            records = [version(f"{at} {text}") for at, text in enumerate(texts(draw, BATCH), number)]
            given = {record_id(one): vector(draw) for one in records} if vectors else {}
            ada.push([entry(one) for one in records], given)
    pushed = time.perf_counter()
    bars.step("indexing vectors", 0, None)
    base.run(
        "create index if not exists meanings_near on companion.meanings using hnsw (meaning public.halfvec_cosine_ops)"
    )
    base.run("vacuum analyze")
    if first >= memories:
        return {}
    return {"push_ms_a_memory": (pushed - begun) * 1e3 / (memories - first), "indexed_s": time.perf_counter() - pushed}


def milliseconds(seconds: list[float]) -> dict[str, float]:
    """The middle of some times, and what the slowest twentieth exceeds."""
    ordered = sorted(seconds)
    return {"p50": ordered[len(ordered) // 2] * 1e3, "p95": ordered[int(len(ordered) * 0.95)] * 1e3}
