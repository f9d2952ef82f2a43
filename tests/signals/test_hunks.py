"""Which lines of a file a commit changes."""

from __future__ import annotations

from repos import Repo

from companion.signals import git


def text(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_changed_and_removed_lines_are_those_of_the_older_commit(repo: Repo):
    repo.write("a.py", text("one", "-- two", "three", "four", "five"))
    older = repo.commit("begin")
    repo.write("a.py", text("one", "++ 2", "three", "five"))
    newer = repo.commit("change")
    assert git.old_spans(repo.state, older, newer) == {"a.py": ((2, 2), (4, 4))}


def test_the_line_before_stands_for_added_lines_and_the_first_one_at_the_top(repo: Repo):
    repo.write("a.py", text("one", "two", "three"))
    older = repo.commit("begin")
    repo.write("a.py", text("zero", "one", "two", "two and a half", "three"))
    newer = repo.commit("add")
    assert git.old_spans(repo.state, older, newer) == {"a.py": ((1, 1), (2, 2))}


def test_a_renamed_file_has_its_old_path_and_a_new_one_no_old_lines(repo: Repo):
    repo.write("old name.py", text(*"abcdefghij"))
    older = repo.commit("begin")
    repo.git("mv", "old name.py", "new.py")
    repo.write("new.py", text(*"abcdefghi", "changed"))
    repo.write("added.py", text("all", "new"))
    newer = repo.commit("move")
    assert git.old_spans(repo.state, older, newer) == {"old name.py": ((10, 10),)}


def test_a_commit_that_is_not_there_changes_nothing(repo: Repo):
    repo.write("a.py", text("one"))
    sha = repo.commit("begin")
    assert git.old_spans(repo.state, "f" * 40, sha) == git.old_spans(repo.state, "--output=x", sha) == {}


def test_lines_on_disk_that_are_in_no_commit_are_found_beside_new_and_missing_files(repo: Repo):
    for name in ("a b.py", "gone.py", "kept.py"):
        repo.write(name, text(*"abcdefgh"))
    repo.write("image.bin", b"\0\1")
    repo.commit("Begin")
    repo.write("a b.py", text("a", "new", "new", *"bc", "e", "other", *"gh"))
    (repo.root / "gone.py").unlink()
    repo.write("added.py", "@@ -1 +1 @@\n+++ b/kept.py\n")
    repo.write("staged.py", "one\n")
    repo.write("image.bin", b"\0\2")
    repo.git("add", "staged.py")
    assert git.edited_spans(repo.state) == {
        "a b.py": ((2, 3), (5, 5), (7, 7)),
        "gone.py": (),
        "added.py": None,
        "staged.py": ((1, 1),),
        "image.bin": (),
    }


def test_before_the_first_commit_all_files_are_new(repo: Repo):
    repo.write("a.py")
    assert git.edited_spans(repo.state) == {"a.py": None}
    assert git.unmerged(repo.state, 5) == ()


def test_branches_that_are_not_merged_are_told_the_last_worked_on_first(repo: Repo):
    repo.commit("Begin")
    for name in ("first", "second"):
        repo.git("checkout", "-q", "-b", name, "main")
        repo.commit(f"Try {name}")
    repo.git("checkout", "-q", "-b", "merged", "main")
    found = git.unmerged(repo.state, 5)
    assert [(name, subject) for name, subject, _ in found] == [("second", "Try second"), ("first", "Try first")]
    assert found[0][2] - found[1][2] == 1
    assert git.unmerged(repo.state, 1) == found[:1]
