"""An editor in so far as a language server can tell: it starts the server, asks, and waits for the answer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any


class Editor:
    """A session with a language server of its own over standard input and output, for one folder.

    Raises OSError when the server ends, or answers with an error.
    """

    def __init__(self, root: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "companion.surfaces.cli", "lsp", "--stdio"],
            cwd=root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._count = 0
        folders = [{"uri": root.as_uri(), "name": root.name}]
        self.ask("initialize", {"processId": os.getpid(), "capabilities": {}, "workspaceFolders": folders})
        self.tell("initialized", {})

    def ask(self, method: str, params: object) -> Any:
        """The result of a request; what the server asks meanwhile is answered with nothing."""
        self._count += 1
        self._send({"id": self._count, "method": method, "params": params})
        while True:
            said = self._hear()
            if "method" not in said and said.get("id") == self._count:
                if "error" in said:
                    raise OSError(str(said["error"]))
                return said.get("result")
            if "method" in said and "id" in said:
                self._send({"id": said["id"], "result": None})

    def tell(self, method: str, params: object) -> None:
        """A notification."""
        self._send({"method": method, "params": params})

    def close(self) -> None:
        """Leave without a word, as an editor that is killed."""
        self._process.kill()
        self._process.wait()

    def _send(self, message: dict[str, object]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
        self._process.stdin.flush()

    def _hear(self) -> dict[str, Any]:
        out = self._process.stdout
        assert out is not None
        length = 0
        while line := out.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        if not length:
            raise OSError("the language server ended")
        heard = json.loads(out.read(length))
        assert isinstance(heard, dict)
        return heard
