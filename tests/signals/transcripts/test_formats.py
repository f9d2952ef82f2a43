"""Each assistant's log of one and the same talk gives the same turns: what was typed and answered, nothing else."""

from __future__ import annotations

import shutil
import sqlite3
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from companion.records.talk import Role
from companion.signals.transcripts import (
    ASSISTANTS,
    AssistantLogs,
    HeardTurn,
    LogPosition,
    LogReading,
    Surroundings,
    heard,
    named,
    places,
)
from companion.store.foreign import rows_of

SAMPLES = Path(__file__).parent / "samples"
TALK = [
    (
        "We keep prices as integer cents, since floats lose digits. Please change total in shop/price.py.",
        "I read shop/price.py first. Done: total adds integers now.",
    ),
    ("Good. Who reviews the release notes?", "Nobody is named in CODEOWNERS."),
]
FORMS = {
    "claude-code": (named("claude-code")[0], "claude-code.jsonl"),
    "codex": (named("codex")[0], "codex.jsonl"),
    "codex of 2025": (named("codex")[0], "codex-older.jsonl"),
    "gemini": (named("gemini")[0], "gemini.jsonl"),
    "gemini of 2025": (named("gemini")[1], "gemini.json"),
    "aider": (named("aider")[0], "aider.md"),
    "vscode-chat": (named("vscode-chat")[0], "vscode.jsonl"),
    "vscode-chat of 2025": (named("vscode-chat")[0], "vscode.json"),
    "cline": (named("cline")[0], "cline.json"),
    "cursor": (named("cursor")[0], "cursor.sql"),
    "opencode": (named("opencode")[0], "opencode.sql"),
}


def no_rows(path: Path) -> Any:
    raise AssertionError("nothing but a database is asked")


def all_of(assistant: AssistantLogs, path: Path, mark: LogPosition | None = None) -> tuple[LogReading, list[HeardTurn]]:
    reading, found = heard(assistant, path, mark or LogPosition(), rows_of)
    return reading, list(found)


def placed(name: str, folder: Path) -> Path:
    """A sample as it lies on disk: with what stands beside it."""
    if name.endswith(".sql"):
        path = folder / "state.db"
        with sqlite3.connect(path) as connection:
            connection.executescript((SAMPLES / name).read_text(encoding="utf-8"))
        connection.close()
        return path
    (folder / "chats").mkdir()
    (folder / ".project_root").write_text("/srv/shop\n")
    (folder / "workspace.json").write_text('{"folder": "file:///srv/shop"}')
    (folder / "chats" / "history_item.json").write_text('{"id": "chats", "workspace": "/srv/shop"}')
    return Path(shutil.copy(SAMPLES / name, folder / "chats" / name))


def said(turn: HeardTurn, role: Role) -> str:
    return " ".join(" ".join(message.text.split()) for message in turn.messages if message.role is role).replace(
        "`", ""
    )


@pytest.mark.parametrize(("assistant", "name"), FORMS.values(), ids=FORMS)
def test_every_form_gives_the_same_talk(tmp_path: Path, assistant: AssistantLogs, name: str):
    reading, found = all_of(assistant, placed(name, tmp_path))
    assert [(said(turn, Role.USER), said(turn, Role.ASSISTANT)) for turn in found] == TALK
    assert reading.faults == 0
    assert len({turn.session for turn in found}) == 1
    assert len({turn.id for turn in found}) == len(found)


@pytest.mark.parametrize(("assistant", "name"), FORMS.values(), ids=FORMS)
def test_every_form_tells_where_the_work_was_done(tmp_path: Path, assistant: AssistantLogs, name: str):
    _, found = all_of(assistant, placed(name, tmp_path))
    if name == "codex-older.jsonl":  # it says so only in what was handed to the model
        assert {turn.folder for turn in found} == {""}
    elif name == "aider.md":
        assert {turn.folder for turn in found} == {str(tmp_path / "chats")}
    else:
        assert {turn.folder for turn in found} == {"/srv/shop"}


@pytest.mark.parametrize(("assistant", "name"), FORMS.values(), ids=FORMS)
def test_every_form_is_read_the_same_twice(tmp_path: Path, assistant: AssistantLogs, name: str):
    path = placed(name, tmp_path)
    assert all_of(assistant, path)[1] == all_of(assistant, path)[1]


def test_times_are_utc_and_ids_those_of_the_log(tmp_path: Path):
    _, found = all_of(*FORMS["claude-code"][:1], placed("claude-code.jsonl", tmp_path))
    assert [turn.id for turn in found] == ["u1", "u3"]
    assert [turn.at for turn in found] == [datetime(2026, 10, 1, 10), datetime(2026, 10, 1, 10, 1)]
    assert found[1].title == "Prices in cents"


def test_a_folder_told_by_its_digest_alone_is_said_so(tmp_path: Path):
    path = placed("gemini.jsonl", tmp_path)
    (tmp_path / ".project_root").unlink()
    _, found = all_of(named("gemini")[0], path)
    assert {turn.folder[:14] for turn in found} == {"sha256:6b9af14"}


def test_sessions_of_helpers_are_left_out(tmp_path: Path):
    for name, old, new in (
        ("codex.jsonl", '"source":"cli"', '"source":{"subagent":{"thread_spawn":{"depth":1}}}'),
        ("gemini.jsonl", '"kind":"main"', '"kind":"subagent"'),
    ):
        path = tmp_path / name
        path.write_text((SAMPLES / name).read_text().replace(old, new))
        assert all_of(named(name.partition(".")[0])[0], path)[1] == []


def test_a_session_that_moves_to_another_folder_says_so_turn_by_turn(tmp_path: Path):
    lines = (SAMPLES / "claude-code.jsonl").read_text().splitlines()
    path = tmp_path / "s.jsonl"
    path.write_text("\n".join(line.replace("/srv/shop", "/srv/else") if '"u3"' in line else line for line in lines))
    _, found = all_of(named("claude-code")[0], path)
    assert [turn.folder for turn in found] == ["/srv/shop", "/srv/else"]


def test_a_command_with_words_is_what_was_said(tmp_path: Path):
    line = (SAMPLES / "claude-code.jsonl").read_text().splitlines()[3]
    text = "<command-message>plan</command-message>\\n<command-name>/plan</command-name>\\n<command-args>the release</command-args>"
    path = tmp_path / "s.jsonl"
    path.write_text(line[: line.index('"content":"')] + f'"content":"{text}"}}}}\n')
    _, (turn,) = all_of(named("claude-code")[0], path)
    assert said(turn, Role.USER) == "/plan the release"


def test_every_assistant_has_a_sample():
    assert {assistant for assistant, _ in FORMS.values()} == set(ASSISTANTS)


def test_logs_are_looked_for_at_home_and_where_the_environment_says(tmp_path: Path):
    for folder in (".claude/projects", ".codex/sessions", "moved/projects", "moved/sessions", "work"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / ".config" / "Cursor" / "User" / "globalStorage").mkdir(parents=True)
    (tmp_path / "work" / ".aider.chat.history.md").touch()

    def found(name: str, **environ: str) -> list[str]:
        around = Surroundings(tmp_path, environ, (tmp_path / "work", tmp_path / "moved"))
        return [str(place.relative_to(tmp_path)) for place in places(named(name), around)]

    moved = str(tmp_path / "moved")
    assert found("claude-code", CLAUDE_CONFIG_DIR=moved) == ["moved/projects", ".claude/projects"]
    assert found("claude-code") == [".claude/projects"]
    assert found("codex", CODEX_HOME=moved) == ["moved/sessions"], "its home is elsewhere then"
    assert found("codex") == [".codex/sessions"]
    assert found("cursor") == [".config/Cursor/User/globalStorage"]
    assert found("aider") == ["work"], "the checkout that has a log"
