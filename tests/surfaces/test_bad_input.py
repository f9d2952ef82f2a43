"""Whatever a repository, a path or an argument is like: an answer, or a sentence with the next command."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from app.conftest import Desk
from fakes import FakeClock
from repos import Repo

from companion.api import Note, Order
from companion.config import HIDING_NAME
from companion.records import Format, SearchQuery, Signals
from companion.signals.paths import shown_path
from surfaces.conftest import NOTE
from surfaces.shells import LINUX, PROGRAM, Said, Shell, refused, refused_as_json

NewRepo = Callable[..., Repo]

HALF = "caf\udce9 \ud800 x"
"""Undecodable bytes as Python hands them over, and half a character from nowhere."""
UNDECODED = "caf\udce9 x"
"""The same as a system hands it over; the other half cannot be in a command line."""

ASKING = (("context",), ("predict",), ("search", "x"), ("expand", "m1"), ("explain",), ("stats",), ("rebuild",))
KEEPING = (
    ("remember", "x"),
    ("forget", "m1"),
    ("revive", "m1"),
    ("pin", "m1"),
    ("export", "out", "--project"),
    ("backup",),
)

posix_only = pytest.mark.skipif(os.name != "posix", reason="names, links and modes as POSIX has them")


def code(repo: Repo) -> Repo:
    """One module, committed."""
    repo.write("app.py", "def start():\n    return 1\n")
    repo.commit("Add the app")
    return repo


def skipped(said: Said) -> dict[str, str]:
    """Path to reason of what `init --json` left out."""
    return {one["path"]: one["reason"] for one in said.json["skipped"]}


# ---------------------------------------------------------------------- what is no repository, or hardly one


@pytest.mark.parametrize("arguments", [("init",), *ASKING, *KEEPING], ids=lambda given: given[0])
def test_outside_a_repository_every_command_says_so(newcomer: Shell, arguments: tuple[str, ...]) -> None:
    refused(newcomer(*arguments), "is not inside a git repository", "git init")
    assert not newcomer.home.exists()


def test_outside_a_repository_the_program_itself_says_so(shell: Shell) -> None:
    refused_as_json(shell("context", "--json"), "NotARepository", "is not inside a git repository")
    refused(shell.run("context"), "is not inside a git repository", "git init")


def test_the_doctor_comes_without_a_repository_and_without_a_store(newcomer: Shell) -> None:
    said = newcomer("doctor", "--json")
    assert said.code == 0
    states = {one["name"]: (one["state"], one["next_step"]) for one in said.json}
    assert states["repository"] == ("warning", "Run `git init` there, or give another folder.")
    assert states["store"] == ("warning", "Run `companion init`.")
    assert not newcomer.home.exists()


@posix_only
def test_a_folder_that_was_deleted_under_its_user_is_said(newcomer: Shell, tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    line = ['cd "$1" && rmdir "$1" && shift && exec "$@"', "sh", str(tmp_path / "gone")]
    said = newcomer.at(tmp_path).other(["/bin/sh", "-c", *line, *PROGRAM, "context"])
    assert said.code == 2
    assert "no longer there" in said.words
    assert "Traceback" not in said.err


def test_a_folder_that_is_not_there_is_named(shell: Shell) -> None:
    refused(shell("init", shell.folder / "nowhere"), "nowhere does not exist", "inside a git repository")


def test_a_file_stands_for_the_repository_it_lies_in(shell: Shell, new_repo: NewRepo) -> None:
    repo = code(new_repo())
    assert shell("init", repo.root / "app.py", "--json").json["files_total"] == 1


def test_an_empty_repository_is_refused_until_there_is_something_to_read(shell: Shell, new_repo: NewRepo) -> None:
    repo = new_repo()
    shell = shell.at(repo.root)
    refused(shell("init"), "has no commits and no files yet", "companion init")
    refused(shell("context"), "has not been read yet", "companion init")
    assert shell("remember", "It will be a shop").code == 0
    code(repo)
    assert shell("init", "--json").json["commits_total"] == 1
    assert [hit["memory"]["draft"]["value"] for hit in shell("search", "shop", "--json").json["hits"]] == [
        "It will be a shop"
    ]


def test_an_unborn_branch_is_read_from_its_files(shell: Shell, new_repo: NewRepo) -> None:
    repo = new_repo()
    repo.write("app.py", "def start():\n    return 1\n")
    shell = shell.at(repo.root)
    said = shell("init")
    assert said.code == 0
    assert "There are no commits yet; only files were read." in said.words
    assert "app.py" in shell("context", "--file", repo.root / "app.py").out
    code(repo)
    assert shell("init", "--json").json["commits_total"] == 1


def test_an_unborn_branch_beside_others_loses_nothing(shell: Shell, new_repo: NewRepo) -> None:
    repo = code(new_repo())
    shell = shell.at(repo.root)
    shell("init")
    repo.git("checkout", "-q", "--orphan", "fresh")
    report = shell("init", "--json").json
    assert (report["commits_total"], report["branch"]) == (1, "fresh")
    assert shell("context").code == 0


def test_an_empty_bare_repository_is_refused(shell: Shell, new_repo: NewRepo) -> None:
    shell = shell.at(new_repo("empty.git", "--bare").root)
    refused(shell("init"), "is a bare repository, and its branch `main` has no commits", "Push to it")
    refused(shell("context"), "has not been read yet", "companion init")
    refused_as_json(shell("init", "--json"), "UsageError", "bare")
    assert shell("search", "x").code == 0


def test_a_bare_repository_is_read_from_its_newest_commit(shell: Shell, new_repo: NewRepo, tmp_path: Path) -> None:
    repo = code(new_repo())
    repo.git("clone", "-q", "--bare", str(repo.root), str(tmp_path / "bare.git"))
    bare = shell.at(tmp_path / "bare.git")
    assert bare("init", "--json").json["files_total"] == 1
    assert "app.py" in bare("context", "--file", "app.py").out
    Repo(bare.folder).git("symbolic-ref", "HEAD", "refs/heads/gone")
    refused(bare("init"), "its branch `gone` has no commits", "symbolic-ref HEAD refs/heads/BRANCH")
    assert bare("context").code == 0


def test_a_submodule_is_named_and_not_entered_and_is_a_project_of_its_own(shell: Shell, new_repo: NewRepo) -> None:
    inner, outer = code(new_repo("inner")), code(new_repo("outer"))
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "vendor/inner")
    outer.commit("Add the inner one")
    assert skipped(shell.at(outer.root)("init", "--json")) == {"vendor/inner": "submodule, not entered"}
    refused(shell.at(outer.root)("context", "--file", outer.root / "vendor/inner"), "is a folder", "Name a file")
    within = shell.at(outer.root / "vendor/inner")
    refused(within("context"), "has not been read yet", "companion init")
    assert within("init", "--json").json["root"] == str(outer.root / "vendor/inner")


def test_a_data_folder_inside_the_repository_is_no_part_of_it(newcomer: Shell, new_repo: NewRepo) -> None:
    repo = code(new_repo("home"))
    shell = replace(newcomer, home=repo.root / ".local/share/companion").at(repo.root)
    shell("init")
    assert repo.git("status", "--porcelain") == ""
    assert shell("init", "--json").json["files_total"] == 1


def test_a_detached_head_is_read_where_it_stands(shell: Shell, new_repo: NewRepo) -> None:
    repo = code(new_repo())
    repo.write("app.py", "def start():\n    return 2\n")
    repo.commit("Start with two")
    repo.git("checkout", "-q", "--detach", "HEAD~1")
    shell = shell.at(repo.root)
    report = shell("init", "--json").json
    assert (report["branch"], report["commits_total"]) == ("", 1)
    assert shell("context", "--file", repo.root / "app.py").code == 0
    assert "(detached)" in shell("doctor").words


def test_a_file_in_the_middle_of_a_merge_is_read_as_it_stands(shell: Shell, new_repo: NewRepo) -> None:
    repo = code(new_repo())
    for branch, number in (("side", 2), ("main", 3)):
        repo.git("checkout", "-q", *(["-b"] if branch == "side" else []), branch)
        repo.write("app.py", f"def start():\n    return {number}\n")
        repo.commit(f"Start with {number}")
    repo.git("merge", "-q", "side", check=False)
    assert "<<<<<<<" in (repo.root / "app.py").read_text()
    shell = shell.at(repo.root)
    assert shell("init").code == 0
    assert shell("context", "--file", repo.root / "app.py").code == 0
    assert "in the middle of a merge" in shell("doctor").words
    repo.write("app.py", "def start():\n    return 5\n")
    repo.commit("Merge the side")
    assert shell("init", "--json").json["files_new"] == 1


# ---------------------------------------------------------------------- never read


@pytest.mark.parametrize("arguments", [("context",), ("predict",), ("context", "--file", "app.py"), ("explain",)])
def test_a_checkout_that_was_never_read_gives_no_context(
    shell: Shell, new_repo: NewRepo, arguments: tuple[str, ...]
) -> None:
    shell = shell.at(code(new_repo()).root)
    refused(shell(*arguments), "has not been read yet", "companion init")
    refused_as_json(shell(*arguments, "--json"), "NotReadYet", "has not been read yet")


def test_what_is_said_by_hand_needs_no_scan(shell: Shell, new_repo: NewRepo) -> None:
    shell = shell.at(code(new_repo()).root)
    assert shell("remember", NOTE).code == 0
    assert NOTE in shell("search", "rounded").out
    counted = shell("stats")
    assert counted.code == 0
    assert "has not been read yet" in counted.err


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
    assert "fresh.py is not indexed yet: run `companion init`." in said.words
    refused(shell("context", "--file", repo.root / "ap.py"), "There is no file `ap.py`", "Did you mean app.py?")


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


@posix_only
def test_a_repository_of_an_undecodable_name_is_read(shell: Shell, tmp_path: Path) -> None:
    root = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9 \n x"))
    root.mkdir()
    repo = Repo(root)
    repo.git("init", "-q")
    code(repo)
    shell = shell.at(root)
    assert shell("init", "--json").json["files_total"] == 1
    assert shell("context", "--file", root / "app.py").code == 0
    assert shell("stats", "--json").json["files"] == 1


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


# ---------------------------------------------------------------------- arguments of every sort


@pytest.mark.parametrize(
    "arguments",
    [
        ("context", "--query", HALF, "--collaborator", HALF),
        ("predict", "--query", HALF),
        ("search", HALF),
        ("search", "x", "--entity", HALF, "--scope", HALF),
        ("remember", HALF, "--label", HALF, "--scope", HALF),
    ],
)
def test_half_a_character_in_a_text_is_replaced(shop: Shell, arguments: tuple[str, ...]) -> None:
    said = shop(*arguments, "--json")
    assert said.code == 0
    assert "\\ud" not in said.out
    assert shop(*arguments).code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("context", "--file", UNDECODED),
        ("context", "--branch", UNDECODED),
        ("context", "--activity", UNDECODED),
        ("context", "--at", UNDECODED),
        ("context", "--error", UNDECODED),
        ("context", "--format", UNDECODED),
        ("search", "x", "--kind", UNDECODED),
        ("search", "x", "--as-of", UNDECODED),
        ("expand", UNDECODED),
        ("expand", f"file:{UNDECODED}"),
        ("explain", UNDECODED),
        ("forget", UNDECODED),
        ("revive", UNDECODED),
        ("pin", UNDECODED),
        ("import", UNDECODED),
        ("init", UNDECODED),
    ],
)
def test_half_a_character_in_a_name_is_a_name_that_is_not_there(
    visited_shop: Shell, arguments: tuple[str, ...]
) -> None:
    said = visited_shop(*arguments)
    refused(said, "", "")
    said.err.encode("utf-8")


@pytest.mark.parametrize(
    ("arguments", "what", "next_step"),
    [
        (("context", "--budget", "-1"), "A budget of -1 tokens makes no sense", "--budget 8000"),
        (("context", "--budget", "99999999999999999999"), "makes no sense", "--budget 8000"),
        (("explain", "--budget", "-5"), "A budget of -5 tokens makes no sense", "--budget 8000"),
        (("search", "x", "--kind", "rumour"), "There is no kind `rumour`", "fact, episode, pattern, workflow"),
        (("remember", "x", "--kind", "rumour"), "There is no kind `rumour`", "fact, episode, pattern, workflow"),
        (("remember", "x", "--visibility", "all"), "There is no visibility `all`", "user-private, project-shared"),
        (("search", "x", "--profile", "best"), "There is no profile `best`", "learned"),
        (("context", "--format", "pdf"), "There is no format `pdf`", "md, xml, json"),
        (("context", "--order", "random"), "There is no order `random`", "people, assistants"),
        (("context", "--activity", "sleeping"), "There is no activity `sleeping`", "debugging"),
        (("context", "--branch", "nowhere"), "There is no branch `nowhere`", "git branch"),
        (("context", "--at", "someday"), "`someday` is not a moment", "2026-01-31"),
        (("context", "--at", "99999y"), "`99999y` is not a moment", "2026-01-31"),
        (("context", "--at", "0001-01-01T00:00+14:00"), "is not a moment", "2026-01-31"),
        (("context", "--error", "nowhere.log"), "nowhere.log cannot be read", "standard input"),
        (("context", "--error", "."), "cannot be read", "standard input"),
        (("remember", "  "), "There is nothing to remember", "companion remember"),
        (("remember", "\u200b\u202e"), "There is nothing to remember", "companion remember"),
        (("remember", "x" * 20_001), "20001 characters are too many", "split it"),
        (("expand", "m1nothing"), "No memory's id begins with 'm1nothing'", "companion search"),
        (("expand", ""), "No memory", "companion search"),
        (("forget", "m1nothing"), "No memory", "companion search"),
        (("expand", "file:nowhere.py"), "is not an indexed file", "companion init"),
    ],
)
def test_what_makes_no_sense_is_refused_with_what_does(
    visited_shop: Shell, arguments: tuple[str, ...], what: str, next_step: str
) -> None:
    refused(visited_shop(*arguments), what, next_step)


def test_a_budget_of_nothing_is_an_empty_context(shop: Shell) -> None:
    said = shop("context", "--budget", "0", "--json")
    assert said.code == 0
    assert said.json["tokens"] == 0


def test_of_an_endless_error_the_end_is_read(visited_shop: Shell, tmp_path: Path) -> None:
    log = tmp_path / "error.log"
    frame = b'Traceback (most recent call last):\n  File "shop/price.py", line 3, in total\nTypeError: no cents\n'
    log.write_bytes(b"\xff\x00 noise\n" * 300_000 + frame)
    said = visited_shop("context", "--error", log, "--json")
    assert said.code == 0
    assert said.json["activity"] == "debugging"
    assert "shop/price.py" in said.json["text"]


def test_only_an_export_can_be_imported(shop: Shell, tmp_path: Path) -> None:
    for name, content in (("text", b"hello\n"), ("bytes", b"\xff\xfe\x00\x01"), ("list", b"[1]\n"), ("none", b"")):
        (tmp_path / name).write_bytes(content)
        refused(shop("import", tmp_path / name), "", "")
    refused(shop("import", tmp_path), "There is no export in", "companion export")
    assert NOTE in shop("search", "rounded").out


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
        refused(shell("context", "--file", path), "lies outside the repository", "inside it")
    for path in ("link.txt", "door/secret.txt"):
        refused(shell("context", "--file", repo.root / path), "outside the repository", "inside it")
    refused(shell("predict", "--file", repo.root / "link.txt"), "leads outside the repository", "inside it")
    for scope in ("../other", "/etc", "a/../../b"):
        refused(shell("remember", "x", "--scope", scope), "lies outside the repository", "inside it")
        refused(shell("search", "x", "--scope", scope), "lies outside the repository", "inside it")
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


def test_a_pasted_traceback_is_read_as_one_that_a_file_holds(shop: Shell, tmp_path: Path) -> None:
    pasted = 'Traceback (most recent call last):\n  File "nowhere.py", line 1, in <module>\nKeyError: 1\n'
    (tmp_path / "error.log").write_text(pasted)
    told, kept = (shop("context", "--error", one) for one in (pasted, tmp_path / "error.log"))
    assert told.code == kept.code == 0
    assert told.out == kept.out


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


@pytest.mark.skipif(not LINUX, reason="root gives up its power over file modes as Linux has it")
@pytest.mark.parametrize("closed", [".git", ".git/objects", "."])
def test_a_repository_that_may_not_be_read_is_told_from_none(shell: Shell, new_repo: NewRepo, closed: str) -> None:
    repo = code(new_repo())
    place = repo.root / closed
    place.chmod(0)
    try:
        said = shell.run("init", repo.root, "--json", bound=True)
    finally:
        place.chmod(0o700)
    assert said.code == 2
    assert "read" in said.json["error"]["what"]
    assert said.json["error"]["next_step"]


# ---------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ("budget_tokens = ", "is not valid TOML"),
        ("colour = 'red'", "unknown setting `colour`"),
        ("budget_tokens = -1", "must lie between 0 and 1,000,000"),
        ("budget_tokens = 'many'", "must be int"),
        ("parse_workers = 100000", "must lie between 0 and 64"),
        ("store_wait_s = nan", "must lie between 0 and 3,600"),
        ("store_wait_s = inf", "must lie between 0 and 3,600"),
        ("file_max_bytes = inf", "must be int"),
        ("tokenizer = 'guess'", "There is no tokenizer `guess`"),
        ("memory_limit = 'lots'", "`memory_limit` is not a size"),
    ],
)
def test_a_setting_that_makes_no_sense_is_named(newcomer: Shell, new_repo: NewRepo, settings: str, what: str) -> None:
    newcomer.home.mkdir()
    (newcomer.home / "config.toml").write_text(settings)
    newcomer = newcomer.at(code(new_repo()).root)
    for arguments in (("init",), ("context",)):
        refused(newcomer(*arguments), what, "")
    assert {one.name for one in newcomer.home.iterdir()} - {HIDING_NAME} == {"config.toml"}


def test_the_doctor_names_settings_that_make_no_sense(newcomer: Shell) -> None:
    newcomer.home.mkdir()
    (newcomer.home / "config.toml").write_text("budget_tokens = ")
    said = newcomer("doctor", "--json")
    assert said.code == 1
    assert ("settings", "broken") in {(one["name"], one["state"]) for one in said.json}


def test_the_budget_of_the_settings_holds(shop: Shell) -> None:
    assert shop.with_(budget_tokens="123")("context", "--json").json["budget_tokens"] == 123
    refused(shop.with_(budget_tokens="-3")("context"), "`budget_tokens` must lie between", "doctor --settings")


# ---------------------------------------------------------------------- a clock that runs backwards


def test_a_clock_that_runs_backwards_loses_nothing(new_repo: NewRepo, tmp_path: Path) -> None:
    repo = code(new_repo())
    repo.write("pyproject.toml", '[project]\nname = "app"\n\n[tool.ruff]\nline-length = 100\n')
    repo.commit("Configure it")
    desk = Desk(tmp_path / "home", FakeClock())
    desk.scan(repo.root)
    companion = desk.open(repo.root)
    companion.remember(Note("Deploys happen on Tuesdays"))
    companion.close()
    desk.clock.advance(days=-4_000)
    repo.write("pyproject.toml", '[project]\nname = "app"\n\n[tool.ruff]\nline-length = 120\n')
    repo.commit("Widen lines", GIT_COMMITTER_DATE="2001-01-01T00:00:00 +0000")
    report = desk.scan(repo.root)
    assert (report.commits_total, report.changed) == (3, 1)
    companion = desk.open(repo.root)
    values = {m.draft.attribute: m.draft.value for m in companion.rooms.memories.iterate(companion.project)}
    assert values["line_length"] == "120"
    context = companion.assemble(4_000, Signals(current_file="app.py"), Format.MARKDOWN, Order.PEOPLE)
    assert context.tokens <= 4_000
    assert context.missing == () or "model" in context.missing[0]
    (hit,) = [h for h in companion.search(SearchQuery(text="Tuesdays")) if h.memory.draft.value.startswith("Deploys")]
    again = companion.remember(Note("Deploys happen on Wednesdays"))
    companion.forget(again.id)
    assert companion.predict(Signals(current_file="app.py")).files is not None
    assert companion.search(SearchQuery(text="Tuesdays"))[0].memory.id == hit.memory.id
    companion.close()
