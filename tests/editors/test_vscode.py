"""Visual Studio Code as a client of the assistant's server: it starts it as `companion connect` wrote it down.

VS Code runs as its own web server (npm's `code-server` holds one, in `lib/vscode`), looked at by a browser without a
window; no model and no network are needed. `VSCODE_SERVER` names that folder, `VSCODE_NODE` the node that runs it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import urllib.parse
import urllib.request
from pathlib import Path

import pytest
from waiting import until

from editors.conftest import PROGRAM

HERE = Path(__file__).parent
SETTINGS = {
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.autoUpdate": False,
    "extensions.autoCheckUpdates": False,
    "chat.mcp.access": "all",
    "chat.mcp.autostart": "newAndOutdated",  # nobody is there to say that it may start
    "workbench.startupEditor": "none",
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_S = 150
"""For the editor, its extension host, the server and a daemon to come up one after the other."""


@pytest.fixture
def vscode():
    """VS Code's server, the node that runs it, and a browser."""
    server = Path(os.environ.get("VSCODE_SERVER", "/nowhere"), "out", "server-main.js")
    node = os.environ.get("VSCODE_NODE") or shutil.which("node")
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not server.exists() or node is None or browser is None:
        pytest.skip("VS Code's web server (VSCODE_SERVER), node or a browser is not installed")
    return server, node, browser


def free_port() -> int:
    """A port of this computer that nobody has."""
    with socket.socket() as plug:
        plug.bind(("127.0.0.1", 0))
        return int(plug.getsockname()[1])


def address(port: int, folder: Path) -> str:
    """The address at which VS Code opens a folder and runs the test inside its extension host."""
    here = f"vscode-remote://127.0.0.1:{port}{HERE / 'vscode_client'}"
    payload = [["extensionDevelopmentPath", here], ["extensionTestsPath", f"{here}/listed.js"], ["skipWelcome", "true"]]
    asked = urllib.parse.urlencode({"folder": str(folder), "payload": json.dumps(payload)})
    return f"http://127.0.0.1:{port}/?{asked}"


def is_up(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/version", timeout=5):
            return True
    except OSError:
        return False


@pytest.mark.timeout(300)
def test_vscode_starts_the_server_lists_its_tools_and_calls_one(editing, vscode):
    server, node, browser = vscode
    elsewhere = {**editing.environment, "PATH": os.defpath}  # a login shell of VS Code's own may not know our PATH
    subprocess.run([PROGRAM, "connect", "vscode", "--yes"], cwd=editing.repo.root, env=elsewhere, check=True)
    data, report, port = editing.home / "vscode", editing.home / "report.json", free_port()
    (data / "data/Machine").mkdir(parents=True)
    (data / "data/Machine/settings.json").write_text(json.dumps(SETTINGS))
    (data / "extensions").mkdir()
    (data / "extensions/extensions.json").write_text("[]")
    seen = {**editing.environment, "COMPANION_TEST_REPORT": str(report), "EXTENSIONS_GALLERY": "{}"}
    served = [node, str(server), "--host", "127.0.0.1", "--port", str(port), "--without-connection-token"]
    served += ["--accept-server-license-terms", "--disable-workspace-trust", "--enable-smoke-test-driver"]
    served += ["--telemetry-level", "off", "--server-data-dir", str(data), "--extensions-dir", str(data / "extensions")]
    page = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
    page += ["--disable-background-timer-throttling", "--disable-renderer-backgrounding"]
    page += ["--disable-background-networking", f"--user-data-dir={editing.home / 'browser'}"]
    with (editing.home / "vscode.log").open("wb") as log:
        begun = [subprocess.Popen(served, env=seen, stdout=log, stderr=log, start_new_session=True)]
        try:
            until(lambda: is_up(port))
            page += ["--remote-debugging-port=0", address(port, editing.repo.root)]
            begun.append(subprocess.Popen(page, env=seen, stdout=log, stderr=log, start_new_session=True))
            until(report.exists, deadline_s=PATIENCE_S)
        finally:
            for process in reversed(begun):
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    told = json.loads(report.read_text())
    assert "wrong" not in told, told
    names = " ".join(told["tools"])
    for tool in ("context", "search_memory", "start_conversation", "classify_request", "update_status"):
        assert tool in names, told
    assert "cents" in told["answer"]
