"""A checkout is found from anywhere in it, whatever state it is in."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from repos import Repo

from companion.errors import NotARepository, SourceError, UsageError
from companion.signals import git
from companion.signals.git import between


def test_a_checkout_is_the_same_from_every_folder_and_file_in_it(repo: Repo):
    repo.write("a/b/c.txt")
    repo.commit("first")
    assert repo.state.root == str(repo.root)
    for inside in ("a", "a/b", "a/b/c.txt", ".git", ".git/refs"):
        assert git.open_repository(repo.root / inside) == repo.state


def test_a_folder_without_a_repository_is_refused_with_a_next_step(tmp_path: Path):
    with pytest.raises(NotARepository, match="git init"):
        git.open_repository(tmp_path)


def test_a_missing_folder_is_named(tmp_path: Path):
    with pytest.raises(UsageError, match="nowhere does not exist"):
        git.open_repository(tmp_path / "nowhere")


def test_an_unborn_branch_has_a_name_and_no_head(repo: Repo):
    assert (repo.state.branch, repo.state.head, repo.state.root_commit) == ("main", "", "")
    assert repo.commits() == []
    assert git.count_commits(repo.state) == 0


def test_a_detached_head_has_no_branch(repo: Repo):
    first = repo.commit("first")
    repo.commit("second")
    repo.git("checkout", "-q", first)
    assert (repo.state.branch, repo.state.head, repo.state.default_branch) == ("", first, "main")


def test_a_head_that_names_no_branch_has_none_however_it_is_asked(repo: Repo):
    first = repo.commit("first")
    repo.git("update-ref", "refs/other/x", first)
    repo.git("symbolic-ref", "HEAD", "refs/other/x")
    assert repo.state.branch == ""
    assert git.head_and_branch(repo.state) == (first, "")


def test_a_bare_repository_is_its_own_root(repo: Repo, tmp_path: Path):
    repo.write("a.txt")
    sha = repo.commit("first")
    repo.git("clone", "-q", "--bare", str(repo.root), str(tmp_path / "bare.git"))
    state = git.open_repository(tmp_path / "bare.git")
    assert (state.bare, state.root, state.head, state.branch) == (True, str(tmp_path / "bare.git"), sha, "main")
    assert [commit.sha for commit in git.read_commits(state)] == [sha]
    assert git.open_repository(tmp_path / "bare.git" / "objects").root == state.root


def test_worktrees_share_their_common_folder_and_keep_their_branch(repo: Repo, tmp_path: Path):
    repo.commit("first")
    repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side = git.open_repository(tmp_path / "side")
    assert side.root == str(tmp_path / "side")
    assert (side.branch, side.common_dir) == ("side", repo.state.common_dir)
    assert side.root_commit == repo.state.root_commit
    assert git.open_repository(repo.root / ".git/worktrees/side").root == side.root


def test_submodules_are_named_and_are_repositories_of_their_own(repo: Repo, new_repo: Callable[..., Repo]):
    inner = new_repo("inner")
    inner.write("lib.c")
    inner.commit("inner")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "libs/inner")
    repo.commit("with a submodule")
    assert repo.state.submodules == ("libs/inner",)
    own = git.open_repository(repo.root / "libs/inner")
    assert own.root == str(repo.root / "libs/inner")
    assert own.root_commit == inner.state.root_commit != repo.state.root_commit


def test_a_shallow_clone_says_so_and_claims_no_root(repo: Repo, tmp_path: Path):
    for name in "abc":
        repo.write(f"{name}.txt")
        repo.commit(name)
    repo.git("clone", "-q", "--depth", "2", repo.root.as_uri(), str(tmp_path / "shallow"))
    state = git.open_repository(tmp_path / "shallow")
    assert (state.shallow, state.root_commit) == (True, "")
    cut, newest = git.read_commits(state)
    assert cut.changes == ()  # git would show all its files as added
    assert [change.path for change in newest.changes] == ["c.txt"]


def test_the_root_is_the_oldest_one_of_the_default_branch(repo: Repo):
    repo.minute = 30
    late = repo.commit("late root")
    repo.git("checkout", "-q", "--orphan", "other")
    repo.minute = 1
    early = repo.commit("early root")
    assert repo.state.root_commit == late  # another branch's root does not count
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--allow-unrelated-histories", "other", "-m", "join")
    assert repo.state.root_commit == early


class Notes(dict[str, str]):
    """Keeps notes about roots in memory."""

    def note(self, common_dir: str) -> str:
        return self.get(common_dir, "")

    def keep(self, common_dir: str, note: str) -> None:
        self[common_dir] = note


def test_a_root_that_was_noted_is_the_one_git_would_find(repo: Repo):
    notes = Notes()

    def noted() -> str:
        found = git.open_repository(repo.root, notes).root_commit
        assert found == repo.state.root_commit == git.open_repository(repo.root, notes).root_commit
        return found

    assert noted() == ""
    assert not notes
    repo.minute = 30
    late = repo.commit("late root")
    assert noted() == late
    repo.commit("more")
    assert noted() == late
    repo.git("checkout", "-q", "--orphan", "other")
    repo.minute = 1
    early = repo.commit("early root")
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--allow-unrelated-histories", "other", "-m", "join")
    assert noted() == early
    repo.git("reset", "-q", "--hard", late)
    assert noted() == late


def test_a_note_spares_the_walk_over_history(repo: Repo):
    notes = Notes()
    tip = repo.commit("only")
    git.open_repository(repo.root, notes)
    (common_dir,) = notes
    notes[common_dir] = f"{tip} 1 {'e' * 40}"
    assert git.open_repository(repo.root, notes).root_commit == "e" * 40


@pytest.mark.parametrize(
    ("begin", "expected"),
    [("merge", "merge"), ("rebase", "rebase"), ("cherry-pick", "cherry-pick"), ("bisect", "bisect")],
)
def test_what_a_checkout_is_in_the_middle_of_is_told(repo: Repo, begin: str, expected: str):
    repo.write("a.txt", "base\n")
    repo.commit("base")
    repo.git("checkout", "-q", "-b", "side")
    repo.write("a.txt", "side\n")
    repo.commit("side")
    repo.git("checkout", "-q", "main")
    repo.write("a.txt", "main\n")
    repo.commit("main")
    assert repo.state.in_progress == ""
    repo.git(begin, "start" if begin == "bisect" else "side", check=False)
    assert repo.state.in_progress == expected


def test_a_revert_with_a_conflict_is_told(repo: Repo):
    repo.write("a.txt", "base\n")
    first = repo.commit("base")
    repo.write("a.txt", "next\n")
    repo.commit("next")
    repo.git("revert", "--no-edit", first, check=False)
    assert repo.state.in_progress == "revert"


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("git@github.com:Ann/Shop.git", "github.com/ann/shop"),
        ("https://ann:ghp_0123456789@GitHub.com:443/Ann/Shop.git/", "github.com/ann/shop"),
        ("ssh://git@github.com:22/ann/shop", "github.com/ann/shop"),
        ("ssh://git@[::1]:2222/ann/shop.git", "::1/ann/shop"),
        ("git://example.org/~ann/shop.git", "example.org/~ann/shop"),
        ("gitlab.example.org:group/sub/shop.git", "gitlab.example.org/group/sub/shop"),
        ("https://dev.azure.com/org/proj/_git/shop", "dev.azure.com/org/proj/_git/shop"),
        ("https://example.org/an%20n/shop", "example.org/an n/shop"),
        ("/srv/git/nothing-here.git", ""),
        ("../nothing-here", ""),
        ("C:\\repos\\shop", ""),
        ("file:///srv/git/nothing-here.git", ""),
        ("", ""),
    ],
)
def test_one_remote_has_one_name_however_it_is_written(repo: Repo, address: str, expected: str):
    repo.git("config", "remote.origin.url", address)
    assert repo.state.remote == expected


def test_a_clone_of_a_clone_takes_the_remote_of_its_origin(repo: Repo, tmp_path: Path):
    repo.commit("first")
    repo.git("remote", "add", "origin", "git@github.com:ann/shop.git")
    repo.git("clone", "-q", str(repo.root), str(tmp_path / "copy"))
    assert git.open_repository(tmp_path / "copy").remote == "github.com/ann/shop"


def test_two_clones_of_each_other_have_no_remote(repo: Repo):
    repo.git("remote", "add", "origin", str(repo.root))
    assert repo.state.remote == ""


def test_origin_names_the_project_and_short_addresses_are_written_out(repo: Repo):
    repo.git("config", "url.https://github.com/.insteadOf", "gh:")
    repo.git("remote", "add", "another", "gh:zoe/shop")
    assert repo.state.remote == "github.com/zoe/shop"
    repo.git("remote", "add", "origin", "gh:ann/shop")
    assert repo.state.remote == "github.com/ann/shop"


def test_the_default_branch_is_the_one_the_remote_names(repo: Repo, tmp_path: Path):
    repo.commit("first")
    repo.git("branch", "-m", "stable")
    repo.git("clone", "-q", str(repo.root), str(tmp_path / "copy"))
    copy = Repo(tmp_path / "copy")
    copy.git("checkout", "-q", "-b", "feature/x")
    assert (copy.state.default_branch, copy.state.branch) == ("stable", "feature/x")


@pytest.mark.skipif(os.name == "nt", reason="ownership is another matter there")
def test_a_refused_owner_is_explained_with_the_command(repo: Repo, monkeypatch: pytest.MonkeyPatch):
    repo.commit("first")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(SourceError, match=r"git config --global --add safe\.directory"):
        git.open_repository(repo.root)


def test_a_worktree_whose_repository_is_gone_is_not_told_to_make_one(repo: Repo, tmp_path: Path):
    repo.commit("first")
    repo.git("worktree", "add", "-q", str(tmp_path / "beside"))
    repo.root.rename(tmp_path / "moved")
    with pytest.raises(SourceError, match="git worktree repair") as told:
        git.open_repository(tmp_path / "beside")
    assert f"not there: {repo.root}" in str(told.value)
    assert "git init" not in str(told.value)


def test_settings_that_git_cannot_follow_are_told_from_damage(repo: Repo, tmp_path: Path):
    repo.commit("first")
    repo.git("config", "core.excludesFile", str(tmp_path))
    with pytest.raises(SourceError, match="git config --list --show-origin"):
        git.list_files(repo.state)
    repo.git("config", "core.repositoryFormatVersion", "99")
    with pytest.raises(SourceError, match="git config --list --show-origin"):
        git.open_repository(repo.root)


def test_a_missing_git_is_explained(repo: Repo, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(repo.root))
    with pytest.raises(SourceError, match="git was not found"):
        git.open_repository(repo.root)


def test_what_a_hook_left_in_the_environment_points_nowhere_else(
    repo: Repo, new_repo: Callable[..., Repo], monkeypatch: pytest.MonkeyPatch
):
    other = new_repo("other")
    repo.write("a.txt")
    sha = repo.commit("first")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.root / "index"))
    assert git.open_repository(repo.root).head == sha
    assert git.list_files(repo.state).paths == (b"a.txt",)


@pytest.mark.skipif(os.name == "nt", reason="a POSIX script")
def test_reading_runs_no_program_of_the_repository_and_writes_nothing(repo: Repo, tmp_path: Path):
    proof = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{proof}'\n")
    script.chmod(0o755)
    repo.write("a.txt", "one\n")
    repo.write(".gitattributes", "*.txt diff=evil filter=evil\n")
    repo.commit("first")
    for name in ("core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "diff.external", "gpg.program"):
        repo.git("config", name, str(script))
    repo.git("config", "diff.evil.command", str(script))
    repo.git("config", "diff.evil.textconv", str(script))
    repo.git("config", "filter.evil.clean", str(script))
    repo.git("config", "log.showSignature", "true")
    repo.git("config", "diff.orderFile", "/no/such/file")
    for hook in ("post-index-change", "pre-auto-gc", "reference-transaction", "post-checkout"):
        (repo.root / ".git/hooks" / hook).write_bytes(script.read_bytes())
        (repo.root / ".git/hooks" / hook).chmod(0o755)
    repo.write("a.txt", "two\n")
    before = _stamps(repo.root)
    state = git.open_repository(repo.root)
    commits = list(git.read_commits(state))
    assert [change.path for change in commits[0].changes] == [".gitattributes", "a.txt"]
    git.list_files(state)
    git.ignored(state, ["a.txt"])
    git.read_tree(state, "HEAD")
    with closing(git.Blobs(state, 1_000)) as blobs:
        assert blobs.read("HEAD:a.txt") == b"one\n"
    assert not proof.exists()
    assert _stamps(repo.root) == before


@pytest.mark.skipif(os.name == "nt", reason="a POSIX script")
@pytest.mark.parametrize("program", ["clean", "process"])
@pytest.mark.parametrize("name", ["evil", "e.v.il"])
def test_looking_at_edited_files_runs_no_filter_of_the_repository(
    repo: Repo, new_repo: Callable[..., Repo], tmp_path: Path, name: str, program: str
):
    proof, script = tmp_path / "ran", tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{proof}'\n")
    script.chmod(0o755)
    inner = new_repo("inner")
    for one in (inner, repo):
        one.write("a.txt", "one\n")
        one.write(".gitattributes", f"*.txt filter={name}\n")
        one.commit("first")
    repo.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "inner")
    repo.commit("second")
    for place in (".", "inner"):
        repo.git("-C", place, "config", f"filter.{name}.{program}", str(script))
        repo.git("-C", place, "config", f"filter.{name}.required", "true")
        repo.write(f"{place}/a.txt", "two\n")
    assert between.dirty_paths(repo.state) == {"a.txt": True}
    assert between.edited_lines(repo.state, ["a.txt", "inner"]) == "-one\n+two"
    assert git.blame(repo.state, "a.txt", b"one\n")
    assert not proof.exists()


@pytest.mark.skipif(os.name == "nt", reason="a POSIX script")
def test_a_filter_whose_name_would_end_the_setting_that_switches_it_off_is_refused(repo: Repo, tmp_path: Path):
    proof, script = tmp_path / "ran", tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{proof}'\n")
    script.chmod(0o755)
    repo.write("a.txt", "one\n")
    repo.write(".gitattributes", "*.txt filter=e.v=il\n")
    repo.commit("first")
    repo.git("config", "filter.e.v=il.clean", str(script))
    repo.write("a.txt", "two\n")
    with pytest.raises(SourceError, match="would run a program"):
        between.dirty_paths(repo.state)
    assert git.blame(repo.state, "a.txt", b"one\n") == ()
    assert not proof.exists()


def test_a_damaged_repository_is_an_error_with_a_next_step(repo: Repo):
    repo.write("a.txt")
    repo.commit("first")
    (repo.root / ".git/index").write_bytes(b"DIRC garbage")
    with pytest.raises(SourceError, match="fsck"):
        git.list_files(repo.state)


@pytest.mark.skipif(os.name == "nt", reason="names that Windows does not allow")
def test_a_repository_in_a_folder_with_an_odd_name_is_read(tmp_path: Path):
    root = tmp_path / os.fsdecode(b'od\xffd\nname "q"')
    root.mkdir()
    Repo(root).git("init", "-q")
    state = git.open_repository(root)
    assert state.root.endswith('/od\\xffd\\x0aname "q"')
    assert git.folder_of(state) == root
    assert git.list_files(state).paths == ()


def _stamps(root: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path.relative_to(root)): (path.stat().st_mtime_ns, path.stat().st_size)
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
