"""Only the same user comes in, and only with something that can be understood; whoever is refused learns why."""

from __future__ import annotations

import asyncio
import http.client
import json
import logging
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from daemons import TOKEN, Served
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send
from waiting import until

from companion.surfaces.http.access import BODY_MAX_BYTES, AccessGuard
from companion.surfaces.http.app import make_app
from companion.surfaces.http.lanes import Lane, Lanes
from companion.surfaces.http.problems import MEDIA_TYPE, Refused
from companion.surfaces.http.server import CONNECTIONS_MAX, HEADS_MAX_BYTES

JSON = {"Content-Type": "application/json"}
ANSWER_S = 60
NOBODY = 65534


def said(plug: socket.socket, sent: bytes) -> bytes:
    """All that is answered to bytes, until the other end hangs up."""
    plug.settimeout(ANSWER_S)
    plug.sendall(sent)
    came = bytearray()
    while piece := plug.recv(65_536):
        came += piece
    return bytes(came)


def unix(served: Served) -> socket.socket:
    plug = socket.socket(socket.AF_UNIX)
    plug.connect(served.unix.socket)
    return plug


def problem_in(answer: bytes) -> dict[str, Any]:
    """The problem that an answer holds; every one has a next step."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert MEDIA_TYPE.encode() in head.lower()
    assert b"\nserver:" not in head.lower()
    found = json.loads(body)
    assert isinstance(found, dict)
    assert found["next_step"]
    assert {"type", "title", "status", "detail", "code"} <= found.keys()
    assert int(head.split(b" ")[1]) == found["status"]
    return found


def ask(
    served: Served, method: str, path: str, body: bytes | None = None, **heads: str
) -> tuple[int, dict[str, Any], Any]:
    """One request over TCP, with the token unless told otherwise."""
    plug = http.client.HTTPConnection("127.0.0.1", served.tcp.port, timeout=ANSWER_S)
    given = {
        "Authorization": f"Bearer {TOKEN}",
        **JSON,
        **{name.replace("_", "-"): text for name, text in heads.items()},
    }
    try:
        plug.request(method, path, body, {name: text for name, text in given.items() if text})
        answer = plug.getresponse()
        document = json.loads(answer.read())
        if answer.status != 200:
            assert answer.headers["content-type"] == MEDIA_TYPE
            assert document["next_step"]
            assert document["status"] == answer.status
        return answer.status, dict(answer.headers), document
    finally:
        plug.close()


def post(served: Served, path: str, /, **given: object) -> tuple[int, Any]:
    status, _, document = ask(served, "POST", path, json.dumps({"repo": str(served.root), **given}).encode())
    return status, document


async def answering(scope: Scope, receive: Receive, send: Send) -> None:
    """What stands behind a door that is tried by itself."""
    await PlainTextResponse("in")(scope, receive, send)


def let_in_by(door: AccessGuard) -> TestClient:
    """Somebody on loopback TCP in front of a door."""
    return TestClient(door, base_url="http://127.0.0.1:8000")


@pytest.mark.parametrize(
    "garbage",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc",
        b"GET\r\n\r\n",
        b"\0" * 100 + b"\r\n\r\n",
        b"POST /search HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n",
        b"POST /search HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
        b"GET /status HTTP/1.1\r\n\r\n",
        b"GET /status HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n",
    ],
)
def test_bytes_that_are_no_request_are_told_so(served: Served, garbage: bytes):
    with unix(served) as plug:
        assert problem_in(said(plug, garbage))["status"] == 400
    assert served.remote().stats().files


def test_a_head_that_never_ends_is_cut_off(served: Served):
    with unix(served) as plug:
        head = b"GET /status HTTP/1.1\r\nhost: a\r\nx: " + b"y" * (HEADS_MAX_BYTES + 100)
        assert problem_in(said(plug, head))["status"] == 431


@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET /sta",
        b"POST /search HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{",
    ],
)
def test_half_a_request_is_not_waited_for(serving: Any, half: bytes):
    served = serving(patience_s=0.2)
    with unix(served) as plug:
        assert problem_in(said(plug, half))["status"] == 408
    with unix(served) as plug:
        plug.sendall(half)  # and whoever sends half and leaves harms nobody
    assert served.remote().stats().files


def test_a_body_that_is_too_large_is_refused_before_and_while_it_is_read(served: Served):
    head = b"POST /search HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\nconnection: close\r\n"
    with unix(served) as plug:
        told = said(plug, head + b"content-length: %d\r\n\r\n" % (BODY_MAX_BYTES + 1))
        assert problem_in(told)["code"] == "TooLarge"
    with unix(served) as plug:
        piece = b"%x\r\n" % 1_000_000 + b" " * 1_000_000 + b"\r\n"
        plug.settimeout(ANSWER_S)
        plug.sendall(head + b"transfer-encoding: chunked\r\n\r\n")
        try:
            for _ in range(BODY_MAX_BYTES // 1_000_000 + 2):
                plug.sendall(piece)
        except OSError:
            pass
        assert b" 413 " in plug.recv(100)


@pytest.mark.parametrize(
    ("path", "given", "status", "word"),
    [
        ("/search", {"query": {"text": 3}}, 422, "`query.text` must be text."),
        ("/search", {}, 422, "`query` is missing."),
        ("/search", {"query": {}, "more": 1}, 422, "`more` is not a known field."),
        ("/search", {"query": {"limit": 0}}, 409, "A limit of 0"),
        ("/search", {"query": {"limit": 10**30}}, 422, "`query.limit`"),
        ("/why", {"path": "shop/cart.py", "line": -4}, 409, "There is no line -4."),
        ("/context/assemble", {"budget": -1}, 422, "`budget` must be 0 to 1,000,000."),
        ("/context/assemble", {"signals": {"errors": []}}, 422, "`signals.errors`"),
        ("/context/assemble", {"signals": {"activity": "sleeping"}}, 422, "`signals.activity`"),
        ("/context/assemble", {"repo": "relative"}, 409, "`repo` is not an absolute path."),
        ("/context/assemble", {"repo": "/nul\0"}, 409, "`repo` is not an absolute path."),
        ("/context/assemble", {"repo": "/" * 5_000}, 422, "`repo` must be 0 to 4,096 long."),
        ("/export", {"folder": "here"}, 409, "`folder` is not an absolute path."),
        ("/backup", {"target": "../there"}, 409, "`target` is not an absolute path."),
        ("/observe", {"seen": [{"record": "Memory"}]}, 422, "`seen[0].record` must be one of"),
        ("/contradictions/x1/resolve", {"resolution": "c_wins"}, 422, "`resolution` must be one of"),
        ("/contradictions/x1/resolve", {"resolution": "merged", "id": "x2"}, 422, "`id` is part of the address."),
        ("/nowhere", {}, 404, "There is nothing at this address."),
    ],
)
def test_what_is_not_understood_is_named(served: Served, path: str, given: dict[str, object], status: int, word: str):
    told, document = post(served, path, **given)
    assert told == status
    assert document["detail"].startswith(word)


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b"[" * 50_000, b'{"repo": NaN}', b"nul"])
def test_a_body_that_is_no_json_is_refused(served: Served, body: bytes):
    assert ask(served, "POST", "/stats", body)[0] in {400, 422}


@pytest.mark.parametrize("text", ["\ud800", "a\0b", "\u202e\U0001f600", "x" * 100_000, "'; drop table memories; --"])
def test_any_text_may_be_asked_about(served: Served, text: str):
    for path, given in (
        ("/search", {"query": {"text": text, "entities": [text]}}),
        ("/expand", {"id": text}),
        ("/context/predict", {"query": text, "recent_errors": [text], "collaborators": [text]}),
        ("/context/predict", {"file_opened": text}),
        ("/remember", {"note": {"text": text}}),
        ("/hints", {"path": text}),
        ("/stats", {"repo": f"/{text}"}),
    ):
        assert post(served, path, **given)[0] in {200, 404, 409, 422}


def test_the_wrong_method_or_type_is_told(served: Served):
    assert ask(served, "GET", "/search")[0] == 405
    assert ask(served, "DELETE", "/status")[0] == 405
    assert ask(served, "POST", "/stats", b"{}", Content_Type="text/plain")[0] == 415


@pytest.mark.parametrize(
    "said_token", ["", "Bearer wrong", f"Basic {TOKEN}", "Bearer", f"Bearer {TOKEN}x", "Bearer \xe9"]
)
def test_on_tcp_the_token_must_be_said(served: Served, said_token: str):
    status, heads, document = ask(served, "GET", "/status", Authorization=said_token)
    assert (status, document["code"]) == (401, "Unauthorised")
    assert heads["www-authenticate"] == "Bearer"
    assert TOKEN not in json.dumps(document)


@pytest.mark.parametrize("said_token", ["", "Bearer", "Bearer ", "Bearer x"])
def test_where_no_token_was_agreed_none_is_right(said_token: str):
    assert let_in_by(AccessGuard(answering)).get("/status", headers={"Authorization": said_token}).status_code == 401


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("Authorization", f"Bearer {TOKEN}", "Bearer wrong"),
        ("Host", "127.0.0.1:8000", "example.com"),
        ("Origin", "http://127.0.0.1:8000", "http://example.com"),
        ("Sec-Fetch-Site", "same-origin", "cross-site"),
        ("Content-Length", "2", "2"),
    ],
)
def test_a_head_that_is_judged_stands_there_once(name: str, first: str, second: str):
    rest = [("Authorization", f"Bearer {TOKEN}"), ("Host", "127.0.0.1:8000")]
    client = let_in_by(AccessGuard(answering, TOKEN))
    assert client.get("/status", headers=rest).text == "in"
    for twice in ([(name, first), (name, second)], [(name, second), (name, first)]):
        answer = client.get("/status", headers=[*(one for one in rest if one[0] != name), *twice])
        assert (answer.status_code, answer.json()["code"]) == (400, "BadRequest")


@pytest.mark.parametrize("host", ["example.com", "127.0.0.1", "localhost:1", "127.0.0.1.example.com:80", "0.0.0.0"])
def test_on_tcp_a_foreign_name_is_refused(served: Served, host: str):
    status, _, document = ask(served, "GET", "/status", Host=host)
    assert (status, document["code"]) == (403, "ForeignName")


@pytest.mark.parametrize(
    "heads",
    [
        {"Origin": "http://example.com"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_a_foreign_page_is_refused_and_gets_no_leave(served: Served, heads: dict[str, str]):
    for method in ("OPTIONS", "GET", "POST"):
        status, answered, document = ask(served, method, "/status", **heads)
        assert (status, document["code"]) == (403, "ForeignPage")
        assert not [name for name in answered if name.lower().startswith("access-control")]


def test_a_foreign_page_is_refused_on_the_socket_too(served: Served):
    """A proxy of the user's own may lead a browser there."""
    for head in (b"origin: http://example.com", b"sec-fetch-site: cross-site"):
        with unix(served) as plug:
            answer = said(plug, b"GET /status HTTP/1.1\r\nhost: daemon\r\nconnection: close\r\n" + head + b"\r\n\r\n")
        assert problem_in(answer)["code"] == "ForeignPage"


def test_our_own_page_is_let_in(served: Served):
    port = served.tcp.port
    origin = f"http://localhost:{port}"
    assert (
        ask(served, "GET", "/status", Host=f"localhost:{port}", Origin=origin, Sec_Fetch_Site="same-origin")[0] == 200
    )


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user")
def test_another_user_is_refused(served: Served):
    path = Path(served.unix.socket)
    path.parent.chmod(0o711)
    path.chmod(0o666)
    heard, tells = os.pipe()
    child = os.fork()
    if not child:  # nothing but system calls: the other threads are not here
        try:
            os.setuid(NOBODY)
            with unix(served) as plug:
                plug.settimeout(ANSWER_S)
                os.write(tells, plug.recv(10_000))
        finally:
            os._exit(0)
    os.close(tells)
    with os.fdopen(heard, "rb") as pipe:
        told = problem_in(pipe.read())
    assert (told["code"], told["next_step"]) == ("ForeignUser", "Set COMPANION_HOME to a data folder of your own.")
    os.waitpid(child, 0)


def test_too_many_clients_are_told_so(served: Served):
    held: list[socket.socket] = []
    try:
        held += [unix(served) for _ in range(CONNECTIONS_MAX)]
        with unix(served) as plug:
            assert problem_in(said(plug, b""))["code"] == "TooBusy"
    finally:
        for plug in held:
            plug.close()
    assert served.remote().stats().files


def test_silent_clients_of_the_loopback_port_shut_nobody_out_of_the_socket(served: Served):
    held: list[socket.socket] = []
    try:
        held += [socket.create_connection(("127.0.0.1", served.tcp.port)) for _ in range(CONNECTIONS_MAX + 150)]
        held[-1].settimeout(ANSWER_S)
        assert problem_in(held[-1].recv(10_000))["code"] in {"TooBusy", "TooSlow"}
        assert served.remote().stats().files
    finally:
        for plug in held:
            plug.close()
    until(lambda: problem_in(refused_without_token(served))["code"] == "Unauthorised")
    assert served.remote(served.tcp).stats().files


def refused_without_token(served: Served) -> bytes:
    """What is answered on the loopback port until it hangs up."""
    with socket.create_connection(("127.0.0.1", served.tcp.port)) as plug:
        heads = f"Host: 127.0.0.1:{served.tcp.port}\r\nContent-Length: 0\r\n"
        return said(plug, f"POST /stats HTTP/1.1\r\n{heads}\r\n".encode())


def test_a_client_of_the_loopback_port_without_the_token_is_hung_up(served: Served):
    assert problem_in(refused_without_token(served))["code"] == "Unauthorised"


def test_work_that_takes_too_long_or_has_no_room_is_refused():
    async def ask_three() -> list[str]:
        lanes, lane = Lanes(), Lane("test", threads=1, waiting=1, deadline_s=0.05)
        hold = asyncio.Event()
        loop = asyncio.get_running_loop()

        def work() -> None:
            asyncio.run_coroutine_threadsafe(hold.wait(), loop).result(ANSWER_S)

        first, second, third = (asyncio.create_task(lanes.run(lane, work)) for _ in range(3))
        told = await asyncio.gather(first, second, third, return_exceptions=True)
        hold.set()
        await asyncio.get_running_loop().run_in_executor(None, lanes.close)
        return [one.code for one in told if isinstance(one, Refused)]

    assert asyncio.run(ask_three()) == ["TooSlow", "TooBusy", "TooBusy"]


def test_a_fault_says_nothing_of_what_was_asked(served: Served, caplog: pytest.LogCaptureFixture):
    class Broken:
        def __getattr__(self, name: str) -> Any:
            raise RuntimeError("hunter2-secret")

    with caplog.at_level(logging.DEBUG), TestClient(make_app(Broken())) as client:  # type: ignore[arg-type]
        answer = client.post("/expand", json={"repo": str(served.root), "id": "hunter2-secret"})
    assert answer.status_code == 500
    assert "hunter2" not in answer.text
    assert "hunter2" not in caplog.text
    assert "RuntimeError at " in caplog.text
    assert answer.json()["next_step"]


def test_the_published_document_is_served_and_kept(served: Served):
    kept = Path(__file__).parents[2] / "companion/surfaces/http/openapi.json"
    status, _, document = ask(served, "GET", "/openapi.json")
    assert status == 200
    assert document == json.loads(kept.read_text(encoding="utf-8"))


def test_the_contract_has_its_names(served: Served):
    status, context = post(served, "/context/assemble", budget=3_000, signals={"current_file": "shop/cart.py"})
    assert status == 200
    assert context["token_count"] <= 3_000
    assert set(context["tiers"]) == {"tier1", "tier2", "tier3", "tier4"}
    assert {"context", "details", "notices"} <= context.keys()
    _, forecast = post(served, "/context/predict", file_opened="shop/cart.py")
    assert 0 <= forecast["confidence"] <= 1
    assert {"predicted_memories", "predicted_files"} <= forecast.keys()
    _, planned = post(served, "/consolidate", dry_run=True)
    assert {"deduped", "compressed", "forgotten", "contradictions_found"} <= planned.keys()


def test_the_only_repository_need_not_be_named(serving: Any):
    served = serving()
    assert ask(served, "POST", "/stats", b"{}")[0] == 409
    assert post(served, "/stats")[0] == 200
    assert ask(served, "POST", "/stats", b"{}")[0] == 200
