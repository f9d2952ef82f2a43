"""Whatever a file or a path is like - huge, broken, oddly named, a link, closed: it is read, or left out and said."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from companion.signals.paths import shown_path
from surfaces.odd import NewRepo, code, posix_only, skipped
from surfaces.shells import LINUX, Shell, refused

# ---------------------------------------------------------------------- files of every sort


def test_large_and_binary_files_are_left_out_and_said(shell: Shell, new_repo: NewRepo) -> None:
    repo = code(new_repo())
    with (repo.root / "large.py").open("wb") as large:
        large.truncate(50_000_000)
    repo.write("picture.py", bytes(range(256)) * 20)
    shell = shell.at(repo.root)
    reasons = skipped(shell("init", "--json"))
    assert reasons["large.py"] == "50,000,000 bytes, over the limit of 1,000,000"
    assert reasons["picture.py"] == "binary file"
    for name in ("large.py", "picture.py"):
        said = shell("context", "--file", repo.root / name)
        assert said.code == 0
        assert f"Note: {name} is not indexed: {reasons[name]}." in said.words
        assert (
            f"{name} is not indexed: {reasons[name]}."
            in shell("context", "--file", repo.root / name, "--json").json["missing"]
        )


def test_a_file_that_came_after_the_scan_is_told_from_one_that_is_not_there(shell: Shell, new_repo: NewRepo) -> None:
    repo = code(new_repo())
    shell = shell.at(repo.root)
    shell("init")
    repo.write("fresh.py", "x = 1\n")
    said = shell("context", "--file", repo.root / "fresh.py")
    assert said.code == 0
    assert "is not indexed yet" not in said.words, "it was read before the answer"
    said = shell("context", "--file", repo.root / "ap.py")
    assert said.code == 0
    assert "There is no file `ap.py` yet" in said.words
    assert "Did you mean app.py?" in said.words
    assert "Missing: There is no file `ap.py` yet" in shell("predict", repo.root / "ap.py").words


@pytest.mark.parametrize("arguments", [("predict",), ("context", "--format", "json")])
def test_broken_syntax_is_read_as_far_as_it_goes(shell: Shell, new_repo: NewRepo, arguments: tuple[str, ...]) -> None:
    repo = code(new_repo())
    repo.write("torn.py", "def whole():\n    return 1\n\n\ndef (((:\n    class\n")
    repo.write("torn.ts", "export function whole( {{{ ;;; <")
    shell = shell.at(repo.root)
    assert shell("init", "--json").json["files_total"] == 3
    assert shell(*arguments, "--file", repo.root / "torn.py").code == 0
    assert "whole" in shell("expand", "file:torn.py").out


@posix_only
def test_files_of_any_name_can_be_asked_for(shell: Shell, new_repo: NewRepo) -> None:
    repo = new_repo()
    names = [b"two words.py", b'it\'s "quoted".py', b"two\nlines.py", b"caf\xe9.py", b"-dash.py", b"tab\t.py"]
    made = []
    for number, name in enumerate([*names, "naïve.py".encode()]):
        with suppress(OSError):  # some file systems refuse some names
            with open(os.path.join(os.fsencode(repo.root), name), "wb") as opened:  # noqa: PTH118, PTH123
                opened.write(b"def oddly_named_%d():\n    return 1\n" % number)
            made.append((number, name))
    repo.commit("Add them")
    shell = shell.at(repo.root)
    assert shell("init", "--json").json["files_total"] == len(made)
    for number, name in made:
        shown = shown_path(name)
        place = os.fsdecode(os.path.join(os.fsencode(repo.root), name))  # noqa: PTH118 - the name may be no text
        for given in (place, shown):
            said = shell("context", "--json", f"--file={given}")
            assert said.code == 0, given
            assert not [what for what in said.json["missing"] if "not indexed" in what], given
        assert f"oddly_named_{number}" in shell("expand", f"file:{shown}").out
        assert shell("predict", f"--file={place}", "--json").json is not None


@posix_only
def test_undecodable_bytes_pass_through_a_real_command_line(shell: Shell, new_repo: NewRepo) -> None:
    repo = new_repo()
    with open(os.fsencode(repo.root) + b"/caf\xe9.py", "wb") as opened:  # noqa: PTH123
        opened.write(b"x = 1\n")
    repo.commit("Add it")
    shell = shell.at(repo.root)
    shell("init")
    said = shell.run("context", "--file", b"caf\xe9.py", "--query", b"caf\xe9 \xed\xa0\x80")
    assert (said.code, said.err) == (0, "")
    assert r"caf\xe9.py" in said.out


def test_half_a_character_in_a_file_is_kept_out_of_nothing(shell: Shell, new_repo: NewRepo) -> None:
    repo = new_repo()
    repo.write("half.py", b'def half():\n    """Says \xed\xa0\x80 and \xff."""\n    return "\xed\xa0\x80"\n')
    repo.write("README.md", b"# Half \xed\xa0\x80\n\nUse Python 3.11 \xff.\n")
    repo.git("add", "-A")
    repo.git("commit", "-q", "-m", b"Add half \xed\xa0\x80 \xe9")
    shell = shell.at(repo.root)
    assert shell("init", "--json").json["files_total"] == 2
    assert "half.py" in shell("context", "--file", repo.root / "half.py").out
    said = shell("context", "--file", repo.root / "half.py", "--json")
    said.out.encode("utf-8")
    assert "\\ud8" not in said.out


# ---------------------------------------------------------------------- paths that lead out


@posix_only
def test_a_path_that_leads_out_of_the_repository_is_refused(shell: Shell, new_repo: NewRepo, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("the moon is made of cheese")
    repo = code(new_repo())
    (repo.root / "link.txt").symlink_to(tmp_path / "secret.txt")
    (repo.root / "door").symlink_to(tmp_path)
    (repo.root / "here.py").symlink_to("app.py")
    shell = shell.at(repo.root)
    assert set(skipped(shell("init", "--json"))) == {"link.txt", "door", "here.py"}
    for path in (tmp_path / "secret.txt", repo.root / "../secret.txt", "/etc/passwd"):
        refused(shell("context", "--file", path), "is outside the repository", "inside it")
    for path in ("link.txt", "door/secret.txt"):
        refused(shell("context", "--file", repo.root / path), "outside the repository", "inside it")
    refused(shell("predict", "--file", repo.root / "link.txt"), "points outside the repository", "inside it")
    for scope in ("../other", "/etc", "a/../../b"):
        refused(shell("remember", "x", "--scope", scope), "is outside the repository", "inside it")
        refused(shell("search", "x", "--scope", scope), "is outside the repository", "inside it")
    for path in ("../secret.txt", "/etc/passwd", "link.txt", "door/secret.txt"):
        refused(shell("expand", f"file:{path}"), "is not an indexed file", "")
    assert "cheese" not in shell("context").out
    assert "Note" not in shell("context", "--file", repo.root / "here.py").err


@posix_only
def test_a_loop_of_links_is_left_out_and_cannot_be_asked_for(shell: Shell, new_repo: NewRepo) -> None:
    repo = code(new_repo())
    (repo.root / "a").symlink_to("b")
    (repo.root / "b").symlink_to("a")
    (repo.root / "folder").mkdir()
    (repo.root / "folder/up").symlink_to("..")
    shell = shell.at(repo.root)
    assert skipped(shell("init", "--json")) == dict.fromkeys(("a", "b", "folder/up"), "link, not followed")
    refused(shell("context", "--file", repo.root / "a"), "its links form a loop", "another file")
    assert "app.py" in shell("context", "--file", repo.root / "folder/up/folder/up/app.py").out
    refused(shell("init", repo.root / "a"), "", "git repository")


def test_a_name_too_long_for_the_system_is_refused(shop: Shell) -> None:
    refused(shop("context", "--file", "x" * 5_000), "", "")
    refused(shop("init", "x" * 5_000), "", "")
    refused(shop("context", "--error", "x" * 5_000), "cannot be read", "standard input")


def test_a_file_is_found_from_where_one_stands_and_from_where_the_repository_is(
    shell: Shell, new_repo: NewRepo, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = new_repo()
    repo.write("pack/app.py", "def start():\n    return 1\n")
    repo.commit("Add it")
    assert shell.at(repo.root)("init").code == 0
    assert "pack/app.py" in shell.at(repo.root)("context", "--file", "pack/app.py").out
    assert "pack/app.py" in shell.at(repo.root / "pack")("context", "--file", "app.py").out
    monkeypatch.chdir(repo.root / "pack")
    assert "pack/app.py" in shell.plainly("context", "--file", "app.py").out


# ---------------------------------------------------------------------- folders that cannot be read


@pytest.mark.skipif(not LINUX, reason="root gives up its power over file modes as Linux has it")
def test_what_may_not_be_read_is_left_out_and_said(shell: Shell, new_repo: NewRepo) -> None:
    repo = code(new_repo())
    repo.write("shut/inside.py", "x = 1\n")
    repo.write("closed.py", "y = 1\n")
    for name in ("shut", "closed.py"):
        (repo.root / name).chmod(0)
    try:
        shell = shell.at(repo.root)
        reasons = skipped(shell.run("init", "--json", bound=True))
        hidden = shell.run("context", "--file", "shut/inside.py", bound=True)
    finally:
        (repo.root / "shut").chmod(0o700)
    assert reasons == {"shut": "folder cannot be opened", "closed.py": "not readable with your rights"}
    said = shell("context", "--file", repo.root / "closed.py")
    assert "closed.py is not indexed: not readable with your rights." in said.words
    refused(hidden, "shut/inside.py", "")
