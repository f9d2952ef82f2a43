"""A small editor: starts a language server, opens a file, asks once, and then waits for its end.

Run as a process of its own, so that a test can kill it as users' editors are killed. Writes the server's process
id when the first answer has come. Usage: an_editor.py ROOT FILE
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path


def main(root: Path, file: Path) -> None:
    """Speak to a server until its output ends, then stay until killed."""
    server = subprocess.Popen(
        [sys.executable, "-P", "-m", "companion.surfaces.cli", "lsp", "--stdio"],
        cwd=root,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert server.stdout is not None
    send(server, 1, "initialize", {"processId": os.getpid(), "rootUri": root.as_uri(), "capabilities": {}})
    send(server, None, "initialized", {})
    document = {"uri": file.as_uri(), "languageId": "python", "version": 1, "text": file.read_text()}
    send(server, None, "textDocument/didOpen", {"textDocument": document})
    where = {"textDocument": {"uri": file.as_uri()}, "position": {"line": 1, "character": 4}}
    send(server, 2, "textDocument/hover", where)
    while (answer := received(server)) is not None:
        if answer.get("id") == 2 and "method" not in answer:
            print(server.pid, flush=True)
    sys.stdin.read()


def send(server: subprocess.Popen[bytes], id_: int | None, method: str, params: object) -> None:
    """Write one message."""
    assert server.stdin is not None
    said = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if id_ is None else {"id": id_})
    body = json.dumps(said).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    server.stdin.flush()


def received(server: subprocess.Popen[bytes]) -> dict[str, object] | None:
    """The next message; None at the end."""
    assert server.stdout is not None
    length = 0
    while line := server.stdout.readline().strip():
        if line.lower().startswith(b"content-length:"):
            length = int(line.partition(b":")[2])
    return json.loads(server.stdout.read(length)) if length else None


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
