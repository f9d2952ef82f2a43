"""What a night costs at scale, and whoever works meanwhile: its seconds, its memory, and how fast contexts stay.

A store of a given size is generated, a whole night is planned and carried out as an owner does it, and all the
while contexts are asked for at an editor's pace. Beside it stand the same questions without a night.
"""

from __future__ import annotations

import gc
import random
import tempfile
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path

from companion.api import NightReport, Order
from companion.app.compose import open_rooms
from companion.app.local import LocalCompanion
from companion.app.replay import SetClock, Unseen
from companion.config import Settings
from companion.daemon.memory_use import memory_bytes
from companion.daemon.owner import BREATH_S, GIVE_WAY_S
from companion.daemon.presence import Presence
from companion.evals.latency import SEED, Made, Served, make, state_of
from companion.evals.statistics import percentile
from companion.ports import Progress
from companion.records import Format, Signals
from companion.records.nights import RunState

ASK_EVERY_S = 0.25
"""Four contexts a second: more than an editor asks for in a hurry."""
ALONE_ASKS = 100
"""Questions before the night, to compare with."""
WARMING_ASKS = 20
"""Questions that only fill caches and the memory of an owner that has been at work."""
SAMPLE_EVERY_S = 0.02
"""How often memory is looked at while the night goes on."""
MB = 1e6


@dataclass(kw_only=True)
class _AtNight(LocalCompanion):
    """A companion that makes way for who asks, as in an owner."""

    presence: Presence

    def _go_on(self) -> bool:
        time.sleep(BREATH_S)
        self.presence.alone(GIVE_WAY_S)
        return True


@dataclass
class _Watch:
    """The most memory seen since it was begun."""

    before: int = 0
    most: int = 0
    over: threading.Event = field(default_factory=threading.Event)

    def begin(self) -> threading.Thread:
        """Look now and from now on."""
        gc.collect()
        self.before = self.most = memory_bytes()
        watching = threading.Thread(target=self._look)
        watching.start()
        return watching

    def _look(self) -> None:
        while not self.over.wait(SAMPLE_EVERY_S):
            self.most = max(self.most, memory_bytes())


def night_load(memories: int, progress: Progress, *, vectors: bool = True) -> dict[str, object]:
    """A night over a generated store of so many memories, and the contexts asked for meanwhile, as one JSON object.

    Without `vectors` there is nothing near in meaning to look for, and the store is made in a tenth of the time.
    """
    settings = Settings() if vectors else Settings(embeddings="off")
    with tempfile.TemporaryDirectory(prefix="companion-night-") as folder:
        progress.step("generating the store", 0, 1)
        with ProcessPoolExecutor(1, get_context("spawn")) as apart:
            made = apart.submit(make, folder, memories, settings, lived=True).result()
        progress.step("generating the store", 1, 1)
        rooms = open_rooms(Path(folder), settings, SetClock(made.now))
        rooms.shared = True
        rooms.furnish()
        presence = Presence(3_600, lambda: None)
        try:
            asking = Served(rooms, state_of(folder), made.project, made.checkout)
            night = _AtNight(rooms, state_of(folder), made.project, made.checkout, presence=presence)
            return _told(asking, night, made, memories, progress)
        finally:
            rooms.close()


def _told(asking: Served, night: _AtNight, made: Made, memories: int, progress: Progress) -> dict[str, object]:
    ask = _Asker(asking, night.presence, made)
    for _ in range(WARMING_ASKS):
        ask.one()
    alone_ms = [ask.one() for _ in range(ALONE_ASKS)]
    report, meanwhile_ms, watch, seconds = _during(ask, night, progress)
    undo_start = time.perf_counter()
    undone = night.undo(report.run)
    return {
        "eval": "night-load",
        "n": len(meanwhile_ms),
        "ours": {
            "night_s": round(seconds, 2),
            "planning_s": round(sum(one.seconds for one in report.passes), 2),
            "changes": report.changes_total,
            "refused": report.refused,
            "extra_memory_mb": round((watch.most - watch.before) / MB, 1),
            "memory_before_mb": round(watch.before / MB, 1),
            "assemble_p50_ms": round(percentile(meanwhile_ms, 0.5), 2),
            "assemble_p95_ms": round(percentile(meanwhile_ms, 0.95), 2),
            "assemble_max_ms": round(max(meanwhile_ms), 2),
            "done": float(report.state is RunState.APPLIED),
            "undo_s": round(time.perf_counter() - undo_start, 2),
            "not_undone": len(undone.kept),
        },
        "baselines": {
            "without a night": {
                "assemble_p50_ms": round(percentile(alone_ms, 0.5), 2),
                "assemble_p95_ms": round(percentile(alone_ms, 0.95), 2),
                "assemble_max_ms": round(max(alone_ms), 2),
            }
        },
        "by": {one.name: {"seconds": round(one.seconds, 2), "changes": one.changes} for one in report.passes},
        "latency_ms": {f"p{part}": round(percentile(meanwhile_ms, part / 100), 2) for part in (50, 95, 99)},
        "settings": {
            "memories": memories,
            "ask_every_s": ASK_EVERY_S,
            "failed": [p.name for p in report.passes if p.wrong],
        },
    }


def _during(ask: _Asker, night: _AtNight, progress: Progress) -> tuple[NightReport, list[float], _Watch, float]:
    """Have the night while contexts are asked for: what it did, their milliseconds, its memory and its seconds."""
    told: list[NightReport] = []
    watch = _Watch()
    watching = watch.begin()

    def work() -> None:
        with night.presence.asked():
            told.append(night.consolidate(Unseen(), dry_run=False))

    start = time.perf_counter()
    thread = threading.Thread(target=work)
    thread.start()
    meanwhile_ms = []
    while thread.is_alive():
        meanwhile_ms.append(ask.one())
        progress.step("asking while it goes on", len(meanwhile_ms), None)
    thread.join()
    seconds = time.perf_counter() - start
    watch.over.set()
    watching.join()
    if not told:
        raise RuntimeError("the night failed")
    return told[0], meanwhile_ms, watch, seconds


class _Asker:
    """Asks for contexts at an editor's pace, each about another file."""

    def __init__(self, companion: Served, presence: Presence, made: Made) -> None:
        self._companion = companion
        self._presence = presence
        self._made = made
        self._draw = random.Random(SEED)

    def one(self) -> float:
        """Milliseconds of one answer; what it counts is written down behind it."""
        words = " ".join(self._draw.choices(self._made.words, k=self._draw.randint(0, 6)))
        signals = Signals(current_file=self._draw.choice(self._made.paths), query=words)
        start = time.perf_counter()
        with self._presence.asked():
            self._companion.assemble(8_000, signals, Format.MARKDOWN, Order.PEOPLE)
        took_s = time.perf_counter() - start
        self._companion.write_down()
        time.sleep(max(0.0, ASK_EVERY_S - took_s))
        return 1_000 * took_s
