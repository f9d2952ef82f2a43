"""`companion connect` shows what it writes, asks, writes it, and takes it out again without a trace."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from importlib import resources
from pathlib import Path

import pytest
from companion_lsp.connecting.editors import EDITORS, HELIX_SERVERS
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import UsageError
from companion.surfaces.connecting.file_edits import ConfigBlock, FileEdit, Piece, edits_of, write
from companion.syntax.languages import LANGUAGES

WRITTEN = [editor.name for editor in EDITORS if editor.name != "other"]


def put(piece: Piece) -> FileEdit:
    """The edit that brings one piece in."""
    return edits_of([piece], undo=False)[0]


def connect(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a home of its own, with nobody there to answer."""
    environment = {"HOME": str(home), "COMPANION_HOME": str(home / "data"), "PATH": "/usr/bin:/bin", "COLUMNS": "200"}
    command = [sys.executable, "-c", "from companion.surfaces.cli.__main__ import main; main()", "connect", *arguments]
    return subprocess.run(
        command, env=environment, text=True, capture_output=True, stdin=subprocess.DEVNULL, check=False, timeout=60
    )


def files(home: Path) -> dict[str, str]:
    return {str(path.relative_to(home)): path.read_text() for path in sorted(home.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("editor", WRITTEN)
def test_what_was_written_is_taken_out_again_without_a_trace(editor, tmp_path):
    assert connect(tmp_path, editor, "--yes").returncode == 0
    assert files(tmp_path)
    again = connect(tmp_path, editor, "--yes")
    assert "in place already" in again.stdout
    assert connect(tmp_path, editor, "--undo", "--yes").returncode == 0
    assert files(tmp_path) == {}


@pytest.mark.parametrize("editor", WRITTEN)
def test_nothing_is_written_where_nobody_can_be_asked_or_only_a_look_was_wanted(editor, tmp_path):
    refused = connect(tmp_path, editor)
    assert refused.returncode == 2
    assert "--yes" in refused.stderr
    assert connect(tmp_path, editor, "--print").returncode == 0
    assert files(tmp_path) == {}


def test_the_settings_are_well_formed_and_name_a_program_that_exists(tmp_path):
    for editor in WRITTEN:
        connect(tmp_path, editor, "--yes")
    helix = tomllib.loads((tmp_path / ".config/helix/languages.toml").read_text())
    assert Path(helix["language-server"]["companion"]["command"]).exists()
    assert all("companion" in language["language-servers"] for language in helix["language"])
    sublime = (tmp_path / ".config/sublime-text/Packages/User/LSP.sublime-settings").read_text()
    assert json.loads(sublime.split("\n", 1)[1])["clients"]["companion"]["enabled"] is True
    assert tomllib.loads((tmp_path / "data/editors/zed/extension.toml").read_text())["id"] == "companion"
    assert not any("@COMMAND@" in text for text in files(tmp_path).values())


HELIX_NAMES = {"csharp": "c-sharp", "terraform": "hcl"}
ZED_NAMES = {
    "bash": "Shell Script",
    "cpp": "C++",
    "csharp": "C#",
    "javascript": "JavaScript",
    "php": "PHP",
    "tsx": "TSX",
}
ZED_NAMES["typescript"] = "TypeScript"
"""What an editor calls a language, where that is not its name, for Zed with a capital."""
BESIDE = {"markdown", "jsx"}
"""Languages that we do not parse, or not apart, and whose files a person asks about too."""


def test_every_language_that_is_read_is_one_for_which_helix_and_zed_start_us():
    read = {row.name for row in LANGUAGES}
    zed = tomllib.loads((resources.files("companion_lsp") / "editors/zed/extension.toml").read_text("utf-8"))
    named = zed["language_servers"]["companion"]["languages"]
    assert set(HELIX_SERVERS) == {HELIX_NAMES.get(name, name) for name in read} | BESIDE
    assert set(named) == {ZED_NAMES.get(name, name.capitalize()) for name in read} | {"Markdown"}


def test_a_language_the_user_has_settings_for_is_left_to_them_and_said(tmp_path):
    target = tmp_path / ".config/helix/languages.toml"
    target.parent.mkdir(parents=True)
    mine = '[[language]]\nname = "python"\nlanguage-servers = ["pyright"]\n'
    target.write_text(mine)
    told = connect(tmp_path, "helix", "--yes")
    assert "python" in told.stdout
    names = [language["name"] for language in tomllib.loads(target.read_text())["language"]]
    assert names.count("python") == 1
    assert len(names) == len(set(names))
    connect(tmp_path, "helix", "--undo", "--yes")
    assert target.read_text() == mine


def test_a_file_of_someone_else_is_neither_overwritten_nor_removed(tmp_path):
    target = tmp_path / ".config/nvim/plugin/companion.lua"
    target.parent.mkdir(parents=True)
    target.write_text("-- mine\n")
    refused = connect(tmp_path, "neovim", "--yes")
    assert refused.returncode == 2
    assert "not written by Companion" in refused.stderr
    connect(tmp_path, "neovim", "--undo", "--yes")
    assert target.read_text() == "-- mine\n"


def test_an_unknown_editor_is_refused_with_the_known_ones(tmp_path):
    refused = connect(tmp_path, "edlin")
    assert refused.returncode == 2
    assert "neovim" in refused.stderr


@given(st.lists(st.sampled_from(["a = 1", "", "# note", "[x]", "  "]), max_size=12), st.booleans())
def test_a_block_that_is_put_in_and_taken_out_leaves_the_file_as_it_was(tmp_path_factory, lines, ends):
    path = tmp_path_factory.mktemp("block") / "file"
    before = "\n".join(lines) + ("\n" if ends and lines else "")
    if not before.strip():
        return
    before = before.rstrip("\n") + "\n"
    path.write_text(before)
    piece = ConfigBlock(path, "ours = true\n", "#")
    write(put(piece))
    assert "ours = true" in path.read_text()
    assert put(piece).before == put(piece).after
    write(*edits_of([piece], undo=True))
    assert path.read_text() == before


def test_a_block_with_one_mark_gone_is_refused_rather_than_guessed(tmp_path):
    path = tmp_path / "file"
    piece = ConfigBlock(path, "ours", "#")
    write(put(piece))
    path.write_text("\n".join(path.read_text().splitlines()[:-1]))
    with pytest.raises(UsageError, match="marks"):
        edits_of([piece], undo=True)


def test_a_linked_file_stays_a_link(tmp_path):
    kept, link = tmp_path / "kept", tmp_path / "link"
    kept.write_text("x = 1\n")
    link.symlink_to(kept)
    write(put(ConfigBlock(link, "ours", "#")))
    assert link.is_symlink()
    assert "ours" in kept.read_text()
