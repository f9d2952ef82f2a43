"""`companion connect` for assistants: one entry more in settings that hold other things, and out again."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import UsageError
from companion.surfaces.connecting.assistants import ASSISTANTS
from companion.surfaces.connecting.file_edits import KEPT_MAX
from companion.surfaces.connecting.settings import with_entry, without_entry
from companion.surfaces.connecting.targets import SetupTarget, targets
from surfaces.shells import Said, Shell

OURS = {"command": "companion", "args": ["mcp"]}
KEYS = ("mcpServers", "companion")
MINE = """{
    // what I like
    "theme": "dark", /* at night */
    "mcpServers": {
        "other": { "command": "other", "env": { "KEY": "k-1" } } // mine
    },
    "last": [1, 2,]
}
"""
"""Settings as people write them."""


@pytest.fixture
def desk(tmp_path):
    """Somebody in a repository, with a home of their own."""
    root = tmp_path / "shop"
    (root / ".git").mkdir(parents=True)
    return root


def connect(desk: Path, *arguments: str, path: str = "/usr/bin:/bin") -> Said:
    """The command in the repository, with nobody there to answer."""
    home = desk.parent / "home"
    home.mkdir(exist_ok=True)
    known = {"HOME": str(home), "USERPROFILE": str(home), "PATH": path}
    with pytest.MonkeyPatch.context() as patch, contextlib.chdir(desk):
        for name, value in known.items():
            patch.setenv(name, value)
        for name in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME"):
            patch.delenv(name, raising=False)
        return Shell(home / "data", desk).plainly("connect", *arguments)


def files(desk: Path) -> dict[str, str]:
    """Everything that stands there, in the repository and at home."""
    found = sorted(path for path in desk.parent.rglob("*") if path.is_file())
    return {str(path.relative_to(desk.parent)): path.read_text() for path in found}


def plain(text: str) -> object:
    """Settings without comments and last commas, as a strict parser reads them."""
    without = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    return json.loads(re.sub(r",(\s*[}\]])", r"\1", without))


@pytest.mark.parametrize("scope", [(), ("--global",)])
@pytest.mark.parametrize("assistant", [one.name for one in ASSISTANTS])
def test_what_was_written_is_there_once_and_is_taken_out_without_a_trace(desk, assistant, scope):
    done = connect(desk, assistant, "--yes", *scope)
    assert done.code == 0, done.err
    before = files(desk)
    assert any("companion" in text for text in before.values())
    assert "in place already" in connect(desk, assistant, "--yes", *scope).out
    assert files(desk) == before
    assert connect(desk, assistant, "--remove", "--yes", *scope).code == 0
    assert files(desk) == {}
    assert [path.name for path in desk.iterdir()] == [".git"]
    assert "nothing to remove" in connect(desk, assistant, "--remove", "--yes", *scope).out


@pytest.mark.parametrize("assistant", [one.name for one in ASSISTANTS])
def test_nothing_is_written_where_nobody_can_be_asked_or_only_a_look_was_wanted(desk, assistant):
    refused = connect(desk, assistant)
    assert refused.code == 2
    assert "--yes" in refused.err
    shown = connect(desk, assistant, "--print")
    assert shown.code == 0
    assert '"mcp"' in shown.out
    assert files(desk) == {}


@pytest.mark.parametrize(
    ("assistant", "project", "user", "keys"),
    [
        ("claude-code", ".mcp.json", ".claude.json", ("mcpServers",)),
        ("cursor", ".cursor/mcp.json", ".cursor/mcp.json", ("mcpServers",)),
        ("gemini", ".gemini/settings.json", ".gemini/settings.json", ("mcpServers",)),
        ("copilot", ".github/mcp.json", ".copilot/mcp-config.json", ("mcpServers",)),
        pytest.param(
            *("vscode", ".vscode/mcp.json", ".config/Code/User/mcp.json", ("servers",)),
            marks=pytest.mark.skipif(sys.platform != "linux", reason="its place on Linux"),
        ),
    ],
)
def test_an_entry_stands_where_the_assistant_looks_for_it_and_names_a_program_that_runs(
    desk, assistant, project, user, keys
):
    connect(desk, assistant, "--yes")
    connect(desk, assistant, "--yes", "--global")
    for path in (desk / project, desk.parent / "home" / user):
        entry = json.loads(path.read_text())
        for key in (*keys, "companion"):
            entry = entry[key]
        assert Path(entry["command"]).exists()
        assert entry["args"][0] == "mcp"
        assert entry.get("type", "stdio") == "stdio"


def commands(settings: object) -> list[str]:
    """The programs that an assistant's settings name, hooks included, as far as they are ours."""
    if isinstance(settings, dict):
        own = [settings["command"]] if isinstance(settings.get("command"), str) else []
        return own + [command for value in settings.values() for command in commands(value)]
    return [command for value in settings for command in commands(value)] if isinstance(settings, list) else []


@pytest.mark.parametrize("assistant", [one.name for one in ASSISTANTS])
def test_only_who_is_started_in_a_shell_is_given_a_name_to_look_up_and_only_in_a_file_that_others_have(desk, assistant):
    folder = Path(sys.executable).parent
    if not (folder / "companion").exists():
        pytest.skip("not installed as a program")
    path = f"{folder}{os.pathsep}/usr/bin:/bin"
    said = connect(desk, assistant, "--yes", path=path).out
    connect(desk, assistant, "--yes", "--global", path=path)
    for name, text in files(desk).items():
        if not name.endswith((".toml", ".json")) or "data/" in name:
            continue
        for command in commands(tomllib.loads(text) if name.endswith(".toml") else plain(text)):
            by_name = assistant in IN_SHELLS and name.startswith("shop/") and ".local." not in name
            assert command.split(" ")[0] == ("companion" if by_name else str(folder / "companion")), name
    tells = assistant in {"cursor", "vscode"}  # their file of a repository names a place on this machine
    assert ("keep it out of commits" in said) is tells


IN_SHELLS = {"claude-code", "codex", "gemini", "copilot"}


@pytest.mark.parametrize("target", targets(), ids=lambda one: f"{one.what}-{one.name}")
def test_everyone_is_told_the_whole_path_of_a_program_even_with_a_blank_in_it(target, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "data"))
    setup = target.setup(SetupTarget("/Users/a b/bin/companion"))
    assert "/Users/a b/bin/companion" in "".join([*(piece.text for piece in setup.pieces), setup.by_hand])


def test_without_a_name_those_on_this_machine_are_listed_with_what_would_be_written(desk):
    tools = desk.parent / "tools"
    tools.mkdir()
    for name in ("hx", "claude"):
        (tools / name).write_text("#!/bin/sh\n")
        (tools / name).chmod(0o755)
    said = connect(desk, path=f"{tools}{os.pathsep}/usr/bin:/bin").out
    found, others = said.split("Not found here: ")
    assert "~/.config/helix/languages.toml" in found
    assert ".mcp.json, .claude/settings.local.json" in found
    assert "cursor" not in found
    assert "cursor" in others
    assert "companion connect claude-code" in others
    assert [path for path in files(desk) if not path.startswith("tools/")] == []
    told = {one["name"]: one for one in json.loads(connect(desk, "--json", path=f"{tools}").out)}
    assert told["helix"]["found"] is True
    assert told["cursor"]["writes"] == [str(desk / ".cursor/mcp.json"), str(desk / ".cursor/hooks.json")]


@pytest.mark.parametrize(
    ("scope", "where"), [((), "shop/.claude/settings.local.json"), (("--global",), "home/.claude/settings.json")]
)
def test_claude_code_gets_a_hook_beside_those_that_are_there(desk, scope, where):
    path = desk.parent / where
    path.parent.mkdir(parents=True)
    mine = '{\n  "hooks": {\n    "SessionStart": [\n      {"hooks": [{"type": "command", "command": "mine"}]}\n    ]\n  }\n}\n'
    path.write_text(mine)
    connect(desk, "claude-code", "--yes", *scope)
    first, ours = json.loads(path.read_text())["hooks"]["SessionStart"]
    assert first["hooks"][0]["command"] == "mine"
    assert ours["hooks"][0]["command"].endswith(" hook session-start")
    assert "in place already" in connect(desk, "claude-code", "--yes", *scope).out
    connect(desk, "claude-code", "--remove", "--yes", *scope)
    assert path.read_text() == mine


HOOKS = [
    ("claude-code", "home/.claude/settings.json", "SessionStart", "SessionEnd"),
    ("codex", "home/.codex/hooks.json", "SessionStart", "Stop"),
    ("gemini", "home/.gemini/settings.json", "SessionStart", "SessionEnd"),
    ("cursor", "home/.cursor/hooks.json", "sessionStart", "sessionEnd"),
]


@pytest.mark.parametrize(("name", "where", "starts", "ends"), HOOKS, ids=[one[0] for one in HOOKS])
def test_an_assistant_that_has_hooks_runs_ours_at_both_ends_of_a_session(desk, name, where, starts, ends):
    path = desk.parent / where
    mine = f'{{\n  // mine\n  "version": 1,\n  "hooks": {{\n    "{ends}": [\n      {{"command": "mine"}}\n    ]\n  }}\n}}\n'
    for before in (None, mine):
        path.parent.mkdir(parents=True, exist_ok=True)
        if before:
            path.write_text(before)
        connect(desk, name, "--yes", "--global")
        hooks = plain(path.read_text())["hooks"]
        assert "hook session-start" in json.dumps(hooks[starts])
        assert "hook session-end" in json.dumps(hooks[ends][-1])
        connect(desk, name, "--undo", "--yes", "--global")
        assert (path.read_text() if path.exists() else None) == before


def test_a_file_of_hooks_for_cursor_says_which_form_it_has(desk):
    connect(desk, "cursor", "--yes")
    written = json.loads((desk / ".cursor/hooks.json").read_text())
    assert written["version"] == 1
    assert set(written["hooks"]) == {"sessionStart", "sessionEnd"}


def test_what_windsurf_gets_names_the_repository_since_it_has_one_list_for_all(desk):
    said = connect(desk, "windsurf", "--yes")
    entry = json.loads((desk.parent / "home/.codeium/windsurf/mcp_config.json").read_text())
    assert entry["mcpServers"]["companion"]["args"] == ["mcp", "--repo", str(desk)]
    assert str(desk) in said.out


def test_zed_gets_its_language_server_and_its_agent_in_one(desk):
    connect(desk, "zed", "--yes")
    written = files(desk)
    assert "home/data/editors/zed/extension.toml" in written
    settings = json.loads(written["home/.config/zed/settings.json"])
    assert "context_servers" in settings
    assert Path(settings["lsp"]["companion"]["binary"]["path"]).is_absolute()


def test_codex_gets_a_table_and_its_other_settings_stay(desk):
    path = desk.parent / "home/.codex/config.toml"
    path.parent.mkdir(parents=True)
    mine = 'model = "o5"  # mine\n\n[mcp_servers.other]\ncommand = "other"\n'
    path.write_text(mine)
    connect(desk, "codex", "--yes", "--global")
    known = tomllib.loads(path.read_text())
    assert known["mcp_servers"]["companion"]["args"] == ["mcp"]
    assert known["mcp_servers"]["other"] == {"command": "other"}
    connect(desk, "codex", "--remove", "--yes", "--global")
    assert path.read_text() == mine


def test_a_table_of_ones_own_is_not_doubled(desk):
    path = desk / ".codex/config.toml"
    path.parent.mkdir()
    path.write_text('[mcp_servers.companion]\ncommand = "mine"\n')
    refused = connect(desk, "codex", "--yes")
    assert refused.code == 2
    assert "would not be valid TOML" in refused.err
    assert path.read_text() == '[mcp_servers.companion]\ncommand = "mine"\n'


def test_settings_keep_their_comments_and_everything_else_and_a_copy_is_kept(desk):
    path = desk / ".mcp.json"
    path.write_text(MINE)
    path.chmod(0o640)
    done = connect(desk, "claude-code", "--yes")
    text = path.read_text()
    for line in MINE.splitlines():
        assert line in text or f"{line[:60]}" in text
    assert plain(text)["mcpServers"]["companion"]["args"] == ["mcp"]
    assert path.stat().st_mode & 0o777 == 0o640
    copy = Path(done.out.split("As it was: ")[1].strip().splitlines()[0])
    assert copy.read_text() == MINE
    assert copy.stat().st_mode & 0o077 == 0
    connect(desk, "claude-code", "--remove", "--yes")
    assert path.read_text() == MINE


def test_only_the_last_copies_are_kept(desk):
    (desk / ".mcp.json").write_text(MINE)
    for _ in range(KEPT_MAX):
        connect(desk, "claude-code", "--yes")
        connect(desk, "claude-code", "--remove", "--yes")
    assert len([name for name in files(desk) if "settings-before" in name]) == KEPT_MAX


def test_what_a_program_is_told_holds_our_entry_alone(desk):
    (desk / ".mcp.json").write_text(MINE)
    said = connect(desk, "claude-code", "--json")
    told = json.loads(said.out)
    assert told["written"] is True
    assert told["files"][0]["path"] == str(desk / ".mcp.json")
    assert "k-1" not in said.out
    assert json.loads(connect(desk, "--json").out)[0]["what"] == "assistant"


@pytest.mark.parametrize(
    "text", ["{", '{"a": }', "[]", '"a"', "{} {}", '{"mcpServers": 5}', '{"a": 1 "b": 2}', "{" * 500, "\x00", "// a"]
)
def test_settings_that_cannot_be_understood_are_left_alone(desk, text):
    path = desk / ".mcp.json"
    path.write_text(text)
    refused = connect(desk, "claude-code", "--yes")
    assert refused.code == 2
    assert ".mcp.json" in refused.err
    assert path.read_text() == text


def test_outside_of_a_repository_the_way_for_the_user_is_named(tmp_path):
    folder = tmp_path / "nowhere"
    folder.mkdir()
    refused = connect(folder, "claude-code", "--yes")
    assert refused.code == 2
    assert "--global" in refused.err


def test_an_unknown_name_is_refused_with_the_known_ones(desk):
    refused = connect(desk, "clippy")
    assert refused.code == 2
    assert "claude-code" in refused.err
    assert "neovim" in refused.err


# The text of settings

names = st.sampled_from(["a", "b", "mcpServers", "companion", "x y", 'q"', "ü"])
values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)


def spread(value: object, draw: st.DataObject, depth: int = 0) -> str:
    """A value as JSON over several lines, with comments and last commas here and there."""
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=draw.draw(st.booleans()))
    pad = "\t" * (depth + 1)
    comments = st.sampled_from(["", " // {no}", ' /* "a": 1, */', "\n// [\n"])
    rows = [f"{json.dumps(key)}: {spread(one, draw, depth + 1)}" for key, one in value.items()]
    lines = []
    for number, row in enumerate(rows):
        comma = "," if number < len(rows) - 1 or draw.draw(st.booleans()) else ""
        lines.append(f"{pad}{row}{comma}{draw.draw(comments)}\n")
    return "{" + draw.draw(comments) + "\n" + "".join(lines) + "\t" * depth + "}"


@settings(deadline=None)
@given(st.dictionaries(names, values, max_size=4), st.data())
def test_an_entry_put_into_any_settings_is_read_there_and_taken_out_to_the_byte(known, draw):
    text = spread(known, draw) + "\n"
    try:
        put = with_entry(text, KEYS, OURS)
    except UsageError:
        assert not isinstance(known["mcpServers"], dict)
        return
    before = known.get("mcpServers", {})
    assert plain(put) == {**known, "mcpServers": {**before, "companion": OURS}}
    assert with_entry(put, KEYS, OURS) == put
    if "companion" in before:
        return
    out = without_entry(put, KEYS)
    if before == {} or known == {}:  # an empty object of theirs looks like one of ours
        assert plain(out or "{}") in (known, {name: one for name, one in known.items() if name != "mcpServers"})
    else:
        assert out == text


@settings(deadline=None)
@given(st.lists(values, max_size=4), st.data())
def test_one_of_a_list_is_put_in_changed_and_taken_out_to_the_byte(items, draw):
    rows = ",\n".join(f"\t\t{spread(one, draw, 2)}" for one in items)
    text = f'{{\n\t"a": 1,\n\t"list": [{draw.draw(st.sampled_from(["", " // mine"]))}\n{rows}\n\t]\n}}\n'
    put = with_entry(text, ("list",), {"run": "x mark"}, "mark")
    assert plain(put) == {"a": 1, "list": [*items, {"run": "x mark"}]}
    changed = with_entry(put, ("list",), {"run": "y mark"}, "mark")
    assert plain(changed) == {"a": 1, "list": [*items, {"run": "y mark"}]}
    out = without_entry(changed, ("list",), "mark")
    if items or "//" in text:
        assert plain(out) == {"a": 1, "list": items}
    else:
        assert plain(out) == {"a": 1}


@settings(deadline=None)
@given(st.text(max_size=30))
def test_any_text_is_edited_or_refused_in_words(text):
    for edit in (
        lambda: with_entry(text, KEYS, OURS),
        lambda: without_entry(text, KEYS),
        lambda: with_entry(text, KEYS, OURS, "mcp"),
        lambda: without_entry(text, KEYS, "mcp"),
    ):
        try:
            edit()
        except UsageError as wrong:
            assert wrong.next_step


def test_the_ends_of_lines_and_the_indentation_are_those_of_the_file():
    put = with_entry('{\r\n\t"a": 1\r\n}\r\n', KEYS, OURS)
    assert "\n" not in put.replace("\r\n", "")
    assert '\r\n\t"mcpServers": {\r\n\t\t"companion": {\r\n\t\t\t"command"' in put


def test_a_file_on_one_line_takes_an_entry_too():
    assert plain(with_entry('{"a": 1}', KEYS, OURS)) == {"a": 1, "mcpServers": {"companion": OURS}}
    assert plain(without_entry(with_entry('{"a": 1}', KEYS, OURS), KEYS)) == {"a": 1}
