"""Whatever a repository is like - none, empty, bare, half merged, never read: an answer, or a sentence with the next command."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from repos import Repo

from surfaces.conftest import NOTE
from surfaces.odd import NewRepo, code, posix_only, skipped
from surfaces.shells import LINUX, PROGRAM, Shell, refused, refused_as_json

ASKING = (("context",), ("predict",), ("search", "x"), ("explain",), ("stats",), ("rebuild",))
KEEPING = (
    ("remember", "x"),
    ("forget", "m1"),
    ("revive", "m1"),
    ("pin", "m1"),
    ("export", "out", "--project"),
    ("backup",),
)


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
    alone = shell.run("context", "-C", repo.root)
    refused(alone, "has not been read yet", "companion init")
    assert [line.partition(":")[0] for line in alone.err.splitlines()] == ["Error", "Next"]
    assert shell("remember", "It will be a shop").code == 0
    code(repo)
    assert shell("init", "--json").json["commits_total"] == 1
    assert [
        hit["memory"]["draft"]["value"] for hit in shell("search", "shop", "--kind", "fact", "--json").json["hits"]
    ] == ["It will be a shop"]


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


# ---------------------------------------------------------------------- never read, or not to be read


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
