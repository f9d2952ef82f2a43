"""Files of notes: whatever lies in their place is told, and a change is whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
from datetime import date
from pathlib import Path

import pytest

from companion.errors import StoreUnwritable, UsageError
from companion.notes.atomic import make, rewrite
from companion.notes.locations import NOTEBOOKS_MOST, NoteFolders, NoteLocation, project_page
from companion.notes.note_text import READ_MAX_BYTES, read_note, stamp
from companion.records.notes import NoteSort

MONDAY = date(2026, 1, 5)
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="modes and links of POSIX")


@pytest.fixture
def own(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    return folder


@pytest.fixture
def note(own: Path) -> NoteLocation:
    return NoteLocation("status", NoteSort.STATUS, own / "status.md", own)


def test_notes_are_told_in_the_order_of_the_desk(own: Path):
    for file in ("journal.md", "threads.md", "days/2026-01-05.md", "days/2026-01-04.md", "days/2025-12-01.md",
                 "projects/shop-12345678.md", "projects/other-1.md", "status.md", ".hidden.md", "x.txt", "compaction.md"):  # fmt: skip
        make(NoteLocation("", NoteSort.NOTEBOOK, own / file, own), "x")
    desk = NoteFolders(own, MONDAY, "shop-12345678")
    names = [place.name for place in desk.places()]
    assert names == [
        "status", "project", "2026-01-04", "2026-01-05", "journal", "threads", "compaction",
    ]  # fmt: skip
    assert [place.name for place in NoteFolders(own, MONDAY).places()] == [name for name in names if name != "project"]
    assert [desk.place(name).name for name in ("today", "yesterday", "2025-12-01", "threads.md")] == [
        "2026-01-05", "2026-01-04", "2025-12-01", "threads",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["", "..", "../x", "a/b", "/etc/passwd", "con", "x" * 81, "\x1b", ".hidden", "a\nb"])
def test_no_name_leads_out_of_the_folder(own: Path, name: str):
    with pytest.raises(UsageError, match="No note can be called"):
        NoteFolders(own, MONDAY).place(name)


def test_what_is_not_here_is_said_with_the_next_step(own: Path):
    with pytest.raises(UsageError, match="no project"):
        NoteFolders(own, MONDAY).place("project")


def test_a_notebook_of_a_project_can_be_called_anything(own: Path):
    for name in ("shop", "../../x", "", "a/b:c", "é" * 200):
        page = project_page(name, "p1" + "0" * 30)
        assert NoteFolders(own, MONDAY, page).place("project").path.parent == own / "projects"
        assert len(page) <= 81


def test_more_notebooks_than_a_desk_holds_are_not_read(own: Path):
    for number in range(NOTEBOOKS_MOST + 5):
        (own / f"n{number:03}.md").touch()
    assert len(NoteFolders(own, MONDAY).places()) == NOTEBOOKS_MOST


def test_a_note_of_ten_megabytes_is_read_to_its_limit_and_says_what_is_left_out(note: NoteLocation):
    line = b"a line of the journal\n"
    note.path.write_bytes(line * (10_000_000 // len(line)))
    found = read_note(note)
    assert found.problem == ""
    assert READ_MAX_BYTES - len(line) < len(found.text) <= READ_MAX_BYTES
    assert found.text.endswith("journal\n")
    assert found.cut_bytes == found.size_bytes - len(found.text) > 9_000_000
    note.path.write_bytes(b"x" * (READ_MAX_BYTES + 1))
    assert read_note(note).cut_bytes == 1


@pytest.mark.parametrize(
    ("content", "text", "problem"),
    [
        (b"\x00\x01\x7fELF", "", "It is not text."),
        (b"caf\xe9\n", "caf\ufffd\n", ""),
        (b"\xef\xbb\xbfone\r\ntwo\r\n", "one\r\ntwo\r\n", ""),
        ("Prüfen\n".encode("utf-16"), "Prüfen\n", ""),
        (b"", "", ""),
    ],
)
def test_any_bytes_are_text_or_said_to_be_none(note: NoteLocation, content: bytes, text: str, problem: str):
    note.path.write_bytes(content)
    found = read_note(note)
    assert (found.text, found.problem) == (text, problem)


def test_what_lies_in_the_place_of_a_note_is_told(note: NoteLocation, own: Path, tmp_path: Path):
    assert read_note(note).problem == "It is gone."
    note.path.mkdir()
    assert read_note(note).problem == "It is not a file."
    with pytest.raises(UsageError, match="is not a file"):
        rewrite(note, lambda before: b"x")


@POSIX
def test_a_link_that_leads_out_is_neither_read_nor_written(note: NoteLocation, tmp_path: Path):
    outside = tmp_path / "secret"
    outside.write_text("mine")
    note.path.symlink_to(outside)
    assert "leads out" in read_note(note).problem
    for write in (lambda: rewrite(note, lambda before: b"x"), lambda: make(note, "x")):
        with pytest.raises(UsageError, match="leads out"):
            write()
    assert outside.read_text() == "mine"


@POSIX
def test_a_link_within_the_folder_stays_one(note: NoteLocation, own: Path):
    (own / "real.md").write_text("a")
    note.path.symlink_to("real.md")
    assert rewrite(note, lambda before: before + b"b") == b"ab"
    assert note.path.is_symlink()
    assert (own / "real.md").read_text() == "ab"


@POSIX
def test_a_pipe_and_a_loop_are_no_notes(note: NoteLocation, own: Path):
    os.mkfifo(note.path)
    assert read_note(note).problem == "It is not a file."
    note.path.unlink()
    note.path.symlink_to("status.md")
    assert read_note(note).problem


def test_a_change_is_made_on_what_an_editor_saved_meanwhile(note: NoteLocation):
    note.path.write_bytes(b"- a: 1\n")
    seen: list[bytes] = []

    def edit(before: bytes) -> bytes:
        seen.append(before)
        if len(seen) == 1:
            note.path.write_bytes(b"- a: 1\nwritten by hand\n")
        return before + b"- b: 2\n"

    assert rewrite(note, edit) == b"- a: 1\nwritten by hand\n- b: 2\n" == note.path.read_bytes()
    assert len(seen) == 2


def test_a_file_that_somebody_makes_or_removes_meanwhile_is_no_error(note: NoteLocation):
    turns = iter(range(9))

    def edit(before: bytes) -> bytes:
        turn = next(turns)
        if turn == 0:
            note.path.write_bytes(b"made\n")
        elif turn == 1:
            note.path.unlink()
        return before + b"ours\n"

    assert rewrite(note, edit) == b"ours\n"


def test_what_a_kill_left_behind_is_no_note_and_goes_with_the_next_change(note: NoteLocation, own: Path):
    (own / ".status.md.new-123").write_bytes(b"half a fi")
    rewrite(note, lambda before: b"whole\n")
    assert [place.name for place in NoteFolders(own, MONDAY).places()] == ["status"]
    assert list(own.iterdir()) == [note.path]


def test_a_file_that_never_holds_still_is_left_alone_with_words(note: NoteLocation, own: Path):
    def edit(before: bytes) -> bytes:
        note.path.write_bytes(before + b"x")
        os.utime(note.path, (0, 0))
        return before + b"ours"

    with pytest.raises(StoreUnwritable, match="keeps being changed"):
        rewrite(note, edit)
    assert set(note.path.read_bytes()) == set(b"x")
    assert list(own.iterdir()) == [note.path]


def test_what_an_edit_refuses_leaves_the_file_as_it_is(note: NoteLocation, own: Path):
    note.path.write_bytes(b"as it is")

    def refuse(before: bytes) -> bytes:
        raise UsageError("no")

    with pytest.raises(UsageError):
        rewrite(note, refuse)
    assert note.path.read_bytes() == b"as it is"
    assert list(own.iterdir()) == [note.path]


@POSIX
def test_notes_are_private_and_an_edit_keeps_the_mode(note: NoteLocation):
    make(note, "begun\n")
    assert stat.S_IMODE(note.path.stat().st_mode) == 0o600
    note.path.chmod(0o640)
    rewrite(note, lambda before: before + b"more\n")
    assert stat.S_IMODE(note.path.stat().st_mode) == 0o640
    assert make(note, "begun\n").read_bytes() == b"begun\nmore\n"


def test_a_saved_file_has_another_stamp(note: NoteLocation):
    before = stamp(note)
    note.path.write_bytes(b"x")
    there = stamp(note)
    rewrite(note, lambda content: b"y")
    assert len({before, there, stamp(note)}) == 3
