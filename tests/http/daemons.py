"""A daemon that answers over HTTP in this process: a real store, a real socket, a small project."""

from __future__ import annotations

import socket
import threading
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blank import blank_home
from fakes import FakeClock, WordCounter
from repos import WHY_ROUNDED, Repo

from companion.adapters.secrets import SecretRedactor
from companion.app.runtime import Adapters, Runtime, runtime_over
from companion.client.finding import Address
from companion.client.remote import RemoteCompanion
from companion.client.speaking import ask
from companion.config import Settings, WatchBy
from companion.daemon.daemon import Daemon
from companion.daemon.log import DaemonLog
from companion.store.opening import open_store
from companion.surfaces.http.serving import serve

TOKEN = "a-token-of-the-tests"
END_S = 60
PATIENT_S = 60
"""How long a history waits for its search here: what it hands over must not turn on how busy the machine is."""


@dataclass
class Served:
    """A daemon behind a Unix socket and a loopback port."""

    daemon: Daemon
    runtime: Runtime
    unix: Address
    tcp: Address
    root: Path
    stack: ExitStack

    def end(self) -> None:
        """Stop, and wait until it is gone."""
        self.stack.close()

    def asked_to_stop(self) -> None:
        """Have a client ask the daemon to end."""
        status, _ = ask(self.unix, "POST", "/stop", {"why": "the test says so"}, timeout_s=END_S)
        assert status == 200

    def remote(self, address: Address | None = None) -> RemoteCompanion:
        made = RemoteCompanion(address or self.unix, self.root, reconnect=lambda: address or self.unix)
        self.stack.callback(made.close)
        return made


class Staying:
    """A host that hears that it is to stop, and stays."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon

    def stop(self, why: str) -> None:
        assert why is not None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._daemon, name)


def start(
    home: Path, root: Path, around: ExitStack, sockets: Path, patience_s: float = 10, stays: bool = False
) -> Served:
    """Serve a home until the stack is closed; what this adds to it has a stack of its own."""
    stack = around.enter_context(ExitStack())
    database = open_store(blank_home(home), wait_s=0.2, memory_limit="400MB")
    settings = Settings(embeddings="off", cold_wait_s=PATIENT_S)
    runtime = runtime_over(database, settings, Adapters(FakeClock(), WordCounter(), SecretRedactor(), None))
    stack.callback(runtime.close)
    daemon = Daemon(runtime, DaemonLog(home), idle_s=600, watch=WatchBy.OFF)
    stack.callback(daemon.close)
    daemon.start()
    plug = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    path = sockets / "s"
    path.unlink(missing_ok=True)
    plug.bind(str(path))
    plug.listen(64)
    loop = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    loop.bind(("127.0.0.1", 0))
    loop.listen(64)
    port = loop.getsockname()[1]
    token = home / "token"
    token.write_text(TOKEN)
    served = threading.Thread(
        target=serve, args=(Staying(daemon) if stays else daemon, (plug, loop), TOKEN, patience_s)
    )
    served.start()

    def end() -> None:
        daemon.stop("the test is over")
        served.join(END_S)
        assert not served.is_alive()

    stack.callback(end)
    unix = Address(0, "", 1, str(path), 0, "")
    return Served(daemon, runtime, unix, Address(0, "", 1, "", port, str(token)), root, stack)


def make_shop(root: Path) -> Path:
    """A repository with two modules that change together."""
    root.mkdir()
    repo = Repo(root)
    repo.git("init", "-q")
    repo.write(
        "pyproject.toml", '[project]\nname = "shop"\nrequires-python = ">=3.11"\n\n[tool.ruff]\nline-length = 100\n'
    )
    repo.write(
        "shop/cart.py",
        'from shop.price import total\n\n\nclass Cart:\n    """Holds items."""\n\n    def sum(self):\n        return total([])\n',
    )
    repo.write("shop/price.py", 'def total(items):\n    """Adds up prices."""\n    return sum(items)\n')
    repo.commit("Add the cart")
    for number in range(3):
        for name in ("cart", "price"):
            path = f"shop/{name}.py"
            repo.write(path, (root / path).read_text() + f"\n\ndef {name}_step_{number}():\n    return {number}\n")
        repo.commit(f"Fix rounding of prices, step {number}\n\n{WHY_ROUNDED}")
    return root
