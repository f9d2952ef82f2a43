"""The real server, as editors with their own capabilities see it."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from repos import Repo

from lsp.conftest import DEADLINE_S, until

pytestmark = pytest.mark.asyncio(loop_scope="module")
PRICE = "shop/price.py"
ODD = "pages/odd.py"
AT_TOTAL = 1
"""The line of `Price.total` in it, from 0."""


def whole(text):
    return types.Range(types.Position(0, 0), types.Position(text.count("\n"), 0))


@pytest.mark.parametrize("profile", ["visual-studio-code", "neovim", "emacs"])
async def test_every_editor_is_told_why_what_and_where(desk, profile):
    editor = await desk.edit(profile)
    text = editor.open(PRICE)
    said = await editor.hover_at_last(PRICE, AT_TOTAL)
    assert "This line: Add the shop" in said.splitlines()[1]
    assert "Fix rounding" in said.splitlines()[2], "the story of the definition around it"
    assert "Decided" not in said, "what was decided of the whole file is not told of a line"
    assert len(said.splitlines()) <= 10
    assert all("Ann, " in line for line in said.splitlines()[1:]), "who, and how long ago"
    of_file = await editor.run("companion.why", {"uri": editor.uri(PRICE), "line": 0})
    assert "Decided: Prices are integers" in of_file["text"]
    assert "docs/adr/0001-money.md:1" in of_file["text"]

    lenses = await editor.lenses(PRICE)
    assert [lens.command for lens in lenses] == [None, None], "what a lens says is asked for when it is drawn"
    resolved = await editor.client.code_lens_resolve_async(lenses[1])
    assert resolved.command.title.endswith("1 remembered")
    assert not [lens for lens in lenses if lens.range.start.line not in (0,)], "no lens above a function"

    editor.open("setup.cfg")
    uri = editor.uri("setup.cfg")
    if editor.client.capabilities.text_document.diagnostic is None:
        await until(lambda: editor.client.diagnostics.get(uri))
        found = list(editor.client.diagnostics[uri])
    else:
        found = await editor.pull_at_last("setup.cfg")
    assert [(one.code, one.severity) for one in found] == [("contradiction", types.DiagnosticSeverity.Hint)]
    assert (found[0].range.start, found[0].range.end) == (types.Position(1, 0), types.Position(1, 23))

    editor.close_all()
    if editor.client.capabilities.text_document.diagnostic is None:
        await until(lambda: not editor.client.diagnostics.get(uri))
    editor.open(PRICE, text)
    titles = [action["title"] for action in await editor.actions(PRICE, whole(text))]
    assert "Companion: remember the selection" in titles
    assert await editor.leave() == 0


async def test_a_hover_is_markdown_only_for_who_reads_it(browsing, plain):
    browsing.open(PRICE)
    assert "command:companion.expand" in await browsing.hover_at_last(PRICE, AT_TOTAL)
    plain.open(PRICE)
    said = await plain.hover_at_last(PRICE, AT_TOTAL)
    assert "**" not in said
    assert "command:" not in said


async def test_a_position_outside_the_file_is_no_error(browsing):
    editor = browsing
    editor.open(PRICE)
    await editor.hover_at_last(PRICE, AT_TOTAL)
    for line, character in ((10_000, 0), (0, 10_000), (2**31 - 1, 2**31 - 1), (5, 0)):
        await editor.hover(PRICE, line, character)
        where = types.Position(line, character)
        await editor.actions(PRICE, types.Range(where, types.Position(0, 0)))
    assert await editor.hover_at_last(PRICE, AT_TOTAL)


async def test_what_is_no_file_of_the_workspace_gets_empty_answers(browsing, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    other = Repo(tmp_path / "elsewhere")
    other.git("init", "-q")
    strange = other.write("a.py", "x = 1\n")
    editor, before = browsing, len(browsing.asked)
    for uri in (
        "untitled:Untitled-1",
        "git:/x.py?HEAD",
        "vscode-notebook-cell:/a.ipynb#1",
        "not a uri",
        strange.as_uri(),
        f"{editor.root.as_uri()}/../../{strange.relative_to(strange.parents[1]).as_posix()}",
        (editor.root / "..").as_uri(),
        f"{editor.root.as_uri()}/%00.py",
        editor.root.as_uri(),
    ):
        item = types.TextDocumentItem(uri, "python", 1, "x = 1\n")
        editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        assert await editor.hover_uri(uri, 0) is None
    assert len(editor.asked) == before, "a file outside the workspace is no reason to ask"
    assert (await editor.run("companion.context", {"uri": "untitled:Untitled-1"})).get("error")


async def test_a_file_that_was_deleted_under_the_server_is_no_error(own):
    own.open(PRICE)
    await own.hover_at_last(PRICE, AT_TOTAL)
    (own.root / PRICE).unlink()
    await own.hover(PRICE, AT_TOTAL)
    assert await own.pull(PRICE) == []
    own.open("shop/cart.py")
    assert await own.hover_at_last("shop/cart.py", 0)


async def test_an_edited_line_is_not_committed_and_those_around_it_keep_their_commits(browsing):
    editor, path = browsing, "shop/stock.py"
    editor.open(path)
    assert "This line: Add the shop" in await editor.hover_at_last(path, 2)
    editor.change(path, '    """New."""\n', (1, 0), (1, 0))
    assert "This line: Not committed yet" in (told := await editor.hover(path, 1))
    assert "stock" in told, "it is still inside of the definition"
    assert "This line: Add the shop" not in told
    assert "This line: Add the shop" in await editor.hover(path, 3)
    why = await editor.run("companion.why", {"uri": editor.uri(path), "line": 2})
    assert "This line: Not committed yet" in why["text"]


async def test_lines_that_were_inserted_move_what_is_known_and_changed_ones_lose_their_hint(browsing):
    editor = browsing
    editor.open("setup.cfg")
    await editor.hover_at_last("setup.cfg", 1)
    editor.change("setup.cfg", "# 𝔘nicode\r\n# above\r\n", (0, 0), (0, 0))
    assert [one.range.start.line for one in await editor.pull_at_last("setup.cfg")] == [3]
    editor.change("setup.cfg", "3.9", (3, 21), (3, 23))
    assert await editor.pull("setup.cfg") == []


async def test_astral_characters_and_crlf_are_counted_as_the_editor_counts(own):
    text = own.open("setup.cfg")
    await own.hover_at_last("setup.cfg", 2)
    (found,) = await own.pull("setup.cfg")
    assert (found.range.start, found.range.end) == (types.Position(2, 0), types.Position(2, 23))
    remembered = types.Range(types.Position(1, 2), types.Position(1, 8))
    (action,) = await own.actions("setup.cfg", remembered, ["refactor"])
    kept = await own.choose(action)
    assert "𝔘𝔫𝔦" in str(kept)
    assert text.count("\r\n") == 3


async def test_a_departure_from_a_convention_is_a_hint_until_it_is_of_no_use_and_again_when_the_convention_changes(own):
    own.open(ODD)
    await own.hover_at_last(ODD, 3)
    (found,) = await own.pull(ODD)
    assert (found.code, found.severity) == ("convention", types.DiagnosticSeverity.Hint)
    assert "{Name}View (6 places do so, 1 otherwise)" in found.message
    assert (found.range.start, found.range.end) == (types.Position(3, 6), types.Position(3, 12)), "the name alone"
    actions = {action["title"]: action for action in await own.actions(ODD, found.range, ["quickfix"])}
    assert set(actions) == {
        "Companion: show this convention",
        "Companion: downvote this convention",
        "Companion: pin this convention",
    }
    await own.choose(actions["Companion: downvote this convention"])
    assert await own.pull(ODD) == []

    for name in ("front", "account"):
        file = own.root / f"pages/{name}.py"
        file.write_text(file.read_text().replace("def render(self)", "def render_page(self)"))
    assert await own.run("companion.read", {"uri": own.uri(ODD)}) == {"read": True}
    (found,) = await own.pull(ODD)
    assert "render_page" in found.message


async def test_an_action_settles_a_contradiction(desk):
    editor = await desk.edit()
    editor.open("setup.cfg")
    await editor.hover_at_last("setup.cfg", 1)
    line = types.Range(types.Position(1, 0), types.Position(1, 1))
    actions = await editor.actions("setup.cfg", line, ["quickfix"])
    titles = [action["title"] for action in actions]
    assert [title.partition(", ")[2] for title in titles if "resolve this" in title] == [
        "the older holds",
        "the newer holds",
        "both hold",
    ]
    assert [title.partition(":")[2].split(":")[0].strip() for title in titles if "show" in title] == [
        "show the older",
        "show the newer",
    ]
    asked = actions[2]["command"]["arguments"][0]

    def in_scopes(a: dict[str, str], b: dict[str, str]) -> dict[str, object]:
        return {**asked, "ask": {**asked["ask"], "scopes": {"a": a, "b": b}}}

    assert "planet" in (await editor.run("companion.ask", in_scopes({"planet": "mars"}, {})))["error"]
    await editor.run("companion.ask", in_scopes({"environment": "ci"}, {"path": "shop"}))
    assert await editor.pull("setup.cfg") == []


async def test_a_context_is_a_virtual_document_or_a_private_file(browsing, plain):
    editor = browsing
    editor.open(PRICE)
    await editor.run("companion.context", {"uri": editor.uri(PRICE)})
    uri = editor.client.shown_documents[-1].uri
    assert uri.startswith("companion:///context/shop/price.py/Context.md?")
    content = await editor.client.workspace_text_document_content_async(types.TextDocumentContentParams(uri))
    assert "Prices are integers" in content.text
    item = types.TextDocumentItem(uri, "markdown", 1, content.text + "\nsee shop/price.py:2 and m1aaaaaaaaaa\n")
    editor.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    asked = types.DocumentLinkParams(types.TextDocumentIdentifier(uri))
    targets = [link.target for link in await editor.client.text_document_document_link_async(asked)]
    assert f"{editor.uri(PRICE)}#L2" in targets
    assert any(target.startswith("companion:///memory/m1aaaaaaaaaa.md") for target in targets)
    for wrong in ("companion:///context/x.md?root=/etc", "companion:///other/x?root=/", "companion:"):
        with pytest.raises(JsonRpcException):
            await editor.client.workspace_text_document_content_async(types.TextDocumentContentParams(wrong))

    await plain.run("companion.context", {"uri": plain.uri(PRICE)})
    file = Path(plain.client.shown_documents[-1].uri.removeprefix("file://"))
    assert file.stat().st_mode & 0o077 == 0 or file.parent.stat().st_mode & 0o077 == 0
    assert await plain.leave() == 0
    assert not file.exists()


async def test_every_command_that_is_announced_answers_even_nonsense(browsing):
    editor = browsing
    editor.open(PRICE)
    await editor.hover_at_last(PRICE, AT_TOTAL)
    for command in ("context", "why", "expand", "remember", "ask", "status"):
        for given in (
            [],
            [5],
            [{"uri": 5}],
            [{"id": 5, "range": "x", "verb": [], "ask": 5}],
            [{"uri": "file:///nowhere"}],
        ):
            await editor.run(f"companion.{command}", *given)
    asked = {"verb": "search", "ask": {"query": {"text": "integer cents"}}}
    known = await editor.run("companion.ask", {"uri": editor.uri(PRICE), **asked})
    assert known
    with pytest.raises(JsonRpcException):
        await editor.run("companion.unknown")


async def test_settings_are_obeyed_when_they_come_and_when_they_change(desk):
    editor = await desk.edit(options={"companion": {"hover": {"enabled": False}}})
    editor.open(PRICE)
    assert await editor.hover(PRICE, AT_TOTAL) is None
    changed = {
        "companion": {"hover": {"enabled": True}, "codeLens": {"show": "all"}, "diagnostics": {"enabled": False}}
    }
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(changed))
    await editor.hover_at_last(PRICE, AT_TOTAL)
    assert {lens.range.start.line for lens in await editor.lenses(PRICE)} == {0, 1, 5}
    editor.open("setup.cfg")
    assert await editor.pull("setup.cfg") == []


async def test_each_folder_of_a_workspace_is_asked_about_itself(browsing, tmp_path):
    second = tmp_path / "second"
    shutil.copytree(browsing.root, second)
    browsing.open(PRICE)
    await browsing.hover_at_last(PRICE, AT_TOTAL)
    uri = (second / PRICE).as_uri()
    assert await browsing.hover_uri(uri, AT_TOTAL) is None
    folder = types.WorkspaceFolder(second.as_uri(), "second")
    browsing.show_folders(added=[folder])
    browsing.open(str(second / PRICE))
    await until(lambda: browsing.asked)
    assert "second" in browsing.asked[-1].message, "a checkout of its own is read by itself"
    browsing.close_all()
    browsing.show_folders(removed=[folder])
    assert await browsing.hover_uri(uri, AT_TOTAL) is None


async def test_an_unread_repository_is_asked_about_once_and_read_with_progress(unread):
    editor = await unread.edit(answer="Read")
    editor.open("a.py")
    editor.open("a.py")
    said = await editor.hover_at_last("a.py", 0)
    assert "Add the first part" in said
    assert len(editor.asked) == 1
    assert [action.title for action in editor.asked[0].actions] == ["Read", "Not now", "Never"]

    def reports():
        return [one for told in editor.client.progress_reports.values() for one in told]

    await until(lambda: isinstance(reports()[-1], types.WorkDoneProgressEnd))
    assert isinstance(reports()[0], types.WorkDoneProgressBegin)


async def test_never_is_kept_and_anything_else_is_asked_again_next_time(unread):
    for answer in (None, "Not now", "Never"):
        editor = await unread.edit(answer=answer)
        editor.open("a.py")
        await until(lambda editor=editor: editor.asked)
        assert await editor.hover("a.py", 0) is None
        await editor.leave()
    later = await unread.edit(answer="Read")
    later.open("a.py")
    assert await later.hover("a.py", 0) is None
    assert (await later.run("companion.status", {"uri": later.uri("a.py")})) is not None
    assert not later.asked


async def test_a_request_can_be_cancelled_and_others_go_on(own):
    own.open(ODD)
    asked = types.ExecuteCommandParams("companion.read", [{"uri": own.uri(ODD)}])
    pending = own.client.protocol.send_request(types.WORKSPACE_EXECUTE_COMMAND, asked, msg_id="r1")
    own.client.cancel_request(types.CancelParams("r1"))
    with pytest.raises(JsonRpcException):
        await asyncio.wait_for(asyncio.wrap_future(pending), DEADLINE_S)
    assert await own.hover_at_last(ODD, 3)
