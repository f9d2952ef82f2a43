"""Runs that come by themselves in a daemon: only when it is quiet and enough is new, and never in anybody's way."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from blank import blank_home
from fakes import FakeClock, WordCounter
from repos import WHY_ROUNDED, Repo
from waiting import DEADLINE_S, until

from companion.adapters.secrets import SecretRedactor
from companion.api import Note, Order, RunOrder
from companion.app.consolidation.running import is_due
from companion.app.runtime import Adapters, runtime_over
from companion.config import Settings, WatchBy
from companion.daemon import idle_runs
from companion.daemon.daemon import Daemon
from companion.daemon.log import DaemonLog, log_path
from companion.errors import RunUnderWay
from companion.ports import NoProgress
from companion.records import Format, Signals
from companion.records.runs import RunState
from companion.store.consolidation import journal
from companion.store.opening import open_store

SOON_S = 0.2
"""How long nobody has to ask in these tests."""


@pytest.fixture
def shop(repo: Repo) -> Repo:
    repo.write("shop/price.py", "def total(items):\n    return sum(items)\n")
    repo.write("shop/cart.py", "from shop.price import total\n\n\ndef checkout(items):\n    return total(items)\n")
    repo.commit("Add the cart")
    for number in range(3):
        repo.write("shop/price.py", (repo.root / "shop/price.py").read_text() + f"\n\ndef step_{number}():\n    pass\n")
        repo.commit(f"Fix rounding, step {number}\n\n{WHY_ROUNDED}")
    return repo


@contextmanager
def owning(home: Path, **settings: float) -> Iterator[Daemon]:
    """A daemon whose runs come soon."""
    given = Settings(embeddings="off", **({"consolidate_idle_s": SOON_S, "consolidate_new": 1} | settings))
    database = open_store(blank_home(home), wait_s=0.2, memory_limit="400MB")
    runtime = runtime_over(database, given, Adapters(FakeClock(), WordCounter(), SecretRedactor(), None))
    daemon = Daemon(runtime, DaemonLog(home), idle_s=3_600, watch=WatchBy.OFF)
    daemon.start()
    try:
        yield daemon
    finally:
        daemon.close()
        runtime.close()


def runs(daemon: Daemon, root: Path) -> tuple[tuple[str, RunState], ...]:
    """The runs so far; nobody counts as having asked."""
    live = daemon.checkouts.at(str(root))
    assert live is not None
    return tuple((one.asked_by, one.state) for one in journal.runs(daemon.runtime.store.database, live.project))


def test_a_run_comes_once_when_nobody_asks_any_more(tmp_path: Path, shop: Repo):
    with owning(tmp_path / "home") as daemon:
        daemon.companion(shop.root).scan(NoProgress())
        until(lambda: runs(daemon, shop.root) == (("idle", RunState.APPLIED),))
        daemon.companion(shop.root).remember(Note("Prices are cents"))
        looked = threading.Event()
        daemon._idle_runs.stirred(str(shop.root))
        until(lambda: not daemon._idle_runs._roots)  # it was looked at once more
        assert not looked.wait(SOON_S)
        assert len(runs(daemon, shop.root)) == 1, "at most once a day"


def test_none_comes_where_nothing_was_read_or_little_is_new_or_it_is_switched_off(tmp_path: Path, shop: Repo):
    with owning(tmp_path / "home") as daemon:
        daemon.companion(shop.root)
        until(lambda: not daemon._idle_runs._roots)
        assert runs(daemon, shop.root) == ()
    with owning(tmp_path / "home", consolidate_new=1_000_000) as daemon:
        daemon.companion(shop.root).scan(NoProgress())
        until(lambda: not daemon._idle_runs._roots)
        assert runs(daemon, shop.root) == ()
    with owning(tmp_path / "home", consolidate_idle_s=0) as daemon:
        daemon.companion(shop.root)
        assert not daemon._idle_runs._thread.is_alive()


def test_a_resting_daemon_is_never_woken(tmp_path: Path, shop: Repo):
    with owning(tmp_path / "home") as daemon:
        daemon.companion(shop.root).scan(NoProgress())
        until(lambda: runs(daemon, shop.root) and not daemon._idle_runs._roots)
        waits: list[float | None] = []
        wait = daemon._idle_runs._change.wait
        daemon._idle_runs._change.wait = lambda timeout=None: (waits.append(timeout), wait(timeout))[1]  # type: ignore[method-assign]
        daemon._idle_runs.stirred(str(shop.root))
        until(lambda: waits and waits[-1] is None)
        assert len(waits) <= 4


def test_whoever_comes_back_has_the_run_stop_and_it_goes_on_later(tmp_path: Path, shop: Repo):
    with owning(tmp_path / "home", consolidate_idle_s=3_600) as daemon:
        daemon.companion(shop.root).scan(NoProgress())
        planned = daemon.companion(shop.root).consolidate(RunOrder(dry_run=True), NoProgress())
        idle = daemon._idle_runs
        live = daemon.checkouts.at(str(shop.root))
        assert live is not None
        companion = daemon.companion(shop.root)
        companion.go_on = lambda: False  # type: ignore[attr-defined]
        assert companion.consolidate(RunOrder(run=planned.run), NoProgress()).state is RunState.APPLYING
        daemon.companion(shop.root)  # somebody is there
        assert idle._begun(live, start=0.0), "it stops at its first batch, and some of it is left"
        assert ("command", RunState.APPLYING) in runs(daemon, shop.root)
        assert not idle._begun(live, start=time.monotonic() + 3_600), "all is quiet again"
        assert ("command", RunState.APPLIED) in runs(daemon, shop.root)


def test_an_editor_is_answered_while_a_run_goes_on(tmp_path: Path, shop: Repo):
    with owning(tmp_path / "home", consolidate_idle_s=0) as daemon:
        daemon.companion(shop.root).scan(NoProgress())
        inside, leave = threading.Event(), threading.Event()
        companion = daemon.companion(shop.root)

        def wait() -> bool:
            inside.set()
            return leave.wait(DEADLINE_S)

        companion.go_on = wait  # type: ignore[attr-defined]
        a_run = threading.Thread(target=lambda: companion.consolidate(RunOrder(), NoProgress()))
        a_run.start()
        try:
            assert inside.wait(DEADLINE_S)
            asked = daemon.companion(shop.root)
            assert asked.assemble(2_000, Signals("shop/cart.py"), Format.MARKDOWN, Order.PEOPLE).tokens
            note = asked.remember(Note("Prices are cents"))
            asked.refresh(None)
            with pytest.raises(RunUnderWay, match="by process"):
                asked.consolidate(RunOrder(dry_run=True), NoProgress())
        finally:
            leave.set()
            a_run.join()
        told = daemon.companion(shop.root).report("")
        assert told.state is RunState.APPLIED
        assert daemon.companion(shop.root).expand(note.id).memory is not None


def test_a_run_by_itself_waits_as_long_again_where_another_is_under_way_and_tells_nobody(
    tmp_path: Path, shop: Repo, monkeypatch: pytest.MonkeyPatch
):
    looked: list[float] = []

    def due(*given: object) -> bool:
        looked.append(time.monotonic())
        return is_due(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(idle_runs, "is_due", due)
    with owning(tmp_path / "home") as daemon:
        companion = daemon.companion(shop.root)
        inside, leave = threading.Event(), threading.Event()

        def wait() -> bool:
            inside.set()
            return leave.wait(DEADLINE_S)

        companion.go_on = wait  # type: ignore[attr-defined]
        companion.scan(NoProgress())
        a_run = threading.Thread(target=lambda: companion.consolidate(RunOrder(), NoProgress()))
        a_run.start()
        try:
            assert inside.wait(DEADLINE_S)
            daemon.companion(shop.root).assemble(2_000, Signals("shop/cart.py"), Format.MARKDOWN, Order.PEOPLE)
            before = len(looked)
            until(lambda: len(looked) >= before + 3)
            told = log_path(tmp_path / "home").read_text()
        finally:
            leave.set()
            a_run.join()
    assert "consolidation project=" not in told
    assert all(later - earlier >= SOON_S for earlier, later in zip(looked[before:], looked[before + 1 :], strict=False))


def test_a_daemon_that_is_to_leave_ends_a_run_at_its_next_batch_and_says_so_in_the_log(tmp_path: Path, shop: Repo):
    with owning(tmp_path / "home") as daemon:
        daemon.companion(shop.root).scan(NoProgress())
        until(lambda: runs(daemon, shop.root))
        daemon.stop("enough")
    assert "consolidation project=" in (told := log_path(tmp_path / "home").read_text())
    assert "consolidation failed" not in told
    with owning(tmp_path / "home", consolidate_idle_s=0) as daemon:
        told = daemon.companion(shop.root).consolidate(RunOrder(), NoProgress())
        assert told.state is RunState.APPLIED
