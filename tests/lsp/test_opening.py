"""The lenses of a file that is being opened come of the question that opening it asks, where that is answered."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest
from companion_lsp.features import documents, lenses
from companion_lsp.server import CompanionServer
from lsprotocol import types
from pygls.workspace import Workspace

from companion.records import CodeLens

pytestmark = pytest.mark.asyncio(loop_scope="module")

MARK = CodeLens("a.py", "", "module", 1, 9, 2, "2 memories")


@pytest.fixture
def server(tmp_path: Path) -> CompanionServer:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    (tmp_path / "shop" / "a.py").write_text("x = 1\n")
    made = CompanionServer()
    documents.register(made)
    lenses.register(made)
    folder = types.WorkspaceFolder((tmp_path / "shop").as_uri(), "shop")
    made.protocol._workspace = Workspace(None, workspace_folders=[folder])
    made.reporter = SimpleNamespace(note=lambda root, seen: None)
    return made


async def test_a_question_of_opening_that_goes_wrong_leaves_the_lenses_to_ask_for_themselves(
    server: CompanionServer, tmp_path: Path
):
    uri = (tmp_path / "shop" / "a.py").as_uri()
    broken, asked = asyncio.Event(), 0

    async def ask(place, question, deadline_s=1.0):
        nonlocal asked
        asked += 1
        if asked == 1:
            await broken.wait()
            raise ValueError("no answer that can be read")
        return ((MARK, 1, MARK.says),)

    server.ask = ask
    features = server.protocol.fm.features
    item = types.TextDocumentItem(uri, "python", 1, "x = 1\n")
    opened = asyncio.ensure_future(features[types.TEXT_DOCUMENT_DID_OPEN](types.DidOpenTextDocumentParams(item)))
    await asyncio.sleep(0)
    wanted = types.CodeLensParams(types.TextDocumentIdentifier(uri))
    shown = asyncio.ensure_future(features[types.TEXT_DOCUMENT_CODE_LENS](wanted))
    await asyncio.sleep(0)
    broken.set()
    with pytest.raises(ValueError, match="no answer"):
        await opened
    assert len(await shown) == 1
    assert len(await features[types.TEXT_DOCUMENT_CODE_LENS](wanted)) == 1
    assert server.opening == {}
