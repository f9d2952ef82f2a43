"""Notes as they are typed: written, set, shown, and agreed to in a repository."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from surfaces.shells import Shell, refused, refused_as_json

WRITES = f"\"{sys.executable}\" -c \"import sys; open(sys.argv[1], 'a').write('by hand\\n')\""
"""An editor that adds a line and leaves."""


def test_a_note_is_begun_in_an_editor_and_shown(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    assert "companion notes edit today" in shell("notes").words
    monkeypatch.setenv("COMPANION_EDITOR", WRITES)
    assert shell("notes", "edit", "journal").code == 0
    assert shell("notes", "show", "journal").out == "by hand\n"
    assert shell("notes", "edit", "journal").code == 0
    assert shell("notes", "show", "journal", "--json").json["text"] == "by hand\nby hand\n"
    assert "journal" in shell("notes").words
    assert shell("notes", "edit", "journal", "--print").out == f"{shell.home / 'notes' / 'journal.md'}\n"


def test_fields_of_the_status_are_set_and_taken_out(shell: Shell):
    assert "branch: money" in shell("notes", "set", "branch=money", "next=mend = all").words
    status = Path(shell("notes", "edit", "status", "--print").out.strip())
    status.write_bytes(status.read_bytes() + b"by hand\r\n")
    page = shell("notes", "set", "branch=", "--json").json
    assert [(one["name"], one["value"]) for one in page["fields"]] == [("next", "mend = all")]
    assert status.read_bytes().endswith(b"by hand\r\n")
    refused(shell("notes", "set", "branch"), "sets nothing", "NAME=VALUE")
    refused_as_json(shell("notes", "set", "a:b=1", "--json"), "UsageError", "No field")


def test_what_an_assistant_is_told_first(shell: Shell):
    shell("notes", "set", "branch=money")
    told = shell("notes", "preamble")
    assert "- branch: money" in told.out
    assert "of 8,000 tokens" in told.words
    small = shell.with_(preamble_tokens="200")("notes", "preamble", "--json").json
    assert small["tokens"] <= 200 == small["budget_tokens"]


def test_what_cannot_be_shown_is_said(shell: Shell, monkeypatch: pytest.MonkeyPatch):
    refused(shell("notes", "show", "journal"), "no note `journal`", "companion notes edit journal")
    refused(shell("notes", "show", "../../etc/passwd"), "No note can be called", "letters")
    file = Path(shell("notes", "edit", "journal", "--json").json["path"])
    file.write_bytes(b"\x1b]0;title\x07steer\x00")
    refused(shell("notes", "show", "journal"), "not text", "Fix it")
    file.write_bytes(b"\x1b]0;title\x07steer\n")
    assert "\x1b" not in shell("notes", "show", "journal").out + shell("notes", "preamble").out
    monkeypatch.setenv("COMPANION_EDITOR", "no-such-editor")
    refused(shell("notes", "edit", "journal"), "no-such-editor", "Set EDITOR")
    monkeypatch.setenv("COMPANION_EDITOR", f'"{sys.executable}" -c "raise SystemExit(3)"')
    refused(shell("notes", "edit", "journal"), "ended with 3", "journal.md")


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_a_note_that_cannot_be_opened_hides_no_other(shell: Shell):
    shell("notes", "set", "branch=money")
    file = Path(shell("notes", "edit", "journal", "--print").out.strip())
    file.chmod(0)
    made = shell.run("notes", "preamble", "--json", bound=True).json
    assert made["left_out"] == ["journal: It cannot be read: Permission denied."]
    assert "- branch: money" in made["text"]
