"""Where a daemon listens: a folder that nobody else can take first, and a socket that nobody else can serve."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.client import peers
from companion.client.finding import Address, connected
from companion.daemon import listeners
from companion.errors import StoreError

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Unix sockets")
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
NOBODY = 65_534


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files, short enough for sockets, and no run-time folder of the user's."""
    with tempfile.TemporaryDirectory(prefix="cmp-", dir="/tmp") as folder:
        monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
        monkeypatch.setenv("TMPDIR", folder)
        monkeypatch.setattr(tempfile, "tempdir", None)
        yield Path(folder)


def taken_by_another(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    os.chown(folder, NOBODY, NOBODY)


def a_link(folder: Path) -> None:
    elsewhere = folder.with_name("elsewhere")
    elsewhere.mkdir(mode=0o777, exist_ok=True)
    folder.symlink_to(elsewhere)


def open_to_all(folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)


@pytest.mark.parametrize(
    "take",
    [
        pytest.param(
            taken_by_another, marks=pytest.mark.skipif(not IS_ROOT, reason="only root can give a folder away")
        ),
        a_link,
        open_to_all,
    ],
)
def test_whoever_makes_the_usual_folder_first_stops_nobody(temporary: Path, take: object, tmp_path: Path):
    for name in (f"runtime-{os.getuid()}", f"companion-{os.getuid()}"):
        assert callable(take)
        take(temporary / name)
    with closing(listeners.unix_listener(tmp_path / "home")) as listener:
        path = Path(listener.getsockname())
        folder = path.parent.lstat()
        assert (folder.st_uid, folder.st_mode & 0o077, path.lstat().st_mode & 0o077) == (os.getuid(), 0, 0)
        assert path.parent == path.parent.resolve()
        path.unlink()


def test_where_no_usual_folder_is_safe_the_data_folder_takes_the_socket(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
):
    def refused(*_: object, **__: object) -> str:
        raise PermissionError("the run-time folder is owned by another user")

    monkeypatch.setattr(listeners.platformdirs, "user_runtime_dir", refused)
    home = temporary / "home"
    with closing(listeners.unix_listener(home)) as listener:
        assert Path(listener.getsockname()).parent == home / "run"
        assert (home / "run").stat().st_mode & 0o777 == 0o700


def test_where_nothing_is_safe_one_sentence_says_so(temporary: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(listeners, "_is_private", lambda folder: False)
    with pytest.raises(StoreError) as told:
        listeners.unix_listener(temporary / "home")
    assert "folder of yours alone" in told.value.what
    assert "XDG_RUNTIME_DIR" in told.value.next_step


def test_a_socket_that_another_user_serves_is_asked_nothing(temporary: Path, monkeypatch: pytest.MonkeyPatch):
    path = temporary / "s"
    with closing(socket.socket(socket.AF_UNIX)) as listener:
        listener.bind(str(path))
        listener.listen()
        address = Address(1, "0", 1, str(path), 0, "")
        connected(address, 2).close()
        monkeypatch.setattr(peers.os, "geteuid", lambda: NOBODY - 1)
        with pytest.raises(StoreError) as told:
            connected(address, 2)
    assert "another user" in told.value.what
    assert "companion stop" in told.value.next_step


@pytest.mark.skipif(not IS_ROOT, reason="only root can become another user")
def test_a_socket_that_really_is_another_users_is_asked_nothing(temporary: Path):
    temporary.chmod(0o777)
    path = temporary / "s"
    heard, tells = os.pipe()
    child = os.fork()
    if not child:  # nothing but system calls: the other threads are not here
        try:
            os.setuid(NOBODY)
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(str(path))
            listener.listen()
            os.write(tells, b"x")
            plug, _ = listener.accept()
            os.write(tells, b"asked" if plug.recv(1) else b"silence")
        finally:
            os._exit(0)
    os.close(tells)
    with os.fdopen(heard, "rb", buffering=0) as pipe:
        assert pipe.read(1) == b"x"
        with pytest.raises(StoreError):
            connected(Address(1, "0", 1, str(path), 0, ""), 2)
        assert pipe.read() == b"silence"
    os.waitpid(child, 0)
