"""What git does to references is told, in git's own words, from the files it writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

from companion.daemon.references import common_folder, git_folder
from companion.signals.watch import Change, FilesChanged, GitIgnores, RefsMoved, Watching, What
from companion.signals.watch.burst import Gathered
from companion.signals.watch.reflog import what
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


def told_after(eye: Eye, *expected: What) -> None:
    eye.told.wait(lambda: set(expected) <= set(eye.told.moves()))
    eye.settle()


def test_everyday_operations_are_told_by_name(look: Look, branches: Repo):
    repo, eye = branches, look(branches.root)
    repo.write("src/a.py", "x = 2\n")
    repo.commit("Two")
    told_after(eye, What.COMMIT)
    repo.git("checkout", "-q", "side")
    told_after(eye, What.CHECKOUT)
    repo.git("checkout", "-q", "main")
    told_after(eye, What.CHECKOUT)
    repo.git("merge", "-q", "--no-edit", "side")
    told_after(eye, What.MERGE)
    repo.git("reset", "-q", "--hard", "HEAD~1")
    told_after(eye, What.RESET)
    repo.git("rebase", "-q", "side")
    told_after(eye, What.REBASE)
    repo.git("revert", "--no-edit", "HEAD")
    told_after(eye, What.REVERT)
    repo.write("src/a.py", "x = 3\n")
    repo.git("stash", "-q")
    told_after(eye, What.STASH)
    repo.git("stash", "pop", "-q")
    told_after(eye, What.STASH)
    repo.git("checkout", "-q", "--", ".")
    repo.git("tag", "v1")
    told_after(eye, What.TAG)
    repo.git("branch", "third")
    told_after(eye, What.BRANCH)


def test_a_checkout_tells_its_files_too(look: Look, branches: Repo):
    eye = look(branches.root)
    branches.git("checkout", "-q", "side")
    eye.told.wait(lambda: {"main.py", "side.py"} <= eye.told.paths() and bool(eye.told.moves()))
    assert eye.told.moves()[0] is What.CHECKOUT


def test_files_of_a_burst_are_told_before_its_references_so_that_one_look_takes_in_both(branches: Repo):
    told: list[Change] = []
    own = git_folder(branches.root)
    watching = Watching(branches.root, own, common_folder(own), GitIgnores(branches.state), told.append)
    branches.write("fresh.py", "f = 1\n")
    branches.commit("Fresh")
    watching._tell(Gathered(files={"fresh.py"}, references={"logs/HEAD", "refs/heads/main"}))
    assert told == [FilesChanged(frozenset({"fresh.py"})), RefsMoved(What.COMMIT)]


def test_fetch_and_pull_are_told(look: Look, branches: Repo, tmp_path: Path):
    branches.git("clone", "-q", str(branches.root), str(tmp_path / "clone"))
    clone = Repo(tmp_path / "clone", minute=30)
    eye = look(clone.root)
    branches.write("new.py", "n = 1\n")
    branches.commit("New")
    clone.git("fetch", "-q")
    told_after(eye, What.FETCH)
    clone.git("pull", "-q", "--ff-only")
    told_after(eye, What.PULL)


def test_a_conflict_is_told_as_the_merge_or_rebase_that_it_stops(look: Look, branches: Repo):
    branches.git("checkout", "-q", "side")
    branches.write("main.py", "m = 2\n")
    branches.commit("Other main")
    eye = look(branches.root)
    branches.git("merge", "-q", "main", check=False)
    told_after(eye, What.MERGE)
    branches.git("merge", "--abort")
    branches.git("rebase", "-q", "main", check=False)
    told_after(eye, What.REBASE)


def test_worktrees_are_told_and_one_of_them_hears_of_its_own_head(look: Look, branches: Repo, tmp_path: Path):
    eye = look(branches.root)
    branches.git("worktree", "add", "-q", str(tmp_path / "other"), "side")
    told_after(eye, What.WORKTREE)
    other = Repo(tmp_path / "other", minute=40)
    inside = look(other.root)
    other.write("side.py", "s = 2\n")
    other.commit("More side")
    told_after(inside, What.COMMIT)
    other.git("checkout", "-q", "-b", "third")
    told_after(inside, What.CHECKOUT)
    eye.told.wait(lambda: What.WORKTREE in eye.told.moves())


def test_submodules_are_told(look: Look, branches: Repo, tmp_path: Path):
    branches.git("clone", "-q", str(branches.root), str(tmp_path / "library"))
    eye = look(branches.root)
    branches.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(tmp_path / "library"), "library")
    eye.told.wait(lambda: What.SUBMODULE in eye.told.moves())
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
    assert eye.told.moves() == []


def test_rules_of_this_clone_alone_ask_for_a_full_look(look: Look, branches: Repo):
    eye = look(branches.root)
    branches.write(".git/info/exclude", "*.py\n")
    eye.told.wait(lambda: any("ignored" in reason for reason in eye.told.reasons()))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"a b Ann <a@b> 1 +0000\tcommit (amend): Fix", What.COMMIT),
        (b"a b Ann <a@b> 1 +0000\tcheckout: moving from main to side", What.CHECKOUT),
        (b"a b Ann <a@b> 1 +0000\tmerge side: Fast-forward", What.MERGE),
        (b"a b Ann <a@b> 1 +0000\tpull --rebase (finish): returning", What.PULL),
        (b"a b Ann <a@b> 1 +0000\trebase (pick): Fix", What.REBASE),
        (b"a b Ann <a@b> 1 +0000\tcherry-pick: Fix", What.CHERRY_PICK),
        (b"a b Ann <a@b> 1 +0000\tsomething: else", None),
        (b"", None),
    ],
)
def test_a_line_of_the_reflog_says_what_was_done(line: bytes, expected: What | None):
    assert what(line) is expected
