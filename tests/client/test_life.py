"""The life of a daemon: exactly one, found by all, gone when it should be, and nothing lost however it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from waiting import until

from companion.api import Note
from companion.client import attach, connect, daemon_state, starting
from companion.client.finding import API, CARD_NAME, Address, find_daemon, read_card
from companion.client.starting import living_daemon, start_daemon, stop_daemon
from companion.errors import AlreadyKept, CompanionError, StoreError
from companion.records import Profile, SearchQuery

from .houses import House

TOGETHER = 20
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and Unix sockets")


def texts(house: House) -> list[str]:
    companion = connect(house.root)
    try:
        return [
            hit.memory.draft.levels.full
            for hit in companion.search(SearchQuery("note", limit=1_000, profile=Profile.MEMORY))
        ]
    finally:
        companion.close()


def write_card(house: House, **said: object) -> None:
    card = {"pid": 1, "version": "0.1.0", "api": API, "socket": "", "port": 0, "token": "", **said}
    (house.home / CARD_NAME).write_text(json.dumps(card))


def test_of_twenty_started_at_once_exactly_one_wins_and_all_succeed(house: House):
    starts = [house.begin("start", "--json") for _ in range(TOGETHER)]
    said = [start.communicate(timeout=110) for start in starts]
    assert [start.returncode for start in starts] == [0] * TOGETHER, said
    pids = {json.loads(out)["pid"] for out, _ in said}
    assert len(pids) == 1
    until(lambda: [process.pid for process in house.processes()] == list(pids))


def test_start_stop_and_status_say_who_owns_the_store(house: House):
    assert house.run("status").returncode == 1
    assert house.run("stop").stdout == "The background service was not running.\n"
    started = json.loads(house.run("start", "--json").stdout)
    status = json.loads(house.run("status", "--json").stdout)
    assert (status["pid"], status["home"], status["requests"]) == (started["pid"], str(house.home), 0)
    assert json.loads(house.run("stop", "--json").stdout) == {"pid": started["pid"]}
    until(lambda: not psutil.pid_exists(started["pid"]))
    assert not (house.home / CARD_NAME).exists()


def test_who_watches_hears_what_changes_as_it_happens_until_the_service_ends(house: House):
    watch = house.begin("watch", "--json")
    assert watch.stdout is not None
    assert json.loads(watch.stdout.readline())["what"] == "attached"
    cart = house.root / "shop" / "cart.py"
    before = cart.read_text()
    cart.write_text("def total(cart):\n    return 0\n")
    try:
        read = next(told for told in map(json.loads, watch.stdout) if told["what"] == "refreshed")
    finally:
        cart.write_text(before)  # other tests read the same shop
    assert read["says"].startswith("Read: 1 changed file")
    stop_daemon(house.home)
    assert next(told for told in map(json.loads, watch.stdout) if told["what"] == "leaving")
    watch.kill()
    watch.communicate()


def test_a_folder_in_no_repository_cannot_be_watched(house: House, tmp_path: Path):
    refused = house.run("watch", "--repo", str(tmp_path))
    assert (refused.returncode, "is not inside a git repository" in refused.stderr) == (2, True)


@POSIX
def test_what_a_daemon_leaves_on_disk_is_for_its_user_alone(house: House):
    address = start_daemon(house.home)
    for path in (Path(address.socket), house.home / CARD_NAME, house.home / "logs" / "daemon.log"):
        assert path.stat().st_mode & 0o077 == 0
    assert Path(address.socket).parent.stat().st_mode & 0o077 == 0
    stop_daemon(house.home)
    assert not Path(address.socket).exists()


def test_commands_use_the_daemon_that_is_there_and_open_the_store_themselves_where_none_is(house: House):
    alone = house.run("context", "--file", "shop/cart.py")
    start_daemon(house.home)
    asked = house.run("context", "--file", "shop/cart.py")
    assert (alone.returncode, asked.returncode) == (0, 0)
    state = daemon_state(house.home)
    assert state is not None
    assert state.requests > 0
    assert [Path(one.root) for one in state.repositories] == [house.root]


@POSIX
def test_nothing_that_a_killed_daemon_acknowledged_is_lost_or_kept_twice_and_all_go_on(house: House):
    address = start_daemon(house.home)
    acknowledged: list[str] = []
    killed = threading.Event()

    def write(writer: int) -> None:
        companion = connect(house.root)
        try:
            for number in range(10_000):
                ended = killed.is_set()
                text = f"note {number} of writer {writer}"
                with suppress(AlreadyKept):  # acknowledged too: the answer alone is lost
                    companion.remember(Note(text))
                acknowledged.append(text)
                if ended:
                    return
        finally:
            companion.close()

    writers = [threading.Thread(target=write, args=(number,)) for number in range(3)]
    for writer in writers:
        writer.start()
    until(lambda: len(acknowledged) > 20)
    os.kill(address.pid, signal.SIGKILL)
    killed.set()
    for writer in writers:
        writer.join(60)
    assert house.daemon not in {None, address}
    assert sorted(acknowledged) == sorted(texts(house))


@POSIX
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_in_the_middle_of_writing_ends_it_in_good_order(house: House, number: int):
    address = start_daemon(house.home)
    acknowledged: set[str] = set()
    ended = threading.Event()
    companion = connect(house.root)

    def write() -> None:
        try:
            for count in range(10_000):
                if ended.is_set():
                    return
                companion.remember(Note(f"note {count}"))
                acknowledged.add(f"note {count}")
        except CompanionError:
            return

    writer = threading.Thread(target=write)
    writer.start()
    until(lambda: len(acknowledged) > 5)
    os.kill(address.pid, number)
    ended.set()
    writer.join(60)
    stop_daemon(house.home)  # whom the writer had started anew, if it was just asking
    until(house.empty)
    until(lambda: not house.processes())
    companion.close()
    log = (house.home / "logs" / "daemon.log").read_text()
    assert log.splitlines()[-1].endswith("left clean=True")
    assert (house.home / "logs" / "owner.out").read_text() == ""
    assert not (house.home / "companion.duckdb.wal").exists()
    assert acknowledged <= set(texts(house))


@POSIX
def test_a_card_and_a_socket_left_by_a_dead_daemon_are_replaced(house: House):
    address = start_daemon(house.home)
    os.kill(address.pid, signal.SIGKILL)
    until(house.empty)
    assert Path(address.socket).exists()
    assert read_card(house.home) == address
    assert find_daemon(house.home) is None
    fresh = start_daemon(house.home)
    assert fresh.pid != address.pid
    assert not Path(address.socket).exists()


def test_a_foreign_process_on_the_port_of_a_dead_daemon_hears_nothing(house: House):
    with socket.create_server(("127.0.0.1", 0)) as foreign:
        (house.home / "owner.token").write_text("secret")
        write_card(house, port=foreign.getsockname()[1], token=str(house.home / "owner.token"))
        assert find_daemon(house.home) is None
        companion = connect(house.root)
        companion.stats()
        companion.close()
        foreign.settimeout(0.0)
        with pytest.raises(BlockingIOError):
            foreign.accept()


def test_a_port_that_another_has_is_refused_in_words(house: House):
    with socket.create_server(("127.0.0.1", 0)) as foreign:
        port = foreign.getsockname()[1]
        done = house.run("serve", "--http", str(port))
    assert done.returncode == 2
    assert f"Port {port} of 127.0.0.1 cannot be used" in " ".join(done.stderr.split())
    assert house.empty()


def test_a_card_that_says_nonsense_counts_as_none(house: House):
    for card in ("", "{", "[]", '{"pid": "x"}', '{"pid": 1}'):
        (house.home / CARD_NAME).write_text(card)
        assert find_daemon(house.home) is None
    assert start_daemon(house.home).pid > 1


def test_it_leaves_when_nobody_has_asked_for_a_while(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMPANION_DAEMON_IDLE_S", "0.3")
    start_daemon(house.home)
    until(house.empty)
    until(lambda: not house.processes())


def test_a_daemon_is_waited_for_as_long_as_is_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    slept: list[float] = []
    monkeypatch.setattr(starting, "time", SimpleNamespace(monotonic=lambda: sum(slept), sleep=slept.append))
    monkeypatch.setattr(starting, "lock_is_held", lambda _home: True)
    assert starting.awaited_daemon(tmp_path, 5.0) is None
    assert sum(slept) == pytest.approx(5.0, abs=0.1)
    with pytest.raises(StoreError, match="has not ended within 2 s"):
        stop_daemon(tmp_path, 2.0)
    assert sum(slept) == pytest.approx(7.0, abs=0.2)


def test_a_second_daemon_in_the_foreground_says_that_there_is_one(house: House):
    start_daemon(house.home)
    done = house.run("serve")
    assert done.returncode == 2
    assert "has a background service already" in " ".join(done.stderr.split())


def test_a_newer_client_has_the_daemon_replaced(house: House, monkeypatch: pytest.MonkeyPatch):
    older = start_daemon(house.home)
    monkeypatch.setattr("companion.client.starting.__version__", "0.1.1")
    assert living_daemon(house.home) is None
    assert house.empty()
    monkeypatch.undo()
    monkeypatch.setenv("COMPANION_HOME", str(house.home))
    until(lambda: not psutil.pid_exists(older.pid))


def test_an_older_client_works_on_if_the_protocol_is_the_same_and_is_told_so_if_not(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    daemon = start_daemon(house.home)
    monkeypatch.setattr("companion.client.starting.__version__", "0.0.9")
    assert living_daemon(house.home) == daemon
    monkeypatch.setattr("companion.client.starting.API", API - 1)
    with pytest.raises(StoreError, match=r"is companion .*; this is 0\.0\.9"):
        living_daemon(house.home)
    assert house.daemon == daemon


def test_a_setting_can_forbid_a_daemon_or_have_every_command_start_one(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMPANION_DAEMON", "never")
    connect(house.root, start=True).close()
    assert house.daemon is None
    monkeypatch.setenv("COMPANION_DAEMON", "always")
    connect(house.root).close()
    assert house.daemon is not None


def test_a_store_that_is_moved_away_under_its_daemon_is_told_and_nothing_is_lost(house: House, tmp_path: Path):
    start_daemon(house.home)
    companion = connect(house.root)
    companion.remember(Note("note before the move"))
    moved = tmp_path / "moved"
    house.home.rename(moved)
    with pytest.raises(StoreError, match="moved away or replaced"):
        companion.remember(Note("note after the move"))
    companion.close()
    until(lambda: not house.processes())
    moved.rename(house.home)
    assert texts(house) == ["note before the move"]


ATTACHED = """
import sys, time
from pathlib import Path
from companion.client import attach
held = attach(Path(sys.argv[1]), lambda news: None)
assert held.wait(50)
print("attached", flush=True)
time.sleep(600)
"""


@POSIX
@pytest.mark.parametrize("order", [(0, 1, "daemon"), (1, 0, "daemon"), ("daemon", 0, 1), (0, "daemon", 1)])
def test_two_editors_killed_in_any_order_leave_no_process_behind(
    house: House, monkeypatch: pytest.MonkeyPatch, order: tuple[int | str, ...]
):
    import sys

    monkeypatch.setenv("COMPANION_DAEMON_IDLE_S", "0.3")
    editors = [
        subprocess.Popen([sys.executable, "-c", ATTACHED, str(house.root)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    try:
        for editor in editors:
            assert editor.stdout is not None
            assert editor.stdout.readline() == "attached\n"
        for one in order:
            if isinstance(one, int):
                editors[one].kill()
                editors[one].wait(10)
            elif (daemon := house.daemon) is not None:
                os.kill(daemon.pid, signal.SIGKILL)
    finally:
        for editor in editors:
            editor.kill()
            editor.communicate()
    until(lambda: not house.processes())


def test_an_attached_client_keeps_the_daemon_and_gets_another_when_it_is_killed(
    house: House, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COMPANION_DAEMON_IDLE_S", "0.3")
    lost: list[str] = []
    held = attach(house.root, lambda news: None, lost.append)
    try:
        assert held.wait(60)
        first = house.daemon
        assert isinstance(first, Address)
        psutil.Process(first.pid).kill()
        until(lambda: house.daemon is not None and house.daemon.pid != first.pid)
        until(lambda: held.wait(0.1))
        assert len(lost) == 1
    finally:
        held.close()
    until(house.empty)


def test_the_doctor_mends_without_the_daemon_and_starts_another(house: House):
    before = json.loads(house.run("start", "--json").stdout)["pid"]
    assert house.run("doctor", "--repair", "--json").returncode == 0
    after = house.daemon
    assert after is not None
    assert after.pid != before
    stop_daemon(house.home)
    house.run("doctor", "--repair")
    assert house.daemon is None


def test_serve_and_logs_speak_json_too(house: House):
    serving = house.begin("serve", "--json")
    said = "".join(iter(lambda: serving.stdout.readline() if serving.stdout else "", "}\n")) + "}"
    assert json.loads(said)["pid"] == serving.pid
    assert house.run("status").returncode == 0
    lines = json.loads(house.run("logs", "--json").stdout)["lines"]
    assert any("started" in line for line in lines)
    following = house.begin("logs", "--json", "--follow")
    assert following.stdout is not None
    assert json.loads(following.stdout.readline())["line"] == lines[0]
