"""What a daemon meets in a long life: repositories that come and go, clients that say nonsense, an end on purpose."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from client.houses import House
from repos import Repo
from waiting import until

from companion.api import Note
from companion.client import attach, connect, daemon_state
from companion.client.finding import CARD_NAME, lock_holder, read_card
from companion.client.starting import start_daemon, stop_daemon
from companion.errors import StoreError
from companion.records import Profile, SearchQuery
from companion.surfaces.cli.options import companion_for

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and Unix sockets")


def repository(root: Path, word: str) -> House:
    """A repository whose history and code say a word."""
    root.mkdir()
    repo = Repo(root)
    repo.git("init", "-q")
    for number in range(3):
        repo.write(f"{word}.py", f"def {word}_{number}():\n    return {number}\n")
        repo.commit(
            f"Fix the {word} count {number}\n\nThe {word} was wrong because floats lose digits, "
            f"so that nobody could count the {word} until it had been rounded and told again. Each count was shown beside "
            "its parts, and nobody saw that they differed before the books were closed at the end of a month."
        )
    return House(Path(os.environ["COMPANION_HOME"]), root)


def says(root: Path, word: str) -> bool:
    companion = connect(root)
    try:
        return any(
            word in hit.memory.draft.levels.full for hit in companion.search(SearchQuery(word, profile=Profile.MEMORY))
        )
    finally:
        companion.close()


def watched(root: Path) -> str:
    state = daemon_state()
    assert state is not None
    return next((one.watching for one in state.repositories if one.root == str(root)), "")


def test_a_repository_in_the_place_of_a_deleted_one_hears_nothing_of_it_and_is_watched(house: House, tmp_path: Path):
    root = tmp_path / "project"
    first = repository(root, "giraffe")
    start_daemon(house.home)
    assert first.run("init").returncode == 0
    assert first.run("remember", "giraffes are tall").returncode == 0
    assert says(root, "giraffe")
    until(lambda: watched(root) == "events")
    shutil.rmtree(root)
    second = repository(root, "elephant")
    assert not says(root, "giraffe")
    assert second.run("init").returncode == 0
    assert second.run("remember", "elephants are large").returncode == 0
    assert says(root, "elephant")
    assert not says(root, "giraffe")
    until(lambda: watched(root) == "events")


def test_a_repository_that_comes_back_is_watched_again(house: House, tmp_path: Path):
    root = tmp_path / "project"
    project = repository(root, "giraffe")
    start_daemon(house.home)
    project.run("init")
    until(lambda: watched(root) == "events")
    root.rename(tmp_path / "elsewhere")
    until(lambda: watched(root).startswith("off"))
    shutil.copytree(tmp_path / "elsewhere", root)
    until(lambda: project.run("search", "giraffe").returncode == 0 and watched(root) == "events")


def test_a_daemon_that_was_ended_on_purpose_stays_ended_until_somebody_asks(house: House):
    lost: list[str] = []
    held = attach(house.root, lambda news: None, lost.append)
    try:
        assert held.wait(60)
        looked: list[int] = []
        look = held._look
        assert look is not None
        held._look = lambda: (looked.append(1), look())[1]
        stop_daemon(house.home)
        until(lambda: len(looked) > 1)
        assert house.daemon is None
        assert len(lost) == 1
        connect(house.root, start=True).close()
        until(lambda: held.wait(0.1))
    finally:
        held.close()


def test_ending_a_daemon_never_signals_a_process_that_only_an_old_card_names(house: House):
    start_daemon(house.home)
    right = (house.home / CARD_NAME).read_text()
    bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    try:
        old = {**json.loads(right), "pid": bystander.pid, "socket": str(house.home / "gone.sock")}
        (house.home / CARD_NAME).write_text(json.dumps(old))
        with pytest.raises(StoreError, match=f"process {lock_holder(house.home)}, has not ended"):
            stop_daemon(house.home, wait_s=0.5)
        assert bystander.poll() is None
        (house.home / CARD_NAME).write_text(right)
        assert stop_daemon(house.home) == json.loads(right)["pid"]
    finally:
        bystander.kill()
        bystander.wait()


def test_a_deaf_daemon_is_ended_by_a_signal(house: House):
    address = start_daemon(house.home)
    assert lock_holder(house.home) == address.pid
    Path(address.socket).unlink()
    assert stop_daemon(house.home) == address.pid
    assert house.empty()


def test_what_went_wrong_is_told_even_if_the_daemon_is_gone_by_then(house: House):
    address = start_daemon(house.home)
    with pytest.raises(ZeroDivisionError), companion_for(house.root) as companion:
        companion.stats()
        os.kill(address.pid, signal.SIGKILL)
        until(house.empty)
        raise ZeroDivisionError


def test_neither_queries_nor_nonsense_nor_reasons_write_lines_into_a_log(house: House):
    address = start_daemon(house.home)
    companion = connect(house.root)
    companion.search(SearchQuery("hunter2 wrote this", profile=Profile.MEMORY))
    companion.remember(Note("hunter2 remembers"))
    companion.close()
    for nonsense in (b"hunter2\r\n\r\n", b"GET /attach?hunter2 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n"):
        with socket.socket(socket.AF_UNIX) as plug:
            plug.connect(address.socket)
            plug.sendall(nonsense)
            plug.shutdown(socket.SHUT_WR)
            while plug.recv(4_096):
                pass
    stop_daemon(house.home, why="a\n2026-01-01T00:00:00Z forged\tline")
    told = (house.home / "logs" / "daemon.log").read_text()
    assert (house.home / "logs" / "owner.out").read_text() == ""
    assert "hunter2" not in told
    assert "leaving why=a-2026-01-01T00:00:00Z-forged-line\n" in told


def test_another_user_of_the_computer_reaches_neither_socket_nor_store_nor_log(house: House, tmp_path: Path):
    if os.geteuid() != 0 or shutil.which("su") is None:
        pytest.skip("only root can become somebody else")
    for folder in (tmp_path, *tmp_path.parents[:3], Path(os.environ["XDG_RUNTIME_DIR"])):
        if folder != Path("/tmp"):
            folder.chmod(0o755)  # only what the daemon itself makes is to keep others out
    address = start_daemon(house.home)
    serving = replace(house, home=house.home)
    private = [Path(address.socket), *(path for path in serving.home.rglob("*") if path.is_file())]
    assert len(private) > 4
    for path in private:
        if stranger(f"test -e '{path.parent.parent}'") != 0:
            pytest.skip(f"{path.parent.parent} cannot be entered anyway")
        assert stranger(f"test -r '{path}' -o -w '{path}'") != 0, path
    assert stranger(f"ls '{house.home}'") != 0


def stranger(command: str) -> int:
    """The exit code of a command of somebody else."""
    asked = ["su", "nobody", "-s", "/bin/sh", "-c", command]
    return subprocess.run(asked, capture_output=True, check=False).returncode


def test_an_old_card_is_told_from_the_one_of_who_holds_the_lock(house: House):
    first = start_daemon(house.home)
    os.kill(first.pid, signal.SIGKILL)
    until(house.empty)
    assert read_card(house.home) == first
    second = start_daemon(house.home)
    assert lock_holder(house.home) == second.pid
