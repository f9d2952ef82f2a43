"""`companion/page`: always an answer, with the next step where there can be no page."""

from __future__ import annotations

import pytest
from companion_lsp.features import views
from companion_lsp.server import CompanionServer
from lsprotocol import types
from pygls.workspace import Workspace
from repos import Repo

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def asked(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COMPANION_DAEMON", "never")
    (tmp_path / "shop").mkdir()
    Repo(tmp_path / "shop").git("init", "-q")
    server = CompanionServer()
    views.register(server)
    folder = types.WorkspaceFolder((tmp_path / "shop").as_uri(), "shop")
    server.protocol._workspace = Workspace(None, workspace_folders=[folder])
    yield server.protocol.fm.features[views.PAGE]
    server.release()


async def test_where_no_daemon_may_run_the_answer_says_which_setting_forbids_it(asked, tmp_path):
    error = (await asked({"folder": (tmp_path / "shop").as_uri()}))["error"]
    assert error["sort"] == "UsageError"
    assert "COMPANION_DAEMON=auto" in error["hint"]


@pytest.mark.parametrize("params", [None, {}, [], 7, {"uri": 7}, {"uri": "untitled:1"}, {"folder": "file:///nowhere"}])
async def test_nonsense_and_folders_of_others_are_answered_too(asked, params):
    answer = await asked(params)
    assert answer["error"]["message"]
