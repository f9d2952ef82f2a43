"""What an editor's own extension sees beyond the protocol: each thing as a record, and nonsense as nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from companion_lsp.features import seeing
from companion_lsp.server import CompanionServer
from companion_lsp.settings import EditorSettings, in_force, with_given
from lsprotocol import types
from pygls.workspace import Workspace

from companion.records import Diagnosed, Ran, Touch, Touched

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass
class Seeing:
    """A server with one folder open, and what it would tell the daemon."""

    server: CompanionServer
    root: Path
    noted: list[Any] = field(default_factory=list)
    asked: list[Any] = field(default_factory=list)

    async def see(self, *seen: object) -> list[Any]:
        handler = self.server.protocol.fm.features[seeing.SEEN]
        self.noted.clear()
        await handler({"seen": list(seen)})
        return list(self.noted)


@pytest.fixture
def watching(tmp_path, monkeypatch):
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "home"))
    root = tmp_path / "shop"
    (root / ".git").mkdir(parents=True)
    (root / "a.py").write_text("x = 1\n")
    server = CompanionServer()
    seeing.register(server)
    folder = types.WorkspaceFolder(root.as_uri(), "shop")
    server.protocol._workspace = Workspace(None, workspace_folders=[folder])
    made = Seeing(server, root)
    server.reporter = SimpleNamespace(note=lambda root, seen: made.noted.append((root, seen)))

    async def ask(place, question):
        made.asked.append(place.root)
        return question(SimpleNamespace(observe=lambda seen: None), place)

    server.ask = ask
    server.say = lambda *_: None
    return made


def ran(root: Path, command: object, **more: object) -> dict[str, object]:
    told = {"what": "ran", "folder": root.as_uri(), "command": command, "exitCode": 1, "began": 1_000, "took": 2_500}
    return {**told, **more}


async def test_files_looked_at_are_told_with_their_line_and_nothing_else(watching):
    uri = (watching.root / "a.py").as_uri()
    told = await watching.see(*({"what": what, "uri": uri, "line": 4} for what in ("shown", "selected", "stopped")))
    assert told == [(watching.root, Touched(str(watching.root / "a.py"), Touch.SELECTED, line=5))] * 3


async def test_diagnostics_of_other_tools_are_told_and_our_own_are_not(watching):
    at = {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 3}}
    given = [
        {"range": at, "message": "no such name", "severity": 1, "source": "pyright", "code": "E1"},
        {"range": at, "message": "ours", "severity": 4, "source": "companion"},
        {"range": "nonsense"},
        7,
    ]
    uri = (watching.root / "a.py").as_uri()
    ((_, told),) = await watching.see({"what": "diagnosed", "uri": uri, "diagnostics": given})
    assert isinstance(told, Diagnosed)
    assert [(one.line, one.message, one.tool, one.code) for one in told.diagnostics] == [
        (3, "no such name", "pyright", "E1")
    ]


async def test_a_command_loses_its_variables_and_keeps_folder_exit_code_and_times(watching):
    ((root, told),) = await watching.see(ran(watching.root, "KEY=abc pytest -q"))
    assert root == watching.root
    began = datetime(1970, 1, 1, 0, 0, 1)
    assert told == Ran("pytest -q", str(watching.root), 1, 2.5, began)


@pytest.mark.parametrize("command", ["ssh host", "echo $DB_PASSWORD", "export KEY=abc", "KEY=abc", "", "gpg -d f"])
async def test_what_the_exclusion_list_names_never_leaves_the_editor_side(watching, command):
    assert await watching.see(ran(watching.root, command)) == []


async def test_the_users_own_exclusion_list_is_honoured(watching, monkeypatch):
    monkeypatch.setenv("COMPANION_RUN_IGNORE", "deploy *")
    assert await watching.see(ran(watching.root, "deploy now")) == []
    assert await watching.see(ran(watching.root, "make"))


async def test_what_happens_outside_the_workspace_is_passed_over(watching, tmp_path):
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    (other / "b.py").write_text("")
    seen = [
        ran(other, "make"),
        ran(tmp_path, "make"),
        {"what": "shown", "uri": (other / "b.py").as_uri(), "line": 1},
        {"what": "branch", "folder": other.as_uri()},
    ]
    assert await watching.see(*seen) == []
    assert watching.asked == []


async def test_nonsense_is_no_error(watching):
    uri, folder = (watching.root / "a.py").as_uri(), watching.root.as_uri()
    seen = [
        None, 7, "x", [], {}, {"what": None}, {"what": "shown"}, {"what": "shown", "uri": 7},
        {"what": "shown", "uri": "untitled:1", "line": 1}, {"what": "ran"}, {"what": "branch", "folder": "x:y"},
        ran(watching.root, "make", exitCode="1"), ran(watching.root, "make", began=-1),
        ran(watching.root, "make", took=None), ran(watching.root, "make", began=10**30),
        ran(watching.root, None), {"what": "ran", "folder": folder, "command": "make"},
    ]  # fmt: skip
    assert await watching.see(*seen) == []
    strange = [{"what": "shown", "uri": uri, "line": line} for line in (-1, "4", None, True)]
    assert {told.line for _, told in await watching.see(*strange)} == {None}
    handler = watching.server.protocol.fm.features[seeing.SEEN]
    for params in (None, 7, [], {}, {"seen": {}}, {"seen": "x"}):
        await handler(params)


async def test_another_branch_is_noted_at_once_and_what_is_shown_looks_again(watching):
    news: list[Path] = []
    watching.server.changed = lambda root, what: news.append(root)
    assert await watching.see({"what": "branch", "folder": watching.root.as_uri()}) == []
    assert (watching.asked, news) == ([watching.root], [watching.root])


async def test_nothing_is_told_where_the_user_does_not_want_it(watching):
    watching.server.settings, _ = with_given(EditorSettings(), {"prefetch.enabled": False})
    assert await watching.see(ran(watching.root, "make")) == []


async def test_quiet_takes_all_away_that_is_shown_unasked_and_gives_it_back():
    wanted, complaints = with_given(EditorSettings(), {"quiet": True, "codeLens.show": "all"})
    assert not complaints
    held = in_force(wanted)
    assert (held.hover, held.lenses, held.diagnostics) == (False, "off", False)
    assert (held.unread, held.nudges) == ("never", "off")
    back, _ = with_given(wanted, {"quiet": False})
    assert in_force(back).lenses == "all"
