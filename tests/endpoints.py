"""Language models behind real sockets on this machine: an endpoint that answers as it is told, and one that answers well."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]


@dataclass
class Endpoint:
    """A server that answers each request as it is told, and keeps what it was asked."""

    answer: Answer
    asked: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)
    port: int = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"


@contextmanager
def serving(answer: Answer) -> Iterator[Endpoint]:
    endpoint = Endpoint(answer)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            endpoint.asked.append(body)
            endpoint.headers.append(dict(self.headers))
            endpoint.paths.append(self.path)
            endpoint.answer(self, body)

        def do_GET(self) -> None:
            endpoint.paths.append(self.path)
            endpoint.answer(self, {})

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            pass  # a client that hangs up is what is tested

    server = Server(("127.0.0.1", 0), Handler)
    endpoint.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        endpoint.ended.set()
        server.shutdown()
        thread.join(5)
        server.server_close()


def send(handler: BaseHTTPRequestHandler, status: int, body: bytes) -> None:
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def says(text: str) -> Answer:
    """Answers every question with the same words, in the form of such endpoints."""
    body = json.dumps({"choices": [{"message": {"content": text}}]}).encode()
    return lambda handler, _: send(handler, 200, body)


def asked_text(body: dict[str, Any]) -> str:
    """The text that a question is about: what stands between its two equal lines of `===`."""
    prompt = body["messages"][-1]["content"]
    found = re.search(r"^(=== \w+ ===)\n(.*?)\n\1$", prompt, re.MULTILINE | re.DOTALL)
    return found[2] if found else ""


def shortened(text: str) -> dict[str, str]:
    """An honest shorter telling of an episode: its title, and the shortest whole sentence that was told of it."""
    title, _, rest = text.partition("\n\n")
    story = rest.partition("\n\nFiles: ")[0]
    sentence = min((one for one in re.split(r"(?<=\.)\s+", story) if one), key=len)
    return {"summary": f"{title}. {sentence}", "compressed": title}


def summarises(handler: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
    """Answers a question for a shorter telling well, anything else with nothing."""
    text = asked_text(body)
    says(json.dumps(shortened(text)) if "\n\n" in text else "{}")(handler, body)
