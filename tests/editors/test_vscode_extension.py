"""The extension in a real VS Code, the oldest it promises to serve and the newest: what its user meets, step by step.

One window serves most tests, in their order: each begins where the one before ended, as somebody's afternoon does.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress

import lived
import psutil
import pytest
from browsers import PATIENCE_MS, browsing, needed_browser
from client.houses import House
from waiting import until

from editors.vscode_server import HOVER_MS, OFFERED, VERSIONS, Window, needed_editor
from editors.vscode_shop import PICTURES, a_home, editing, needed_extension

pytestmark = pytest.mark.timeout(300)
ID = "companion-context.companion-context"
STATUS = ".statusbar-item[id='companion-context.companion-context.companion.status']"
FRONT = "return vscode.window.activeTextEditor?.document.getText() ?? ''"
GROUP = re.compile(r"(Places|Past|Rules|More), \d")
"""A group of the view *Now*, as it is read aloud."""
SIDES = ".pane-body .monaco-list-row[aria-label^='Contradiction. ']"


@pytest.fixture(scope="module")
def browser():
    needed_extension()
    with browsing(needed_browser()) as opened:
        yield opened


@pytest.fixture(scope="module", params=VERSIONS)
def editor(request):
    return needed_editor(request.param)


@pytest.fixture(scope="module")
def home(editor, tmp_path_factory):
    with a_home(tmp_path_factory.mktemp("user")) as made:
        yield made


@pytest.fixture(scope="module")
def served(editor, browser, home, tmp_path_factory):
    with editing(editor, browser, tmp_path_factory.mktemp("vscode"), home) as running:
        yield running


@pytest.fixture(scope="module")
def shared(served, home):
    """A known repository, with a file of it in front and our views beside it."""
    window = served.window(home.root, [home.root / "shop" / "price.py"])
    window.container("Companion")
    window.row("Places")
    return window


@pytest.fixture
def window(shared, editor, request):
    yield shared
    kept = PICTURES / editor.version
    kept.mkdir(parents=True, exist_ok=True)
    shared.page.screenshot(path=kept / f"{request.node.originalname.removeprefix('test_')}.png")


def test_a_known_repository_is_shown_without_a_word_and_the_status_item_tells_its_tokens(window):
    assert window.host(f"return vscode.extensions.getExtension('{ID}').isActive")
    spoken = window.see(STATUS).get_attribute("aria-label")
    assert re.search(r"[\d,]+ of 8,000 tokens", spoken), spoken
    assert window.toasts() == []


def test_now_shows_groups_with_what_they_take_and_files_by_their_names_first(window):
    spoken = window.row("Places").get_attribute("aria-label")
    assert re.search(r"^Places, \d+\. .* \d+ items?, [\d,]+ tokens?\.", spoken), spoken
    assert not any(re.match(r"(Critical|Relevant|Background|Index)\b", row) for row in window.rows())
    names = [row.partition(",")[0] for row in window.rows() if ", file" in row]
    assert names
    assert not any("/" in name for name in names), names


def test_memory_shows_what_is_to_be_settled_as_two_statements(window):
    window.see(SIDES, "3.9")
    said = " ".join(row for row in window.rows() if row.startswith("Contradiction. "))
    assert "3.9" in said
    assert "3.11" in said


def test_a_hover_says_why_the_line_is_as_it_is_and_a_command_shows_all_of_it(window, home):
    window.open(home.root / "shop" / "price.py")
    word = (
        window.page.locator(".view-line", has_text="def total").locator("span").filter(has_text=re.compile("^total$"))
    )
    window.hover(word.last, "Add prices and the cart")
    window.page.keyboard.press("Escape")
    window.palette("Companion: Explain This Line")
    window.see(".tab.active", "Why line 1")
    shown = window.page.frame_locator("iframe.webview.ready").frame_locator("#active-frame").locator("body")
    shown.get_by_text("shop/price.py:1").wait_for()
    assert "cent" in shown.inner_text()
    window.row("Places")  # what it is told of stays in front for the trees
    shown.get_by_role("link").first.click()
    until(lambda: "commit" in window.host(FRONT))


def test_copy_context_puts_the_context_of_the_file_in_front_on_the_clipboard(window, home):
    window.open(home.root / "shop" / "price.py")
    window.palette("Companion: Copy Context")
    window.see(".statusbar-item", "copied")
    copied = window.host("return vscode.env.clipboard.readText()")
    assert copied.startswith("# Context for shop")
    assert "Now: shop/price.py" in copied


def ticked(window, row):
    """Whether a row's box is set: a press on a tree that is just drawn anew is lost."""
    from playwright.sync_api import TimeoutError as Late

    row.locator("[role=checkbox]").click()
    with suppress(Late):
        window.page.locator(".pane-header", has_text="1 chosen").wait_for(timeout=HOVER_MS)
        return True
    return False


def test_what_is_chosen_in_now_is_copied_as_a_context_of_just_that(window, home):
    window.open(home.root / "shop" / "price.py")
    until(lambda: "price.py" in window.see(STATUS).get_attribute("aria-label"))
    row = window.page.locator(".pane-body .monaco-list-row", has=window.page.locator("[role=checkbox]")).first
    name = row.locator(".label-name").inner_text()
    until(lambda: ticked(window, row))
    window.see(".pane-header", "1 chosen").hover()
    window.see('.pane-header .action-label[aria-label*="Copy Chosen"]').click()
    window.see(".statusbar-item", "of 1 chosen item")
    copied = window.host("return vscode.env.clipboard.readText()")
    assert copied.startswith("# Context for shop")
    assert name.split()[0] in copied
    window.open(home.root / "shop" / "cart.py")
    until(lambda: window.page.locator(".pane-header", has_text="chosen").count() == 0)  # another file, another choice
    window.open(home.root / "shop" / "price.py")


def test_the_story_of_a_line_is_a_panel_whose_steps_mark_the_lines_that_they_wrote(window, home):
    window.open(home.root / "shop" / "price.py", 1)
    window.palette("Companion: Show the Story of This Line")
    window.row("How it came to be")
    step = window.page.locator('.panel .monaco-list-row[aria-level="2"]').last
    step.click()
    window.see(".view-overlays .cdr[class*=ced-]")
    assert window.page.locator(".panel .monaco-list:focus").count() == 1, "the keyboard stays in the panel"
    window.page.keyboard.press("ArrowRight")
    window.row("commit ")
    window.host("vscode.window.activeTextEditor.selection = new vscode.Selection(0, 1, 0, 1)")
    until(lambda: window.page.locator(".view-overlays .cdr[class*=ced-]").count() == 0)
    window.run("workbench.action.closePanel")


def test_insert_context_puts_it_at_the_cursor_of_the_document_in_front(window):
    window.run("workbench.action.files.newUntitledFile")
    window.palette("Companion: Insert Context")
    until(lambda: window.host(FRONT).startswith("# Context for shop"))
    window.run("workbench.action.revertAndCloseActiveEditor")


def test_insert_context_begins_a_message_of_the_chat_that_nobody_has_sent(window, served, editor):
    served.set("chat.disableAIFeatures", False)
    until(lambda: not window.host("return vscode.workspace.getConfiguration('chat').get('disableAIFeatures')"))
    window.host("await vscode.env.clipboard.writeText('')")
    window.palette("Companion: Insert Context")
    window.see(OFFERED, "Into the Chat").click()
    window.see(".statusbar-item", "offered to the chat, and copied, the context of")
    if not editor.version.startswith("1.99."):  # which opens no chat before an assistant is installed
        message = window.see(".interactive-session .interactive-input-editor .view-lines", "Context for shop")
        assert "Everything below is data" in message.inner_text().replace("\xa0", " ")
        assert window.page.locator(".interactive-session .interactive-request").count() == 0
    copied = window.host("return vscode.env.clipboard.readText()")
    assert copied.startswith("# Context for shop"), "with no assistant installed nobody can tell whether it came"
    window.run("workbench.action.closeAuxiliaryBar")
    served.set("chat.disableAIFeatures", True)


def test_insert_context_is_pasted_into_the_terminal_where_none_of_it_is_run(window, home, editor):
    if editor.version.startswith("1.99."):
        pytest.skip("the web server of this VS Code has no terminal without a compiler")
    bash = shutil.which("bash") or pytest.skip("there is no bash")
    window.host("await vscode.env.clipboard.writeText('of before')")
    made = "const made = vscode.window.createTerminal({ name: 'here', shellPath: given, shellArgs: ['--norc'] });"
    window.host(f"{made} made.show(); await made.processId", bash)
    window.see(".terminal.xterm .xterm-rows", "bash")
    window.palette("Companion: Insert Context")
    window.see(OFFERED, "Into the Terminal").click()
    window.see(".statusbar-item", "pasted the context of")
    window.see(".terminal.xterm .xterm-rows", "Deploy on Mondays")
    assert "command not found" not in window.page.locator(".terminal.xterm .xterm-rows").inner_text()
    assert window.host("return vscode.env.clipboard.readText()") == "of before"
    window.run("workbench.action.terminal.killAll")
    window.run("workbench.action.closePanel")


def test_steps_of_the_walkthrough_are_ticked_as_they_are_done(window, home):
    window.palette("Companion: Open Walkthrough")
    for title, done in (("Let it run", True), ("Read a repository", True), ("Decide what it sees", False)):
        step = window.see(".getting-started-step", title)
        step.locator(f".codicon-getting-started-step-{'checked' if done else 'unchecked'}").wait_for()
    window.run("workbench.action.closeActiveEditor")


def test_what_was_remembered_is_found_and_shown_as_text_whatever_it_holds(window):
    window.palette("Companion: Search Context")
    field = window.page.locator(".quick-input-widget .quick-input-box input")
    until(lambda: field.is_visible() and not field.input_value().startswith(">"))
    window.page.keyboard.type("onerror bell hundred thousand שלום")
    window.row("Search: onerror bell hundred thousand")  # found as one types
    window.page.keyboard.press("Enter")
    window.row("<img src=x")
    rows = window.rows()
    assert any(row.startswith("long: ") for row in rows)
    assert not any("\x1b" in row or "\u202e" in row for row in rows)
    assert "broken" not in window.page.title()


def test_a_contradiction_is_settled_by_a_choice_between_its_two_sides(window):
    window.see(SIDES, "3.9").click()
    sides = window.picks("3.11")
    assert len(sides) == 4, sides
    window.see(".quick-input-list .monaco-list-row", "3.11").click()
    window.see(".quick-input-message", "Why")
    window.page.keyboard.press("Enter")  # it may be left out
    until(lambda: not any(row.startswith("Contradiction. ") and "3.9" in row for row in window.rows()))
    assert window.toasts() == []


def test_the_menu_of_the_status_item_pauses_and_resumes(window):
    window.see(STATUS).click()
    window.see(".quick-input-list .monaco-list-row", "Pause").click()
    until(lambda: "paused" in window.see(STATUS).get_attribute("aria-label"))
    window.see(STATUS).click()
    assert not any("Show Context" in row for row in window.picks("Resume"))
    window.see(".quick-input-list .monaco-list-row", "Resume").click()
    until(lambda: "tokens" in window.see(STATUS).get_attribute("aria-label"))


def test_commands_that_make_no_sense_are_not_offered(window):
    offered = window.offered("Companion: ")
    assert all(row.startswith(("Companion: ", "View: ")) for row in offered)
    assert not any("Item" in row or "Resume" in row for row in offered), offered


def test_a_daemon_that_was_killed_is_started_again_by_the_next_question(window, home):
    daemon = House(home.data, home.root).daemon
    assert daemon is not None
    os.kill(json.loads((home.data / "owner.json").read_text())["pid"], 9)
    window.open(home.root / "shop" / "cart.py")
    until(lambda: "cart.py" in (window.see(STATUS).get_attribute("aria-label") or ""))
    assert len(window.toasts()) <= 1


def test_an_older_daemon_is_replaced_without_a_word_and_of_a_newer_one_it_is_said_what_to_do(window, home):
    card = home.data / "owner.json"
    until(card.exists)  # the daemon that was killed has a follower by now, or soon
    was = json.loads(card.read_text())
    card.write_text(json.dumps(was | {"api": 99, "version": "9.0.0"}))
    window.palette("Companion: Restart Server")
    until(lambda: "companion 9.0.0" in window.see(STATUS).get_attribute("aria-label"))
    card.write_text(json.dumps(was | {"version": "0.0.1"}))
    window.palette("Companion: Restart Server")
    until(lambda: "tokens" in window.see(STATUS).get_attribute("aria-label"))
    until(lambda: not psutil.pid_exists(was["pid"]))
    assert json.loads(card.read_text())["version"] == was["version"]
    assert window.toasts() == []


def at_work(home):
    """What the daemon has inferred, from what was observed, somebody is at."""
    code = "import sys; from pathlib import Path; from companion import client; "
    code += "print(client.connect(Path(sys.argv[1]), start=False).at_work())"
    asked = [sys.executable, "-c", code, str(home.root)]
    return subprocess.run(asked, env=home.environment, check=False, capture_output=True, text=True).stdout


def test_where_a_debugger_stops_reaches_the_store(window, home):
    write = "for (const name of ['selections', 'visibleEditors'])"
    write += " await vscode.workspace.getConfiguration('companion.signals').update(name, given ?? undefined, true)"
    window.host(write, False)  # so that the debugger alone tells of places
    stop = {"type": "companion-tests", "request": "launch", "name": "stop", "line": 4}
    stop["path"] = str(home.root / "Makefile")
    assert window.host("return vscode.debug.startDebugging(vscode.workspace.workspaceFolders[0], given)", stop)
    until(lambda: re.search("target='Makefile'[^)]*looked at", at_work(home)))
    window.run("workbench.action.debug.stop")
    window.run("companion.now.focus")  # where a debugger stops its own views open
    window.host(write, None)


def test_a_file_of_no_repository_in_front_leaves_what_is_shown_to_the_folder(window, tmp_path):
    (tmp_path / "library.py").write_text("x = 1\n")
    window.open(tmp_path / "library.py")
    until(lambda: "for this folder" in window.see(STATUS).get_attribute("aria-label"))
    until(lambda: any(GROUP.match(row) for row in window.rows()))
    window.host("await vscode.env.clipboard.writeText('')")
    window.palette("Companion: Copy Context")
    until(lambda: window.host("return vscode.env.clipboard.readText()").startswith("# Context for shop"))


def test_the_page_opens_in_a_browser_by_a_link_that_lets_in(window, served, editor):
    if editor.version.startswith("1.99."):
        pytest.skip("the web server of this VS Code loses the path of an address of this computer")

    def forward(route):
        """What the proxy in front of a VS Code in the browser does, and a desktop has no need of."""
        port, _, rest = route.request.url.partition("/proxy/")[2].partition("/")
        route.fulfill(status=302, headers={"location": f"http://127.0.0.1:{port}/{rest}"})

    served.context.route("**/proxy/**", forward)
    with served.context.expect_page() as opened:
        window.palette("Companion: Open Page")
    page = opened.value
    page.locator("#rooms").wait_for()
    page.close()


@pytest.fixture
def apart(served):
    """A server for windows of their own, which are closed with the test."""
    yield served
    while len(served.windows) > 1:
        served.windows.pop().close()


def with_settings(folder, **settings):
    """A folder whose workspace settings are these."""
    (folder / ".vscode").mkdir(parents=True, exist_ok=True)
    (folder / ".vscode" / "settings.json").write_text(json.dumps({f"companion.{k}": v for k, v in settings.items()}))
    return folder


def program(file, body):
    """A program that says this in place of a Python's answer."""
    file.write_text(f"#!/bin/sh\n{body}\n")
    file.chmod(0o755)
    return str(file)


def test_what_is_wrong_with_a_python_is_one_message_with_a_way_out_and_the_status_item_goes_on_telling(
    apart, shared, tmp_path
):
    lived.write(tmp_path / "other")
    window = apart.window(with_settings(tmp_path / "other", interpreter="/nowhere/python", quiet=5))
    window.see(".notification-toast", "/nowhere/python")
    (told,) = window.toasts()
    assert "Choose Python" in told
    assert "/nowhere/python" in window.see(STATUS).get_attribute("aria-label")

    broken = program(tmp_path / "broken", 'echo "Fatal Python error: no module encodings" >&2; exit 1')
    window.set("companion.interpreter", broken)
    until(lambda: "Fatal Python error" in window.see(STATUS).get_attribute("aria-label"))
    assert len(window.toasts()) == 1, "what is of the same sort was said already"

    window.run("notifications.clearAll")
    window.set("companion.interpreter", program(tmp_path / "python3.8", 'echo "companion-probe:3.8.1||"'))
    window.see(".notification-toast", "3.8.1")
    assert len(window.toasts()) == 1


def test_a_folder_that_is_no_repository_is_told_in_the_view_and_nowhere_else(apart, shared, tmp_path):
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "notes.txt").write_text("nothing\n")
    window = apart.window(tmp_path / "plain", [tmp_path / "plain" / "notes.txt"])
    window.container("Companion")
    window.see(".welcome-view-content", "no git repository")
    assert window.toasts() == []
    offered = " ".join(window.offered("Companion: "))
    assert "Companion: Restart Server" in offered
    assert not any(title in offered for title in ("Context", "Page", "Explain", "Repository"))


def test_a_folder_that_is_on_no_disk_is_told_where_vs_code_tells_of_extensions_and_nowhere_else(apart, shared):
    window = Window(apart.context.new_page(), 0, "")
    apart.windows.append(window.page)
    window.page.set_default_timeout(PATIENCE_MS)
    window.page.goto(f"http://127.0.0.1:{apart.port}/?folder=memfs:/project")
    window.container("Extensions")
    ours = window.see(".extension-list-item", "Remembers what matters")
    window.hover(ours, "Clone the repository and open its folder")
    assert window.toasts() == []
    assert window.page.locator('.activitybar .action-item a[aria-label^="Companion"]').count() == 0


def test_two_repositories_of_one_window_stand_apart_and_a_folder_that_is_none_does_not_count(
    apart, shared, home, tmp_path
):
    home.copy(tmp_path / "other")
    (tmp_path / "plain").mkdir()
    folders = [{"path": str(folder)} for folder in (tmp_path / "plain", home.root, tmp_path / "other")]
    (tmp_path / "both.code-workspace").write_text(json.dumps({"folders": folders}))
    window = apart.window(tmp_path / "both.code-workspace")
    window.container("Companion")
    until(lambda: any(GROUP.match(row) for row in window.rows()))
    window.row("Repository shop, ").click()  # folded in in both views, so that the other is in sight
    until(lambda: window.page.locator(".monaco-list-row[aria-label='Repository shop']").count() == 1)
    window.page.locator(".monaco-list-row[aria-label='Repository shop']").click()
    window.row("Repository other").click()
    unread = window.page.locator(".pane-body .monaco-list-row", has_text="has not been read yet")
    until(lambda: unread.count() == 2)  # in each of the two views, and nothing else of it
    unread.first.click()  # reads it
    until(lambda: unread.count() == 0)
    assert window.toasts() == []


def test_an_untrusted_folder_starts_nothing_until_it_is_trusted(editor, browser, home, tmp_path):
    with editing(editor, browser, tmp_path / "vscode", home, trusted=False) as served:
        window = served.window(home.root, [home.root / "shop" / "price.py"])
        window.see(".statusbar-item", "Restricted Mode")
        assert "trusted" in window.see(STATUS).get_attribute("aria-label")
        assert window.host("return vscode.languages.getDiagnostics().length") == 0
        window.begin("workbench.trust.manage")
        asked = window.page.locator(".monaco-dialog-box .monaco-button", has_text="Yes, I trust")  # some ask at once
        trust = window.page.locator(".workspace-trust-editor .monaco-button", has_text="Trust")
        trusted = "return vscode.workspace.isTrusted"  # a press may be taken and yet not end in time
        until(lambda: window.host(trusted) or window.press(asked) or window.press(trust))
        until(lambda: "tokens" in window.see(STATUS).get_attribute("aria-label"))
