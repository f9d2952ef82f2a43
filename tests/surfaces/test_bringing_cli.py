"""Logs of other assistants at the command line: asked for once, brought in, listed, reviewed, exported and read back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from surfaces.shells import Shell, refused

SAID = "We decided to keep prices as integer cents because floats lose digits."


def logged(home: Path, folder: Path, *texts: str, session: str = "one") -> Path:
    """A log as Claude Code writes it."""
    path = home / ".claude" / "projects" / "-desk" / f"{session}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    records = [
        {"type": role, "uuid": f"{session}{number}{role}", "sessionId": session, "cwd": str(folder),
         "timestamp": f"2026-01-04T10:{number:02}:00Z", "message": {"role": role, "content": content}}
        for number, text in enumerate(texts)
        for role, content in (("user", text), ("assistant", [{"type": "text", "text": "Noted."}]))
    ]  # fmt: skip
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    return path


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder."""
    home = tmp_path / "user"
    home.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(home))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_DATA_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    return home


def test_it_is_asked_for_once_brought_in_and_reviewed_together(shop: Shell, user: Path):
    logged(user, shop.folder, SAID, "What is left to do?")
    told = shop("talk", "import").words
    assert "Claude Code was not read: agree first, `companion talk import claude-code --yes`" in told
    assert "0 new turns" in told
    assert "Would be imported" in shop("talk", "import", "claude-code", "--yes", "--dry-run").words
    assert "2 new turns in 1 conversation," in shop("talk", "import").words
    assert "0 new turns in 0 conversations, 0 that grew; 0 logs read, 1 as they were." in shop("talk", "import").words
    listed = shop("review", "imported").words
    assert "imported, to be reviewed" in listed and "(claude-code)" in listed
    (one,) = shop("review", "imported", "--json").json
    assert "integer cents" in shop("review", "--in", one["id"][:12]).words
    assert "1 reviewed" in shop("review", "imported", "--confirm").words
    assert "integer cents" in shop("story", "--act", "shop").words
    assert shop("review", "imported").words == "No imported conversation waits for review."
    assert SAID in shop("talk", "find", "integer cents").words
    sources = {row["name"]: row for row in shop("talk", "sources", "--forbid", "claude-code", "--json").json}
    assert sources["claude-code"]["allowed_at"] is None and sources["claude-code"]["conversations"] == 1


def test_what_cannot_be_brought_in_is_said_with_what_helps(shop: Shell, user: Path, tmp_path: Path):
    logged(user, tmp_path / "elsewhere", "in another folder")
    told = shop("talk", "import", "claude-code", "--yes").words
    assert "Left" in told and "companion init" in told
    refused(shop("talk", "import", "clippy"), "no assistant `clippy`", "claude-code")
    refused(shop("talk", "import", str(tmp_path / "none.jsonl")), "is not a file", "log of an assistant")
    (tmp_path / "notes.txt").write_text("nothing of the sort\n")
    refused(shop("talk", "import", str(tmp_path / "notes.txt")), "is not a log", "codex")
    refused(shop("review", "imported", "--confirm", "--put-away"), "archived at once", "--confirm")


def test_a_hook_hears_nothing_and_waits_for_nothing(shop: Shell, user: Path):
    path = logged(user, shop.folder, SAID)
    for _ in range(2):
        done = shop("talk", "import", str(path), "--if-allowed")
        assert (done.code, done.words) == (0, "")
        assert shop("talk", "list", "--json").json == []
        shop("talk", "sources", "--allow", "codex")
    shop("talk", "sources", "--allow", "claude-code")
    assert shop("talk", "import", str(path), "--if-allowed").words == ""
    assert len(shop("talk", "list", "--json").json) == 1
    assert shop("talk", "import", str(path.with_name("gone.jsonl")), "--if-allowed").code == 0


def test_everything_is_written_as_pages_and_read_back_elsewhere(shop: Shell, user: Path, tmp_path: Path):
    shop("talk", "start", "Prices")
    shop("talk", "add", SAID, "--reply", "Noted.")
    shop("talk", "close")
    shop("review", "confirm")
    shop("remember", "staging runs Python 3.12")
    written = shop("export", tmp_path / "out").words
    assert "README.md" in written
    assert SAID in "".join(path.read_text() for path in (tmp_path / "out" / "conversations").iterdir())
    elsewhere = Shell(tmp_path / "other", tmp_path)
    assert "memories imported" in elsewhere("import", tmp_path / "out").words
    assert "integer cents" in elsewhere("story").words
    elsewhere("export", tmp_path / "again")
    lines = [(tmp_path / name / "companion.jsonl").read_bytes() for name in ("out", "again")]
    assert lines[0] == lines[1]
