"""How a server lives and ends: with its client, whatever that sends, and beyond its daemon."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys

import psutil
import pytest

from lsp.conftest import DEADLINE_S, NEVER, until

PRICE = "shop/price.py"
OWNED = {"COMPANION_DAEMON": "auto", "COMPANION_EMBEDDINGS": "off"}
"""The store belongs to a process of its own, as it does for everybody."""


class Wire:
    """One end of a server's streams, where every byte is looked at."""

    def __init__(self, process):
        self.process = process

    def send(self, message):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def raw(self, sent):
        self.process.stdin.write(sent)
        self.process.stdin.flush()

    def request(self, id_, method, params):
        self.send({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})

    def receive(self):
        """The next message; fails upon a byte that belongs to none."""
        head = self.process.stdout.readline()
        assert head.startswith(b"Content-Length: "), head
        length = int(head.split(b":")[1])
        while (line := self.process.stdout.readline()) != b"\r\n":
            assert line.startswith(b"Content-Type"), line
        return json.loads(self.process.stdout.read(length))

    def answer(self, id_):
        """The answer to a request; what comes before it is passed over."""
        while True:
            message = self.receive()
            if message.get("id") == id_ and "method" not in message:
                return message

    def begin(self, root, pid=None):
        self.request(1, "initialize", {"processId": pid, "rootUri": root.as_uri(), "capabilities": {}})
        self.answer(1)
        self.send({"jsonrpc": "2.0", "method": "initialized", "params": {}})


@pytest.fixture
def wire(read_shop, tmp_path):
    process = read_shop.begin("--stdio")
    yield Wire(process)
    process.kill()
    process.communicate(timeout=DEADLINE_S)


def test_what_is_asked_before_the_session_begins_is_refused_as_such_and_it_may_still_begin(wire, read_shop):
    wire.request(
        1, "textDocument/hover", {"textDocument": {"uri": "file:///a.py"}, "position": {"line": 0, "character": 0}}
    )
    refused = wire.answer(1)["error"]
    assert refused["code"] == -32002
    assert "data" not in refused, "no traceback is sent"
    wire.begin(read_shop.repo.root)


def test_broken_messages_are_answered_or_passed_over_and_the_next_one_counts(wire, read_shop):
    wire.begin(read_shop.repo.root)
    wire.send(b"{not json")
    wire.send(b"[]")
    wire.send(b'"text"')
    wire.send({"jsonrpc": "2.0"})
    wire.send({"jsonrpc": "1.0", "id": 9, "method": "textDocument/hover"})
    wire.raw(b"Content-Length: many\r\nX: y\r\n\r\n")
    wire.request(2, "textDocument/hover", {"position": {"line": -1}})
    assert wire.answer(2)["error"]["code"] < 0
    wire.request(3, "textDocument/unheardOf", {})
    assert wire.answer(3)["error"]["code"] == -32601
    wire.request(4, "initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert "error" in wire.answer(4)
    gone = {"textDocument": {"uri": "file:///nowhere.py", "version": 2}, "contentChanges": [{"text": "x"}]}
    wire.send({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": gone})
    wire.request(5, "shutdown", None)
    assert wire.answer(5)["result"] is None
    wire.send({"jsonrpc": "2.0", "method": "exit"})
    assert wire.process.wait(DEADLINE_S) == 0
    assert wire.process.stdout.read() == b""


def test_a_message_too_large_to_read_is_passed_over_and_said_and_the_next_one_counts(wire, read_shop):
    wire.begin(read_shop.repo.root)
    wire.raw(b"Content-Length: 70000000\r\n\r\n")
    for _ in range(70):
        wire.raw(b" " * 1_000_000)
    wire.raw(b"y" * 100_000 + b"\r\n")
    wire.request(2, "textDocument/unheardOf", {})
    assert wire.answer(2)["error"]["code"] == -32601
    assert b"70,000,000 bytes was skipped" in wire.process.stderr.readline()


@pytest.mark.parametrize("length", [b"99999999999999", b"9" * 5_000])
def test_a_length_that_no_message_has_ends_the_server_with_one_clear_line(wire, read_shop, length):
    wire.begin(read_shop.repo.root)
    wire.raw(b"Content-Length: %s\r\n\r\n" % length)
    assert wire.process.wait(DEADLINE_S) == 1
    said = wire.process.stderr.read().decode()
    assert "the session ends" in said
    assert len(said.splitlines()) == 1


def test_a_client_that_hangs_up_takes_the_server_with_it(wire, read_shop):
    wire.begin(read_shop.repo.root)
    wire.process.stdin.close()
    assert wire.process.wait(DEADLINE_S) == 1
    wire.process.stdin = None


@pytest.mark.skipif(os.name == "nt", reason="pipes are inherited otherwise there")
def test_a_killed_editor_takes_the_server_with_it_even_if_its_pipe_stays_open(wire, read_shop):
    editor = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    try:
        wire.begin(read_shop.repo.root, editor.pid)
    finally:
        editor.kill()
        editor.wait()
    assert wire.process.wait(DEADLINE_S) == 1


@pytest.mark.parametrize(
    "arguments", [("--tcp", "0.0.0.0:0"), ("--tcp", "here"), ("--ws", "127.0.0.1:99999"), ("--stdio", "--ws", ":1")]
)
def test_an_address_that_others_could_reach_or_that_is_none_is_refused_in_words(read_shop, arguments):
    done = read_shop.run("lsp", *arguments, **NEVER)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def listening(process):
    line = process.stderr.readline().decode()
    assert line.startswith("listening on "), line
    host, _, port = line.removeprefix("listening on ").strip().rpartition(":")
    return host, int(port)


@pytest.mark.asyncio(loop_scope="module")
async def test_one_client_is_served_over_tcp_and_the_server_ends_with_it(read_shop):
    process = read_shop.begin("--tcp", "127.0.0.1:0")
    try:
        host, port = await asyncio.to_thread(listening, process)
        reader, writer = await asyncio.open_connection(host, port)
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}).encode()
        writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        assert (await asyncio.wait_for(reader.readline(), DEADLINE_S)).startswith(b"Content-Length")
        second, other = await asyncio.open_connection(host, port)
        assert await asyncio.wait_for(second.read(), DEADLINE_S) == b""
        other.close()
        writer.close()
        assert await asyncio.to_thread(process.wait, DEADLINE_S) == 1
    finally:
        process.kill()
        process.communicate()


@pytest.mark.asyncio(loop_scope="module")
async def test_a_web_page_of_another_site_cannot_connect(read_shop):
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidStatus

    process = read_shop.begin("--ws", "127.0.0.1:0")
    try:
        host, port = await asyncio.to_thread(listening, process)
        with pytest.raises(InvalidStatus):
            await connect(f"ws://{host}:{port}", origin="https://evil.example")
        async with connect(f"ws://{host}:{port}", origin="http://localhost:8000") as page:
            ask = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
            await page.send(json.dumps(ask))
            assert b"hoverProvider" in await asyncio.wait_for(page.recv(decode=False), DEADLINE_S)
        assert await asyncio.to_thread(process.wait, DEADLINE_S) == 1
    finally:
        process.kill()
        process.communicate()


@pytest.mark.asyncio(loop_scope="module")
async def test_a_killed_daemon_is_replaced_said_once_and_the_next_hover_comes(desk):
    editor = await desk.edit(environment=OWNED)
    editor.open(PRICE)
    await editor.hover_at_last(PRICE, 1)
    for _ in range(2):
        await until(lambda: is_attached(desk))
        before = daemons(desk, editor)
        assert before
        for daemon in before:
            daemon.kill()
        psutil.wait_procs(before, timeout=10)
        await editor.hover_at_last(PRICE, 1)
        await until(lambda before=before: {p.pid for p in daemons(desk, editor)} - {p.pid for p in before})
    await until(lambda: [one for one in editor.client.messages if "background service" in one.message])
    assert len([one for one in editor.client.messages if "background service" in one.message]) == 1
    assert await editor.leave() == 0


@pytest.mark.asyncio(loop_scope="module")
async def test_two_editors_in_one_repository_share_a_daemon_and_leave_only_it_behind(desk):
    first, second = await desk.edit(environment=OWNED), await desk.edit("neovim", environment=OWNED)
    for editor in (first, second):
        editor.open(PRICE)
    assert await first.hover_at_last(PRICE, 1)
    assert await second.hover_at_last(PRICE, 1)
    assert len(daemons(desk, first, second)) == 1
    assert await first.leave() == 0
    assert await second.hover_at_last(PRICE, 1)
    os.kill(second.pid, signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    await until(lambda: len(desk.processes()) == 1)
    assert desk.run("stop").returncode == 0
    await until(lambda: not desk.processes())


def is_attached(desk) -> bool:
    """Whether the editor holds its connection to the daemon: only then it can miss it."""
    said = desk.run("status", "--json")
    return said.returncode == 0 and json.loads(said.stdout)["attached"] > 0


def daemons(desk, *editors):
    """Processes of the user that are no language server."""
    servers = {editor.pid for editor in editors}
    return [p for p in desk.processes() if p.pid not in servers and "serve" in " ".join(p.cmdline())]


@pytest.mark.asyncio(loop_scope="module")
async def test_where_a_repository_is_open_a_daemon_comes_up_before_anything_is_asked(desk, tmp_path):
    elsewhere = {"folder": tmp_path, "environment": OWNED}
    unwanted = {"folder": desk.repo.root, "environment": NEVER}
    for given in (elsewhere, unwanted):
        with begun(desk, **given) as server:
            Wire(server).begin(desk.repo.root)
            assert not daemons(desk)
    with begun(desk, desk.repo.root, OWNED):
        await until(lambda: desk.run("status").returncode == 0)
    assert len(daemons(desk)) == 1


@contextlib.contextmanager
def begun(desk, folder, environment):
    """A server started as our extension starts one, in a folder; it is ended with the block."""
    server = subprocess.Popen(
        [sys.executable, "-P", "-m", "companion_lsp"], cwd=folder, env=desk.environment(**environment),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        yield server
    finally:
        server.communicate(timeout=DEADLINE_S)
