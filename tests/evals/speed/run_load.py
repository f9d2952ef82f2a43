"""What a run costs at scale, and whoever works meanwhile: its seconds, its memory, and how fast contexts stay.

A store of a given size is generated, a whole run is planned and carried out as a daemon does it, and all the
while contexts are asked for at an editor's pace. Beside it stand the same questions without a run, and the run
that follows, which finds what the first one left.
"""

from __future__ import annotations

import gc
import os
import random
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

from journalled import journalled

from companion.api import Order, RunOrder, RunReport
from companion.app.compose import open_runtime
from companion.app.consolidation.running import known_passes
from companion.app.local import LocalCompanion
from companion.app.replay import SetClock
from companion.app.runtime import Runtime
from companion.client.starting import DAEMONS
from companion.config import Settings
from companion.daemon.memory_use import memory_bytes, tidy, untidy
from companion.daemon.presence import Presence
from companion.daemon.workplace import BREATH_S, GIVE_WAY_S
from companion.evals.statistics import percentile
from companion.ports import NoProgress, Progress
from companion.records import Format, Signals
from companion.records.runs import ChangeState, RunState
from companion.surfaces.cli.__main__ import COLLECT_AFTER_OBJECTS
from evals.speed.latency import SEED, Made, Served, make, state_of

T = TypeVar("T")

ASK_EVERY_S = 0.25
"""Four contexts a second: more than an editor asks for in a hurry."""
ALONE_ASKS = 60
"""Questions before the run, and as many after it, to compare with: a machine is busier at times."""
WARMING_ASKS = 20
"""Questions that only fill caches and the memory of a daemon that has been at work."""
SAMPLE_EVERY_S = 0.02
"""How often memory is looked at while the run goes on."""
MB = 1e6
PLANNING = "planning"
"""What a run calls the stage in which its passes are asked, one after the other."""
BEGINNING, MAKING, ENDING = "beginning", "making the changes", "ending"
"""What is told beside the passes: digests of all memories, the changes themselves, and the index of texts."""


@dataclass(kw_only=True)
class _WhileIdle(LocalCompanion):
    """A companion that makes way for who asks, as in a daemon."""

    presence: Presence

    def __post_init__(self) -> None:
        """A run asks this one whether to go on."""
        super().__post_init__()
        self.go_on = self._make_way

    def _make_way(self) -> bool:
        time.sleep(BREATH_S)
        self.presence.alone(GIVE_WAY_S)
        return True


@dataclass
class _Stage:
    """One pass, or the making of the changes: its seconds, and the most memory seen meanwhile."""

    seconds: float = 0.0
    most: int = 0


class _Watch:
    """What each stage of a run takes, as its progress tells them; memory is looked at by a thread beside it."""

    def __init__(self) -> None:
        self._passes = list(known_passes())
        self._stage, self._since = BEGINNING, time.perf_counter()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self.stages: defaultdict[str, _Stage] = defaultdict(_Stage)
        tidy()  # what freed memory holds is not taken for the run's
        self.before = memory_bytes()
        self.cpu_s = 0.0
        """Of all threads, the answers' too: what a run takes of a machine, however busy that is otherwise."""

    @property
    def most(self) -> int:
        """The most memory of all stages."""
        return max((one.most for one in self.stages.values()), default=self.before)

    def __enter__(self) -> _Watch:
        self._since, self.cpu_s = time.perf_counter(), -time.process_time()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._enter(ENDING)
        self.cpu_s += time.process_time()
        self._over.set()
        self._thread.join()

    def step(self, stage: str, done: int, total: int | None) -> None:
        """How far the run is: as `companion.ports.Progress`."""
        if stage == PLANNING:
            self._enter(self._passes[done] if done < len(self._passes) else ENDING)
        elif not stage.startswith("pass "):
            self._enter(MAKING if done != total else ENDING)

    def _enter(self, stage: str) -> None:
        now = time.perf_counter()
        self.stages[self._stage].seconds += now - self._since
        self._stage, self._since = stage, now

    def _look(self) -> None:
        while not self._over.wait(SAMPLE_EVERY_S):
            one = self.stages[self._stage]
            one.most = max(one.most, memory_bytes())


def run_load(memories: int, progress: Progress, *, vectors: bool = True) -> dict[str, object]:
    """A run over a generated store of so many memories, and the contexts asked for meanwhile, as one JSON object.

    Without `vectors` there is nothing near in meaning to look for, and the store is made in a tenth of the time.
    """
    settings = Settings() if vectors else Settings(embeddings="off")
    with tempfile.TemporaryDirectory(prefix="companion-run-") as folder:
        progress.step("generating the store", 0, 2)
        made = _apart(partial(make, folder, memories, settings, lived=True))
        progress.step("having the run", 1, 2)
        return _apart(partial(had, folder, made, settings, memories))


def _apart(work: Callable[[], T]) -> T:
    """Do something in a process of its own, with what a daemon's environment says."""
    for name, value in DAEMONS.items():
        os.environ.setdefault(name, value)
    with ProcessPoolExecutor(1, get_context("spawn")) as apart:
        return apart.submit(work).result()


def had(folder: str, made: Made, settings: Settings, memories: int) -> dict[str, object]:
    """The run over a store that was made, and all that is measured of it."""
    gc.set_threshold(COLLECT_AFTER_OBJECTS)  # as every daemon's process
    runtime = open_runtime(Path(folder), settings, SetClock(made.now))
    runtime.shared = True
    runtime.store.make_all()
    try:
        return _told(runtime, folder, made, Presence(3_600, lambda: None), memories)
    finally:
        untidy()
        runtime.close()


def _told(runtime: Runtime, folder: str, made: Made, presence: Presence, memories: int) -> dict[str, object]:
    a_run = _WhileIdle(runtime, state_of(folder), made.project, made.checkout, presence=presence)
    ask = _Asker(Served(runtime, state_of(folder), made.project, made.checkout), presence, made)
    for _ in range(WARMING_ASKS):
        ask.one()
    tidy()  # as a daemon does once it is warm
    alone_ms = [ask.one() for _ in range(ALONE_ASKS)]
    report, meanwhile_ms, watch, seconds = _during(ask, a_run)
    alone_ms += [ask.one() for _ in range(ALONE_ASKS)]
    reasons = _refusals(runtime, report.run)
    following = _following(a_run)
    undo_start = time.perf_counter()
    undone = a_run.undo(report.run)
    undo_s = time.perf_counter() - undo_start
    return {
        "eval": "run-load",
        "n": len(meanwhile_ms),
        "ours": {
            "run_s": round(seconds, 2),
            "cpu_s": round(watch.cpu_s, 2),
            "planning_s": round(sum(one.seconds for one in report.passes), 2),
            "changes": report.changes_total,
            "refused": report.refused,
            "extra_memory_mb": round((watch.most - watch.before) / MB, 1),
            "memory_before_mb": round(watch.before / MB, 1),
            **_times(meanwhile_ms),
            "p95_to_without": round(percentile(meanwhile_ms, 0.95) / percentile(alone_ms, 0.95), 2),
            "done": float(report.state is RunState.APPLIED),
            "undo_s": round(undo_s, 2),
            "not_undone": len(undone.kept),
        },
        "baselines": {"without a run": _times(alone_ms), "the following run, nobody asking": following},
        "by": _by(report, watch),
        "refused": dict(reasons.most_common()),
        "not_undone": dict(Counter(one.why_not for one in undone.kept).most_common()),
        "latency_ms": {f"p{part}": round(percentile(meanwhile_ms, part / 100), 2) for part in (50, 95, 99)},
        "settings": {
            "memories": memories,
            "ask_every_s": ASK_EVERY_S,
            "failed": [p.name for p in report.passes if p.wrong],
        },
    }


def _following(a_run: _WhileIdle) -> dict[str, float]:
    """The next run over the same store, with nothing learned in between; taken back, so that the first can be."""
    start, cpu_s = time.perf_counter(), time.process_time()
    report = a_run.consolidate(RunOrder(), NoProgress())
    told = {
        "run_s": round(time.perf_counter() - start, 2),
        "cpu_s": round(time.process_time() - cpu_s, 2),
        "planning_s": round(sum(one.seconds for one in report.passes), 2),
        "changes": report.changes_total,
    }
    a_run.undo(report.run)
    return told


def _times(all_ms: Sequence[float]) -> dict[str, float]:
    return {
        "assemble_p50_ms": round(percentile(all_ms, 0.5), 2),
        "assemble_p95_ms": round(percentile(all_ms, 0.95), 2),
        "assemble_max_ms": round(max(all_ms), 2),
    }


def _by(report: RunReport, watch: _Watch) -> dict[str, dict[str, float]]:
    """Each stage: its seconds, the memory it had beyond the daemon's, and for a pass what it proposed."""
    changes = {one.name: {"changes": one.changes, "dropped": one.dropped} for one in report.passes}
    return {
        name: {
            "seconds": round(stage.seconds, 2),
            "extra_memory_mb": round(max(0, stage.most - watch.before) / MB, 1),
            **changes.get(name, {}),
        }
        for name, stage in watch.stages.items()
    }


def _refusals(runtime: Runtime, run: str) -> Counter[str]:
    """Why changes were not made, by pass and reason."""
    refused = journalled(runtime.store.database, run, state=ChangeState.REFUSED)
    return Counter(f"{one.step}: {one.why_not}" for one in refused)


def _during(ask: _Asker, a_run: _WhileIdle) -> tuple[RunReport, list[float], _Watch, float]:
    """Have the run while contexts are asked for: what it did, their milliseconds, its memory and its seconds."""
    told: list[RunReport] = []

    def work(watch: _Watch) -> None:
        with a_run.presence.asked():
            told.append(a_run.consolidate(RunOrder(), watch))

    with _Watch() as watch:
        start = time.perf_counter()
        thread = threading.Thread(target=work, args=(watch,))
        thread.start()
        meanwhile_ms = []
        while thread.is_alive():
            meanwhile_ms.append(ask.one())
        thread.join()
        seconds = time.perf_counter() - start
    if not told:
        raise RuntimeError("the run failed")
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
