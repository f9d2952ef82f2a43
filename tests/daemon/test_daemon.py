"""A daemon in this process: what it answers, writes behind, watches and tells."""

from __future__ import annotations

import errno
import os
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from blank import blank_home
from fakes import FakeClock, HashEmbedder, WordCounter
from repos import Repo
from waiting import DEADLINE_S, until

from companion.adapters.secrets import SecretRedactor
from companion.api import News, Note, Order
from companion.app.runtime import Adapters, runtime_over
from companion.config import Settings, WatchBy
from companion.daemon import checkouts
from companion.daemon.daemon import Daemon
from companion.daemon.inbox import AWAY_S, QUIET_S, Inbox
from companion.daemon.log import BYTES_MAX, DaemonLog, log_path
from companion.errors import NotARepository, NotReadYet, StoreError, StoreUnwritable
from companion.ports import Embedder, NoProgress
from companion.records import Format, Profile, RepoState, SearchQuery, Signals
from companion.store import projects
from companion.store.backup import EVERY_S
from companion.store.copying import backups
from companion.store.database import Database
from companion.store.opening import open_store
from companion.store.trouble import unwritable


@contextmanager
def owning(home: Path, embedder: Embedder | None = None, away_s: float = AWAY_S) -> Iterator[Daemon]:
    """A daemon over the store in a folder that watches and has a model; closed in good order."""
    settings = Settings()
    database = open_store(home, wait_s=0.2, memory_limit="400MB")
    runtime = runtime_over(
        database, settings, Adapters(FakeClock(), WordCounter(), SecretRedactor(), embedder or HashEmbedder())
    )
    daemon = Daemon(runtime, DaemonLog(home), idle_s=3_600, watch=WatchBy(settings.watch))
    daemon.inbox = Inbox(quiet_s=min(QUIET_S, away_s), away_s=away_s)
    daemon.start()
    try:
        yield daemon
    finally:
        daemon.close()
        runtime.close()


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    """A daemon over a fresh store."""
    with owning(blank_home(tmp_path / "home")) as daemon:
        yield daemon


@pytest.fixture
def shop(repo: Repo) -> Repo:
    repo.write("shop/price.py", "def total(items):\n    return sum(items)\n")
    repo.write("shop/cart.py", "from shop.price import total\n\n\ndef checkout(items):\n    return total(items)\n")
    repo.commit("Add the cart")
    return repo


def context(daemon: Daemon, root: Path, file: str = "shop/cart.py") -> str:
    companion = daemon.companion(root)
    return companion.assemble(2_000, Signals(current_file=file), Format.MARKDOWN, Order.PEOPLE).text


def test_a_repository_that_was_never_read_is_not_read_by_asking(daemon: Daemon, shop: Repo):
    with pytest.raises(NotReadYet):
        context(daemon, shop.root)
    (one,) = daemon.state().repositories
    assert one.watching == "off: not read yet"


def test_what_is_remembered_of_a_repository_that_was_never_read_waits_for_no_quiet_moment(
    daemon: Daemon, shop: Repo, monkeypatch: pytest.MonkeyPatch
):
    settled: list[str] = []
    monkeypatch.setattr(daemon, "settle", lambda live: settled.append(live.root))
    daemon.companion(shop.root).remember(Note("We ship on Mondays"))
    assert settled == [], "settling an unread repository fails, which the log would say after each note"


def test_a_folder_without_a_repository_is_refused(daemon: Daemon, tmp_path: Path):
    with pytest.raises(NotARepository):
        daemon.companion(tmp_path)


def test_after_a_scan_files_are_watched_and_what_is_saved_is_known_and_told(daemon: Daemon, shop: Repo):
    heard: list[News] = []
    daemon.companion(shop.root).scan(NoProgress())
    with daemon.news(shop.root, heard.append):
        until(lambda: daemon.state().repositories[0].watching == "events")
        shop.write("shop/tax.py", "def value_added(price):\n    return price\n")
        until(lambda: "value_added" in daemon.companion(shop.root).expand("file:shop/tax.py").text if heard else False)
    assert "refreshed" in {news.what for news in heard}


class Heavy(HashEmbedder):
    """A model that is not loaded before somebody says so."""

    def __init__(self) -> None:
        self.loaded = threading.Event()

    def embed(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.loaded.wait(DEADLINE_S)
        return super().embed(texts)


def test_what_is_saved_is_known_before_the_model_is_loaded_and_gets_its_vectors_then(tmp_path: Path, shop: Repo):
    model = Heavy()
    shop.write("CONTRIBUTING.md", "# Contributing\n\nEvery change must come with a test of its own.\n")
    with owning(blank_home(tmp_path / "home"), model) as daemon:
        daemon.companion(shop.root).scan(NoProgress())
        until(lambda: daemon.state().repositories[0].watching == "events")
        until(lambda: any(thread.name.startswith("companion-model") for thread in threading.enumerate()))
        shop.write("shop/tax.py", "def value_added(price):\n    return price\n")
        until(lambda: "shop/tax.py" in daemon.companion(shop.root).library().paths())
        assert (
            daemon.companion(shop.root).search(SearchQuery("the cart", profile=Profile.MEMORY)) is not None
        )  # no vector: none to wait for
        assert daemon.companion(shop.root).stats().readiness.embedded == 0
        model.loaded.set()
        until(lambda: daemon.companion(shop.root).stats().readiness.to_embed == 0)
        assert daemon.companion(shop.root).stats().readiness.embedded > 0


def test_many_requests_after_a_move_look_at_the_checkout_once(
    daemon: Daemon, shop: Repo, monkeypatch: pytest.MonkeyPatch
):
    daemon.companion(shop.root).scan(NoProgress())
    looks: list[Path] = []
    looked = checkouts.git.open_repository

    def counted(path: Path, roots: projects.StoredRoots) -> RepoState:
        looks.append(path)
        return looked(path, roots)

    monkeypatch.setattr(checkouts.git, "open_repository", counted)
    threads = [threading.Thread(target=daemon.companion, args=(shop.root,)) for _ in range(6)]
    with daemon.checkouts._lock:  # all of them come before the first has looked
        shop.git("checkout", "-q", "-b", "taxes")
        for thread in threads:
            thread.start()
    for thread in threads:
        thread.join()
    assert len(looks) == 1


def test_a_request_right_after_a_checkout_is_answered_for_the_new_branch(daemon: Daemon, shop: Repo):
    daemon.companion(shop.root).scan(NoProgress())
    shop.git("checkout", "-q", "-b", "taxes")
    daemon.companion(shop.root)
    assert [one.branch for one in daemon.state().repositories] == ["taxes"]


def test_subfolders_and_worktrees_are_told_apart(daemon: Daemon, shop: Repo, tmp_path: Path):
    shop.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "tree")
    for path in (shop.root / "shop", shop.root / "shop" / "cart.py", shop.root, tmp_path / "tree" / "shop"):
        daemon.companion(path)
    assert {Path(one.root) for one in daemon.state().repositories} == {shop.root, tmp_path / "tree"}


def test_what_was_served_is_written_behind_the_answer_and_explain_knows_it_at_once(daemon: Daemon, shop: Repo):
    companion = daemon.companion(shop.root)
    companion.scan(NoProgress())
    companion.remember(Note("Prices are integers", pinned=True))
    context(daemon, shop.root)
    assert daemon.companion(shop.root).explain_last(None, None).context.tokens > 0
    until(lambda: daemon.companion(shop.root).stats().retrieved == 1)


def test_on_a_disk_that_is_full_meanwhile_it_answers_and_says_that_nothing_is_counted_until_there_is_room(
    daemon: Daemon, shop: Repo, monkeypatch: pytest.MonkeyPatch
):
    companion = daemon.companion(shop.root)
    companion.scan(NoProgress())
    companion.remember(Note("Prices are integers", pinned=True))
    asked = SearchQuery("integers", profile=Profile.MEMORY)

    def full(database: Database) -> None:
        raise unwritable(database.path, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr(Database, "_prepare_log", full)
        with pytest.raises(StoreUnwritable):
            daemon.companion(shop.root).remember(Note("This finds no room"))
        assert "Prices are integers" in context(daemon, shop.root)
        later = daemon.companion(shop.root)
        assert [hit.memory.draft.value for hit in later.search(asked)][:1] == ["Prices are integers"]
        assert any("No space left" in said and "not counted" in said for said in later.notices())
    daemon.companion(shop.root).remember(Note("There is room again"))
    assert not any("No space left" in said for said in daemon.companion(shop.root).notices())


def test_when_nobody_is_at_work_it_rests_and_answers_as_before(daemon: Daemon, shop: Repo, tmp_path: Path):
    daemon.companion(shop.root).scan(NoProgress())
    before = daemon.companion(shop.root).expand("file:shop/cart.py")
    until(lambda: " rest " in log_path(tmp_path / "home").read_text())
    assert daemon.companion(shop.root).expand("file:shop/cart.py") == before


def test_a_question_that_leaves_nothing_to_do_is_followed_by_rest_too(tmp_path: Path, shop: Repo):
    with owning(blank_home(tmp_path / "home"), away_s=0.0) as daemon:
        daemon.companion(shop.root).scan(NoProgress())
        unloaded: list[bool] = []
        daemon.runtime.adapters.unloads = (lambda: unloaded.append(True),)
        for _ in range(2):
            unloaded.clear()
            with daemon.asked():
                daemon.companion(shop.root).expand("file:shop/cart.py")
            until(lambda: unloaded)


def test_what_was_read_is_forgotten_once_nobody_has_asked_for_a_while_and_answers_stay_the_same(
    tmp_path: Path, shop: Repo
):
    with owning(blank_home(tmp_path / "home"), away_s=0.0) as daemon:
        daemon.companion(shop.root).scan(NoProgress())
        until(lambda: daemon.state().repositories[0].watching == "events")
        with daemon.asked():
            before = context(daemon, shop.root)
            read = weakref.ref(daemon.runtime.store.readings)
        until(lambda: read() is None)
        assert context(daemon, shop.root) == before


def test_after_the_first_reading_and_each_day_of_work_there_is_a_copy_and_others_write_meanwhile(
    daemon: Daemon, shop: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    companion = daemon.companion(shop.root)
    companion.scan(NoProgress())
    companion.remember(Note("Prices are integers"))
    until(lambda: backups(tmp_path / "home"))
    (first,) = backups(tmp_path / "home")
    until(lambda: not daemon._writer._copying.is_alive())
    looked_over, go_on = threading.Event(), threading.Event()
    probe = daemon.runtime.store.database.probe

    def slowly(*given: Any) -> int:
        looked_over.set()
        assert go_on.wait(DEADLINE_S)
        return probe(*given)

    monkeypatch.setattr(daemon.runtime.store.database, "probe", slowly)
    monkeypatch.setattr(daemon._writer, "_copy_again_at", 0.0)
    os.utime(first, (time.time() - 2 * EVERY_S,) * 2)
    companion.remember(Note("Deploy on Fridays only"))
    assert looked_over.wait(DEADLINE_S)
    try:
        companion.remember(Note("Releases are tagged"))
        assert "def total" in context(daemon, shop.root)
    finally:
        go_on.set()
    until(lambda: not daemon._writer._copying.is_alive())
    assert len(backups(tmp_path / "home")) == 2


def test_what_is_remembered_gets_its_vector_without_being_asked(daemon: Daemon, shop: Repo):
    companion = daemon.companion(shop.root)
    companion.scan(NoProgress())
    companion.remember(Note("Deploy on Fridays only"))
    until(lambda: not daemon.companion(shop.root).stats().readiness.to_embed)


def test_many_threads_read_and_write_at_once(daemon: Daemon, shop: Repo):
    daemon.companion(shop.root).scan(NoProgress())
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for count in range(6):
                daemon.companion(shop.root).remember(Note(f"note {count} of {number}"))
                context(daemon, shop.root)
        except BaseException as wrong:
            failed.append(wrong)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert len(daemon.companion(shop.root).search(SearchQuery("note", limit=100, profile=Profile.MEMORY))) == 24


def test_a_job_that_fails_harms_no_other_and_the_log_says_where_but_not_what(
    daemon: Daemon, shop: Repo, tmp_path: Path
):
    companion = daemon.companion(shop.root)
    companion.scan(NoProgress())
    with pytest.raises(Exception, match="hunter2"):
        daemon.in_turn("scan", lambda: int("hunter2"))
    companion.refresh(None)
    daemon.stop("enough")
    text = log_path(tmp_path / "home").read_text()
    assert "scan failed=ValueError at=test_daemon." in text
    assert "hunter2" not in text


def test_after_it_is_told_to_stop_calls_are_refused_and_it_tells_once(daemon: Daemon, shop: Repo):
    told: list[str] = []
    companion = daemon.companion(shop.root)
    daemon.when_stopped(lambda: told.append("stopped"))
    daemon.stop("enough")
    daemon.stop("enough")
    daemon.when_stopped(lambda: told.append("already"))
    assert told == ["stopped", "already"]
    with pytest.raises(StoreError, match="is exiting"):
        companion.scan(NoProgress())


def test_the_log_is_rotated_and_only_for_its_user(tmp_path: Path):
    log = DaemonLog(tmp_path)
    line = "x" * 1_000
    for _ in range(BYTES_MAX // 1_000 + 10):
        log.said("refresh", id=line)
    log.close()
    files = sorted(log_path(tmp_path).parent.iterdir())
    assert [path.name for path in files] == ["daemon.log", "daemon.log.1"]
    assert all(path.stat().st_mode & 0o077 == 0 for path in files)
