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
