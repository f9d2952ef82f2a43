"""A shop that was read once, and editors that are connected to the real server over a copy of its store."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest
import pytest_asyncio
from companion_lsp.texts import STILL_ASKING
from lsprotocol import types
from pytest_lsp import LanguageClient, client_capabilities, make_test_lsp_client
from repos import Repo

PROGRAM = (sys.executable, "-P", "-m", "companion.surfaces.cli")
DEADLINE_S = 60.0
"""Waits end with an error after this; on a busy computer a process has taken ten seconds to come up."""
NEVER = {"COMPANION_DAEMON": "never", "COMPANION_EMBEDDINGS": "off"}
"""The store is opened in the server itself: one process less for what is not about daemons."""


async def until(true: Callable[[], object]) -> None:
    """Wait for a condition; an error after the deadline."""
    end = time.monotonic() + DEADLINE_S
    while not true():
        assert time.monotonic() < end, "it never came true"
        await asyncio.sleep(0.02)


@dataclass
class Editor:
    """An editor with a server of its own."""

    client: LanguageClient
    root: Path
    asked: list[types.ShowMessageRequestParams] = field(default_factory=list)
    opened: set[str] = field(default_factory=set)

    @property
    def pid(self) -> int:
        assert self.client._server is not None
        return self.client._server.pid

    @property
    def has_left(self) -> bool:
        return self.client._server is None or self.client._server.returncode is not None

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def open(self, path: str, text: str | None = None) -> str:
        text = (self.root / path).read_bytes().decode() if text is None else text
        item = types.TextDocumentItem(self.uri(path), "python", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        self.opened.add(self.uri(path))
        return text

    def show_folders(
        self, added: Sequence[types.WorkspaceFolder] = (), removed: Sequence[types.WorkspaceFolder] = ()
    ) -> None:
        """Show other folders in the workspace."""
        event = types.WorkspaceFoldersChangeEvent(list(added), list(removed))
        self.client.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event))

    def close_all(self) -> None:
        """Close every file, as it was saved."""
        while self.opened:
            document = types.TextDocumentIdentifier(self.opened.pop())
            self.client.text_document_did_close(types.DidCloseTextDocumentParams(document))

    def change(self, path: str, text: str, start: tuple[int, int], end: tuple[int, int]) -> None:
        change = types.TextDocumentContentChangePartial(types.Range(types.Position(*start), types.Position(*end)), text)
        document = types.VersionedTextDocumentIdentifier(2, self.uri(path))
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    async def hover(self, path: str, line: int, character: int = 4) -> str | None:
        """What a hover says; lines from 0, as the protocol counts."""
        return await self.hover_uri(self.uri(path), line, character)

    async def hover_uri(self, uri: str, line: int, character: int = 4) -> str | None:
        asked = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(line, character))
        answer = await asyncio.wait_for(self.client.text_document_hover_async(asked), DEADLINE_S)
        return None if answer is None else answer.contents.value

    async def hover_at_last(self, path: str, line: int) -> str:
        """The same, asked until all of the answer is there: a daemon may have to start, and git to be asked."""
        end = time.monotonic() + DEADLINE_S
        while (said := await self.hover(path, line)) is None or STILL_ASKING in said:
            assert time.monotonic() < end, "no hover came"
            await asyncio.sleep(0.1)
        return said

    async def pull(self, path: str) -> list[types.Diagnostic]:
        asked = types.DocumentDiagnosticParams(types.TextDocumentIdentifier(self.uri(path)))
        return list((await asyncio.wait_for(self.client.text_document_diagnostic_async(asked), DEADLINE_S)).items)

    async def pull_at_last(self, path: str) -> list[types.Diagnostic]:
        """The same, asked until there are some: on a busy computer an answer may come too late for the server."""
        end = time.monotonic() + DEADLINE_S
        while not (found := await self.pull(path)):
            assert time.monotonic() < end, "no diagnostics came"
            await asyncio.sleep(0.1)
        return found

    async def lenses(self, path: str) -> list[types.CodeLens]:
        """The lenses of a file, asked for until there are some, as above."""
        asked = types.CodeLensParams(types.TextDocumentIdentifier(self.uri(path)))
        end = time.monotonic() + DEADLINE_S
        while not (found := await self.client.text_document_code_lens_async(asked)):
            assert time.monotonic() < end, "no lenses came"
            await asyncio.sleep(0.1)
        return list(found)

    async def actions(self, path: str, where: types.Range, only: list[str] | None = None) -> list[dict[str, Any]]:
        """Code actions as they came: lsprotocol takes each that has a command for a bare command."""
        context = types.CodeActionContext(diagnostics=[], only=only)
        asked = types.CodeActionParams(types.TextDocumentIdentifier(self.uri(path)), where, context)
        name = str(uuid.uuid4())
        answer = self.client.protocol.send_request(types.TEXT_DOCUMENT_CODE_ACTION, asked, msg_id=name)
        self.client.protocol._result_types[name] = None
        return list(await asyncio.wait_for(asyncio.wrap_future(answer), DEADLINE_S))

    async def choose(self, action: dict[str, Any]) -> object:
        """Run what an action says."""
        return await self.run(action["command"]["command"], *action["command"]["arguments"])

    async def run(self, command: str, *arguments: object) -> object:
        asked = types.ExecuteCommandParams(command, list(arguments))
        return await asyncio.wait_for(self.client.workspace_execute_command_async(asked), DEADLINE_S)

    async def leave(self) -> int:
        """Say goodbye as an editor does; the exit code."""
        await self.client.shutdown_session()
        assert self.client._server is not None
        return await asyncio.wait_for(self.client._server.wait(), DEADLINE_S)


@dataclass
class Desk:
    """A user's data folder, a repository, and the editors opened in it. `close` ends everything."""

    home: Path
    repo: Repo
    editors: list[Editor] = field(default_factory=list)

    def environment(self, **more: str) -> dict[str, str]:
        return {**os.environ, "COMPANION_HOME": str(self.home), **more}

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*PROGRAM, *arguments], cwd=self.repo.root, env=self.environment(**more), capture_output=True, text=True,
            stdin=subprocess.DEVNULL, timeout=DEADLINE_S, check=False,
        )  # fmt: skip

    def begin(self, *arguments: str, **more: str) -> subprocess.Popen[bytes]:
        """A server whose streams the test speaks to itself."""
        return subprocess.Popen(
            [*PROGRAM, "lsp", *arguments], cwd=self.repo.root, env=self.environment(**(more or NEVER)),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    async def edit(
        self,
        profile: str = "visual-studio-code",
        *,
        options: object = None,
        answer: str | None = None,
        folders: list[Path] | None = None,
        environment: dict[str, str] = NEVER,
        capabilities: types.ClientCapabilities | None = None,
    ) -> Editor:
        """An editor with the repository open; `answer` is what its user chooses when asked something."""
        client = make_test_lsp_client()
        editor = Editor(client, self.repo.root)
        client.protocol.fm.features.pop(types.WINDOW_SHOW_MESSAGE_REQUEST, None)

        @client.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
        def asked(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
            editor.asked.append(params)
            return None if answer is None else types.MessageActionItem(answer)

        await client.start_io(*PROGRAM, "lsp", "--stdio", env=self.environment(**environment))
        self.editors.append(editor)
        opened = [types.WorkspaceFolder(folder.as_uri(), folder.name) for folder in folders or [self.repo.root]]
        await client.initialize_session(
            types.InitializeParams(
                capabilities=capabilities or client_capabilities(profile),
                process_id=os.getpid(),
                root_uri=opened[0].uri,
                workspace_folders=opened,
                initialization_options=options,
            )
        )
        return editor

    def processes(self) -> list[psutil.Process]:
        """Every process of this user that is alive."""
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if process.pid != os.getpid() and process.environ().get("COMPANION_HOME") == str(self.home):
                    found.append(process)
        return found

    async def close(self) -> None:
        for editor in self.editors:
            with contextlib.suppress(Exception):
                if editor.client._server is not None and editor.client._server.returncode is None:
                    editor.client._server.kill()
                await asyncio.wait_for(editor.client.stop(), 5)
        left = self.processes()
        for process in left:
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(left, timeout=10)


def page(*names: str) -> str:
    """A module with a page of each name."""
    pages = (
        f'class {name}(View):\n    """Shows it."""\n\n    def render(self):\n        return ""\n' for name in names
    )
    return "\n\n".join(["from pages.base import View\n", *pages])


PAGES = {
    "pages/base.py": 'class View:\n    """One page."""\n\n    def render(self):\n        raise NotImplementedError\n',
    "pages/front.py": page("HomeView", "SaleView", "NewsView"),
    "pages/account.py": page("LoginView", "OrdersView", "LeaveView"),
    "pages/odd.py": page("Oddity"),
}
"""Six pages that are called views, and one that is not."""


@pytest.fixture(scope="session")
def read_shop(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A shop with a decision, fixes, a convention somebody departed from, and two manifests that disagree."""
    folder = tmp_path_factory.mktemp("shop")
    root = folder / "shop"
    root.mkdir()
    repo = Repo(root)
    repo.git("init", "-q")
    repo.write("pyproject.toml", '[project]\nname = "shop"\nrequires-python = ">=3.11"\n')
    repo.write("setup.cfg", "[options]\npython_requires = >=3.8\n")
    repo.write(
        "docs/adr/0001-money.md",
        "# 1. Prices are integers\n\n## Status\n\nAccepted\n\n## Context\n\nFloats lose cents in `shop/price.py`.\n\n"
        "## Decision\n\nWe keep prices as integer cents.\n",
    )
    for name in ("cart", "stock", "order"):
        parts = "\n\n".join(f'def {name}_part_{n}(item):\n    """Does part {n}."""\n    return item' for n in range(6))
        repo.write(f"shop/{name}.py", f"{parts}\n")
    repo.write(
        "shop/price.py",
        "class Price:\n    def total(self):\n        return 1\n\n\ndef priceOf(item):\n    return item\n",
    )
    for name, text in PAGES.items():
        repo.write(name, text)
    repo.commit("Add the shop")
    repo.write("shop/price.py", (root / "shop/price.py").read_text().replace("return 1", "return round(1.0)"))
    repo.commit(
        "Fix rounding in `Price.total`\n\n"
        "The total of shop/price.py was off by a cent, because floats lose digits on the way to the till, "
        "so that no total was right until its rounding came last. "
        "Each sum was shown beside its parts, and nobody saw that they differed before the month was closed."
    )
    desk = Desk(folder / "home", repo)
    done = desk.run("init", **NEVER)
    assert done.returncode == 0, done.stderr
    return desk


@pytest_asyncio.fixture(loop_scope="module")
async def desk(read_shop: Desk, tmp_path: Path) -> AsyncIterator[Desk]:
    """The shop with a copy of its store. The repository is shared: read only."""
    home = tmp_path / "home"
    shutil.copytree(read_shop.home, home)
    made = Desk(home, read_shop.repo)
    yield made
    await made.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def long_opened(
    read_shop: Desk, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Callable[..., Awaitable[Editor]]]:
    """Editors that several tests use, by their name: each is started when it is first wanted."""
    desks: list[Desk] = []
    known: dict[str, Editor] = {}

    async def opened(name: str, **given: Any) -> Editor:
        if name not in known or known[name].has_left:
            home = tmp_path_factory.mktemp(name) / "home"
            shutil.copytree(read_shop.home, home)
            desks.append(Desk(home, read_shop.repo))
            known[name] = await desks[-1].edit(**given)
        return known[name]

    yield opened
    for made in desks:
        await made.close()


@pytest_asyncio.fixture(loop_scope="module")
async def browsing(long_opened: Callable[..., Awaitable[Editor]]) -> AsyncIterator[Editor]:
    """An editor like VS Code that reads virtual documents, in which nothing is open; nothing is settled in it."""
    reads = client_capabilities("visual-studio-code")
    assert reads.workspace is not None
    reads.workspace.text_document_content = types.TextDocumentContentClientCapabilities()
    editor = await long_opened("browsing", options={"commandLinks": True}, capabilities=reads)
    yield editor
    editor.close_all()


@pytest_asyncio.fixture(loop_scope="module")
async def plain(long_opened: Callable[..., Awaitable[Editor]]) -> AsyncIterator[Editor]:
    """An editor that can show files and nothing else, in which nothing was opened yet."""
    window = types.WindowClientCapabilities(show_document=types.ShowDocumentClientCapabilities(support=True))
    editor = await long_opened("plain", capabilities=types.ClientCapabilities(window=window))
    yield editor
    editor.close_all()


@pytest_asyncio.fixture(loop_scope="module")
async def unread(new_repo: Callable[..., Repo], tmp_path: Path) -> AsyncIterator[Desk]:
    """A repository that nobody read, and a user without a store."""
    repo = new_repo("fresh")
    repo.write("a.py", "def first():\n    return 1\n")
    repo.commit("Add the first part\n\nIt returns one, because that is what the caller in a.py needs.")
    made = Desk(tmp_path / "home", repo)
    yield made
    await made.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def own(read_shop: Desk, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Editor]:
    """An editor in a shop that tests may change, each a file of its own; it has lines that are hard to count."""
    folder = tmp_path_factory.mktemp("own")
    shutil.copytree(read_shop.repo.root, folder / "shop")
    shutil.copytree(read_shop.home, folder / "home")
    repo = Repo(folder / "shop", minute=30)
    repo.write("setup.cfg", "[options]\r\n# 𝔘𝔫𝔦\x0c\u2028 form feed\r\npython_requires = >=3.8\r\n")
    repo.commit("Write it elsewhere")
    made = Desk(folder / "home", repo)
    editor = await made.edit()
    assert await editor.run("companion.read", {"uri": editor.uri("setup.cfg")}) == {"read": True}
    yield editor
    await made.close()
