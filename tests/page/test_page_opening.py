"""The page has a listener of its own: opened when it is asked for, gone with the daemon, and nothing of the API on it."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner
from visits import opened

from companion import client
from companion.__about__ import __version__
from companion.api import Note
from companion.client.finding import API, CARD_NAME, LOCK_NAME, Address, sign_lock, try_lock
from companion.client.peers import is_anothers
from companion.client.remote import RemoteCompanion
from companion.daemon.daemon import Daemon
from companion.errors import NotARepository, UsageError
from companion.records.looking import TimelineQuery
from companion.records.search import State
from companion.surfaces.cli.main import app
from companion.surfaces.http.serving import serve
from companion.surfaces.page.opening import PORT_NAME
from companion.surfaces.page.rooms import ROOMS

ANSWER_S = 60


@dataclass
class Served:
    """A daemon behind its socket, and the repository it is asked about."""

    daemon: Daemon
    home: Path
    stack: ExitStack
    address: Address
    remote: RemoteCompanion

    def end(self) -> None:
        self.stack.close()


def serving(home: Path, root: Path, stack: ExitStack) -> Served:
    """A daemon that answers until the stack is closed."""
    own = stack.enter_context(ExitStack())
    daemon = opened(home, own)
    folder = Path(own.enter_context(tempfile.TemporaryDirectory(prefix="c")))
    plug = socket.socket(socket.AF_UNIX)
    plug.bind(str(folder / "s"))
    plug.listen(8)
    served = threading.Thread(target=serve, args=(daemon, (plug,)))
    served.start()

    def end() -> None:
        daemon.stop("the test is over")
        served.join(ANSWER_S)
        assert not served.is_alive()

    own.callback(end)
    address = Address(os.getpid(), __version__, API, str(folder / "s"), 0, "")
    _reside(home, address, own)
    remote = RemoteCompanion(address, root)
    own.callback(remote.close)
    return Served(daemon, home, own, address, remote)


def _reside(home: Path, address: Address, stack: ExitStack) -> None:
    """Have commands find this daemon, as they find any: by its card and its lock."""
    handle = os.open(home / LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
    stack.callback(os.close, handle)
    assert try_lock(handle)
    sign_lock(handle)
    (home / CARD_NAME).write_text(json.dumps(address._asdict()))


@pytest.fixture
def served(read_library: tuple[Path, Path], tmp_path: Path) -> Iterator[Served]:
    root, home = read_library
    with ExitStack() as stack:
        yield serving(shutil.copytree(home, tmp_path / "home"), root, stack)


def ask(url: str, method: str = "GET", **heads: str) -> tuple[int, str, dict[str, str]]:
    """One request as a browser makes it: status, text, heads."""
    parts = urlsplit(url)
    plug = http.client.HTTPConnection("127.0.0.1", parts.port, timeout=ANSWER_S)
    try:
        plug.request(method, f"{parts.path}?{parts.query}" if parts.query else parts.path, headers=heads)
        answer = plug.getresponse()
        return answer.status, answer.read().decode(), {name.lower(): value for name, value in answer.getheaders()}
    finally:
        plug.close()


def test_a_page_is_opened_when_it_is_asked_for_and_goes_with_the_daemon(served: Served):
    assert not (served.home / PORT_NAME).exists()
    url = served.remote.page()
    port = urlsplit(url).port
    assert (served.home / PORT_NAME).read_text().strip() == str(port)
    status, text, heads = ask(url)
    assert status == 200
    first = text.split("url=")[1].split('"')[0]
    cookie = heads["set-cookie"].split(";")[0]
    status, text, _ = ask(f"http://127.0.0.1:{port}{first}", Cookie=cookie)
    assert status == 200
    for room in ROOMS:
        assert (f">{room.title}</a>" in text) == room.listed
    assert urlsplit(served.remote.page()).port == port
    served.end()
    with pytest.raises(OSError):
        ask(f"http://127.0.0.1:{port}{first}", Cookie=cookie)


def test_the_next_daemon_listens_where_the_last_one_did_and_knows_no_old_cookie(
    served: Served, read_library: tuple[Path, Path]
):
    url = served.remote.page()
    cookie = ask(url)[2]["set-cookie"].split(";")[0]
    served.end()
    with ExitStack() as stack:
        again = serving(served.home, read_library[0], stack)
        fresh = again.remote.page()
        assert urlsplit(fresh).port == urlsplit(url).port
        old = urlsplit(url)
        status, text, _ = ask(
            f"http://127.0.0.1:{old.port}{old.path.replace('enter', 'library/context')}", Cookie=cookie
        )
        assert status == 404
        assert "companion page" in text
        place = urlsplit(fresh).path.replace("enter", "library/context")
        assert ask(f"http://127.0.0.1:{old.port}{place}", Cookie=cookie)[0] == 401


def test_a_port_that_is_taken_is_no_obstacle(served: Served):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        (served.home / PORT_NAME).write_text(str(other.getsockname()[1]))
        url = served.remote.page()
        assert urlsplit(url).port != other.getsockname()[1]
        assert ask(url)[0] == 200


def test_nonsense_in_the_file_of_the_port_is_no_obstacle(served: Served):
    (served.home / PORT_NAME).write_text("seven thousand")
    assert ask(served.remote.page())[0] == 200


def test_a_folder_that_is_no_repository_gets_no_page(served: Served, tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    remote = RemoteCompanion(served.address, elsewhere)
    with pytest.raises(NotARepository):
        remote.page()
    remote.close()
    assert not (served.home / PORT_NAME).exists()


def test_an_open_page_does_not_keep_the_daemon(served: Served):
    url = served.remote.page()
    ask(url)
    assert served.daemon.state().attached == 0


def test_the_api_is_asked_on_its_own_socket_alone(served: Served):
    port = urlsplit(served.remote.page()).port
    for method, path in (("GET", "/status"), ("POST", "/stop"), ("POST", "/search"), ("GET", "/openapi.json")):
        status, _, _ = ask(f"http://127.0.0.1:{port}{path}", method, **{"Content-Type": "application/json"})
        assert status in {403, 404, 405}
    assert not served.daemon.leaves


def test_nobody_who_asks_for_no_page_loads_its_libraries():
    code = "import sys, companion.surfaces.http.server; sys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells whose a connection is")
def test_a_connection_of_this_user_is_told_from_anothers():
    with socket.socket() as listener, socket.socket() as plug:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        plug.connect(listener.getsockname())
        assert not is_anothers(plug.getsockname()[1])
    assert not is_anothers(0)


def test_the_command_says_a_link_that_opens_the_page(
    served: Served, read_library: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COMPANION_HOME", str(served.home))
    root = str(read_library[0])
    said = CliRunner().invoke(app, ["page", "--json", "-C", root])
    assert ask(json.loads(said.stdout)["url"])[0] == 200
    said = CliRunner().invoke(app, ["page", "--no-open", "-C", root])
    assert "works once" in said.stdout
    assert ask(said.stdout.split()[-1])[0] == 200


def test_without_a_screen_no_browser_is_started(
    served: Served, read_library: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("COMPANION_HOME", str(served.home))
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    if sys.platform == "linux":
        said = CliRunner().invoke(app, ["page", "-C", str(read_library[0])])
        assert "http://127.0.0.1:" in said.stdout


def test_where_the_settings_allow_no_daemon_there_is_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    monkeypatch.setenv("COMPANION_DAEMON", "never")
    with pytest.raises(UsageError, match="never"):
        client.page_link(tmp_path)


def test_memories_are_gone_through_over_the_socket_as_at_home(served: Served, read_library: tuple[Path, Path]):
    home = served.daemon.companion(read_library[0])
    for text in ("Maps lie flat.", "Globes stand.", "Charts hang.", "Scrolls are rolled."):
        home.remember(Note(text))
    wanted = TimelineQuery(state=State.CURRENT, limit=3)
    page = served.remote.timeline(wanted)
    assert page == home.timeline(wanted)
    assert page.more_before
    assert page.total > 3
    last = page.happened[-1]
    after = served.remote.timeline(replace(wanted, before=last.at, before_id=last.memory.id))
    assert not {one.memory.id for one in page.happened} & {one.memory.id for one in after.happened}
    id_ = page.happened[0].memory.id
    assert served.remote.dossier(id_[:16]) == home.dossier(id_)
    for limit in (0, 501):
        with pytest.raises(UsageError):
            served.remote.timeline(replace(wanted, limit=limit))
