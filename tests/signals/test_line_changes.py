"""What commits did to lines, by git's own word: folded, it is what `git blame` says, whatever the files are called."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

from companion.errors import SourceError
from companion.evidence.line_origins import LineOrigins
from companion.signals import git

ODD = 'od d/näme "quoted"\twith\nlines\\x.txt'


def text(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def folded(repo: Repo, most: int = 1_000) -> LineOrigins:
    origins = LineOrigins()
    for commit in git.line_changes(repo.state, "HEAD", most):
        origins.fold(commit)
    return origins


def blamed(repo: Repo, path: str, *flags: str) -> list[str]:
    told = repo.git("blame", "-s", "-l", "-w", "--root", "--first-parent", *flags, "HEAD", "--", path)
    return [line.split()[0] for line in told.splitlines()]


def known(repo: Repo, path: str) -> list[str]:
    origins, blob = folded(repo), repo.git("rev-parse", f"HEAD:{path}")
    name = next(path for path, one in repo.blobs.items() if one == blob)
    count = len(blamed(repo, path))
    return ["".join(sha for sha, _ in origins.makers(name, blob, (n, n))) for n in range(1, count + 1)]


def test_lines_are_of_the_commits_that_blame_names(repo: Repo):
    repo.write("a.py", text(*"abcdefghij"))
    repo.commit("begin")
    repo.write("a.py", text("new", *"abcd", "  e", *"fghi") + "no end")
    repo.commit("change, and indent a line")
    repo.git("mv", "a.py", "b.py")
    repo.write("b.py", text("new", *"abc", "D", "  e", *"fghi", "no end", "@@ -1 +1 @@", "diff --git a/x b/x"))
    repo.commit("move and change")
    repo.write(
        "b.py", text("new", *"abc", "D", "  e", *"fgi", "no end", "@@ -1 +1 @@", "index 1..2", "\x01" + "a" * 40)
    )
    repo.commit("take out and change")
    assert known(repo, "b.py") == blamed(repo, "b.py")


def test_a_block_that_moves_keeps_its_makers_within_a_file_and_into_another(repo: Repo):
    block = [f"value_{name} = compute_the_value_of({name!r})" for name in "abcd"]
    rest = [f"another line, number {n}" for n in range(6)]
    repo.write("a.py", text(*block, *rest))
    repo.write("c.py", text("x = 1"))
    first = repo.commit("begin")
    repo.write("a.py", text(*rest, *block))
    repo.commit("move down")
    repo.write("a.py", text(*rest, "end"))
    repo.write("b.py", text("def all():", *(f"    {line}" for line in block), "}"))
    repo.write("c.py", text("x = 1", "end"))
    last = repo.commit("into another file, indented")
    assert known(repo, "b.py") == blamed(repo, "b.py", "-M", "-C") == [last, *[first] * 4, last]
    assert known(repo, "a.py") == blamed(repo, "a.py", "-M", "-C") == [*[first] * 6, last]
    assert known(repo, "c.py") == [first, last], "a short line is alike everywhere"


def test_lines_that_say_the_same_in_another_form_stay_with_who_wrote_them(repo: Repo):
    repo.write("a.py", text("call(first, 'second', third)", "x = 1", "y = 2"))
    first = repo.commit("begin")
    repo.write("a.py", text("call(", "    first,", '    "second",', "    third,", ")", "x = 1", "y = 3"))
    form = repo.commit("a form for all")
    assert known(repo, "a.py") == [*[first] * 6, form]
    repo.write("a.py", text("call(first, 'another', third)", "x = 1", "y = 3"))
    last = repo.commit("say another")
    assert known(repo, "a.py") == [last, first, form]


def test_a_merge_stands_for_its_branch(repo: Repo):
    repo.write("a.py", text("one", "two"))
    repo.commit("begin")
    repo.git("checkout", "-q", "-b", "side")
    repo.write("a.py", text("zero", "one", "two"))
    repo.commit("on the branch")
    repo.git("checkout", "-q", "main")
    repo.write("a.py", text("one", "two", "three"))
    repo.commit("meanwhile")
    repo.git("merge", "-q", "--no-ff", "-m", "Merge side", "side")
    assert known(repo, "a.py") == blamed(repo, "a.py")
    *_, last = git.line_changes(repo.state, "HEAD", 10)
    assert last.merge
    assert [hunk for file in last.files for hunk in file.hunks] == [(0, 0, 1)]


def test_a_name_of_any_bytes_is_followed_as_every_other(repo: Repo):
    repo.write(ODD, text("one"))
    repo.commit("begin")
    repo.write(ODD, text("one", "two"))
    repo.commit("more")
    assert known(repo, ODD) == blamed(repo, ODD)


def test_what_has_no_lines_is_no_text_and_text_with_odd_bytes_is(repo: Repo):
    repo.write("picture.bin", b"a\0b\n")
    repo.write("late.txt", b"x" * 9_000 + b"\n\0\n\x01\n")
    repo.write("link", "one\n")
    inner = repo.commit("begin")
    repo.write("picture.bin", b"a\0c\n")
    (repo.root / "link").unlink()
    (repo.root / "link").symlink_to("late.txt")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{inner},module")
    repo.git("add", "link", "picture.bin")
    repo.git("commit", "-q", "-m", "change")
    *_, last = git.line_changes(repo.state, "HEAD", 10)
    assert {file.path: file.text for file in last.files} == {"picture.bin": False, "link": False, "module": False}
    assert known(repo, "late.txt") == blamed(repo, "late.txt")


def test_the_users_settings_change_nothing(repo: Repo):
    repo.write("a.py", text(*"abcdefghij"))
    repo.commit("begin")
    repo.write("a.py", text(*"abXdeYghij"))
    repo.commit("change")
    plain = list(git.line_changes(repo.state, "HEAD", 10))
    for name, value in (
        ("log.showRoot", "false"),
        ("diff.context", "5"),
        ("diff.interHunkContext", "9"),
        ("diff.noprefix", "true"),
        ("diff.submodule", "log"),
        ("log.diffMerges", "combined"),
        ("color.ui", "always"),
        ("log.date", "relative"),
        ("format.pretty", "oneline"),
    ):
        repo.git("config", name, value)
    assert list(git.line_changes(repo.state, "HEAD", 10)) == plain
    assert len(plain[1].files[0].hunks) == 2


def test_a_line_of_many_megabytes_is_passed_over(repo: Repo):
    repo.write("min.js", b"x" * 3_000_000 + b"\n")
    repo.write("z.py", text("one"))
    repo.commit("begin")
    repo.write("min.js", b"y" * 3_000_000)
    repo.write("z.py", text("one", "two"))
    repo.commit("change")
    assert known(repo, "z.py") == blamed(repo, "z.py")


def test_only_the_newest_commits_are_read_and_nothing_of_what_is_not_there(repo: Repo):
    assert list(git.line_changes(repo.state, "HEAD", 0)) == []
    shas = []
    for number in range(4):
        repo.write("a.py", text(*map(str, range(number + 1))))
        shas.append(repo.commit(f"step {number}"))
    assert git.first_parents(repo.state, "HEAD", 3) == tuple(reversed(shas[1:]))
    assert [one.sha for one in git.line_changes(repo.state, "HEAD", 2)] == shas[2:]
    assert git.first_parents(repo.state, "f" * 40, 3) == git.first_parents(repo.state, "--all", 3) == ()
    assert known(repo, "a.py") == shas


def test_the_end_of_a_shallow_history_made_nothing(repo: Repo, tmp_path: Path):
    for number in range(3):
        repo.write("a.py", text(*map(str, range(number + 1))))
        newest = repo.commit(f"step {number}")
    repo.git("clone", "-q", "--depth=2", repo.root.as_uri(), str(tmp_path / "shallow"))
    shallow = Repo(tmp_path / "shallow")
    assert git.first_parents(shallow.state, "HEAD", 9) == (newest,)
    blob = shallow.git("rev-parse", "HEAD:a.py")
    assert folded(shallow, 1).makers("a.py", blob, (1, 3)) == ((newest, 1),)


def test_contents_that_were_left_out_of_a_clone_are_said_to_lack(repo: Repo, tmp_path: Path):
    repo.git("config", "uploadpack.allowFilter", "true")
    for number in range(3):
        repo.write("a.py", text(*map(str, range(number + 1))))
        repo.commit(f"step {number}")
    repo.git("clone", "-q", "--filter=blob:none", "--no-checkout", repo.root.as_uri(), str(tmp_path / "partial"))
    with pytest.raises(SourceError, match="stopped early"):
        folded(Repo(tmp_path / "partial"))
