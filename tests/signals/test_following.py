"""The lines of a definition are followed back through edits, renames and moves, whatever the history is like."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

from companion.records import HistoryEnd, LineHistory
from companion.signals import git
from companion.signals.git import following

NAMES = ("first", "second", "third", "fourth", "fifth", "sixth")


def function(name: str = "area", result: str = "width * height") -> str:
    return f'def {name}(width, height):\n    """The area of a rectangle, in squares."""\n    return {result}\n'


def rest(count: int = 5) -> str:
    return "".join(f"\n\ndef other_{n}():\n    return 'something else, number {n}'\n" for n in range(count))


def past(repo: Repo, path: str, first: int = 1, last: int = 3) -> LineHistory:
    return git.line_history(repo.state, path, (first, last))


def subjects(history: LineHistory) -> list[str]:
    return [change.commit.subject for change in history.changes]


def test_what_commits_did_to_the_lines_is_told_and_nothing_that_others_did_to_the_file(repo: Repo):
    repo.write("a.py", rest(1) + "\n\n" + function())
    repo.commit("write")
    repo.write("a.py", rest(2) + "\n\n" + function())
    repo.commit("write another")
    repo.write("a.py", rest(2) + "\n\n" + function(result="abs(width * height)"))
    repo.commit("never below zero")
    history = past(repo, "a.py", 11, 13)
    assert subjects(history) == ["never below zero", "write"]
    assert next((change.taken, change.put) for change in history.changes) == (
        ("    return width * height",),
        ("    return abs(width * height)",),
    )
    assert [change.first for change in history.changes] == [False, True]
    assert (history.changes[0].span, history.end) == ((11, 13), HistoryEnd.BEGUN)


def test_lines_are_followed_through_the_names_of_their_file(repo: Repo):
    repo.write("a.py", function() + rest())
    repo.commit("write")
    (repo.root / "od d").mkdir()
    repo.git("mv", "a.py", 'od d/nä"me.py')
    repo.commit("move the file")
    repo.write('od d/nä"me.py', function(result="abs(width * height)") + rest())
    repo.commit("never below zero")
    assert subjects(past(repo, 'od d/nä"me.py')) == ["never below zero", "write"]


def test_a_definition_that_moves_to_another_file_brings_its_past_with_it(repo: Repo):
    repo.write("a.py", function() + rest())
    repo.commit("write")
    repo.write("a.py", function(result="abs(width * height)") + rest())
    repo.commit("never below zero")
    repo.write("a.py", rest())
    repo.write("b.py", "import math\n\n\n" + function(result="abs(width * height)"))
    repo.commit("split the file")
    history = past(repo, "b.py", 4, 6)
    assert subjects(history) == ["split the file", "never below zero", "write"]
    assert [change.came_from for change in history.changes] == ["a.py", "", ""]
    assert [change.path for change in history.changes] == ["b.py", "a.py", "a.py"]
    assert [change.first for change in history.changes] == [False, False, True]


@pytest.mark.parametrize("place", ["src/a.py", "lib/a.py"])
def test_a_file_that_one_commit_deleted_and_a_later_one_brought_again_keeps_its_past(repo: Repo, place: str):
    repo.write("src/a.py", function() + rest())
    repo.commit("write")
    repo.write("src/a.py", function(result="abs(width * height)") + rest())
    repo.commit("never below zero")
    repo.git("rm", "-q", "src/a.py")
    repo.commit("make room")
    repo.write("c.py", "x = 1\n")
    repo.commit("something else")
    repo.write(place, function(result="abs(width * height)") + rest())
    repo.write("src/c/a.py", "x = 2\n")
    repo.commit("move the folder")
    history = past(repo, place)
    assert subjects(history) == ["move the folder", "never below zero", "write"]
    assert [change.came_from for change in history.changes] == ["src/a.py", "", ""]
    assert [change.first for change in history.changes] == [False, False, True]
    assert subjects(past(repo, "src/c/a.py", 1, 1)) == ["move the folder"]


def test_of_many_deleted_files_of_a_name_a_few_are_looked_into(repo: Repo, monkeypatch: pytest.MonkeyPatch):
    for number in range(30):
        repo.write(f"p{number:02}/a.py", f"x = {number}\n")
    repo.commit("write")
    repo.git("rm", "-rq", *(f"p{number:02}" for number in range(30)))
    repo.commit("make room")
    repo.write("a.py", function())
    repo.commit("measure")
    printed: list[str] = []
    real = following._printed

    def counted(root: Path, until: float, *asked: str) -> bytes:
        printed.append(asked[0])
        return real(root, until, *asked)

    monkeypatch.setattr(following, "_printed", counted)
    assert subjects(past(repo, "a.py")) == ["measure"]
    assert printed.count("cat-file") == following.GONE_FILES


def test_a_definition_that_was_renamed_five_times_has_one_past(repo: Repo):
    for name in NAMES:
        repo.write("a.py", function(name) + rest())
        repo.commit(f"call it {name}")
    assert subjects(past(repo, "a.py")) == [f"call it {name}" for name in reversed(NAMES)]


def test_whole_folders_may_move_and_what_was_merged_from_elsewhere_too(repo: Repo, tmp_path: Path):
    repo.write("lib/a.py", function() + rest())
    repo.commit("write")
    (repo.root / "src").mkdir()
    repo.git("mv", "lib", "src/lib")
    repo.commit("move all")
    assert subjects(past(repo, "src/lib/a.py")) == ["write"]


def test_lines_that_are_not_committed_yet_have_no_past_and_those_around_them_keep_theirs(repo: Repo):
    repo.write("a.py", function() + rest())
    repo.commit("write")
    repo.write("a.py", "# new\n" * 4 + function() + rest() + function("fresh"))
    assert subjects(past(repo, "a.py", 1, 4)) == []
    assert subjects(past(repo, "a.py", 5, 7)) == ["write"]
    assert subjects(past(repo, "a.py", 28, 30)) == []
    repo.write("new.py", function())
    assert past(repo, "new.py") == LineHistory()


def test_in_a_shallow_clone_the_commit_at_which_it_was_cut_made_nothing(repo: Repo, tmp_path: Path):
    repo.write("a.py", function() + rest())
    repo.commit("write")
    repo.write("a.py", function(result="abs(width * height)") + rest())
    repo.commit("never below zero")
    repo.write("a.py", function(result="abs(height * width)") + rest())
    repo.commit("turn it")
    repo.git("clone", "-q", "--depth=2", repo.root.as_uri(), str(tmp_path / "shallow"))
    history = past(Repo(tmp_path / "shallow"), "a.py")
    assert (subjects(history), history.end) == (["turn it"], HistoryEnd.SHALLOW)
    assert not any(change.first for change in history.changes)


def test_a_history_that_was_grafted_is_read_as_it_was_committed(repo: Repo):
    repo.write("a.py", function() + rest())
    repo.commit("write")
    repo.write("a.py", function(result="abs(width * height)") + rest())
    cut = repo.commit("never below zero")
    repo.git("replace", "--graft", cut)
    assert subjects(past(repo, "a.py")) == ["never below zero", "write"]


def test_what_was_squashed_is_one_commit(repo: Repo):
    repo.write("a.py", rest())
    repo.commit("begin")
    repo.git("switch", "-qc", "topic")
    for name in NAMES:
        repo.write("a.py", function(name) + rest())
        repo.commit(f"call it {name}")
    repo.git("switch", "-q", "main")
    repo.git("merge", "-q", "--squash", "topic")
    repo.commit("Areas (#12)")
    assert subjects(past(repo, "a.py")) == ["Areas (#12)"]


def test_lines_that_pose_as_headers_are_content(repo: Repo):
    hostile = ["-- a/evil.py", "++ b/evil.py", "@@ -1,9 +1,9 @@", "\x01" + "a" * 40, "diff --git a/x b/x"]
    repo.write("a.py", "\n".join(["def area():", *hostile, "    return 1", ""]))
    repo.commit("write")
    repo.write("a.py", "\n".join(["def area():", *hostile[1:], "    return 2", ""]))
    repo.commit("change")
    history = past(repo, "a.py", 1, 6)
    assert subjects(history) == ["change", "write"]
    assert history.changes[0].taken == (hostile[0], "    return 1")
    assert history.changes[0].path == "a.py"


def test_a_repository_without_commits_and_a_binary_have_no_past(repo: Repo):
    repo.write("a.py", function())
    assert past(repo, "a.py") == LineHistory()
    repo.write("b.bin", bytes(range(256)) * 20)
    repo.commit("begin")
    repo.write("b.bin", bytes(range(255, -1, -1)) * 20)
    repo.commit("change it")
    assert not [change for change in past(repo, "b.bin", 1, 1).changes if "b.bin" not in change.path]


def test_a_generated_file_of_a_hundred_thousand_lines_is_followed_within_bounds(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
):
    lines = [f"value_{n} = {n}" for n in range(100_000)]
    for step in range(4):
        repo.write("a.py", "\n".join([f"step = {step}", *lines, ""]))
        repo.commit(f"generate {step}")
    assert subjects(past(repo, "a.py", 1, 1)) == [f"generate {step}" for step in (3, 2, 1, 0)]
    monkeypatch.setattr(following, "READ_MOST_BYTES", 100_000)
    history = past(repo, "a.py", 1, 100_001)
    assert history.end is HistoryEnd.TIME
    assert len(history.changes) < 4
    assert not any(change.first for change in history.changes)
    assert git.line_history(repo.state, "a.py", (1, 1), wait_s=0.0) == LineHistory((), HistoryEnd.TIME)


def test_the_merge_that_brought_a_commit_is_known(repo: Repo):
    repo.write("a.py", rest())
    base = repo.commit("begin")
    repo.git("switch", "-qc", "topic")
    repo.write("a.py", function() + rest())
    wrote = repo.commit("write")
    repo.git("switch", "-q", "main")
    repo.write("b.py", "x = 1\n")
    beside = repo.commit("beside")
    repo.git("merge", "-q", "--no-ff", "topic", "-m", "Merge pull request #7 from ann/topic")
    merge = git.merged_by(repo.state, wrote)
    assert merge is not None
    assert merge.pull_request == "7"
    assert git.merged_by(repo.state, base) is None
    assert git.merged_by(repo.state, beside) is None
