"""VS Code's own web server, started with extensions of our choice, and windows of it in a browser.

`VSCODE_SERVER` names one that is installed (the folder with `out/server-main.js`) and `VSCODE_NODE` the node that runs
it; `scripts/install-editors` installs the oldest version that the extension promises and the newest one.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browsers import INSTALLED, PATIENCE_MS
from waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

BRIDGE = Path(__file__).parent / "vscode_bridge"
LEAST = Path(__file__).parent / "vscode_least"
"""An extension that shows one row and does nothing else: no other can be sooner."""
VERSIONS = ("oldest", "newest")
"""Folders of `scripts/install-editors`: 1.99, which the extension promises to serve, and the newest there is."""
SETTINGS: Mapping[str, object] = {
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.autoUpdate": False,
    "extensions.autoCheckUpdates": False,
    "security.workspace.trust.banner": "never",
    "security.workspace.trust.startupPrompt": "never",
    "workbench.startupEditor": "none",
    "workbench.reduceMotion": "on",  # what fades in is pale in a picture
    "workbench.tips.enabled": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": True,
    "editor.hover.delay": 100,
    "editor.minimap.enabled": False,
    "terminal.integrated.gpuAcceleration": "off",  # by it letters are drawn, and can be neither read nor waited for
}
HOVER_MS = 5_000
"""For the hover of one rest on a word, or the rows of a palette; then the pointer rests, or the palette opens, again."""
PRESS_MS = 2_000
"""For a click on a button that is seen, or letters into a field; what lies over it may take it for good."""
OFFERED = ".quick-input-list .monaco-list-row"
"""A row of the list that is open."""
MACHINE = Path("data", "data", "Machine", "settings.json")
"""Settings of the machine, in a server's folder."""
WORKSPACE = ".code-workspace"
OPENED_MOST = 8
"""Windows opened on a workspace of several folders: of those of VS Code 1.99 in a browser one in three takes it for
empty, its own Explorer too, and stays so."""
HOST_S = 60
"""For an answer out of the extension host, which may first have to start a language server."""


@dataclass(frozen=True)
class Editor:
    """One VS Code that is installed."""

    server: Path
    node: str

    @property
    def main(self) -> Path:
        """The program that node runs."""
        return self.server / "out" / "server-main.js"

    @property
    def version(self) -> str:
        """As VS Code tells it."""
        return str(json.loads((self.server / "package.json").read_text())["version"])


def find_editor(name: str) -> Editor | None:
    """The VS Code of a name in VERSIONS, or the one that the environment names."""
    if named := os.environ.get("VSCODE_SERVER"):
        node = os.environ.get("VSCODE_NODE") or shutil.which("node")
        found = Editor(Path(named), node) if node and name == "newest" else None
    else:
        place = INSTALLED / name
        found = Editor(place / "server" / "lib" / "vscode", str(place / "node"))
    return found if found and found.main.exists() and Path(found.node).exists() else None


def needed_editor(name: str) -> Editor:
    """The VS Code of that name; the test is skipped where it is not installed."""
    found = find_editor(name)
    if found is None:
        pytest.skip(f"the {name} VS Code is not installed (scripts/install-editors)")
    return found


@dataclass
class Window:
    """A window of VS Code: what its user sees, and what its extensions may ask."""

    page: Page
    port: int
    secret: str

    def host(self, code: str, given: object = None) -> Any:
        """The answer of a piece of JavaScript that knows `vscode` and `given`, run in the extension host."""
        body = json.dumps({"code": code, "given": given}).encode()
        asked = urllib.request.Request(f"http://127.0.0.1:{self.port}/", body, {"X-Secret": self.secret})
        with urllib.request.urlopen(asked, timeout=HOST_S) as answered:
            told = json.load(answered)
        assert "wrong" not in told, told["wrong"]
        return told["result"]

    def run(self, command: str, *arguments: object) -> Any:
        """A command by its id."""
        return self.host("return vscode.commands.executeCommand(given[0], ...given.slice(1))", [command, *arguments])

    def begin(self, command: str, *arguments: object) -> None:
        """Begin a command that waits for its user."""
        self.host("void vscode.commands.executeCommand(given[0], ...given.slice(1))", [command, *arguments])

    def set(self, name: str, value: object) -> None:
        """Write a setting of the folder, as its user does."""
        self.host("await vscode.workspace.getConfiguration().update(given[0], given[1], false)", [name, value])

    def open(self, path: Path, line: int = 1) -> None:
        """Show a file, with the cursor in a line."""
        code = (
            "const shown = await vscode.window.showTextDocument(vscode.Uri.file(given[0]), { preview: false });"
            "const there = new vscode.Position(given[1] - 1, 0);"
            "shown.selection = new vscode.Selection(there, there);"
            "shown.revealRange(new vscode.Range(there, there), vscode.TextEditorRevealType.InCenter);"
        )
        self.host(code, [str(path), line])

    def see(self, selector: str, text: str = "") -> Locator:
        """The first thing on the page that fits and holds the text, once it is there."""
        found = self.page.locator(selector, has_text=text).first if text else self.page.locator(selector).first
        found.wait_for()
        return found

    def press(self, button: Locator) -> bool:
        """Press the first of some buttons if it is there and nothing lies over it."""
        from playwright.sync_api import TimeoutError as Late

        if button.first.is_visible():
            with suppress(Late):
                button.first.click(timeout=PRESS_MS)
                return True
        return False

    def hover(self, place: Locator, text: str) -> None:
        """Rest on a place until a hover says the text; VS Code asks once a rest, and a busy server may be late."""
        from playwright.sync_api import TimeoutError as Late

        shown = self.page.locator(".monaco-hover .hover-contents", has_text=text).first

        def rested() -> bool:
            place.hover()
            with suppress(Late):
                shown.wait_for(timeout=HOVER_MS)
                return True
            self.page.mouse.move(0, 0)
            return False

        until(rested)

    def palette(self, title: str) -> None:
        """Run a command as its user does: by the palette."""
        self._commands(title, f"{OFFERED}.focused")
        self.page.keyboard.press("Enter")

    def _commands(self, typed: str, row: str) -> None:
        """Open the palette with some letters in it until a row fits them: it closes when a file takes the focus."""
        from playwright.sync_api import TimeoutError as Late

        field = self.page.locator(".quick-input-widget .quick-input-box input")
        fits = self.page.locator(row, has_text=typed.strip()).first

        def opened() -> bool:
            self.page.keyboard.press("F1")
            with suppress(Late):
                field.fill(f">{typed}", timeout=PRESS_MS)
                fits.wait_for(timeout=HOVER_MS)
                return True
            return False

        until(opened)

    def offered(self, typed: str) -> list[str]:
        """What the palette offers for some letters; it is closed again."""
        self._commands(typed, OFFERED)
        rows = self.page.locator(".quick-input-list .monaco-list-row .quick-input-list-entry").all_inner_texts()
        self.page.keyboard.press("Escape")
        return rows

    def picks(self, text: str = "") -> list[str]:
        """The rows of the list that is open, once one holds the text."""
        self.see(".quick-input-widget:visible .monaco-list-row", text)
        return self.page.locator(".quick-input-list .monaco-list-row").all_inner_texts()

    def row(self, spoken: str) -> Locator:
        """The row of a tree that is read aloud with these words at its beginning, once it is there."""
        return self.see(f'.pane-body .monaco-list-row[aria-label^="{spoken}"]')

    def rows(self) -> list[str]:
        """What the trees show, a line a row, as it is read aloud."""
        shown = self.page.locator(".pane-body .monaco-list-row")
        return [str(said) for said in shown.evaluate_all("rows => rows.map((row) => row.ariaLabel)")]

    def container(self, name: str) -> None:
        """Open the views of an extension."""
        self.see(f'.activitybar .action-item a[aria-label^="{name}"]').click()

    def toasts(self) -> list[str]:
        """What messages are shown at this moment."""
        return self.page.locator(".notification-toast").all_inner_texts()


@dataclass
class Served:
    """A VS Code server that runs, and what its windows are opened with."""

    editor: Editor
    port: int
    folder: Path
    secret: str
    context: BrowserContext
    windows: list[Page] = field(default_factory=list)

    def window(self, folder: Path, opened: Sequence[Path] = ()) -> Window:
        """A window on a folder or workspace, with files opened in it, once its extension host answers."""
        for _ in range(OPENED_MOST):
            window = self._opened(folder, opened)
            if folder.suffix != WORKSPACE or window.host("return vscode.workspace.workspaceFolders.length"):
                return window
            self.windows.pop().close()
        raise AssertionError(f"VS Code {self.editor.version} finds no folder in {folder}")

    def _opened(self, folder: Path, opened: Sequence[Path]) -> Window:
        before = set(self._bridges())
        page = self.context.new_page()
        self.windows.append(page)
        page.set_default_timeout(PATIENCE_MS)
        page.goto(self.address(folder, opened))
        page.locator(".monaco-workbench").wait_for()
        until(lambda: set(self._bridges()) - before)
        (new,) = set(self._bridges()) - before
        return Window(page, int(json.loads(new.read_text())["port"]), self.secret)

    def address(self, folder: Path, opened: Sequence[Path] = ()) -> str:
        """Where a browser finds a window on a folder, or on a workspace of several that a file lists."""
        here = f"127.0.0.1:{self.port}"
        payload = [["openFile", f"vscode-remote://{here}{path}"] for path in opened]
        what = "workspace" if folder.suffix == WORKSPACE else "folder"
        return f"http://{here}/?{urllib.parse.urlencode({what: str(folder), 'payload': json.dumps(payload)})}"

    def set(self, name: str, value: object) -> None:
        """Write a setting of the machine; VS Code sees it after a while."""
        kept = self.folder / MACHINE
        kept.write_text(json.dumps({**json.loads(kept.read_text()), name: value}))

    def close_windows(self) -> None:
        """Close every window; what their extensions started ends with them."""
        while self.windows:
            self.windows.pop().close()

    def _bridges(self) -> list[Path]:
        return list((self.folder / "bridge").glob("*.json"))


@contextmanager
def serving(
    editor: Editor,
    folder: Path,
    context: BrowserContext,
    extensions: Sequence[Path],
    environment: Mapping[str, str],
    settings: Mapping[str, object] = {},
    *,
    trusted: bool = True,
) -> Iterator[Served]:
    """A server with `extensions`, packed or as folders, keeping everything in the empty `folder`, while the block lasts.

    `trusted` says whether every folder is; otherwise all begin in Restricted Mode.
    """
    port, secret = free_port(), secrets.token_hex(16)
    given = {
        **environment,
        "EXTENSIONS_GALLERY": "{}",
        "COMPANION_TEST_BRIDGE": str(folder / "bridge"),
        "COMPANION_TEST_SECRET": secret,
    }
    program = _installed(editor, folder, extensions, given, {**SETTINGS, **settings})
    program += ["--host", "127.0.0.1", "--port", str(port), "--without-connection-token", "--telemetry-level", "off"]
    program += ["--disable-workspace-trust"] if trusted else []
    with (folder / "server.log").open("wb") as log:
        running = subprocess.Popen(program, env=given, stdout=log, stderr=log, start_new_session=True)
        served = Served(editor, port, folder, secret, context)
        try:
            until(lambda: is_up(port))
            yield served
        finally:
            served.close_windows()
            with suppress(ProcessLookupError):  # it has gone by itself, which its log tells of
                os.killpg(running.pid, signal.SIGKILL)  # the extension hosts outlive a server that is asked to go
            running.wait()


def _installed(
    editor: Editor, folder: Path, extensions: Sequence[Path], given: Mapping[str, str], settings: Mapping[str, object]
) -> list[str]:
    """Lay out the server's folders and install into them; the beginning of the command that starts it."""
    kept = folder / "extensions"
    for part in (kept, folder / "bridge", (folder / MACHINE).parent):
        part.mkdir(parents=True)
    # In a remote window only the machine's settings are sure to be read before an extension starts.
    (folder / MACHINE).write_text(json.dumps(dict(settings)))
    unpacked = [BRIDGE, *(one for one in extensions if one.is_dir())]
    for one in unpacked:
        shutil.copytree(one, kept / one.name)
    (kept / "extensions.json").write_text(json.dumps([_listed(kept / one.name) for one in unpacked]))
    program = [editor.node, str(editor.main), "--accept-server-license-terms"]
    program += ["--server-data-dir", str(folder / "data"), "--extensions-dir", str(kept)]
    for packed in (one for one in extensions if one.is_file()):
        done = subprocess.run(
            [*program, "--install-extension", str(packed)], env=given, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    return program


def _listed(place: Path) -> dict[str, object]:
    """An extension that lies unpacked, as VS Code lists it."""
    manifest = json.loads((place / "package.json").read_text())
    return {
        "identifier": {"id": f"{manifest['publisher']}.{manifest['name']}"},
        "version": manifest["version"],
        "location": {"$mid": 1, "path": str(place), "scheme": "file"},
        "relativeLocation": place.name,
    }


def free_port() -> int:
    """A port of this computer that nobody has."""
    with socket.socket() as plug:
        plug.bind(("127.0.0.1", 0))
        return int(plug.getsockname()[1])


def is_up(port: int) -> bool:
    """Whether VS Code answers there."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/version", timeout=5):
            return True
    except OSError:
        return False
