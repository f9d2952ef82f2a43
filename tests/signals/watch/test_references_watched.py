"""What git does to references is told, from the files it writes, and a commit as one."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

from companion.signals.watch import Watching
from companion.signals.watch.burst import GatheredChanges
from companion.signals.watch.references import References
from signals.watch.conftest import Eye, Look


@pytest.fixture
def branches(project: Repo) -> Repo:
    """Two branches that differ in a file each, `main` checked out."""
    project.git("checkout", "-q", "-b", "side")
    project.write("side.py", "s = 1\n")
    project.commit("Side")
    project.git("checkout", "-q", "main")
    project.write("main.py", "m = 1\n")
    project.commit("Main")
    return project


def told_after(eye: Eye, *, commit: bool = False) -> None:
    eye.told.wait(lambda: bool(eye.told.commits() if commit else eye.told.looks()))
    assert commit or not eye.told.commits()
    eye.settle()


def test_everyday_operations_are_told_and_commits_as_such(look: Look, branches: Repo):
    repo, eye = branches, look(branches.root)
    repo.write("src/a.py", "x = 2\n")
    repo.commit("Two")
    told_after(eye, commit=True)
    repo.git("checkout", "-q", "side")
    told_after(eye)
    repo.git("checkout", "-q", "main")
    told_after(eye)
    repo.git("merge", "-q", "--no-edit", "side")
    told_after(eye)
    repo.git("reset", "-q", "--hard", "HEAD~1")
    told_after(eye)
    repo.git("rebase", "-q", "side")
    told_after(eye)
    repo.git("revert", "--no-edit", "HEAD")
    told_after(eye)
    repo.write("src/a.py", "x = 3\n")
    repo.git("stash", "-q")
    told_after(eye)
    repo.git("stash", "pop", "-q")
    told_after(eye)
    repo.git("checkout", "-q", "--", ".")
    repo.git("tag", "v1")
    told_after(eye)
    repo.git("branch", "third")
    told_after(eye)


def test_a_checkout_tells_its_files_too(look: Look, branches: Repo):
    eye = look(branches.root)
    branches.git("checkout", "-q", "side")
    eye.told.wait(lambda: {"main.py", "side.py"} <= eye.told.paths() and bool(eye.told.looks()))
    assert not eye.told.commits()


def test_files_of_a_burst_are_told_before_its_references_so_that_one_look_takes_in_both(branches: Repo):
    told: list[frozenset[str] | None] = []
    watching = Watching(branches.state, told.append)
    branches.write("fresh.py", "f = 1\n")
    branches.commit("Fresh")
    watching._tell(GatheredChanges(files={"fresh.py"}, references={"logs/HEAD", "refs/heads/main"}))
    assert told == [frozenset({"fresh.py"}), frozenset()]


def test_fetch_and_pull_are_told(look: Look, branches: Repo, tmp_path: Path):
    branches.git("clone", "-q", str(branches.root), str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone", minute=30)
    eye = look(clone.root)
    branches.write("new.py", "n = 1\n")
    branches.commit("New")
    clone.git("fetch", "-q")
    told_after(eye)
    clone.git("pull", "-q", "--ff-only")
    told_after(eye)


def test_a_conflict_is_told_as_the_merge_or_rebase_that_it_stops(look: Look, branches: Repo):
    branches.git("checkout", "-q", "side")
    branches.write("main.py", "m = 2\n")
    branches.commit("Other main")
    eye = look(branches.root)
    branches.git("merge", "-q", "main", check=False)
    told_after(eye)
    branches.git("merge", "--abort")
    branches.git("rebase", "-q", "main", check=False)
    told_after(eye)


def test_worktrees_are_told_and_one_of_them_hears_of_its_own_head(look: Look, branches: Repo, tmp_path: Path):
    eye = look(branches.root)
    branches.git("worktree", "add", "-q", str(tmp_path / "other"), "side")
    told_after(eye)
    other = Repo(tmp_path / "other", minute=40)
    inside = look(other.root)
    other.write("side.py", "s = 2\n")
    other.commit("More side")
    told_after(inside, commit=True)
    other.git("checkout", "-q", "-b", "third")
    told_after(inside)
    eye.told.wait(lambda: bool(eye.told.looks()))


def test_submodules_are_told(look: Look, branches: Repo, tmp_path: Path):
    branches.git("clone", "-q", str(branches.root), str(tmp_path / "library"))
    eye = look(branches.root)
    branches.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tmp_path / "library"), "library")
    eye.told.wait(lambda: bool(eye.told.looks()))
    eye.told.wait(lambda: ".gitmodules" in eye.told.paths())


def test_staging_and_looking_at_the_status_is_nothing(look: Look, branches: Repo):
    eye = look(branches.root)
    branches.write("src/a.py", "x = 9\n")
    branches.git("add", "-A")
    branches.git("status")
    branches.git("diff", "--cached")
    eye.settle()
    branches.write("src/a.py", "x = 10\n")
    eye.told.wait(lambda: eye.told.paths() == {"src/a.py"})
    assert eye.told.commits() == eye.told.looks() == 0


def test_rules_of_this_clone_alone_ask_for_a_full_look(look: Look, branches: Repo):
    eye = look(branches.root)
    branches.write(".git/info/exclude", "*.py\n")
    eye.told.wait(lambda: bool(eye.told.looks()))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"a b Ann <a@b> 1 +0000\tcommit (amend): Fix", True),
        (b"a b Ann <a@b> 1 +0000\tcheckout: moving from main to side", False),
        (b"a b Ann <a@b> 1 +0000\tmerge side: Fast-forward", False),
        (b"a b Ann <a@b> 1 +0000\tpull --rebase (finish): returning", False),
        (b"a b Ann <a@b> 1 +0000\trebase (pick): Fix", False),
        (b"a b Ann <a@b> 1 +0000\tcherry-pick: Fix", False),
        (b"a b Ann <a@b> 1 +0000\tam: Fix", True),
        (b"a b Ann <a@b> 1 +0000\tcommitted: else", False),
        (b"", False),
    ],
)
def test_a_line_of_the_reflog_says_whether_a_commit_was_made(tmp_path: Path, line: bytes, expected: bool):
    seen = References(tmp_path)
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "HEAD").write_bytes(b"0 1 the line before\tcheckout: moving\n" + line + b"\n")
    assert seen.moved({"HEAD"}) is expected
